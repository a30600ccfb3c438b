package engine

import (
	"math/bits"
	"strconv"
)

// Direction is one of the four ways along the lines of a board, clockwise
// from the first; the opposite direction is two further.
type Direction uint8

const directions = 4

func (d Direction) opposite() Direction { return d ^ 2 }

// squareSet says which squares of the board are played on.
type squareSet string

const (
	darkSquares     squareSet = "dark"     // a1 is played on
	mirroredSquares squareSet = "mirrored" // a1 is not
	allSquares      squareSet = "all"
)

// geometry is the board of a variant: which squares exist and what lies
// beside them.
type geometry struct {
	rows, columns int
	squares       int
	row, column   [64]int8 // row 0 is the top row
	at            map[[2]int]Square
	next          [directions][64]Square
	ray           [directions][64]Bits
	// rises tells whether square numbers grow along the direction.
	rises [directions]bool
	// delta is the change of row of one step: negative is up the board.
	delta [directions]int
	shift [directions]shift
}

// A shift moves whole sets one step: the squares of each mask by a constant
// difference of numbers. On a board of every other square the difference
// depends on the row, hence two.
type shift struct {
	mask   [2]Bits
	amount [2]uint8
	rises  bool
}

func (s *shift) apply(b Bits) Bits {
	if s.rises {
		return (b&s.mask[0])<<s.amount[0] | (b&s.mask[1])<<s.amount[1]
	}
	return (b&s.mask[0])>>s.amount[0] | (b&s.mask[1])>>s.amount[1]
}

var (
	diagonalSteps   = [directions][2]int{{-1, 1}, {1, 1}, {1, -1}, {-1, -1}}
	orthogonalSteps = [directions][2]int{{-1, 0}, {0, 1}, {1, 0}, {0, -1}}
)

func newGeometry(rows, columns int, set squareSet, steps [directions][2]int) *geometry {
	g := &geometry{rows: rows, columns: columns, at: map[[2]int]Square{}}
	for r := range rows {
		for c := range columns {
			// The bottom left corner a1 is (rows-1, 0).
			dark := (rows-1-r+c)%2 == 0
			if set == allSquares || dark == (set == darkSquares) {
				g.at[[2]int{r, c}] = Square(g.squares)
				g.row[g.squares], g.column[g.squares] = int8(r), int8(c)
				g.squares++
			}
		}
	}
	for d, step := range steps {
		g.delta[d] = step[0]
		g.rises[d] = step[0] > 0 || step[0] == 0 && step[1] > 0
		for s := range g.squares {
			g.next[d][s] = g.neighbour(Square(s), step)
			for t := g.next[d][s]; t != NoSquare; t = g.neighbour(t, step) {
				g.ray[d][s] |= t.Bit()
			}
		}
		g.shift[d] = g.newShift(Direction(d))
	}
	return g
}

func (g *geometry) newShift(d Direction) shift {
	s := shift{rises: g.rises[d]}
	for from := range g.squares {
		to := g.next[d][from]
		if to == NoSquare {
			continue
		}
		amount := uint8(int(to) - from)
		if !s.rises {
			amount = -amount
		}
		half := 0
		if s.mask[0] != 0 && s.amount[0] != amount {
			half = 1
		}
		s.mask[half] |= Square(from).Bit()
		s.amount[half] = amount
	}
	return s
}

func (g *geometry) neighbour(s Square, step [2]int) Square {
	if t, ok := g.at[[2]int{int(g.row[s]) + step[0], int(g.column[s]) + step[1]}]; ok {
		return t
	}
	return NoSquare
}

// rowBits returns the playing squares of a row, 0 being the top.
func (g *geometry) rowBits(row int) Bits {
	var b Bits
	for s := range g.squares {
		if int(g.row[s]) == row {
			b |= Square(s).Bit()
		}
	}
	return b
}

func (g *geometry) all() Bits { return Bits(1)<<(g.squares-1)<<1 - 1 }

// turn turns a set by 180 degrees.
func (g *geometry) turn(b Bits) Bits {
	return Bits(bits.Reverse64(uint64(b)) >> (64 - g.squares))
}

// algebraic returns the name of a square by file and rank, a1 at the bottom left.
func (g *geometry) algebraic(s Square) string {
	return string(rune('a'+g.column[s])) + strconv.Itoa(g.rows-int(g.row[s]))
}

// named returns the square of a letter for the file, in either case, and a rank.
func (g *geometry) named(text string) (Square, bool) {
	rank, err := strconv.Atoi(text[1:])
	if err != nil || text[1] == '0' {
		return NoSquare, false
	}
	s, ok := g.at[[2]int{g.rows - rank, int(text[0] | 0x20 - 'a')}]
	return s, ok
}
