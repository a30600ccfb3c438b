package matrix

import (
	"dambase/engine"
)

// choosing is what the choice rule comes to.
type choosing uint8

const (
	freely      choosing = iota
	kingsFirst           // kings before men, and no more
	piecesFirst          // most pieces, then perhaps more
	byRank               // anything else
)

func (b *board) choosing() choosing {
	switch {
	case len(b.choice) == 0:
		return freely
	case b.choice[0] == engine.MostPieces:
		return piecesFirst
	case len(b.choice) == 1 && b.choice[0] == engine.KingCaptures:
		return kingsFirst
	}
	return byRank
}

// leaveToKings takes the positions with a capture by a king from the men.
func (j *jumps) leaveToKings() {
	byKings := uint64(0)
	for i := range j.firsts {
		if f := &j.firsts[i]; f.king {
			byKings |= f.stops | f.on
		}
	}
	for i := range j.firsts {
		if f := &j.firsts[i]; !f.king {
			f.stops &^= byKings
			f.on &^= byKings
		}
	}
}

// sortSingles leaves captures of one piece only where there is no better one.
func (j *jumps) sortSingles() {
	var of [4]uint64
	for i := range j.firsts {
		f := &j.firsts[i]
		of[j.classOf(f)] |= f.stops
	}
	var above [4]uint64
	for c := range above {
		for o := range of {
			if j.classRank[o] > j.classRank[c] {
				above[c] |= of[o]
			}
		}
	}
	for i := range j.firsts {
		f := &j.firsts[i]
		f.stops &^= above[j.classOf(f)]
	}
}

// classOf numbers captures of one piece by all that the choice rule asks about them.
func (j *jumps) classOf(f *jump) (class int) {
	if f.king {
		class = 2
	}
	if !j.oppMen.Has(engine.Square(f.over)) {
		class++
	}
	return class
}

// rankClasses works out how the choice rule orders captures of one piece.
func (j *jumps) rankClasses() {
	for class := range j.classRank {
		c := capture{king: class&2 != 0, count: 1, kingsN: class & 1}
		j.classRank[class] = j.rankOf(&c, uint64(class&1)<<(maxOrder-1))
	}
}

// maxOrder bounds the pieces of one capture.
const maxOrder = 2 * maxKings

// rankOf orders captures by the choice rule, the larger the better.
func (j *jumps) rankOf(c *capture, order uint64) uint64 {
	rank := uint64(0)
	for _, criterion := range j.choice {
		switch criterion {
		case engine.MostPieces:
			rank = rank<<6 | uint64(c.count)
		case engine.KingCaptures:
			rank <<= 1
			if c.king {
				rank |= 1
			}
		case engine.MostKings:
			rank = rank<<6 | uint64(c.kingsN)
		case engine.KingsEarliest:
			rank = rank<<maxOrder | order
		}
	}
	return rank
}

// choose takes in the best-ranked captures of each position.
func (j *jumps) choose() {
	for left := j.any; left != 0; {
		best, found := uint64(0), false
		for i := range j.leaves {
			if l := &j.leaves[i]; l.cells&left != 0 && (!found || l.rank > best) {
				best, found = l.rank, true
			}
		}
		if !found {
			return
		}
		done := uint64(0)
		for i := range j.leaves {
			if l := &j.leaves[i]; l.rank == best && l.cells&left != 0 {
				j.deliver(l, l.cells&left)
				done |= l.cells
			}
		}
		left &^= done
	}
}
