package storage

import (
	"sync/atomic"

	"github.com/maypok86/otter/v2"
)

// A blockKey names a decoded block: the number of its table in the cache, and
// its number in the table.
type blockKey struct {
	table uint32
	block uint32
}

// blockCache keeps decoded blocks up to a number of bytes. It outlives the
// readers that use it one after the other.
type blockCache struct {
	*otter.Cache[blockKey, []byte]
	tables atomic.Uint32 // numbers given
}

// blockOverhead is about what the cache itself needs for a block.
const blockOverhead = 200

func newBlockCache(size uint64) (*blockCache, error) {
	c, err := otter.New(&otter.Options[blockKey, []byte]{
		MaximumWeight: size,
		Weigher: func(_ blockKey, packed []byte) uint32 {
			return uint32(len(packed)) + blockOverhead
		},
	})
	return &blockCache{Cache: c}, err
}
