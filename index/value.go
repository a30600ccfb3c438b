package index

import "dambase/engine"

// WLD is a result for the side to move, without draw rules.
type WLD uint8

// The results, as tables store them.
const (
	Draw WLD = iota
	Win
	Loss
)

func (w WLD) String() string { return [...]string{"draw", "win", "loss"}[w] }

// Negate returns the result as the other side sees it.
func (w WLD) Negate() WLD { return [...]WLD{Draw, Loss, Win}[w] }

// A Value is the exact value of a position without draw rules: 0 for a draw,
// else one more than the distance to win or to loss in plies. Wins are odd
// distances, losses even ones, so the parity tells them apart.
type Value uint16

// The smallest distances.
const (
	ValueDraw Value = 0
	LostNow   Value = 1 // no move, or no piece
	MaxValue  Value = 0xFFFE
)

// WLD returns the result.
func (v Value) WLD() WLD {
	switch {
	case v == ValueDraw:
		return Draw
	case v&1 == 0:
		return Win
	}
	return Loss
}

// Distance returns the plies to the end; it has no meaning for a draw.
func (v Value) Distance() engine.Plies { return engine.Plies(v) - 1 }

// A Best collects the values of the positions after each move of a position
// and yields its own: the shortest win, else a draw, else the longest loss.
type Best struct {
	win, loss Value // of the position, 0 for none yet
	draw      bool
}

// Add takes in the value of the position after a move, as the opponent sees it.
func (b *Best) Add(child Value) {
	switch child.WLD() {
	case Loss:
		if b.win == 0 || child < b.win-1 {
			b.win = child + 1
		}
	case Draw:
		b.draw = true
	case Win:
		b.loss = max(b.loss, child+1)
	}
}

// Value returns the value of the position; one without moves is lost.
func (b *Best) Value() Value {
	switch {
	case b.win != 0:
		return b.win
	case b.draw:
		return ValueDraw
	}
	return max(b.loss, LostNow)
}

// Values is an array of table entries, one byte each until an entry needs two.
// Reading is safe for concurrent use, and so is writing different elements
// while no entry widens the array.
type Values struct {
	narrow []uint8
	wide   []uint16
}

// NewValues returns n draws that take one byte each, or two.
func NewValues(n uint64, wide bool) *Values {
	if wide {
		return &Values{wide: make([]uint16, n)}
	}
	return &Values{narrow: make([]uint8, n)}
}

// Wide reports whether an entry takes two bytes.
func (v *Values) Wide() bool { return v.wide != nil }

// Narrow returns the entries themselves if they take one byte each, else nil.
func (v *Values) Narrow() []uint8 { return v.narrow }

// Len returns the number of entries.
func (v *Values) Len() uint64 { return uint64(len(v.narrow) + len(v.wide)) }

// At returns entry i.
func (v *Values) At(i uint64) Value {
	if v.wide != nil {
		return Value(v.wide[i])
	}
	return Value(v.narrow[i])
}

// Set stores entry i. It panics if the value needs more bytes than entries have.
func (v *Values) Set(i uint64, x Value) {
	if v.wide != nil {
		v.wide[i] = uint16(x)
		return
	}
	if x > 0xFF {
		panic("index: a value of two bytes in an array of one-byte values")
	}
	v.narrow[i] = uint8(x)
}

// Bytes returns the memory that the entries take.
func (v *Values) Bytes() uint64 { return uint64(len(v.narrow) + 2*len(v.wide)) }
