package storage

import "dambase/index"

// A packing is how the entries of a block become bytes before compression.
type packing string

const (
	packTrits packing = "trits" // entries 0 to 2, five to a byte, the first the least
	packBytes packing = "bytes" // one byte an entry
	packWords packing = "words" // all low bytes, then all high bytes
)

// known reports whether this program can read a packing.
func (p packing) known() bool { return p == packTrits || p == packBytes || p == packWords }

// packedLen returns the bytes that n entries take.
func (p packing) packedLen(n int) int {
	switch p {
	case packTrits:
		return (n + 4) / 5
	case packWords:
		return 2 * n
	}
	return n
}

// pack appends entries to dst.
func pack[E index.Entry](p packing, dst []byte, entries []E) []byte {
	switch p {
	case packTrits:
		for ; len(entries) >= 5; entries = entries[5:] {
			dst = append(dst, byte(entries[0]+3*entries[1]+9*entries[2]+27*entries[3]+81*entries[4]))
		}
		for len(entries) > 0 {
			var b, weight E = 0, 1
			n := min(5, len(entries))
			for _, e := range entries[:n] {
				b += e * weight
				weight *= 3
			}
			dst = append(dst, byte(b))
			entries = entries[n:]
		}
	case packWords:
		for _, e := range entries {
			dst = append(dst, byte(e))
		}
		for _, e := range entries {
			dst = append(dst, byte(uint16(e)>>8))
		}
	default:
		for _, e := range entries {
			dst = append(dst, byte(e))
		}
	}
	return dst
}

// tritDigits[b][i] is the i-th of the five trits in b.
var tritDigits = func() (t [256][5]uint8) {
	for b := range t {
		for i, rest := 0, b; i < 5; i, rest = i+1, rest/3 {
			t[b][i] = uint8(rest % 3)
		}
	}
	return t
}()

// entry returns entry i of a packed block.
func (p packing) entry(packed []byte, i int) uint16 {
	switch p {
	case packTrits:
		return uint16(tritDigits[packed[i/5]][i%5])
	case packWords:
		return uint16(packed[i]) | uint16(packed[len(packed)/2+i])<<8
	}
	return uint16(packed[i])
}
