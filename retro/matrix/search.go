package matrix

import "math/bits"

// search is the breadth-first search of one side of a block in which both
// sides have kings. A position that is decided is written once into the scores
// and once, turned over, into a bitset of the other side, whose rows are its own
// kings: the moves that lead to the position start from the rows beside it.
type search struct {
	undecided []uint64 // not decided yet, and without a capture
	loses     []uint64 // of those, the ones whose leaving moves all lose

	// Of positions with the opponent to move, in this side's rows and columns.
	won []uint64 // the opponent has won, or invalid
	*frontiers

	// wins and losses are the positions to be decided at a ply by their leaving moves.
	wins, losses buckets
	shift        uint // of the row in a seed; the bits of both fit, as FitsSlice tells
	told         bool // the other side was told something at this ply

	// If the side has a single king and the search makes use of it: undecided
	// and loses by the set of the opponent's kings, in words of the king's
	// square; won and the frontiers are in that layout too.
	single                  bool
	singleOpen, singleLoses []uint64
	moves                   singleMoves
	canSingle               bool
}

// frontiers are what the parts of a side share. The first three are of
// positions with the opponent to move, like won.
type frontiers struct {
	wonNew    frontier // the opponent has won at the ply before
	lost      frontier // the opponent has lost at the ply before
	lostNext  frontier // and at this ply
	candidate frontier // positions that a king move may decide at this ply
}

func (s *search) open(d *side) {
	n := d.words * d.rows
	if d.own.k == 1 {
		if s.moves, s.canSingle = newSingleMoves(d.board); s.canSingle {
			n = max(n, d.cols)
			s.singleOpen, s.singleLoses = make([]uint64, d.cols), make([]uint64, d.cols)
		}
	}
	s.undecided, s.loses, s.won = make([]uint64, n), make([]uint64, n), make([]uint64, n)
	s.frontiers = new(frontiers)
	for _, f := range []*frontier{&s.wonNew, &s.lost, &s.lostNext, &s.candidate} {
		f.bits, f.summary = make([]uint64, n), make([]uint64, max(d.words*d.rowWords, d.words))
	}
	s.shift = seedShift(d.cols)
}

// seedShift returns the bits of a column in a seed.
func seedShift(cols int) uint { return uint(bits.Len(uint(cols - 1))) }

// seed packs a row and a column.
func (s *search) seed(r, c int) uint32 { return uint32(r)<<s.shift | uint32(c) }

// unpack returns a seed's row and column.
func (s *search) unpack(seed uint32) (r, c int) {
	return int(seed >> s.shift), int(seed & (1<<s.shift - 1))
}

// lookSeeds is how many seeds are looked up between two looks at the flag.
const lookSeeds = 1 << 14

// prepare sorts the cells of words w0 to w1 by what their leaving moves give. It
// returns false if a distance is too long.
func (d *side) prepare(w0, w1 int) bool {
	s := &d.search
	fits, longest := true, d.scale.longest()
	for w := w0; w < w1; w++ {
		for r, valid := range d.valid[w*d.rows:][:d.rows] {
			if r%lookRows == 0 && d.stop.Up() {
				return fits
			}
			i := w*d.rows + r
			if !s.single {
				s.won[i] = ^valid
			}
			captures := d.captures[i]
			open := valid
			if !d.optional {
				open &^= captures
			}
			cells := d.scores[r*d.cols+64*w : r*d.cols+min(d.cols, 64*w+64)]
			var high, drawn uint64
			k := 0
			for ; k+8 <= len(cells); k += 8 {
				m := spread[valid>>k&0xFF]
				x := load(cells[k:]) | ^m
				store(cells[k:], x)
				high |= highBits(x) << k
				drawn |= drawBits(x) << k
			}
			for ; k < len(cells); k++ {
				if valid>>k&1 == 0 {
					cells[k] = invalid
				}
				high |= uint64(cells[k]>>7) << k
				if cells[k] == draw {
					drawn |= 1 << k
				}
			}
			s.undecided[i] = open
			s.loses[i] = open &^ (high | drawn)
			for wins := high & valid; wins != 0; wins &= wins - 1 {
				c := firstBit(wins)
				ply := d.scale.distance(cells[c])
				fits = fits && ply <= longest
				s.wins.add(ply, s.seed(r, 64*w+c))
			}
			for losses := valid &^ open &^ (high | drawn); losses != 0; losses &= losses - 1 {
				c := firstBit(losses)
				s.losses.add(d.scale.distance(cells[c]), s.seed(r, 64*w+c))
			}
		}
	}
	return fits
}

// at returns a seed's word and bit.
func (d *side) at(seed uint32) (r, w int, bit uint64) {
	r, c := d.search.unpack(seed)
	return r, c >> 6, 1 << (c & 63)
}

// tell sets the bits of decided cells of a word of a row in a frontier of the
// other side.
func (d *side) tell(f *frontier, r, w int, cells uint64) {
	d.search.told = true
	o := d.other
	if o.search.single {
		single := f.single()
		single.add(r, cells)
		return
	}
	column := f.bits[r>>6*o.rows+64*w:]
	bit := uint64(1) << (r & 63)
	f.summary[r>>6*o.rowWords+w] |= cells
	for ; cells != 0; cells &= cells - 1 {
		column[firstBit(cells)] |= bit
	}
}

// decide gives open cells of a word of a row a score.
func (d *side) decide(r, w int, cells uint64, x score) {
	i := w*d.rows + r
	d.search.undecided[i] &^= cells
	d.search.loses[i] &^= cells
	to := d.scores[r*d.cols+64*w:]
	for ; cells != 0; cells &= cells - 1 {
		to[firstBit(cells)] = x
	}
}

// winsAt decides the wins of a ply: those that a king move wins, since it
// leads to a position lost at the ply before, and the seeds.
func (d *side) winsAt(ply, w0, w1 int) {
	s := &d.search
	x := d.scale.winAt(ply)
	for w := w0; w < w1 && !d.stop.Up(); w++ {
		from := s.lost.word(w, d)
		if !d.markBeside(w, from, s.undecided, nil) {
			continue
		}
		candidates := s.candidate.word(w, d)
		for group := range candidates.summary {
			if group%lookGroups == 0 && d.stop.Up() {
				return
			}
			for candidates.summary[group] != 0 {
				r, cells := candidates.pop(group)
				d.win(r, w, cells, x)
			}
		}
	}
	for k, seed := range s.wins.at(ply) {
		if k%lookSeeds == 0 && d.stop.Up() {
			return
		}
		r, w, bit := d.at(seed)
		i := w*d.rows + r
		if d.captures[i]&bit != 0 && !d.optional {
			d.tell(&d.other.search.wonNew, r, w, bit)
		} else if s.undecided[i]&bit != 0 {
			d.win(r, w, bit, x)
		}
	}
}

func (d *side) win(r, w int, cells uint64, x score) {
	d.decide(r, w, cells, x)
	d.tell(&d.other.search.wonNew, r, w, cells)
}

// lossesAt decides the losses of a ply: open positions that lose by all leaving
// moves and all king moves. Only rows beside a position won at the ply before
// can have become lost; all is for the first ply, when every row is asked.
func (d *side) lossesAt(ply, w0, w1 int, all bool) {
	s := &d.search
	for w := w0; w < w1 && !d.stop.Up(); w++ {
		if all {
			for r, cells := range s.loses[w*d.rows:][:d.rows] {
				if r%lookRows == 0 && d.stop.Up() {
					return
				}
				if cells != 0 {
					d.lose(ply, r, w, cells)
				}
			}
			continue
		}
		if !d.markBeside(w, s.wonNew.word(w, d), s.loses, s.won) {
			continue
		}
		candidates := s.candidate.word(w, d)
		for group := range candidates.summary {
			if group%lookGroups == 0 && d.stop.Up() {
				return
			}
			for candidates.summary[group] != 0 {
				r, cells := candidates.pop(group)
				d.lose(ply, r, w, cells)
			}
		}
	}
	for k, seed := range s.losses.at(ply) {
		if k%lookSeeds == 0 && d.stop.Up() {
			return
		}
		r, w, bit := d.at(seed)
		d.tell(&d.other.search.lostNext, r, w, bit)
	}
}

// markBeside empties a word of a frontier, adds it to a bitset if there is
// one, and marks as candidates the positions among a bitset from which a king
// move leads there. It reports whether there are any.
func (d *side) markBeside(w int, from frontierWord, among, sum []uint64) (found bool) {
	blocked := d.blocked[w*d.squares:][:d.squares]
	among = among[w*d.rows:][:d.rows]
	candidates := d.search.candidate.word(w, d)
	for group := range from.summary {
		if group%lookGroups == 0 && d.stop.Up() {
			return false
		}
		for from.summary[group] != 0 {
			r, v := from.pop(group)
			if sum != nil {
				sum[w*d.rows+r] |= v
			}
			steps := d.own.steps[d.own.first[r]:d.own.first[r+1]]
			if !d.flying {
				for _, e := range steps {
					if hit := v & among[e.set()]; hit != 0 {
						candidates.add(e.set(), hit)
						found = true
					}
				}
				continue
			}
			for i := 0; i < len(steps); {
				left := v
				for {
					e := steps[i]
					i++
					if left &^= blocked[e.square()]; left == 0 {
						i += e.left()
						break
					}
					if hit := left & among[e.set()]; hit != 0 {
						candidates.add(e.set(), hit)
						found = true
					}
					if e.left() == 0 {
						break
					}
				}
			}
		}
	}
	return found
}

// lose decides which of the cells of a word of a row are lost at a ply: those
// whose king moves all lead to positions won by the opponent.
func (d *side) lose(ply, r, w int, cells uint64) {
	s := &d.search
	won := s.won[w*d.rows:][:d.rows]
	steps := d.own.steps[d.own.first[r]:d.own.first[r+1]]
	if !d.flying {
		for _, e := range steps {
			if cells &= won[e.set()]; cells == 0 {
				return
			}
		}
	} else {
		blocked := d.blocked[w*d.squares:][:d.squares]
		behind := uint64(0)
		for _, e := range steps {
			if cells &= won[e.set()] | behind; cells == 0 {
				return
			}
			behind |= blocked[e.square()]
			if e.left() == 0 {
				behind = 0
			}
		}
	}
	// The leaving moves may hold out longer.
	x := d.scale.lossAt(ply)
	to := d.scores[r*d.cols+64*w:]
	later := uint64(0)
	for todo := cells; todo != 0; todo &= todo - 1 {
		c := firstBit(todo)
		if lead := to[c]; lead > x {
			later |= 1 << c
			s.losses.add(d.scale.distance(lead), s.seed(r, 64*w+c))
		}
	}
	now := cells &^ later
	i := w*d.rows + r
	s.undecided[i] &^= cells
	s.loses[i] &^= cells
	if now == 0 {
		return
	}
	d.decide(r, w, now, x)
	d.tell(&d.other.search.lostNext, r, w, now)
}

// losses decides the losses of a ply in a part of a block.
func (d *side) losses(ply int) {
	if d.search.single {
		d.singleLossesAt(ply, d.w0, d.w1, ply == 0)
	} else {
		d.lossesAt(ply, d.w0, d.w1, ply == 0)
	}
}

// wins decides the wins of a ply in a part of a block.
func (d *side) wins(ply int) {
	if d.search.single {
		d.singleWinsAt(ply, d.w0, d.w1)
	} else {
		d.winsAt(ply, d.w0, d.w1)
	}
}

// settle makes draws of what is left open.
func (d *side) settle() {
	if d.search.single {
		d.singleSettle(d.w0, d.w1)
	} else {
		d.settleWords(d.w0, d.w1)
	}
}

func (d *side) settleWords(w0, w1 int) {
	for w := w0; w < w1; w++ {
		if d.stop.Up() {
			return
		}
		for r, cells := range d.search.loses[w*d.rows:][:d.rows] {
			if cells != 0 {
				d.overwrite(r, w, cells, draw)
			}
		}
	}
}
