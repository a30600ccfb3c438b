package retro

import (
	"fmt"

	"dambase/engine"
	"dambase/index"
)

// ruledVerifier recomputes a DTZ table by playing every move under explicit
// counters. It shares the clocks of the solver no more than its code: what
// binds is asked of the engine's counting model.
type ruledVerifier struct {
	*verifier
	planes int
	exact  []index.Value // recomputed, plane by plane; nil for a sample
}

// newRuledVerifier takes the slice's table, already loaded.
func newRuledVerifier(v *verifier, sampled bool) *ruledVerifier {
	t := v.tables[v.slice]
	r := &ruledVerifier{verifier: v, planes: tablePlanes(v.Rules, t.numbering)}
	if !sampled {
		r.exact = make([]index.Value, uint64(r.planes)*t.numbering.Size())
	}
	return r
}

// tablePlanes returns how many entries a position has in a DTZ table.
func tablePlanes(r *engine.Rules, n *index.Numbering) int {
	p := n.Position(0)
	if s := r.MaterialSituation(&p); s != nil && s.DependsOnSquare {
		return int(s.Limit)
	}
	return 1
}

// binding returns the counter that binds in a position, and its limit.
func (v *ruledVerifier) binding(p *engine.Position, c engine.Counters) (value, limit engine.Plies) {
	if s := v.Rules.Situation(p); s != nil && !s.DependsOnSquare {
		return c.Situation, s.Limit
	}
	return c.KingMoves, v.Rules.KingMovesLimit()
}

// countersAt returns counters whose binding one is b, in a plane of p. In a
// situation fixed by material king-moves is as large as it can be.
func (v *ruledVerifier) countersAt(p *engine.Position, plane int, b engine.Plies) engine.Counters {
	s := v.Rules.Situation(p)
	switch {
	case s == nil:
		return engine.Counters{KingMoves: b}
	case s.DependsOnSquare:
		return engine.Counters{KingMoves: b, Situation: engine.Plies(plane)}
	}
	return engine.Counters{KingMoves: b, Situation: b}
}

// outcome is the result of a position, White to move, at explicit counters.
func (v *ruledVerifier) outcome(p *engine.Position, c engine.Counters) index.WLD {
	if !v.Rules.HasMove(p) {
		return index.Loss
	}
	if v.Rules.Drawn(p, c) != "" {
		return index.Draw
	}
	if !v.Rules.Optional() {
		var buffer [32]engine.Move
		if captures := v.Rules.Captures(buffer[:0], p); len(captures) > 0 {
			return v.play(p, captures, c)
		}
	}
	if v.verifier.exact(p) == index.ValueDraw {
		return index.Draw
	}
	plane := 0
	if s := v.Rules.Situation(p); s != nil && s.DependsOnSquare {
		plane = int(c.Situation)
	}
	slice := index.SliceOf(p)
	t := v.bySlot[slice.Slot()]
	entry := index.Ruled(t.ruled.At(uint64(plane)*t.numbering.Size() + t.numbering.Index(p)))
	if value, limit := v.binding(p, c); entry == index.RuledDraw || value+entry.Distance() > limit {
		return index.Draw
	}
	return entry.WLD()
}

// play is the best result that the moves give at explicit counters.
func (v *ruledVerifier) play(p *engine.Position, moves []engine.Move, c engine.Counters) index.WLD {
	best := index.Loss
	for _, m := range moves {
		q := v.Rules.Play(p, m)
		after := v.Rules.Advance(c, p, m, &q)
		turned := v.Rules.Flip(q)
		switch v.outcome(&turned, after).Negate() {
		case index.Win:
			return index.Win
		case index.Draw:
			best = index.Draw
		}
	}
	return best
}

// check recomputes the entries of the position with number i, given its moves
// and its theory value.
func (v *ruledVerifier) check(i uint64, p *engine.Position, moves []engine.Move, theory index.Value) error {
	planes := 1
	if s := v.Rules.Situation(p); s != nil && s.DependsOnSquare {
		planes = v.planes
	}
	mustCapture := !v.Rules.Optional() && len(moves) > 0 && moves[0].Captured != 0
	filler := mustCapture || theory == index.ValueDraw
	t := v.tables[v.slice]
	for plane := range planes {
		number := uint64(plane)*t.numbering.Size() + i
		stored := index.Ruled(t.ruled.At(number))
		want := stored
		if filler || !v.holds(p, moves, plane, stored) {
			want = v.search(p, moves, plane, theory)
		}
		if v.exact != nil {
			v.exact[number] = index.Value(want)
		}
		if want != stored && !filler {
			return v.wrong(p, fmt.Sprintf("plane %d: entry %d is stored, its moves give %d", plane, stored, want))
		}
		if want != index.RuledDraw && want.WLD() != theory.WLD() {
			return v.wrong(p, fmt.Sprintf("a %s under the rules, a %s without them", want.WLD(), theory.WLD()))
		}
		if plane == 0 && theory != index.ValueDraw && theory.Distance() <= v.smallestLimit() &&
			(want == index.RuledDraw || want.Distance() > theory.Distance()) {
			return v.wrong(p, fmt.Sprintf("entry %d, though it is over in %d plies before any counter", want, theory.Distance()))
		}
	}
	return nil
}

func (v *ruledVerifier) wrong(p *engine.Position, reason string) error {
	return &VerifyError{v.slice, index.MetricDTZ, v.Rules.FormatFEN(p), reason}
}

// holds reports whether an entry is right: its result stands at the largest
// value of the counter that it claims, and not at the next.
func (v *ruledVerifier) holds(p *engine.Position, moves []engine.Move, plane int, entry index.Ruled) bool {
	if entry == index.RuledDraw {
		return len(moves) > 0 && v.play(p, moves, v.countersAt(p, plane, 0)) == index.Draw
	}
	_, limit := v.binding(p, engine.Counters{})
	d := entry.Distance()
	if d == 0 {
		return len(moves) == 0 && entry.WLD() == index.Loss
	}
	if len(moves) == 0 || d > limit || v.play(p, moves, v.countersAt(p, plane, limit-d)) != entry.WLD() {
		return false
	}
	return d == 1 || v.play(p, moves, v.countersAt(p, plane, limit-d+1)) == index.Draw
}

// search finds the right entry of a position by trying the values of the
// counter that binds, the largest first.
func (v *ruledVerifier) search(p *engine.Position, moves []engine.Move, plane int, theory index.Value) index.Ruled {
	if theory == index.ValueDraw {
		return index.RuledDraw
	}
	if len(moves) == 0 {
		return index.RuledLoss(0)
	}
	_, limit := v.binding(p, engine.Counters{})
	for b := limit - 1; b >= 0; b-- {
		switch v.play(p, moves, v.countersAt(p, plane, b)) {
		case index.Win:
			return index.RuledWin(limit - b)
		case index.Loss:
			return index.RuledLoss(limit - b)
		}
	}
	return index.RuledDraw
}

// smallestLimit is the smallest limit of all automatic counters.
func (v *ruledVerifier) smallestLimit() engine.Plies {
	smallest := v.Rules.KingMovesLimit()
	for _, s := range v.Rules.Situations() {
		smallest = min(smallest, s.Limit)
	}
	return smallest
}
