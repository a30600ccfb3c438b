package storage

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
)

// streamHash hashes the keys and values of a table.
type streamHash struct{ hash.Hash }

func newStreamHash() streamHash { return streamHash{sha256.New()} }

func (h streamHash) add(key, value []byte) {
	var length [4]byte
	for _, part := range [2][]byte{key, value} {
		binary.LittleEndian.PutUint32(length[:], uint32(len(part)))
		h.Write(length[:])
		h.Write(part)
	}
}

func (h streamHash) sum() string { return hex.EncodeToString(h.Sum(nil)) }
