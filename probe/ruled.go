package probe

import (
	"dambase/engine"
	"dambase/index"
)

// An entry is what the tables tell of a position under the draw counters: how
// much of the binding counter its result needs.
type entry struct {
	value   index.Ruled
	known   bool
	missing index.Slice // whose table is wanted, if the entry is not known
}

func known(value index.Ruled) entry { return entry{value: value, known: true} }

// plane returns the plane of a position's entry: the situation's counter where
// both counters bind.
func (t *Tables) plane(p *engine.Position, c engine.Counters) int {
	if s := t.rules.Situation(p); s != nil && s.DependsOnSquare {
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

// entry returns the entry of p in a plane, given what is known of it without
// draw rules.
func (t *Tables) entry(p engine.Position, plane int, th theory) (entry, error) {
	e, _, err := t.entryWithin(p, plane, th, captureBudget)
	return e, err
}

// entryWithin is entry within a budget of positions, of which it returns what
// is left.
func (t *Tables) entryWithin(p engine.Position, plane int, th theory, budget int) (entry, int, error) {
	budget--
	switch {
	case th.wld == Unknown:
		return entry{missing: th.missing}, budget, nil
	case th.wld == Draw:
		return known(index.RuledDraw), budget, nil
	case th == lostNow:
		return known(index.RuledLoss(0)), budget, nil
	}
	if p.Turn == engine.Black {
		p = t.rules.Flip(p)
	}
	if p.Side(engine.Black) == 0 {
		return known(index.RuledWin(1)), budget, nil
	}
	s := index.SliceOf(&p)
	if !t.rules.Optional() && t.rules.HasCapture(&p) {
		if budget <= 0 {
			return entry{missing: s}, 0, nil
		}
		return t.foldEntries(p, plane, budget)
	}
	tables := t.table(s)
	if tables == nil || tables.dtz == nil {
		return entry{missing: s}, budget, nil
	}
	value, err := tables.dtz.At(uint64(plane)*tables.numbering.Size() + tables.numbering.Index(&p))
	return known(index.Ruled(value)), budget, err
}

// foldEntries returns the entry of a position from those after its captures.
func (t *Tables) foldEntries(p engine.Position, plane, budget int) (entry, int, error) {
	var buffer [32]engine.Move
	var best index.RuledBest
	for _, m := range t.rules.Captures(buffer[:0], &p) {
		q := t.rules.Play(&p, m)
		th, err := t.theory(&q)
		if err != nil {
			return entry{}, 0, err
		}
		next, over := t.step(&p, plane, &q)
		child := known(index.RuledDraw)
		if !over || th == lostNow {
			if child, budget, err = t.entryWithin(q, next, th, budget); err != nil || !child.known {
				return child, budget, err
			}
		}
		best.Add(t.gives(&p, m, &q, child.value))
	}
	return known(best.Value()), budget, nil
}

// step returns the plane that a move leads to; over tells that the counter of
// a situation that depends on a square reaches its limit.
func (t *Tables) step(before *engine.Position, plane int, after *engine.Position) (next int, over bool) {
	s := t.rules.Situation(after)
	if s == nil || !s.DependsOnSquare || s != t.rules.Situation(before) {
		return 0, false
	}
	if plane+1 == int(s.Limit) {
		return 0, true
	}
	return plane + 1, false
}

// gives returns what a move gives the mover, given the entry of the position
// after it: one ply more of a counter that runs on, or one ply of one that the
// move sets back or that ends.
func (t *Tables) gives(before *engine.Position, m engine.Move, after *engine.Position, child index.Ruled) index.Ruled {
	s := t.rules.Situation(after)
	limit := t.rules.KingMovesLimit()
	var runsOn bool
	if s != nil && !s.DependsOnSquare {
		runsOn, limit = s == t.rules.Situation(before), s.Limit
	} else {
		runsOn = m.Captured == 0 && before.Kings[before.Turn].Has(m.From)
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
func (t *Tables) ruled(r *Result, p *engine.Position, c engine.Counters, e entry) {
	plain := [...]Category{Unknown: CategoryUnknown, Loss: CategoryLoss, Draw: CategoryDraw, Win: CategoryWin}[r.WLD]
	switch {
	case !t.rules.HasCounters() || r.WLD == Unknown || r.WLD == Draw:
		r.Category = plain
	case e.known:
		value, limit := t.binding(p, c)
		if e.value == index.RuledDraw || limit > 0 && value+e.value.Distance() > limit {
			r.Category = cursed(r.WLD)
			return
		}
		r.Category, r.DTZ = plain, plies(e.value.Distance())
		if r.WLD == Loss {
			r.DTZ.plies = -r.DTZ.plies
		}
	case r.DTW.known && t.inTime(p, c, r.DTW.abs()):
		r.Category = plain
	default:
		r.Missing = e.missing
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
