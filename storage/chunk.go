package storage

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
)

// A chunk is a directory, then the stored blocks. The directory has 8 bytes a
// block: where its stored bytes end, counted from the end of the directory,
// and the checksum of its packed bytes, both little endian.
const directoryEntry = 8

// chunkBlocks is how many blocks a chunk has, but for the last of a table.
const chunkBlocks = 64

// appendChunk appends the stored form of packed blocks to dst. The key goes
// into the checksums, so that a chunk in another's place does not pass.
func appendChunk(dst []byte, key []byte, packed [][]byte) []byte {
	start := len(dst)
	dst = append(dst, make([]byte, directoryEntry*len(packed))...)
	body := len(dst)
	for i, p := range packed {
		dst = appendBlock(dst, p)
		entry := dst[start+directoryEntry*i:]
		binary.LittleEndian.PutUint32(entry, uint32(len(dst)-body))
		binary.LittleEndian.PutUint32(entry[4:], blockChecksum(key, i, p))
	}
	return dst
}

// chunkBlock returns the packed bytes, size of them, of block i of a chunk of
// n blocks.
func chunkBlock(chunk, key []byte, n, i, size int) ([]byte, error) {
	if len(chunk) < directoryEntry*n {
		return nil, errors.New("directory cut off")
	}
	directory, body := chunk[:directoryEntry*n], chunk[directoryEntry*n:]
	start := uint32(0)
	if i > 0 {
		start = binary.LittleEndian.Uint32(directory[directoryEntry*(i-1):])
	}
	end := binary.LittleEndian.Uint32(directory[directoryEntry*i:])
	if start > end || uint64(end) > uint64(len(body)) {
		return nil, errors.New("directory out of range")
	}
	packed, err := expandBlock(body[start:end], size)
	if err != nil {
		return nil, err
	}
	if binary.LittleEndian.Uint32(directory[directoryEntry*i+4:]) != blockChecksum(key, i, packed) {
		return nil, errors.New("checksum mismatch")
	}
	return packed, nil
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// blockChecksum is the CRC-32C of a block's place and packed bytes.
func blockChecksum(key []byte, i int, packed []byte) uint32 {
	sum := crc32.Update(0, castagnoli, key)
	sum = crc32.Update(sum, castagnoli, []byte{byte(i)})
	return crc32.Update(sum, castagnoli, packed)
}
