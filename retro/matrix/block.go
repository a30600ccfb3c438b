package matrix

import (
	"slices"
	"sync/atomic"

	"dambase/engine"

	"golang.org/x/sync/errgroup"
)

// A block solves one placement of the men after the other, both sides to move
// together.
type block struct {
	*solver
	sides [2]*side
	// list holds the sides of the present block, one if it is its own mirror,
	// and parts what works on them: the sides themselves, or if a team works on
	// one block several copies of each.
	list  []*side
	parts []*side
	team  int
}

func newBlock(s *solver) *block {
	return &block{solver: s, sides: [2]*side{newSide(s, 0), newSide(s, 1)}}
}

// solve solves a block and returns the number of positions.
func (b *block) solve(men blockMen) (positions uint64, err error) {
	if !b.begin(men) {
		return 0, nil
	}
	b.divide()
	b.each(func(d *side) {
		d.menMoves()
		d.captureMoves()
	})
	if err := b.decide(); err != nil {
		return 0, err
	}
	b.each(func(d *side) {
		d.finish(d.r0, d.r1)
		if out := &b.out[d.index]; b.Values {
			d.exportEntries(out.Values)
			if out.Captures != nil {
				d.exportCaptures(out.Captures)
			}
		}
	})
	for _, d := range b.list {
		positions += d.numbering.BlockSize()
	}
	return positions, nil
}

// divide makes the parts of a block. Only blocks without men are shared out.
func (b *block) divide() {
	if b.team < 2 {
		b.parts = b.list
		return
	}
	b.parts = nil
	for _, d := range b.list {
		// More parts than goroutines, for they are not equally hard.
		n := min(4*b.team, d.words, d.rows/8)
		if d.jumps.byRow || n < 2 {
			b.parts = append(b.parts, d)
			continue
		}
		for i := range n {
			p := new(side)
			*p = *d
			p.w0, p.w1 = i*d.words/n, (i+1)*d.words/n
			p.r0, p.r1 = i*d.rows/n&^7, (i+1)*d.rows/n&^7
			if i == n-1 {
				p.r1 = d.rows
			}
			p.search.wins, p.search.losses = buckets{}, buckets{}
			p.jumps = jumps{}
			p.jumps.open(p)
			if b.Values {
				p.exporter.open(p)
			}
			b.parts = append(b.parts, p)
		}
	}
}

// each calls f with every part.
func (b *block) each(f func(d *side)) {
	if b.team < 2 {
		for _, d := range b.parts {
			f(d)
		}
		return
	}
	var g errgroup.Group
	g.SetLimit(b.team)
	for _, d := range b.parts {
		g.Go(func() error {
			f(d)
			return nil
		})
	}
	g.Wait()
}

// begin sets up the sides of a block of the first slice and its mirror. It
// returns false if the mirror is solved in its stead.
func (b *block) begin(men blockMen) bool {
	first, second := b.sides[0], b.sides[1]
	b.list = append(b.list[:0], first)
	if b.Pair.Symmetric() {
		if men.own > men.opp {
			return false
		}
		if men.own == men.opp {
			first.begin(men, first)
			return true
		}
	}
	b.list = append(b.list, second)
	turn := first.rules.Turn
	first.begin(men, second)
	second.begin(blockMen{men.opp, men.own, [2]engine.Bits{turn(men.men[1]), turn(men.men[0])}}, first)
	return true
}

// decide finds the values of a block whose leaving moves are known.
func (b *block) decide() error {
	d, o := b.sides[0], b.sides[1]
	switch {
	case d.own.k > 0 && d.opp.k > 0:
		return b.search()
	case d.own.k > 0:
		o.markInvalid()
		d.kingMoves(o.scores)
		d.markInvalid()
	case d.opp.k > 0:
		d.markInvalid()
		o.kingMoves(d.scores)
		o.markInvalid()
	}
	for _, d := range b.list {
		for _, x := range d.scores {
			if x == slowestWin {
				return ErrWide
			}
		}
	}
	return nil
}

// search is breadth-first by plies. In theory losses have even distances and
// wins odd ones; under the rules the losses of a ply come first, for wins of
// the same ply do not count for them.
func (b *block) search() error {
	b.chooseSingle()
	var wide atomic.Bool
	b.each(func(d *side) {
		d.search.wins.clear()
		d.search.losses.clear()
		if !d.prepare(d.w0, d.w1) {
			wide.Store(true)
		}
		if d.search.single {
			d.turnOver(d.w0, d.w1)
		}
	})
	if wide.Load() {
		return ErrWide
	}
	ply := 0
	for ; b.pending(ply); ply++ {
		if ply > b.scale.longest() {
			if !b.scale.ruled {
				return ErrWide
			}
			break
		}
		for _, d := range b.parts {
			d.search.told = false
		}
		if b.scale.ruled || ply%2 == 0 {
			b.each(func(d *side) { d.losses(ply) })
		}
		if b.scale.ruled || ply%2 == 1 {
			b.each(func(d *side) { d.wins(ply) })
		}
		for _, d := range b.parts {
			s := &d.search
			s.lost, s.lostNext = s.lostNext, s.lost
		}
		b.swapLost()
	}
	limited := ply > b.scale.longest()
	b.each(func(d *side) { d.settle() })
	for _, d := range b.list {
		if limited {
			for _, f := range []*frontier{&d.search.wonNew, &d.search.lost, &d.search.lostNext} {
				f.reset()
			}
		}
	}
	return nil
}

// swapLost keeps the sides in step with their copies.
func (b *block) swapLost() {
	if b.team < 2 {
		return
	}
	for _, d := range b.list {
		if !slices.Contains(b.parts, d) {
			d.search.lost, d.search.lostNext = d.search.lostNext, d.search.lost
		}
	}
}

// chooseSingle lets one side that has a single king be searched by its square.
func (b *block) chooseSingle() {
	single := -1
	for i, d := range b.list {
		if len(b.list) == 2 && d.search.canSingle && single < 0 {
			single = i
		}
	}
	for i, d := range b.list {
		d.search.single = i == single
	}
	for _, p := range b.parts {
		p.search.single = p.search.canSingle && single >= 0 && p.index == b.list[single].index && p.block == b.list[single].block
	}
}

// pending reports whether something is left to be decided at a ply or later.
func (b *block) pending(ply int) bool {
	if ply == 0 {
		return true
	}
	for _, d := range b.parts {
		s := &d.search
		if s.told || ply < s.wins.end || ply < s.losses.end {
			return true
		}
	}
	return false
}
