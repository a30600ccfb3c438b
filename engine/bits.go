package engine

import "math/bits"

// A Square is a playing square, 0-based in top-left numbering: Square 0 is
// square 1 of the rules.
type Square uint8

// NoSquare is the neighbour of a square at the edge of the board.
const NoSquare Square = 255

// Bit returns the set that holds s alone.
func (s Square) Bit() Bits { return 1 << s }

// Bits is a set of squares; bit i is Square i.
type Bits uint64

// Has reports whether s is in the set.
func (b Bits) Has(s Square) bool { return b>>s&1 != 0 }

// Count returns the number of squares in the set.
func (b Bits) Count() int { return bits.OnesCount64(uint64(b)) }

// First returns the lowest square of a set that is not empty.
func (b Bits) First() Square { return Square(bits.TrailingZeros64(uint64(b))) }

// Last returns the highest square of a set that is not empty.
func (b Bits) Last() Square { return Square(63 - bits.LeadingZeros64(uint64(b))) }

// Color is a side.
type Color uint8

// The two sides.
const (
	White Color = iota
	Black
)

// Opponent returns the other side.
func (c Color) Opponent() Color { return c ^ 1 }

// String returns "white" or "black".
func (c Color) String() string {
	if c == White {
		return "white"
	}
	return "black"
}

// Plies is a number of single moves of one side: a distance, a limit, or the
// value of a draw counter.
type Plies int
