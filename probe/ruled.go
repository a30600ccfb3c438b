package probe

import (
	"dambase/engine"
	"dambase/index"
)

// plane returns the plane of a position's entry: the situation's counter where
// both counters bind. A counter at its limit has none; it has ended the game.
func (t *Tables) plane(p *engine.Position, c engine.Counters) int {
	if s := t.rules.Situation(p); s != nil && s.DependsOnSquare && c.Situation < s.Limit {
		return int(c.Situation)
	}
	return 0
}

// binding returns the value and the limit of the counter that binds in p; a
// limit of 0 is none.
func (t *Tables) binding(p *engine.Position, c engine.Counters) (value, limit engine.Plies) {
	if s := t.rules.Situation(p); s != nil && !s.DependsOnSquare {
		return c.Situation, s.Limit
	}
	return c.KingMoves, t.rules.KingMovesLimit()
}

// step returns the plane that a move leads to, from a position where one
// situation holds to one where another does; over tells that the counter of a
// situation that depends on a square reaches its limit.
func step(before *engine.Situation, plane int, after *engine.Situation) (next int, over bool) {
	if after == nil || !after.DependsOnSquare || after != before {
		return 0, false
	}
	if plane+1 == int(after.Limit) {
		return 0, true
	}
	return plane + 1, false
}

// gives returns what a move gives the mover, given the situations that hold
// before and after it and the entry of the position after it: one ply more of
// a counter that runs on, or one ply of one that the move sets back or that ends.
func (t *Tables) gives(p *engine.Position, m engine.Move, before, after *engine.Situation, child index.Ruled) index.Ruled {
	limit := t.rules.KingMovesLimit()
	var runsOn bool
	if after != nil && !after.DependsOnSquare {
		runsOn, limit = after == before, after.Limit
	} else {
		runsOn = m.Captured == 0 && p.Kings[p.Turn].Has(m.From)
	}
	if !runsOn {
		return child.Mover(1)
	}
	if child == index.RuledDraw || limit > 0 && child.Distance()+1 > limit {
		return index.RuledDraw
	}
	return child.Before()
}

// ruled fills in the category and the dtz of a position that no counter has
// ended.
func (t *Tables) ruled(r *Result, p *engine.Position, c engine.Counters, v *value) {
	plain := [...]Category{Unknown: CategoryUnknown, Loss: CategoryLoss, Draw: CategoryDraw, Win: CategoryWin}[r.WLD]
	switch {
	case !t.rules.HasCounters() || r.WLD == Unknown || r.WLD == Draw:
		r.Category = plain
	case v.ruled:
		value, limit := t.binding(p, c)
		if v.entry == index.RuledDraw || limit > 0 && value+v.entry.Distance() > limit {
			r.Category = cursed(r.WLD)
			return
		}
		r.Category, r.DTZ = plain, plies(v.entry.Distance())
		if r.WLD == Loss {
			r.DTZ.plies = -r.DTZ.plies
		}
	case r.DTW.known && t.inTime(p, c, r.DTW.abs()):
		r.Category = plain
	}
}

// inTime reports whether no counter can reach its limit before the given
// number of plies is over. A win on the very ply that reaches it stands.
func (t *Tables) inTime(p *engine.Position, c engine.Counters, n engine.Plies) bool {
	if limit := t.rules.KingMovesLimit(); limit > 0 && c.KingMoves+n > limit {
		return false
	}
	here := t.rules.Situation(p)
	for i := range t.rules.Situations() {
		s := &t.rules.Situations()[i]
		counter := engine.Plies(0)
		if s == here {
			counter = c.Situation
		}
		if counter+n > s.Limit {
			return false
		}
	}
	return true
}

// cursed turns a result that the counters have ended into what it is under them.
func cursed(w WLD) Category {
	return [...]Category{Unknown: CategoryDraw, Loss: CategoryBlessedLoss, Draw: CategoryDraw, Win: CategoryCursedWin}[w]
}

// turnsAlike reports whether every situation is the same after a turn of the
// board, as it must be for entries: those are of positions with White to move.
func turnsAlike(r *engine.Rules) bool {
	for _, s := range r.Situations() {
		if s.DependsOnSquare && r.Turn(s.Squares()) != s.Squares() {
			return false
		}
	}
	return true
}
