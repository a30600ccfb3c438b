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

// Add takes in the entries that follow.
func (h *ValuesHash) Add(entries []uint16) {
	h.buffer = h.buffer[:0]
	for _, e := range entries {
		h.buffer = binary.LittleEndian.AppendUint16(h.buffer, e)
	}
	h.Write(h.buffer)
}

// Hex returns the hash so far.
func (h *ValuesHash) Hex() string { return hex.EncodeToString(h.Sum(nil)) }
