package index

import (
	"fmt"
	"sort"

	"dambase/engine"
)

// A Numbering maps the positions of a slice one to one onto 0 … Size()-1.
//
// White's men are ranked among the squares where they can stand, then Black's
// men among theirs less the white men's; together they are the block. Inside a
// block White's kings are ranked among the squares left, then Black's among
// the rest. It is immutable and safe for concurrent use.
type Numbering struct {
	slice     Slice
	all       engine.Bits
	menOf     [2]engine.Bits // where a side's men can stand
	firstOf   []uint64       // firstOf[rank of white men] is their first block; one more entry ends the list
	blockSize uint64
	columns   uint64 // sets of black kings for one set of white kings
}

const (
	// whiteSetBits bounds the table firstOf.
	whiteSetBits = 26
	// positionBits are those of a number that is an int64 too.
	positionBits = 63
)

// NewNumbering returns the numbering of a slice's positions on the board of r.
// It refuses a slice without positions, and by an *OverflowError one whose
// positions cannot be counted in 63 bits or whose men alone would not fit into memory.
func NewNumbering(r *engine.Rules, s Slice) (*Numbering, error) {
	n := &Numbering{slice: s, all: r.All()}
	n.menOf = [2]engine.Bits{r.MenSquares(engine.White), r.MenSquares(engine.Black)}
	free := r.Squares() - s.AllMen()
	if free < int(s.Kings[0])+int(s.Kings[1]) {
		return nil, fmt.Errorf("slice %s has no positions: more pieces than squares", s)
	}
	if s.Slot() == MaxSlot {
		return nil, fmt.Errorf("slice %s has more than 9 pieces of a kind", s)
	}
	n.columns = binomial[free-int(s.Kings[0])][s.Kings[1]]
	rows := binomial[free][s.Kings[0]]
	if err := CheckBits(s, "a placement of the kings", positionBits, rows, n.columns); err != nil {
		return nil, err
	}
	n.blockSize = rows * n.columns
	whiteSets := binomial[n.menOf[0].Count()][s.Men[0]]
	if whiteSets > 0 {
		if err := CheckBits(s, "a placement of White's men", whiteSetBits, whiteSets); err != nil {
			return nil, err
		}
	}
	n.firstOf = make([]uint64, whiteSets+1)
	set := first(int(s.Men[0]), n.menOf[0])
	for i := range whiteSets {
		n.firstOf[i+1] = n.firstOf[i] + binomial[(n.menOf[1] &^ set).Count()][s.Men[1]]
		set = next(set, n.menOf[0])
	}
	if n.Blocks() == 0 {
		return nil, fmt.Errorf("slice %s has no positions: more men than squares for them", s)
	}
	if err := CheckBits(s, "a position", positionBits, n.Blocks(), n.blockSize); err != nil {
		return nil, err
	}
	return n, nil
}

// Slice returns the slice that is numbered.
func (n *Numbering) Slice() Slice { return n.slice }

// Blocks returns the number of placements of the men.
func (n *Numbering) Blocks() uint64 { return n.firstOf[len(n.firstOf)-1] }

// BlockSize returns the number of positions of every block.
func (n *Numbering) BlockSize() uint64 { return n.blockSize }

// Size returns the number of positions.
func (n *Numbering) Size() uint64 { return n.Blocks() * n.blockSize }

// Block returns the number of the block with these men. The kings of p do not matter.
func (n *Numbering) Block(p *engine.Position) uint64 {
	white := rank(p.Men[0], n.menOf[0])
	return n.firstOf[white] + rank(p.Men[1], n.menOf[1]&^p.Men[0])
}

// KingsIndex returns the number of p inside its block.
func (n *Numbering) KingsIndex(p *engine.Position) uint64 {
	free := n.all &^ (p.Men[0] | p.Men[1])
	return rank(p.Kings[0], free)*n.columns + rank(p.Kings[1], free&^p.Kings[0])
}

// Index returns the number of p, which must be of the slice and have White to move.
func (n *Numbering) Index(p *engine.Position) uint64 {
	return n.Block(p)*n.blockSize + n.KingsIndex(p)
}

// BlockMen returns the position that has the men of a block and no kings yet.
func (n *Numbering) BlockMen(block uint64) engine.Position {
	white := sort.Search(len(n.firstOf)-1, func(i int) bool { return n.firstOf[i+1] > block })
	var p engine.Position
	p.Men[0] = unrank(uint64(white), int(n.slice.Men[0]), n.menOf[0])
	p.Men[1] = unrank(block-n.firstOf[white], int(n.slice.Men[1]), n.menOf[1]&^p.Men[0])
	return p
}

// WithKings puts the kings with a number inside the block onto the men of p.
func (n *Numbering) WithKings(p engine.Position, kings uint64) engine.Position {
	free := n.all &^ (p.Men[0] | p.Men[1])
	p.Kings[0] = unrank(kings/n.columns, int(n.slice.Kings[0]), free)
	p.Kings[1] = unrank(kings%n.columns, int(n.slice.Kings[1]), free&^p.Kings[0])
	return p
}

// Position returns the position with a number below Size().
func (n *Numbering) Position(i uint64) engine.Position {
	return n.WithKings(n.BlockMen(i/n.blockSize), i%n.blockSize)
}

// An Iterator walks the positions of a numbering in order.
type Iterator struct {
	n        *Numbering
	block    uint64
	left     uint64 // positions left in the block
	position engine.Position
}

// From returns an iterator whose current position is the one numbered i.
func (n *Numbering) From(i uint64) *Iterator {
	return &Iterator{n: n, block: i / n.blockSize, left: n.blockSize - i%n.blockSize, position: n.Position(i)}
}

// Position returns the current position; it is valid until Next.
func (it *Iterator) Position() *engine.Position { return &it.position }

// Next goes on to the following position. After the last one of the slice the
// position is meaningless.
func (it *Iterator) Next() {
	p, n := &it.position, it.n
	it.left--
	if it.left == 0 {
		it.block++
		it.left = n.blockSize
		if it.block < n.Blocks() {
			*p = n.WithKings(n.BlockMen(it.block), 0)
		}
		return
	}
	free := n.all &^ (p.Men[0] | p.Men[1])
	rest := free &^ p.Kings[0]
	last := p.Kings[1]
	p.Kings[1] = next(last, rest)
	if p.Kings[1] <= last { // wrapped around
		p.Kings[0] = next(p.Kings[0], free)
		p.Kings[1] = first(p.Kings[1].Count(), free&^p.Kings[0])
	}
}
