package matrix

import (
	"dambase/index"
)

// A Table holds the scores of a slice as the parents of its positions read
// them: for each placement of the men a matrix with a row for each placement of
// the waiting side's kings and a column for each of the mover's. Placements are
// ranked on the empty board as their owner sees it, so that a number means the
// same in all slices; the price is cells with two pieces on a square, which are
// invalid.
type Table struct {
	numbering  *index.Numbering
	scale      scale
	rows, cols int
	waiter     *kingSets
	mover      *kingSets
	cells      []byte
}

func newTable(g *Geometry, n *index.Numbering, c scale) *Table {
	s := n.Slice()
	t := &Table{numbering: n, scale: c, mover: g.sets(int(s.Kings[0]), false), waiter: g.sets(int(s.Kings[1]), false)}
	t.rows, t.cols = t.waiter.n, t.mover.n
	t.cells = make([]byte, int(n.Blocks())*t.rows*t.cols)
	return t
}

// Slice returns the slice.
func (t *Table) Slice() index.Slice { return t.numbering.Slice() }

// Bytes returns the memory that the cells take.
func (t *Table) Bytes() uint64 { return uint64(len(t.cells)) }

// block returns the matrix of a placement of the men.
func (t *Table) block(n uint64) []byte {
	size := t.rows * t.cols
	return t.cells[int(n)*size:][:size:size]
}
