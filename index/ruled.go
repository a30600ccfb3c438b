package index

import "dambase/engine"

// Ruled is a decided result for the side to move with a distance of any
// parity: 0 for a draw, 2d+1 for a loss and 2d+2 for a win of distance d.
//
// In a DTZ table the distance is how much of the binding draw counter the
// result needs: it stands as long as counter + d is within the limit.
type Ruled uint16

// RuledDraw is a draw under the rules.
const RuledDraw Ruled = 0

// RuledLoss and RuledWin return the entry of a distance.
func RuledLoss(d engine.Plies) Ruled { return Ruled(2*d + 1) }

// RuledWin returns the entry of a win.
func RuledWin(d engine.Plies) Ruled { return Ruled(2*d + 2) }

// RuledOf returns a theory value as a Ruled of the same distance.
func RuledOf(v Value) Ruled {
	if v == ValueDraw {
		return RuledDraw
	}
	return Ruled(2*v - 1 + (v&1 ^ 1)) // even values are wins
}

// WLD returns the result.
func (r Ruled) WLD() WLD {
	switch {
	case r == RuledDraw:
		return Draw
	case r&1 == 0:
		return Win
	}
	return Loss
}

// Distance returns the plies; it has no meaning for a draw.
func (r Ruled) Distance() engine.Plies { return engine.Plies(r-1) / 2 }

// Value returns the theory value of the same distance.
func (r Ruled) Value() Value {
	if r == RuledDraw {
		return ValueDraw
	}
	return Value(r.Distance()) + 1
}

// Mover returns the result for the side that moves to a position of result r,
// at a distance of its own.
func (r Ruled) Mover(d engine.Plies) Ruled {
	switch r.WLD() {
	case Loss:
		return RuledWin(d)
	case Win:
		return RuledLoss(d)
	}
	return RuledDraw
}

// Before returns the result one ply earlier, for the side that moves to r.
func (r Ruled) Before() Ruled {
	if r == RuledDraw {
		return RuledDraw
	}
	return r + 1 + r&1<<1 // a loss of d becomes a win of d+1, a win a loss
}

// A RuledBest collects what each move gives the mover and yields the best: the
// shortest win, else a draw, else the longest loss.
type RuledBest struct {
	best Ruled
	any  bool
}

// Add takes in what a move gives the mover.
func (b *RuledBest) Add(r Ruled) {
	if !b.any || r.rank() > b.best.rank() {
		b.best, b.any = r, true
	}
}

// rank is larger the more the side to move likes the result: losses by their
// length, draws, wins by their shortness.
func (r Ruled) rank() int {
	switch {
	case r == RuledDraw:
		return 1 << 16
	case r&1 == 0:
		return 1<<18 - int(r)
	}
	return int(r)
}

// Value returns the best; without moves the side to move has lost.
func (b *RuledBest) Value() Ruled {
	if !b.any {
		return RuledLoss(0)
	}
	return b.best
}
