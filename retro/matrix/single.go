package matrix

import (
	"math/bits"

	"dambase/engine"
)

// Where a side has a single king, a bitset over that king's square fits into
// a word. The search then keeps what concerns either side to move in one
// layout, a word for each set of the opponent's kings: the moves of the single
// king are shifts of a word, and nothing has to be turned over. The opponent
// needs nothing new, for this is its own layout already.

// A shift moves sets of squares one step: the squares of two masks by two
// amounts, for on a board of every other square the amount depends on the row.
type shift struct {
	mask   [2]uint64
	amount [2]int // negative towards lower squares
}

func (x *shift) apply(b uint64) uint64 {
	// No square is rotated out of the word.
	return bits.RotateLeft64(b&x.mask[0], x.amount[0]) | bits.RotateLeft64(b&x.mask[1], x.amount[1])
}

// newShift returns the shift that takes s to to[s], except squares with no
// such square; false if that takes more than two amounts.
func newShift(to [off]uint8) (x shift, ok bool) {
	known := 0
	for s, t := range to {
		if t == off {
			continue
		}
		i := 0
		for i < known && x.amount[i] != int(t)-s {
			i++
		}
		if i == len(x.amount) {
			return x, false
		}
		x.amount[i] = int(t) - s
		x.mask[i] |= 1 << s
		known = max(known, i+1)
	}
	return x, true
}

// slides are the steps of a king in one direction: by one square, and in
// flight by two, four and eight.
type slides struct {
	one    shift
	double [3]shift // by one amount each
}

// singleMoves are the moves of a king on the whole board as shifts.
type singleMoves struct {
	slides [engine.Directions]slides
	flying bool
}

// newSingleMoves returns the moves of a king as shifts; false if they are none.
func newSingleMoves(b *board) (m singleMoves, ok bool) {
	m.flying = b.flying
	for way := range m.slides {
		x, to := &m.slides[way], b.next[way]
		if x.one, ok = newShift(to); !ok {
			return m, false
		}
		for i := range x.double {
			once := to
			for s, t := range once {
				if t != off {
					to[s] = once[t]
				}
			}
			if x.double[i], ok = newShift(to); !ok || x.double[i].mask[1] != 0 {
				return m, false
			}
		}
	}
	return m, true
}

// reach returns the squares a king move away from a set, all squares between
// being free: for flying kings a fill along each direction (Kogge and Stone).
func (m *singleMoves) reach(set, free uint64) (out uint64) {
	for i := range m.slides {
		x := &m.slides[i]
		filled := set
		if m.flying {
			open := free
			filled |= open & x.one.apply(filled)
			open &= x.one.apply(open)
			for k := range x.double {
				y := &x.double[k]
				filled |= open & bits.RotateLeft64(filled&y.mask[0], y.amount[0])
				open &= bits.RotateLeft64(open&y.mask[0], y.amount[0])
			}
		}
		out |= x.one.apply(filled)
	}
	return out
}

// turnOver brings the bitsets of a side with a single king, which prepare has
// made by columns, into words of the king's square.
func (d *side) turnOver(w0, w1 int) {
	s := &d.search
	for w := w0; w < w1; w++ {
		if w%lookGroups == 0 && d.stop.Up() {
			return
		}
		end := min(64, d.cols-64*w)
		var x [64]uint64
		copy(x[:], s.undecided[w*d.rows:][:d.rows])
		transpose64(&x)
		copy(s.singleOpen[64*w:][:end], x[:])
		x = [64]uint64{}
		copy(x[:], s.loses[w*d.rows:][:d.rows])
		transpose64(&x)
		copy(s.singleLoses[64*w:][:end], x[:])
	}
	for c := 64 * w0; c < min(64*w1, d.cols); c++ {
		s.won[c] = ^d.other.valid[c]
	}
}

// decideSingle gives positions with a set of the opponent's kings a score, by
// the square of the single king, and tells the other side.
func (d *side) decideSingle(f *frontier, c int, squares uint64, x score) {
	s := &d.search
	s.singleOpen[c] &^= squares
	s.singleLoses[c] &^= squares
	d.tellSingle(f, c, squares)
	for ; squares != 0; squares &= squares - 1 {
		d.scores[firstBit(squares)*d.cols+c] = x
	}
}

// tellSingle is tell of a side with a single king.
func (d *side) tellSingle(f *frontier, c int, squares uint64) {
	d.search.told = true
	to := f.single()
	to.add(c, squares)
}

// singleWinsAt is winsAt of a side with a single king.
func (d *side) singleWinsAt(ply, w0, w1 int) {
	s := &d.search
	told := &d.other.search.wonNew
	x := d.scale.winAt(ply)
	free := d.other.valid
	lost := s.lost.single()
	for group := w0; group < w1; group++ {
		if group%lookGroups == 0 && d.stop.Up() {
			return
		}
		for lost.summary[group] != 0 {
			c, squares := lost.pop(group)
			if open := s.singleOpen[c]; open != 0 {
				if hit := s.moves.reach(squares, free[c]) & open; hit != 0 {
					d.decideSingle(told, c, hit, x)
				}
			}
		}
	}
	for k, seed := range s.wins.at(ply) {
		if k%lookSeeds == 0 && d.stop.Up() {
			return
		}
		r, c := s.unpack(seed)
		if bit := uint64(1) << (r & 63); s.singleOpen[c]&bit != 0 {
			d.decideSingle(told, c, bit, x)
		} else if d.captures[c>>6*d.rows+r]>>(c&63)&1 != 0 && !d.optional {
			d.tellSingle(told, c, bit)
		}
	}
}

// singleLossesAt is lossesAt of a side with a single king.
func (d *side) singleLossesAt(ply, w0, w1 int, all bool) {
	s := &d.search
	if all {
		for c := 64 * w0; c < min(64*w1, d.cols); c++ {
			if c%lookRows == 0 && d.stop.Up() {
				return
			}
			d.singleLose(ply, c)
		}
	}
	wonNew := s.wonNew.single()
	for group := w0; group < w1; group++ {
		if group%lookGroups == 0 && d.stop.Up() {
			return
		}
		for wonNew.summary[group] != 0 {
			c, squares := wonNew.pop(group)
			s.won[c] |= squares
			d.singleLose(ply, c)
		}
	}
	for k, seed := range s.losses.at(ply) {
		if k%lookSeeds == 0 && d.stop.Up() {
			return
		}
		r, c := s.unpack(seed)
		d.tellSingle(&d.other.search.lostNext, c, 1<<(r&63))
	}
}

// singleLose decides which positions with a set of the opponent's kings are
// lost at a ply.
func (d *side) singleLose(ply, c int) {
	s := &d.search
	cells := s.singleLoses[c]
	if cells == 0 {
		return
	}
	if cells &^= s.moves.reach(^s.won[c], d.other.valid[c]); cells == 0 {
		return
	}
	x := d.scale.lossAt(ply)
	later := uint64(0)
	for todo := cells; todo != 0; todo &= todo - 1 {
		r := firstBit(todo)
		if lead := d.scores[r*d.cols+c]; lead > x {
			later |= 1 << r
			s.losses.add(d.scale.distance(lead), s.seed(r, c))
		}
	}
	now := cells &^ later
	s.singleOpen[c] &^= later
	s.singleLoses[c] &^= later
	if now != 0 {
		d.decideSingle(&d.other.search.lostNext, c, now, x)
	}
}

// singleSettle makes draws of what is left open.
func (d *side) singleSettle(w0, w1 int) {
	for c := 64 * w0; c < min(64*w1, d.cols); c++ {
		if c%lookRows == 0 && d.stop.Up() {
			return
		}
		squares := d.search.singleLoses[c]
		for ; squares != 0; squares &= squares - 1 {
			d.scores[firstBit(squares)*d.cols+c] = draw
		}
	}
}

// transpose64 turns over a matrix of bits (Warren, "Hacker's Delight", 7-3).
func transpose64(x *[64]uint64) {
	m := uint64(0x00000000FFFFFFFF)
	for j := 32; j != 0; j, m = j>>1, m^m<<(j>>1) {
		for k := 0; k < 64; k = ((k | j) + 1) &^ j {
			t := (x[k]>>j ^ x[k|j]) & m
			x[k] ^= t << j
			x[k|j] ^= t
		}
	}
}
