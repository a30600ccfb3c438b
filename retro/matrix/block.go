package matrix

import "dambase/engine"

// A block solves one placement of the men after the other, both sides to move
// together.
type block struct {
	*solver
	sides [2]*side
	// list holds the sides of the present block, one if it is its own mirror.
	list []*side
}

func newBlock(s *solver) *block {
	return &block{solver: s, sides: [2]*side{newSide(s, 0), newSide(s, 1)}}
}

// solve solves a block and returns the number of positions.
func (b *block) solve(men blockMen) (positions uint64, err error) {
	if !b.begin(men) {
		return 0, nil
	}
	for _, d := range b.list {
		d.menMoves()
		d.jumps.run(0, d.jumps.parts())
	}
	if err := b.decide(); err != nil {
		return 0, err
	}
	for _, d := range b.list {
		d.finish()
		if out := &b.out[d.index]; b.Values {
			d.exportEntries(out.Values)
			if out.Captures != nil {
				d.exportCaptures(out.Captures)
			}
		}
		positions += d.numbering.BlockSize()
	}
	return positions, nil
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
	for _, d := range b.list {
		d.search.wins.clear()
		d.search.losses.clear()
		if !d.prepare(0, d.words) {
			return ErrWide
		}
		if d.search.single {
			d.turnOver()
		}
	}
	for ply := 0; b.pending(ply); ply++ {
		if ply > b.scale.longest() {
			if b.scale.ruled {
				break
			}
			return ErrWide
		}
		if b.scale.ruled || ply%2 == 0 {
			for _, d := range b.list {
				if d.search.single {
					d.singleLossesAt(ply, ply == 0)
				} else {
					d.lossesAt(ply, 0, d.words, ply == 0)
				}
				d.search.wonNew.any = false
			}
		}
		if b.scale.ruled || ply%2 == 1 {
			for _, d := range b.list {
				if d.search.single {
					d.singleWinsAt(ply)
				} else {
					d.winsAt(ply, 0, d.words)
				}
			}
		}
		for _, d := range b.list {
			s := &d.search
			s.lost.any = false
			s.lost, s.lostNext = s.lostNext, s.lost
		}
	}
	for _, d := range b.list {
		if d.search.single {
			d.singleSettle()
		} else {
			d.settle(0, d.words)
		}
		for _, f := range []*frontier{&d.search.wonNew, &d.search.lost, &d.search.lostNext} {
			f.reset()
		}
	}
	return nil
}

// chooseSingle lets one side that has a single king be searched by its square.
func (b *block) chooseSingle() {
	for _, d := range b.list {
		d.search.single = false
	}
	if len(b.list) < 2 {
		return
	}
	for _, d := range b.list {
		if d.search.canSingle {
			d.search.single = true
			return
		}
	}
}

// pending reports whether something is left to be decided at a ply or later.
func (b *block) pending(ply int) bool {
	if ply == 0 {
		return true
	}
	for _, d := range b.list {
		s := &d.search
		if s.wonNew.any || s.lost.any || ply < s.wins.end || ply < s.losses.end {
			return true
		}
	}
	return false
}
