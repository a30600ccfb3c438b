package storage

import (
	"bytes"
	"errors"

	"github.com/klauspost/compress/zstd"
)

// A block is stored in the shortest of three ways, told apart by its length:
// one byte for a block of equal bytes, the packed bytes themselves, or zstd.

var (
	errBlockLength = errors.New("wrong length")

	encoder = mustEncoder()
	decoder = mustDecoder()
)

func mustEncoder() *zstd.Encoder {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderCRC(false), zstd.WithSingleSegment(true), zstd.WithWindowSize(1<<17))
	if err != nil {
		panic(err)
	}
	return e
}

func mustDecoder() *zstd.Decoder {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(1<<20))
	if err != nil {
		panic(err)
	}
	return d
}

// appendBlock appends the stored form of a packed block to dst.
func appendBlock(dst, packed []byte) []byte {
	if len(packed) == 1 || bytes.Equal(packed[1:], packed[:len(packed)-1]) {
		return append(dst, packed[0])
	}
	start := len(dst)
	dst = encoder.EncodeAll(packed, dst)
	if n := len(dst) - start; n >= len(packed) || n == 1 {
		dst = append(dst[:start], packed...)
	}
	return dst
}

// expandBlock returns the packed bytes of a stored block, size of them.
func expandBlock(stored []byte, size int) ([]byte, error) {
	switch len(stored) {
	case size:
		return append([]byte(nil), stored...), nil
	case 0:
		return nil, errBlockLength
	case 1:
		packed := make([]byte, size)
		for i := range packed {
			packed[i] = stored[0]
		}
		return packed, nil
	}
	packed, err := decoder.DecodeAll(stored, make([]byte, 0, size))
	if err != nil {
		return nil, err
	}
	if len(packed) != size {
		return nil, errBlockLength
	}
	return packed, nil
}
