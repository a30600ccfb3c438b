package matrix

import (
	"dambase/index"
)

// Values returns the entries of a table in the order of the numbering.
func (t *Table) Values() *index.Values {
	n := t.numbering
	out := index.NewValues(n.Size(), false)
	size := n.BlockSize()
	for block := range n.Blocks() {
		cells := t.block(block)
		i := block * size
		t.eachCell(block, func(cell int) {
			out.Set(i, t.scale.entry(cells[cell]))
			i++
		})
	}
	return out
}

// FromValues returns the table of exact entries: of the first plane, if there
// are several. ok is false if some entry has no score.
func FromValues(g *Geometry, n *index.Numbering, c Clock, values *index.Values) (t *Table, ok bool) {
	t = newTable(g, n, c.scale())
	size := n.BlockSize()
	ok = true
	for block := range n.Blocks() {
		cells := t.block(block)
		for i := range cells {
			cells[i] = invalid
		}
		i := block * size
		t.eachCell(block, func(cell int) {
			x, has := t.scale.scoreOf(values.At(i))
			cells[cell] = x
			ok = ok && has
			i++
		})
	}
	return t, ok
}

// eachCell calls f with the cells of a block's positions in their order.
func (t *Table) eachCell(block uint64, f func(cell int)) {
	men := t.numbering.BlockMen(block)
	occupied := men.Men[0] | men.Men[1]
	for column, white := range t.mover.set {
		if white&occupied != 0 {
			continue
		}
		for i, black := range t.waiter.set {
			if black&(occupied|white) == 0 {
				f(int(t.waiter.turned[i])*t.cols + column)
			}
		}
	}
}
