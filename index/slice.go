package index

import (
	"errors"
	"fmt"
	"strings"

	"dambase/engine"
)

// A Slice is a material class, White to move. Its text is four digits: white
// men, white kings, black men, black kings; see sliceDigits.
type Slice struct {
	Men, Kings [2]uint8 // by engine.Color
}

// ErrSlice is wrapped by errors about the text of a slice.
var ErrSlice = errors.New("bad slice")

// NewSlice returns the slice of the four counts.
func NewSlice(whiteMen, whiteKings, blackMen, blackKings int) Slice {
	return Slice{
		Men:   [2]uint8{uint8(whiteMen), uint8(blackMen)},
		Kings: [2]uint8{uint8(whiteKings), uint8(blackKings)},
	}
}

// sliceDigits write the counts of a slice: a stands for 10, and z for 35 or
// more. Slices with more than 9 pieces of a kind have no table.
const sliceDigits = "0123456789abcdefghijklmnopqrstuvwxyz"

// ParseSlice reads four digits, as String writes them, with a piece on both sides.
func ParseSlice(text string) (Slice, error) {
	var n [4]int
	if len(text) != 4 {
		return Slice{}, fmt.Errorf("%w %.20q: want four digits: white men, white kings, black men, black kings", ErrSlice, text)
	}
	for i := range n {
		if n[i] = strings.IndexByte(sliceDigits, text[i]); n[i] < 0 {
			return Slice{}, fmt.Errorf("%w %q: %q is not a digit, or a letter from a, 10, to z", ErrSlice, text, text[i])
		}
	}
	s := NewSlice(n[0], n[1], n[2], n[3])
	if s.Side(engine.White) == 0 || s.Side(engine.Black) == 0 {
		return Slice{}, fmt.Errorf("%w %q: a side without pieces has no table", ErrSlice, text)
	}
	return s, nil
}

// SliceOf returns the material of a position with White to move.
func SliceOf(p *engine.Position) Slice {
	return NewSlice(p.Men[0].Count(), p.Kings[0].Count(), p.Men[1].Count(), p.Kings[1].Count())
}

// String returns the four digits; counts from 10 on are letters, a for 10.
func (s Slice) String() string {
	var text [4]byte
	for i, n := range [4]uint8{s.Men[0], s.Kings[0], s.Men[1], s.Kings[1]} {
		text[i] = sliceDigits[min(int(n), len(sliceDigits)-1)]
	}
	return string(text[:])
}

// MaxSlot is the number of slices with at most 9 pieces of a kind.
const MaxSlot = 10 * 10 * 10 * 10

// Slot returns a number below MaxSlot that is the slice's own, or MaxSlot for
// a slice with more than 9 pieces of a kind.
func (s Slice) Slot() int {
	if s.Men[0] > 9 || s.Kings[0] > 9 || s.Men[1] > 9 || s.Kings[1] > 9 {
		return MaxSlot
	}
	return s.digits()
}

// Mirror returns the slice of the same positions with the colours exchanged.
func (s Slice) Mirror() Slice {
	return NewSlice(int(s.Men[1]), int(s.Kings[1]), int(s.Men[0]), int(s.Kings[0]))
}

// Side returns the number of pieces of colour c.
func (s Slice) Side(c engine.Color) int { return int(s.Men[c] + s.Kings[c]) }

// AllMen returns the number of men on the board.
func (s Slice) AllMen() int { return int(s.Men[0] + s.Men[1]) }

// Pieces returns the number of pieces on the board.
func (s Slice) Pieces() int { return s.Side(engine.White) + s.Side(engine.Black) }

// Compare orders slices as they are built: by pieces, then men, then by the
// digits, the largest first.
func (s Slice) Compare(o Slice) int {
	if d := s.Pieces() - o.Pieces(); d != 0 {
		return d
	}
	if d := s.AllMen() - o.AllMen(); d != 0 {
		return d
	}
	return o.digits() - s.digits()
}

func (s Slice) digits() int {
	return int(s.Men[0])*1000 + int(s.Kings[0])*100 + int(s.Men[1])*10 + int(s.Kings[1])
}

// A Pair is a slice and its mirror, which are solved together. The first is
// the one with the larger digits; they are equal where the sides are alike.
type Pair [2]Slice

// PairOf returns the pair that holds s.
func PairOf(s Slice) Pair {
	if m := s.Mirror(); m.digits() > s.digits() {
		return Pair{m, s}
	}
	return Pair{s, s.Mirror()}
}

// Symmetric reports whether both slices of the pair are the same.
func (p Pair) Symmetric() bool { return p[0] == p[1] }

// Slices returns the different slices of the pair.
func (p Pair) Slices() []Slice {
	if p.Symmetric() {
		return p[:1]
	}
	return p[:]
}
