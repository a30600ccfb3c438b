package storage

import (
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math/bits"

	"github.com/cockroachdb/pebble/v2/objstorage"
)

// checkedReadable checks large blocks of an sstable before Pebble does: where a
// checksum fails, that tries every bit that could be flipped, which takes a
// second of CPU for a chunk.
type checkedReadable struct {
	objstorage.Readable
	handle objstorage.NoopReadHandle
}

func newCheckedReadable(r objstorage.Readable) *checkedReadable {
	c := &checkedReadable{Readable: r}
	c.handle = objstorage.MakeNoopReadHandle(c)
	return c
}

// smallBlock is up to which size Pebble's way costs little.
const smallBlock = 1 << 10

// ReadAt reads a block with its trailer: a byte for its kind, and the masked
// CRC-32C of all that stands before it. Only an sstable's last bytes are no
// block, and few.
func (c *checkedReadable) ReadAt(ctx context.Context, p []byte, offset int64) error {
	if err := c.Readable.ReadAt(ctx, p, offset); err != nil || len(p) <= smallBlock {
		return err
	}
	end := len(p) - 4
	sum := bits.RotateLeft32(crc32.Checksum(p[:end], castagnoli), 17) + 0xa282ead8
	if binary.LittleEndian.Uint32(p[end:]) != sum {
		return errors.New("checksum mismatch")
	}
	return nil
}

// NewReadHandle implements objstorage.Readable; nothing is read ahead.
func (c *checkedReadable) NewReadHandle(objstorage.ReadBeforeSize) objstorage.ReadHandle {
	return &c.handle
}
