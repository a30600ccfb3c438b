package index

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
)

// A ValuesHash hashes exact entries in order.
type ValuesHash struct {
	hash.Hash
	buffer []byte
}

// NewValuesHash returns a hash of exact entries, for comparison with Footer.ValuesSHA256.
func NewValuesHash() *ValuesHash { return &ValuesHash{Hash: sha256.New()} }

// Add takes in the entries that follow: two bytes each, the low one first.
func (h *ValuesHash) Add(entries []uint16) { addEntries(h, entries) }

// AddNarrow is Add for entries of one byte.
func (h *ValuesHash) AddNarrow(entries []uint8) { addEntries(h, entries) }

func addEntries[E Entry](h *ValuesHash, entries []E) {
	for len(entries) > 0 {
		n := min(len(entries), hashPiece)
		if len(h.buffer) == 0 {
			h.buffer = make([]byte, 2*hashPiece)
		}
		for i, e := range entries[:n] {
			binary.LittleEndian.PutUint16(h.buffer[2*i:2*i+2], uint16(e))
		}
		h.Write(h.buffer[:2*n])
		entries = entries[n:]
	}
}

// hashPiece is how many entries are hashed at a time; their bytes stay in cache.
const hashPiece = 4096

// Hex returns the hash so far.
func (h *ValuesHash) Hex() string { return hex.EncodeToString(h.Sum(nil)) }
