package storage

import (
	"crypto/sha256"
	"encoding/binary"

	"dambase/engine"
)

// A key is 8 bytes of the variant's identity, the 4 counts of the slice, the
// metric, and the number of the chunk, big endian. The footer, which describes
// the table, has the last number of all.
const keyLen = 8 + 4 + 1 + 4

const footerChunk = 0xFFFFFFFF

// tableKeys makes the keys of a table.
type tableKeys [keyLen - 4]byte

func keysOf(id TableID) tableKeys {
	var k tableKeys
	sum := sha256.Sum256([]byte(id.Variant + "\x00" + string(id.Rules)))
	copy(k[:8], sum[:])
	k[8], k[9] = id.Slice.Men[engine.White], id.Slice.Kings[engine.White]
	k[10], k[11] = id.Slice.Men[engine.Black], id.Slice.Kings[engine.Black]
	k[12] = metricNumber(id.Metric)
	return k
}

func (k tableKeys) chunk(n uint32) []byte {
	return binary.BigEndian.AppendUint32(k[:], n)
}

func (k tableKeys) footer() []byte { return k.chunk(footerChunk) }
