package matrix

import (
	"fmt"

	"dambase/engine"
	"dambase/index"
)

// The bits of the numbers that solving a slice packs.
const (
	// setBits are those of a set of a side's kings in a step. Lists of up to
	// 60 moves of each of 8 kings are then numbered in 32 bits, and so are the
	// sets of one king more.
	setBits = 22
	// menBits are those of a set of a side's men; lists of their moves are
	// numbered in 32 bits.
	menBits = 22
	// seedBits are those of a row and a column together, of a position that
	// the search begins with.
	seedBits = 32
	// blockBits are those of a block in Table.blocks.
	blockBits = 32
	// cellBits are those of a cell of a table: an int.
	cellBits = 62
)

const (
	// maxKings bounds the kings of a side; one more is crowned.
	maxKings = 9
	// maxMen bounds the men of a side.
	maxMen = 9
)

// FitsSlice returns nil if the numbers of a slice fit where they are packed:
// an *index.OverflowError if they take too many bits.
func FitsSlice(r *engine.Rules, s index.Slice) error {
	var kings, men [2]uint64
	for i := range s.Kings {
		if s.Kings[i] >= maxKings || s.Men[i] >= maxMen {
			return fmt.Errorf("slice %s has %d or more pieces of a kind", s, maxKings)
		}
		kings[i] = uint64(binomial[r.Squares()][s.Kings[i]])
		men[i] = uint64(binomial[r.MenSquares(engine.White).Count()][s.Men[i]])
		if men[i] == 0 || kings[i] == 0 {
			return fmt.Errorf("slice %s has no positions: more pieces than squares", s)
		}
	}
	for i := range kings {
		if err := index.CheckBits(s, "a placement of a side's kings", setBits, kings[i]); err != nil {
			return err
		}
		if err := index.CheckBits(s, "a placement of a side's men", menBits, men[i]); err != nil {
			return err
		}
	}
	if kings[0] > 1 && kings[1] > 1 {
		if err := index.CheckBits(s, "a placement of both sides' kings", seedBits, 1<<index.BitsOf(kings[0]), 1<<index.BitsOf(kings[1])); err != nil {
			return err
		}
	}
	if kings[0] > 1 || kings[1] > 1 {
		if err := index.CheckBits(s, "a placement of both sides' men", blockBits, men[0], men[1]); err != nil {
			return err
		}
	}
	return index.CheckBits(s, "a cell of its table", cellBits, kings[0], kings[1], men[0], men[1])
}
