package storage

import "github.com/maypok86/otter/v2"

// A blockKey names a decoded block: the number of its table in the reader, and
// its number in the table.
type blockKey struct {
	table uint32
	block uint32
}

// blockCache keeps decoded blocks up to a number of bytes.
type blockCache = otter.Cache[blockKey, []byte]

// blockOverhead is about what the cache itself needs for a block.
const blockOverhead = 200

func newBlockCache(size uint64) (*blockCache, error) {
	return otter.New(&otter.Options[blockKey, []byte]{
		MaximumWeight: size,
		Weigher: func(_ blockKey, packed []byte) uint32 {
			return uint32(len(packed)) + blockOverhead
		},
	})
}
