package matrix

// Where a side has a single king, a bitset over that king's square fits into
// a word. The search then keeps what concerns either side to move in one
// layout, a word for each set of the opponent's kings: the moves of the single
// king are shifts of a word, and nothing has to be turned over. The opponent
// needs nothing new, for this is its own layout already.

// A shift moves sets of squares one step: the squares of two masks by two
// amounts, for on a board of every other square the amount depends on the row.
type shift struct {
	mask   [2]uint64
	amount [2]uint8
}

// slides are the steps of a king in one direction: by one square, and in
// flight by two, four and eight.
type slides struct {
	one    shift
	double [3]shift // with one mask each
}

// singleMoves are the moves of a king on the whole board as shifts.
type singleMoves struct {
	rising, falling [2]slides
	flying          bool
}

// newShift returns the shift that takes s to to[s], except squares with no
// such square; false if that takes more than two amounts.
func newShift(to [off]uint8) (x shift, ok bool) {
	known := 0
	for s, t := range to {
		if t == off {
			continue
		}
		amount := int(t) - s
		if amount < 0 {
			amount = -amount
		}
		i := 0
		for i < known && int(x.amount[i]) != amount {
			i++
		}
		if i == known {
			if known == 2 {
				return x, false
			}
			x.amount[i] = uint8(amount)
			known++
		}
		x.mask[i] |= 1 << s
	}
	return x, true
}

// newSingleMoves returns the moves of a king as shifts; false if they are none.
func newSingleMoves(b *board) (m singleMoves, ok bool) {
	m.flying = b.flying
	var rising, falling int
	for way := range b.next {
		var to [off]uint8
		for s := range to {
			to[s] = b.next[way][s]
		}
		var x slides
		if x.one, ok = newShift(to); !ok {
			return m, false
		}
		for i := range x.double {
			var twice [off]uint8
			for s, t := range to {
				if twice[s] = off; t != off {
					twice[s] = to[t]
				}
			}
			to = twice
			if x.double[i], ok = newShift(to); !ok || x.double[i].mask[1] != 0 {
				return m, false
			}
		}
		up := 0
		for s, t := range b.next[way] {
			if t != off && int(t) > s {
				up++
			} else if t != off {
				up--
			}
		}
		switch {
		case up > 0 && rising < 2:
			m.rising[rising] = x
			rising++
		case up < 0 && falling < 2:
			m.falling[falling] = x
			falling++
		default:
			return m, false
		}
	}
	return m, true
}

func (x *shift) up(b uint64) uint64 {
	return (b&x.mask[0])<<(x.amount[0]&63) | (b&x.mask[1])<<(x.amount[1]&63)
}

func (x *shift) down(b uint64) uint64 {
	return (b&x.mask[0])>>(x.amount[0]&63) | (b&x.mask[1])>>(x.amount[1]&63)
}

func (x *shift) up1(b uint64) uint64   { return (b & x.mask[0]) << (x.amount[0] & 63) }
func (x *shift) down1(b uint64) uint64 { return (b & x.mask[0]) >> (x.amount[0] & 63) }

// reach returns the squares a king move away from a set, all squares between
// being free: for flying kings a fill along each direction (Kogge and Stone).
func (m *singleMoves) reach(set, free uint64) (out uint64) {
	if !m.flying {
		return m.rising[0].one.up(set) | m.rising[1].one.up(set) | m.falling[0].one.down(set) | m.falling[1].one.down(set)
	}
	for i := range m.rising {
		x := &m.rising[i]
		g, p := set, free
		g |= p & x.one.up(g)
		p &= x.one.up(p)
		for k := range x.double {
			g |= p & x.double[k].up1(g)
			p &= x.double[k].up1(p)
		}
		out |= x.one.up(g)
	}
	for i := range m.falling {
		x := &m.falling[i]
		g, p := set, free
		g |= p & x.one.down(g)
		p &= x.one.down(p)
		for k := range x.double {
			g |= p & x.double[k].down1(g)
			p &= x.double[k].down1(p)
		}
		out |= x.one.down(g)
	}
	return out
}

// turnOver brings the bitsets of a side with a single king, which prepare has
// made by columns, into words of the king's square.
func (d *side) turnOver(w0, w1 int) {
	s := &d.search
	for w := w0; w < w1; w++ {
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

// tellSingle is tell where the other side has a single king.
func (f *frontier) tellSingle(r int, cells uint64) {
	f.bits[r] |= cells
	f.summary[r>>6] |= 1 << (r & 63)
}

// decideSingle gives positions with a set of the opponent's kings a score, by
// the square of the single king.
func (d *side) decideSingle(c int, squares uint64, x score) {
	s := &d.search
	s.told = true
	s.singleOpen[c] &^= squares
	s.singleLoses[c] &^= squares
	for ; squares != 0; squares &= squares - 1 {
		d.scores[firstBit(squares)*d.cols+c] = x
	}
}

// singleWinsAt is winsAt of a side with a single king.
func (d *side) singleWinsAt(ply, w0, w1 int) {
	s := &d.search
	told := &d.other.search.wonNew
	x := d.scale.winAt(ply)
	free := d.other.valid
	for group := w0; group < w1; group++ {
		sets := s.lost.summary[group]
		if sets == 0 {
			continue
		}
		s.lost.summary[group] = 0
		for ; sets != 0; sets &= sets - 1 {
			c := group<<6 | firstBit(sets)
			lost := s.lost.bits[c]
			s.lost.bits[c] = 0
			if open := s.singleOpen[c]; open != 0 {
				if hit := s.moves.reach(lost, free[c]) & open; hit != 0 {
					d.decideSingle(c, hit, x)
					told.tellSingle(c, hit)
				}
			}
		}
	}
	if ply < s.wins.end {
		for _, seed := range s.wins.list[ply] {
			r, c := int(seed>>s.shift), int(seed&(1<<s.shift-1))
			bit := uint64(1) << (r & 63)
			if s.singleOpen[c]&bit != 0 {
				d.decideSingle(c, bit, x)
				told.tellSingle(c, bit)
			} else if d.captures[c>>6*d.rows+r]>>(c&63)&1 != 0 && !d.optional {
				told.tellSingle(c, bit)
				s.told = true
			}
		}
	}
}

// singleLossesAt is lossesAt of a side with a single king.
func (d *side) singleLossesAt(ply, w0, w1 int, all bool) {
	s := &d.search
	if all {
		for c := 64 * w0; c < min(64*w1, d.cols); c++ {
			d.singleLose(ply, c)
		}
	}
	for group := w0; group < w1; group++ {
		sets := s.wonNew.summary[group]
		if sets == 0 {
			continue
		}
		s.wonNew.summary[group] = 0
		for ; sets != 0; sets &= sets - 1 {
			c := group<<6 | firstBit(sets)
			s.won[c] |= s.wonNew.bits[c]
			s.wonNew.bits[c] = 0
			d.singleLose(ply, c)
		}
	}
	if ply < s.losses.end {
		for _, seed := range s.losses.list[ply] {
			r, c := int(seed>>s.shift), int(seed&(1<<s.shift-1))
			d.other.search.lostNext.tellSingle(c, 1<<(r&63))
			s.told = true
		}
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
			s.losses.add(d.scale.distance(lead), uint32(r)<<s.shift|uint32(c))
		}
	}
	now := cells &^ later
	s.singleOpen[c] &^= later
	s.singleLoses[c] &^= later
	if now != 0 {
		d.decideSingle(c, now, x)
		d.other.search.lostNext.tellSingle(c, now)
	}
}

// singleSettle makes draws of what is left open.
func (d *side) singleSettle(w0, w1 int) {
	for c := 64 * w0; c < min(64*w1, d.cols); c++ {
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
