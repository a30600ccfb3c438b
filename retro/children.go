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
	table [10 * 10 * 10 * 10]*finished // by the digits of the slice
}

func slot(s index.Slice) int {
	return int(s.Men[0]) + 10*(int(s.Kings[0])+10*(int(s.Men[1])+10*int(s.Kings[1])))
}

func (c *children) add(f *finished) { c.table[slot(f.numbering.Slice())] = f }

// after returns the value of the position that m leads to, as its side to move
// sees it. White is to move in p.
func (c *children) after(p *engine.Position, m engine.Move) index.Value {
	q := c.rules.Play(p, m)
	if q.Side(engine.Black) == 0 {
		return index.LostNow
	}
	q = c.rules.Flip(q)
	f := c.table[slot(index.SliceOf(&q))]
	return f.values.At(f.numbering.Index(&q))
}
