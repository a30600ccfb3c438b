package matrix

import (
	"dambase/engine"
)

// jumps finds what captures give the mover, 64 positions at a time. A set of
// positions is the bits of a word: columns of one row (byColumns), where the
// mover's pieces are the same in all, or rows of one column (byRows), where the
// opponent's are. Either way own[s] and opp[s] are the positions with a piece of
// that side on a square.
type jumps struct {
	*side
	oppSets  []*kingSets // of up to as many kings as the opponent has
	byRow    bool        // the bits are rows
	own, opp [off + 1]uint64
	// king[(rest*squares+s)*directions+d] are the positions in which a king on s
	// could capture in direction d, the mover's other kings being the set rest; if
	// the bits are rows there is one rest only.
	king []uint64
	ways []way

	row, word, column int
	set               engine.Bits // the mover's kings, if the bits are columns
	static            engine.Bits // pieces that are the same in all positions
	armed             bool        // own holds the kings of the row

	choosing  choosing
	classRank [4]uint64

	giver func(c *capture, cells uint64) // instead of give, if set

	approaches []approach
	firsts     []jump
	touched    []int
	any        uint64 // positions with a capture
	goesOn     uint64 // positions with a capture of two pieces or more
	leaves     []capture
	gives      [64]byte

	capture // that is being followed
	order   uint64
	table   []uint64 // of king, for the piece that captures; nil if it has none
	done    capture
}

// A way is a square, its neighbour in a direction and the one behind that.
type way struct{ at, next, behind, direction uint8 }

// A jump is the first of a capture. An approach in from is one of at most 40: four
// directions over each of 9 men and a king.
type jump struct {
	from, over, to, direction uint8
	king                      bool
	stops, on                 uint64 // the positions in which it is all, and in which it goes on
}

// A capture is a complete one, in a set of positions.
type capture struct {
	from, to      int  // from is an approach if a king captures and the bits are rows
	king          bool // the piece is a king at the start
	promotes      bool
	men, kings    engine.Bits // taken
	count, kingsN int
	cells         uint64
	rank          uint64
}

func (j *jumps) open(d *side) {
	j.side = d
	j.choosing = d.board.choosing()
	j.rankClasses()
	for k := range d.opp.k + 1 {
		j.oppSets = append(j.oppSets, d.solver.Geometry.sets(k))
	}
	j.byRow = byRow(d.own.k, d.opp.k)
	if !j.lends() {
		j.king = make([]uint64, j.kingWords())
	}
	for direction := range d.next {
		for _, at := range d.outermostFirst(direction) {
			next := d.next[direction][at]
			if next != off && d.next[direction][next] != off {
				j.ways = append(j.ways, way{at, next, d.next[direction][next], uint8(direction)})
			}
		}
	}
}

// byRow reports whether captures are found by rows, given the kings of both sides.
func byRow(own, opp int) bool { return own > 0 && (opp == 0 || opp == 1 && own > 1) }

// lends reports whether king is made anew for each word of columns. It is then
// large, and lent by the goroutine that works on the side.
func (j *jumps) lends() bool { return j.side.own.k > 0 && !j.byRow }

// kingWords returns the length of king.
func (j *jumps) kingWords() int {
	rests := 1
	if j.lends() {
		rests = j.rest.n
	}
	return rests * j.squares * engine.Directions
}

// lend lends a side its king.
func (j *jumps) lend(king []uint64) {
	if j.lends() {
		j.king = king[:j.kingWords()]
	}
}

// run takes in the captures in words w0 to w1: of rows if byRow, else of columns.
func (j *jumps) run(w0, w1 int) {
	if j.byRow {
		for w := w0; w < w1 && !j.stop.Up(); w++ {
			j.ofRows(w)
		}
		return
	}
	for w := w0; w < w1 && !j.stop.Up(); w++ {
		j.ofColumns(w)
	}
}

// ofColumns takes in the captures of all rows in a word of columns.
func (j *jumps) ofColumns(w int) {
	d := j.side
	from := d.opp.has[w*d.squares:][:d.squares]
	for s := range from {
		j.opp[s] = from[len(from)-1-s]
		j.own[s] = 0
	}
	for men := d.oppMen; men != 0; men &= men - 1 {
		j.opp[men.First()] = ^uint64(0)
	}
	for men := d.ownMen; men != 0; men &= men - 1 {
		j.own[men.First()] = ^uint64(0)
	}
	j.word = w
	occupied := d.ownMen | d.oppMen
	size := d.squares * engine.Directions
	if d.rest != nil {
		for i, rest := range d.rest.set {
			if i%lookRows == 0 && d.stop.Up() {
				return
			}
			if rest&occupied == 0 {
				j.kingTable(j.king[i*size:][:size], d.ownMen|rest)
			}
		}
	}
	for r, valid := range d.valid[w*d.rows:][:d.rows] {
		if r%lookRows == 0 && d.stop.Up() {
			return
		}
		if valid != 0 {
			j.ofRow(r, valid)
		}
	}
}

// kingTable fills in one table of king, the mover's other pieces being given.
func (j *jumps) kingTable(t []uint64, own engine.Bits) {
	for _, y := range j.ways {
		x := uint64(0)
		if !own.Has(engine.Square(y.next & 63)) {
			opp := j.opp[y.next&63]
			if !own.Has(engine.Square(y.behind & 63)) {
				x = opp &^ j.opp[y.behind&63]
			}
			if j.flying {
				x |= t[int(y.next)*engine.Directions+int(y.direction)] &^ opp
			}
		}
		t[int(y.at)*engine.Directions+int(y.direction)] = x
	}
}

// ofRow takes in the captures of one row in a word of columns.
func (j *jumps) ofRow(r int, valid uint64) {
	d := j.side
	j.row, j.set = r, d.own.set[r]
	j.static = j.set | d.ownMen
	j.firsts, j.any, j.goesOn, j.armed = j.firsts[:0], 0, 0, false
	size := d.squares * engine.Directions
	for kings := j.set; kings != 0; kings &= kings - 1 {
		from := int(kings.First())
		table := j.king[d.own.less(r, from)*size:][:size]
		for way := range engine.Directions {
			m := table[from*engine.Directions+way] & valid
			if m == 0 {
				continue
			}
			j.any |= m
			v := valid
			for s := d.next[way][from]; s < off && !j.static.Has(engine.Square(s)); s = d.next[way][s] {
				if hit := v & j.opp[s]; hit != 0 {
					back := uint64(0)
					if d.lifts {
						back = table[from*engine.Directions+way^2]
					}
					j.kingJump(table, from, int(s), way, hit, back)
				}
				if v &^= j.opp[s]; v == 0 || !d.flying {
					break
				}
			}
		}
	}
	j.manJumps(valid)
	if j.any == 0 {
		return
	}
	j.resolve()
	if j.armed {
		for kings := j.set; kings != 0; kings &= kings - 1 {
			j.own[kings.First()] = 0
		}
	}
	d.merge(r, j.word, j.any, &j.gives)
}

// kingJump lists the jumps of a king over one piece, to every square. back is
// where it could then capture on the other side of its start, the piece being lifted.
func (j *jumps) kingJump(table []uint64, from, over, way int, hit, back uint64) {
	d := j.side
	first, on := len(j.firsts), uint64(0)
	for to := d.next[way][over]; to < off; to = d.next[way][to] {
		if j.static.Has(engine.Square(to)) {
			break
		}
		if hit &^= j.opp[to] | j.own[to]; hit == 0 {
			break
		}
		t := table[int(to)*engine.Directions:][:engine.Directions]
		c := t[way] | t[way^1] | t[way^3]
		c = (c | back) & hit
		on |= c
		j.firsts = append(j.firsts, jump{uint8(from), uint8(over), to, uint8(way), true, hit &^ c, c})
		if !d.flying || d.landing == engine.LandBehind {
			break
		}
	}
	j.goesOn |= on
	switch {
	case d.landing == engine.LandGoOn && on != 0:
		for i := first; i < len(j.firsts); i++ {
			j.firsts[i].stops &^= on
		}
	case d.landing == engine.LandBehindKing && !d.oppMen.Has(engine.Square(over)):
		for i := first + 1; i < len(j.firsts); i++ {
			j.firsts[i].stops = 0
		}
	}
}

// manJumps lists the first jumps of men.
func (j *jumps) manJumps(valid uint64) {
	d := j.side
	for men := d.ownMen; men != 0; men &= men - 1 {
		from := int(men.First())
		for _, way := range d.manCaptures {
			over := d.next[way][from]
			if over == off || !d.menTakeKings && !d.oppMen.Has(engine.Square(over)) {
				continue
			}
			to := d.next[way][over]
			if to == off || j.static.Has(engine.Square(to)) {
				continue
			}
			m := valid & j.opp[over] &^ j.own[over] &^ (j.opp[to] | j.own[to])
			if m == 0 {
				continue
			}
			j.any |= m
			j.arm()
			c := j.canGoOn(int(to), d.passing && d.crown.Has(engine.Square(to)), way, m)
			j.goesOn |= c
			j.firsts = append(j.firsts, jump{uint8(from), over, to, uint8(way), false, m &^ c, c})
		}
	}
}

// arm makes own hold the kings of the row.
func (j *jumps) arm() {
	if j.armed || j.byRow {
		return
	}
	j.armed = true
	for kings := j.set; kings != 0; kings &= kings - 1 {
		j.own[kings.First()] = ^uint64(0)
	}
}

// canGoOn returns in which positions a man that has made one jump, and perhaps
// become a king, can make another.
func (j *jumps) canGoOn(at int, king bool, last int, cells uint64) (on uint64) {
	d := j.side
	for _, way := range j.waysOf(king) {
		if way == last^2 {
			continue
		}
		v := cells
		for s := d.next[way][at]; s < off; s = d.next[way][s] {
			v &^= j.own[s]
			if king || d.menTakeKings || d.oppMen.Has(engine.Square(s)) {
				if b := d.next[way][s]; b < off {
					on |= v & j.opp[s] &^ (j.opp[b] | j.own[b])
				}
			}
			if v &^= j.opp[s]; v == 0 || !king || !d.flying {
				break
			}
		}
	}
	return on
}

var allWays = []int{0, 1, 2, 3}

func (j *jumps) waysOf(king bool) []int {
	if king {
		return allWays
	}
	return j.manCaptures
}

// resolve works out what the listed jumps give.
func (j *jumps) resolve() {
	j.gives = [64]byte{}
	j.leaves = j.leaves[:0]
	if j.choosing == kingsFirst {
		j.leaveToKings()
	}
	longer := uint64(0)
	if j.choosing == piecesFirst {
		longer = j.goesOn
		if len(j.choice) > 1 {
			j.sortSingles()
		}
	}
	for i := range j.firsts {
		f := &j.firsts[i]
		if stops := f.stops &^ longer; stops != 0 {
			j.single(f, stops)
		}
		if f.on != 0 {
			j.follow(f)
		}
	}
	if len(j.leaves) > 0 {
		j.choose()
	}
}
