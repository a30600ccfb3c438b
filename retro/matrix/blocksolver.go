package matrix

import (
	"sync"
	"sync/atomic"

	"dambase/engine"
	"dambase/index"
)

// A blockSolver solves one placement of the men after the other, both sides to move
// together.
type blockSolver struct {
	*solver
	sides [2]*side
	// list holds the sides of the present block, one if it is its own mirror,
	// and parts what works on them: the sides themselves, or if a team works on
	// one block several copies of each.
	list  []*side
	parts []*side
	team  int
	kings [][]uint64 // of jumps, by goroutine
}

// ownMirror reports whether the only block of a slice is its own mirror.
func ownMirror(s index.Slice) bool { return s == s.Mirror() && s.AllMen() == 0 }

// newBlockSolver returns a solver with a team of goroutines, one or more.
func newBlockSolver(s *solver, team int) *blockSolver {
	first := newSide(s, 0)
	b := &blockSolver{solver: s, sides: [2]*side{first, first}, team: team}
	if !ownMirror(s.Pair[0]) {
		b.sides[1] = newSide(s, 1)
	}
	words := max(b.sides[0].jumps.kingWords(), b.sides[1].jumps.kingWords())
	for range team {
		b.kings = append(b.kings, make([]uint64, words))
	}
	for _, d := range b.sides {
		d.jumps.lend(b.kings[0])
	}
	return b
}

// solve solves a block and returns the number of positions.
func (b *blockSolver) solve(men blockMen) (positions uint64, err error) {
	if !b.begin(men) {
		return 0, nil
	}
	b.chooseSingle()
	b.divide()
	err = b.each(func(d *side) {
		d.menMoves()
		d.captureMoves()
	})
	if err != nil {
		return 0, err
	}
	if err := b.decide(); err != nil {
		return 0, err
	}
	err = b.each(func(d *side) {
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
	return positions, err
}

// divide makes the parts of a block. Only blocks without men are shared out.
func (b *blockSolver) divide() {
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

// each calls f with every part. Its error tells that the solver was stopped,
// and then the parts are of no use.
func (b *blockSolver) each(f func(d *side)) error {
	if b.team > 1 {
		b.together(f)
		return b.stop.Err()
	}
	for _, d := range b.parts {
		f(d)
	}
	return b.stop.Err()
}

// together is each of a team.
func (b *blockSolver) together(f func(d *side)) {
	var next atomic.Int64
	var g sync.WaitGroup
	for _, king := range b.kings {
		g.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(b.parts)); i = next.Add(1) - 1 {
				b.parts[i].jumps.lend(king)
				f(b.parts[i])
			}
		})
	}
	g.Wait()
}

// begin sets up the sides of a block of the first slice and its mirror. It
// returns false if the mirror is solved in its stead.
func (b *blockSolver) begin(men blockMen) bool {
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
func (b *blockSolver) decide() error {
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
		if !b.scale.holds(d.scores) {
			return ErrWide
		}
	}
	return b.stop.Err()
}

// search is breadth-first by plies. In theory losses have even distances and
// wins odd ones; under the rules the losses of a ply come first, for wins of
// the same ply do not count for them.
func (b *blockSolver) search() error {
	var wide atomic.Bool
	err := b.each(func(d *side) {
		d.search.wins.clear()
		d.search.losses.clear()
		if !d.prepare(d.w0, d.w1) {
			wide.Store(true)
		}
		if d.search.single {
			d.turnOver(d.w0, d.w1)
		}
	})
	if err != nil {
		return err
	}
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
			if err := b.each(func(d *side) { d.losses(ply) }); err != nil {
				return err
			}
		}
		if b.scale.ruled || ply%2 == 1 {
			if err := b.each(func(d *side) { d.wins(ply) }); err != nil {
				return err
			}
		}
		for _, d := range b.list {
			f := d.search.frontiers
			f.lost, f.lostNext = f.lostNext, f.lost
		}
	}
	err = b.each((*side).settle)
	if ply > b.scale.longest() { // what the last plies told was not heard
		for _, d := range b.list {
			d.search.wonNew.reset()
			d.search.lost.reset()
		}
	}
	return err
}

// chooseSingle lets one side that has a single king be searched by its square.
func (b *blockSolver) chooseSingle() {
	chosen := len(b.list) < 2
	for _, d := range b.list {
		d.search.single = d.search.canSingle && !chosen
		chosen = chosen || d.search.single
	}
}

// pending reports whether something is left to be decided at a ply or later.
func (b *blockSolver) pending(ply int) bool {
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
