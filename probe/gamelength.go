package probe

import "dambase/engine"

// A gameLength is the plies that a game has lasted, where they are known.
type gameLength struct {
	ply   engine.Plies
	known bool
}

// next returns the length one ply later.
func (g gameLength) next() gameLength { return gameLength{g.ply + 1, g.known} }

// over reports whether a game of a length is drawn in p by the rule on it.
func (t *Tables) over(p *engine.Position, g gameLength) bool {
	limit := t.rules.GameLengthLimit()
	return g.known && limit > 0 && g.ply >= limit && t.rules.HasMove(p)
}

// lengthen lets the rule on the length of a game bear on a result. A decided
// position is drawn if even its shortest way does not fit, stands if that fits
// and no counter comes between, and is undecided otherwise.
func (t *Tables) lengthen(r *Result, p *engine.Position, c engine.Counters, g gameLength) {
	limit := t.rules.GameLengthLimit()
	decided := r.Category == CategoryWin || r.Category == CategoryLoss
	if !g.known || limit == 0 || !decided || r.GameOver {
		return
	}
	switch {
	case r.DTW.known && g.ply+r.DTW.abs() > limit:
		r.Category, r.DTZ = cursed(r.WLD), Distance{}
	case r.DTW.known && t.inTime(p, c, r.DTW.abs()):
	default:
		r.Inexact = true
	}
}
