package matrix

import (
	"dambase/engine"
	"dambase/index"
	"dambase/internal/halt"
)

// A Table holds the scores of a slice as the parents of its positions read
// them: for each placement of the men, a block, a matrix with a row for each
// placement of the waiting side's kings and a column for each of the mover's.
// Placements are ranked on the empty board as their owner sees it, so that a
// number means the same in all slices; the price is cells with two pieces on a
// square, which are invalid.
//
// A slice without kings is one matrix of the men's placements.
type Table struct {
	numbering  *index.Numbering
	scale      scale
	board      *board
	waiter     *kingSets
	mover      *kingSets
	rows, cols int // of a block
	waiterMen  *menSets
	moverMen   *menSets
	menOnly    bool
	// blocks[m*waiterMen.n+w] is the number of the block with set m of the
	// mover's men and set w of the waiting side's; nil if there are men only.
	blocks []uint32
	cells  []byte
}

func newTable(stop *halt.Flag, g *Geometry, n *index.Numbering, c scale) (*Table, error) {
	s := n.Slice()
	if err := FitsSlice(g.board.rules, s); err != nil {
		return nil, err
	}
	t := &Table{
		numbering: n, scale: c, board: g.board,
		mover: g.sets(int(s.Kings[0])), waiter: g.sets(int(s.Kings[1])),
		menOnly: s.Kings[0]+s.Kings[1] == 0,
	}
	var err error
	if t.moverMen, err = g.menSets(stop, int(s.Men[0])); err != nil {
		return nil, err
	}
	if t.waiterMen, err = g.menSets(stop, int(s.Men[1])); err != nil {
		return nil, err
	}
	t.rows, t.cols = t.waiter.n, t.mover.n
	if t.menOnly {
		t.cells = make([]byte, t.waiterMen.n*t.moverMen.n)
		return t, nil
	}
	t.cells = make([]byte, int(n.Blocks())*t.rows*t.cols)
	t.blocks = make([]uint32, t.moverMen.n*t.waiterMen.n)
	return t, t.eachBlock(stop, func(number, m, w int, _ engine.Position) {
		t.blocks[m*t.waiterMen.n+w] = uint32(number) // it fits, as FitsSlice tells
	})
}

// eachBlock calls f with the number of each block, the sets of the mover's and
// of the waiting side's men, and the men as the mover sees them. Its error is
// that of the flag.
func (t *Table) eachBlock(stop *halt.Flag, f func(number, m, w int, men engine.Position)) error {
	number := 0
	for m := range t.moverMen.set {
		if stop.Up() {
			break
		}
		men := engine.Position{Men: [2]engine.Bits{t.moverMen.on(m)}}
		for i, set := range t.waiterMen.set {
			if set&men.Men[0] == 0 {
				men.Men[1] = set // on the board turned: all squares but the last row
				f(number, m, int(t.waiterMen.turned[i]), men)
				number++
			}
		}
	}
	return stop.Err()
}

// Slice returns the slice.
func (t *Table) Slice() index.Slice { return t.numbering.Slice() }

// Positions returns the number of positions of the slice.
func (t *Table) Positions() uint64 { return t.numbering.Size() }

// Bytes returns the memory that the table takes.
func (t *Table) Bytes() uint64 { return uint64(len(t.cells) + 4*len(t.blocks)) }

// block returns the matrix of a placement of the men.
func (t *Table) block(m, w int) []byte {
	if t.menOnly {
		return t.cells[w*t.moverMen.n+m:][:1:1]
	}
	size := t.rows * t.cols
	return t.cells[int(t.blocks[m*t.waiterMen.n+w])*size:][:size:size]
}

// number returns the number of a block; that of men alone is not kept.
func (t *Table) number(m, w int) uint64 {
	if t.menOnly {
		men := engine.Position{Men: [2]engine.Bits{t.moverMen.on(m), t.board.rules.Turn(t.waiterMen.on(w))}}
		return t.numbering.Block(&men)
	}
	return uint64(t.blocks[m*t.waiterMen.n+w])
}
