package probe

import (
	"dambase/engine"
	"dambase/index"
)

// A fold makes the value of a position of those after its moves.
type fold struct {
	wins, draws, losses, unknown bool // of children, as their side to move sees them
	// The shortest way to win and the longest way to lose, in plies from the
	// parent, and whether every child that could change them has a distance.
	win, loss           engine.Plies
	winExact, lossExact bool
	moves               bool
	why                 unknown // of children without a result

	best    index.RuledBest
	ruled   bool    // every child has an entry
	noEntry unknown // of children without one
}

func newFold() fold { return fold{winExact: true, lossExact: true, ruled: true} }

// add takes in the value of the position after a move, and what its entry
// gives the mover.
func (f *fold) add(child value, gives index.Ruled) {
	f.moves = true
	n, exact := child.dtw.abs()+1, child.dtw.known
	switch child.wld {
	case Loss:
		if exact && (!f.losses || f.win == 0 || n < f.win) {
			f.win = n
		}
		f.winExact = f.winExact && exact
		f.losses = true
	case Draw:
		f.draws = true
	case Win:
		f.loss = max(f.loss, n)
		f.lossExact = f.lossExact && exact
		f.wins = true
	default:
		f.unknown = true
		f.why = child.why
	}
	f.best.Add(gives)
	if !child.ruled {
		f.ruled, f.noEntry = false, child.why
	}
}

// value is that of the parent. A move that wins decides even if others are
// unknown; its distance does not, unless it wins at once.
func (f *fold) value() value {
	if !f.moves {
		return lostNow
	}
	v := value{entry: f.best.Value(), ruled: f.ruled, why: f.noEntry}
	switch {
	case f.losses:
		v.wld = Win
		if f.win == 1 || f.winExact && !f.unknown {
			v.dtw = plies(f.win)
		} else if f.unknown {
			v.why = f.why
		}
	case f.unknown:
		return value{why: f.why}
	case f.draws:
		v.wld, v.entry, v.ruled = Draw, index.RuledDraw, true
	default:
		v.wld = Loss
		if f.lossExact {
			v.dtw = plies(-f.loss)
		}
	}
	return v
}
