package retro

import (
	"dambase/engine"
	"dambase/index"
)

// A finished slice: its numbering and the exact value of every position.
type finished struct {
	numbering *index.Numbering
	values    *index.Values
}

// children finds the value of any position whose slice is finished.
type children struct {
	rules *engine.Rules
	table [index.MaxSlot]*finished
}

func (c *children) add(f *finished) { c.table[f.numbering.Slice().Slot()] = f }

// after returns the value of the position that m leads to, as its side to move
// sees it. White is to move in p.
func (c *children) after(p *engine.Position, m engine.Move) index.Value {
	q := c.rules.Play(p, m)
	if q.Side(engine.Black) == 0 {
		return index.LostNow
	}
	q = c.rules.Flip(q)
	f := c.table[index.SliceOf(&q).Slot()]
	return f.values.At(f.numbering.Index(&q))
}
