package retro

import (
	"dambase/engine"
	"dambase/index"
)

// A finished slice: its numbering, its clock, and the exact value of every
// position, in theory or plane by plane under the rules.
type finished struct {
	numbering *index.Numbering
	clock     clock
	values    *index.Values
}

func newFinished(r *engine.Rules, n *index.Numbering, values *index.Values, ruled bool) *finished {
	f := &finished{numbering: n, values: values}
	if ruled {
		f.clock = ruledClock(r, n)
	}
	return f
}

// at returns the result of a position in a plane.
func (f *finished) at(p *engine.Position, plane int) index.Ruled {
	v := f.values.At(uint64(plane)*f.numbering.Size() + f.numbering.Index(p))
	if f.clock.ruled {
		return index.Ruled(v)
	}
	return index.RuledOf(v)
}

// children finds the value of any position whose slice is finished.
type children struct {
	rules *engine.Rules
	table [index.MaxSlot]*finished
}

func (c *children) add(f *finished) { c.table[f.numbering.Slice().Slot()] = f }

// after returns what a move that is not a quiet king move gives the mover,
// White, in a plane of p, whose clock is given.
func (c *children) after(p *engine.Position, m engine.Move, from *clock, plane int) index.Ruled {
	turned := c.rules.After(p, m)
	if turned.Side(engine.White) == 0 {
		return index.RuledWin(1)
	}
	f := c.table[index.SliceOf(&turned).Slot()]
	if !from.ruled {
		return f.at(&turned, 0).Before()
	}
	return c.afterRuled(p, &turned, f, from, plane)
}

// afterRuled is after under the rules. The move sets the king-moves counter
// back; it costs one ply of that, whatever comes then. A situation that holds
// before and after it runs on.
func (c *children) afterRuled(p, turned *engine.Position, f *finished, from *clock, plane int) index.Ruled {
	if from.situation == nil || from.situation != f.clock.situation {
		return f.at(turned, 0).Mover(1)
	}
	if !from.situation.DependsOnSquare {
		gives := f.at(turned, 0).Before()
		if gives != index.RuledDraw && gives.Distance() > from.limit {
			return index.RuledDraw
		}
		return gives
	}
	next, over := from.step(from.inside(p), plane, f.clock.inside(turned))
	if over {
		return c.overAfter(turned)
	}
	return f.at(turned, next).Mover(1)
}

// overAfter is what a ply gives the mover on which the situation's counter
// reaches its limit: a draw, unless the opponent has no move.
func (c *children) overAfter(turned *engine.Position) index.Ruled {
	if c.rules.HasMove(turned) {
		return index.RuledDraw
	}
	return index.RuledWin(1)
}
