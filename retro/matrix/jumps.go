package matrix

import (
	"math/bits"

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

// An approach is the kings that can jump over the same piece in the same
// direction, from wherever they stand: at most one in a position. It is used
// where the bits are rows. What comes after the jump does not depend on the
// start, so they are followed together.
type approach struct {
	over, way int
	from      []uint8
	cells     []uint64 // by from: where it is this king
	// rest is the number of the set of the other kings, by position.
	rest [64]uint32
}

// A jump is the first of a capture.
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
		j.oppSets = append(j.oppSets, d.solver.Geometry.sets(k, false))
	}
	j.byRow = d.own.k > 0 && (d.opp.k == 0 || d.opp.k == 1 && d.own.k > 1)
	rests := 1
	if d.own.k > 0 && !j.byRow {
		rests = d.rest.n
	}
	j.king = make([]uint64, rests*d.squares*engine.Directions)
	for direction := range d.next {
		var list []way
		done := map[uint8]bool{off: true}
		for len(done) <= d.squares {
			for s := range uint8(d.squares) {
				if next := d.next[direction][s]; !done[s] && done[next] {
					done[s] = true
					if next != off && d.next[direction][next] != off {
						list = append(list, way{s, next, d.next[direction][next], uint8(direction)})
					}
				}
			}
		}
		j.ways = append(j.ways, list...)
	}
}

// run takes in the captures in words w0 to w1: of rows if byRow, else of columns.
func (j *jumps) run(w0, w1 int) {
	if j.byRow {
		for w := w0; w < w1; w++ {
			j.ofRows(w)
		}
		return
	}
	for w := w0; w < w1; w++ {
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
			if rest&occupied == 0 {
				j.kingTable(j.king[i*size:][:size], d.ownMen|rest)
			}
		}
	}
	for r, valid := range d.valid[w*d.rows:][:d.rows] {
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

// single takes in a capture of one piece.
func (j *jumps) single(f *jump, cells uint64) {
	if f.king && j.choosing != byRank {
		j.singleByKing(f, cells)
		return
	}
	c := &j.done
	*c = capture{from: int(f.from), to: int(f.to), king: f.king, count: 1, cells: cells}
	if over := engine.Square(f.over).Bit(); j.oppMen&over != 0 {
		c.men = over
	} else {
		c.kings, c.kingsN = over, 1
	}
	c.promotes = !f.king && j.crown.Has(engine.Square(f.to))
	if j.choosing != byRank {
		j.deliver(c, cells)
		return
	}
	c.rank = j.classRank[j.classOf(f)]
	j.leaves = append(j.leaves, *c)
}

// singleByKing takes in the most frequent kind of capture.
func (j *jumps) singleByKing(f *jump, cells uint64) {
	d := j.side
	v := &d.victims[f.over]
	if !d.oppMen.Has(engine.Square(f.over)) {
		v = &d.victims[off]
	}
	if v.child == nil {
		win := d.scale.winIn1()
		for ; cells != 0; cells &= cells - 1 {
			j.gives[firstBit(cells)] = win
		}
		return
	}
	gives, cols := v.child.gives, v.child.table.cols
	if j.byRow {
		at := v.cells
		if v.king {
			at = at[d.opp.less(j.column, d.turned(int(f.over))):]
		} else {
			at = at[j.column:]
		}
		rest := &j.approaches[f.from].rest
		with := d.rest.with[f.to:]
		for ; cells != 0; cells &= cells - 1 {
			i := firstBit(cells) & 63
			row := int(with[int(rest[i])*d.squares])
			j.gives[i] = better(j.gives[i], gives[at[row*cols]])
		}
		return
	}
	line := v.cells[int(d.rest.with[d.own.less(j.row, int(f.from))*d.squares+int(f.to)])*cols:][:cols]
	if v.king {
		less := d.opp.without[(j.word*d.squares+d.turned(int(f.over)))*64:][:64]
		for ; cells != 0; cells &= cells - 1 {
			i := firstBit(cells) & 63
			j.gives[i] = better(j.gives[i], gives[line[less[i]]])
		}
		return
	}
	line = line[64*j.word:]
	for ; cells != 0; cells &= cells - 1 {
		i := firstBit(cells) & 63
		j.gives[i] = better(j.gives[i], gives[line[i]])
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

// follow walks all captures that begin with a jump that goes on.
func (j *jumps) follow(f *jump) {
	j.arm()
	// The start square counts as empty.
	var from uint64
	grouped := f.king && j.byRow
	if grouped {
		for i, s := range j.approaches[f.from].from {
			j.own[s] &^= j.approaches[f.from].cells[i]
		}
	} else {
		from = j.own[f.from]
		j.own[f.from] = 0
	}
	j.capture = capture{from: int(f.from), king: f.king}
	j.order, j.table = 0, nil
	if f.king && !j.lifts {
		j.table = j.king
		if size := j.squares * engine.Directions; !j.byRow {
			j.table = j.king[j.side.own.less(j.row, int(f.from))*size:][:size]
		}
	}
	j.push(int(f.over))
	j.goOn(int(f.to), f.king || j.passing && j.crown.Has(engine.Square(f.to)), f.on)
	if grouped {
		for i, s := range j.approaches[f.from].from {
			j.own[s] |= j.approaches[f.from].cells[i]
		}
	} else {
		j.own[f.from] = from
	}
}

func (j *jumps) push(over int) {
	j.count++
	if s := engine.Square(over); j.oppMen.Has(s) {
		j.men |= s.Bit()
	} else {
		j.kings |= s.Bit()
		j.kingsN++
		j.order |= 1 << (maxOrder - j.count)
	}
}

func (j *jumps) pop(over int) {
	if s := engine.Square(over); j.men.Has(s) {
		j.men &^= s.Bit()
	} else {
		j.kings &^= s.Bit()
		j.kingsN--
		j.order &^= 1 << (maxOrder - j.count)
	}
	j.count--
}

// goOn follows a capture from a landing square and returns the positions in
// which there is another jump.
func (j *jumps) goOn(at int, king bool, cells uint64) (on uint64) {
	d := j.side
	flies := king && d.flying
	// The table takes pieces for targets that are taken already, so it only
	// tells where there is nothing. Where rows are the bits it also takes the
	// start square for occupied, which matters from the third jump on.
	table := j.table
	if j.byRow && j.count > 1 {
		table = nil
	}
	for _, way := range j.waysOf(king) {
		v := cells
		if table != nil {
			if v &= table[at*engine.Directions+way]; v == 0 {
				continue
			}
		}
		for s := d.next[way][at]; s < off; s = d.next[way][s] {
			if (j.men | j.kings).Has(engine.Square(s)) {
				if d.lifts && flies {
					continue
				}
				break
			}
			if v &^= j.own[s]; v == 0 {
				break
			}
			if hit := v & j.opp[s]; hit != 0 && (king || d.menTakeKings || d.oppMen.Has(engine.Square(s))) {
				on |= j.take(int(s), way, king, hit)
			}
			if v &^= j.opp[s]; v == 0 || !flies {
				break
			}
		}
	}
	return on
}

// take makes a further jump and returns the positions in which there is a
// square to land on.
func (j *jumps) take(over, way int, king bool, hit uint64) (can uint64) {
	d := j.side
	var landings [16]struct {
		to    uint8
		stops uint64
	}
	n, on := 0, uint64(0)
	j.push(over)
	for to := d.next[way][over]; to < off; to = d.next[way][to] {
		if !(j.men | j.kings).Has(engine.Square(to)) {
			hit &^= j.own[to] | j.opp[to]
		} else if !d.lifts {
			break
		}
		if hit == 0 {
			break
		}
		if n == 0 {
			can = hit
		}
		c := j.goOn(int(to), king || d.passing && d.crown.Has(engine.Square(to)), hit)
		on |= c
		landings[n].to, landings[n].stops = to, hit&^c
		n++
		if !king || !d.flying || d.landing == engine.LandBehind {
			break
		}
	}
	for i, l := range landings[:n] {
		if d.landing == engine.LandGoOn {
			l.stops &^= on
		}
		if i > 0 && d.landing == engine.LandBehindKing && !d.oppMen.Has(engine.Square(over)) {
			break
		}
		if l.stops != 0 {
			j.leaf(int(l.to), king, l.stops)
		}
	}
	j.pop(over)
	return can
}

// leaf takes in a complete capture.
func (j *jumps) leaf(to int, king bool, cells uint64) {
	c := &j.done
	*c = j.capture
	c.to, c.cells = to, cells
	c.promotes = !c.king && (king || j.crown.Has(engine.Square(to)))
	if j.choosing == freely || j.choosing == kingsFirst {
		j.deliver(c, cells)
		return
	}
	c.rank = j.rankOf(c, j.order)
	j.leaves = append(j.leaves, *c)
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

// deliver raises what captures give in some positions.
func (j *jumps) deliver(c *capture, cells uint64) {
	child := j.children[c.men.Count()][c.kings.Count()][promotion(c.promotes)]
	switch {
	case child == nil:
		win := j.side.scale.winIn1()
		for ; cells != 0; cells &= cells - 1 {
			j.gives[firstBit(cells)] = win
		}
	case j.giver != nil:
		j.giver(c, cells)
	default:
		j.give(c, child, cells)
	}
}

// give raises them to what the cells of a child give.
func (j *jumps) give(c *capture, child *child, cells uint64) {
	d := j.side
	kings := c.kings.Count()
	own := d.ownMen
	if !c.king {
		own &^= engine.Square(c.from).Bit()
		if !c.promotes {
			own |= engine.Square(c.to).Bit()
		}
	}
	block := d.find(child, own, d.oppMen&^c.men)
	if j.byRow {
		j.giveRows(c, child, block, cells)
		return
	}
	row := j.row
	if c.king {
		row = int(d.rest.with[d.own.less(row, c.from)*d.squares+c.to])
	} else if c.promotes {
		row = int(d.own.with[row*d.squares+c.to])
	}
	cols := child.table.cols
	line, gives := block[row*cols:][:cols], child.gives
	if kings == 0 {
		line := line[64*j.word:]
		for ; cells != 0; cells &= cells - 1 {
			i := firstBit(cells) & 63
			j.gives[i] = better(j.gives[i], gives[line[i]])
		}
		return
	}
	less := d.opp.without[(j.word*d.squares+d.turned(int(c.kings.First())))*64:][:64]
	if kings == 1 {
		for ; cells != 0; cells &= cells - 1 {
			i := firstBit(cells) & 63
			j.gives[i] = better(j.gives[i], gives[line[less[i]]])
		}
		return
	}
	for ; cells != 0; cells &= cells - 1 {
		i := firstBit(cells) & 63
		column := j.less(int(less[i]), 1, c.kings&(c.kings-1))
		j.gives[i] = better(j.gives[i], gives[line[column]])
	}
}

// less returns the number of a set of the opponent's kings less those taken, on
// squares as the mover sees them; lacks is how many the set lacks already.
func (j *jumps) less(column, lacks int, taken engine.Bits) int {
	for k := j.side.opp.k - lacks; taken != 0; taken &= taken - 1 {
		column = j.oppSets[k].less(column, j.turned(int(taken.First())))
		k--
	}
	return column
}

// giveRows is give where the bits are rows.
func (j *jumps) giveRows(c *capture, child *child, block []byte, cells uint64) {
	d := j.side
	column := j.less(j.column, 0, c.kings)
	cols, gives := child.table.cols, child.gives
	for ; cells != 0; cells &= cells - 1 {
		i := firstBit(cells) & 63
		row := 64*j.word + i
		if c.king {
			row = int(d.rest.with[int(j.approaches[c.from].rest[i])*d.squares+c.to])
		} else if c.promotes {
			row = int(d.own.with[row*d.squares+c.to])
		}
		j.gives[i] = better(j.gives[i], gives[block[row*cols+column]])
	}
}

// ofRows takes in the captures of a word of rows, all columns.
func (j *jumps) ofRows(w int) {
	d := j.side
	j.word = w
	copy(j.own[:], d.own.has[w*d.squares:][:d.squares])
	for s := range j.opp {
		j.opp[s] = 0
	}
	valid := d.own.valid(w)
	for men := d.ownMen | d.oppMen; men != 0; men &= men - 1 {
		valid &^= j.own[men.First()]
	}
	for men := d.ownMen; men != 0; men &= men - 1 {
		j.own[men.First()] = ^uint64(0)
	}
	for men := d.oppMen; men != 0; men &= men - 1 {
		j.opp[men.First()] = ^uint64(0)
	}
	if valid == 0 {
		return
	}
	for c, set := range d.opp.set {
		kings := d.rules.Turn(set)
		if kings&(d.ownMen|d.oppMen) != 0 {
			continue
		}
		rows := valid
		for todo := kings; todo != 0; todo &= todo - 1 {
			rows &^= j.own[todo.First()]
			j.opp[todo.First()] = ^uint64(0)
		}
		j.column = c
		j.ofColumn(kings|d.oppMen, rows)
		for todo := kings; todo != 0; todo &= todo - 1 {
			j.opp[todo.First()] = 0
		}
	}
}

// ofColumn takes in the captures of a word of rows in one column.
func (j *jumps) ofColumn(opponents engine.Bits, valid uint64) {
	d := j.side
	j.static = d.ownMen | opponents
	j.firsts, j.any, j.goesOn = j.firsts[:0], 0, 0
	// First where a king could capture, then what that leads to.
	n := 0
	for todo := opponents; todo != 0; todo &= todo - 1 {
		over := int(todo.First())
		for way := range engine.Directions {
			behind := d.next[way][over]
			if behind == off || j.static.Has(engine.Square(behind)) {
				continue
			}
			v := valid &^ j.own[behind]
			if n == len(j.approaches) {
				j.approaches = append(j.approaches, approach{})
			}
			a := &j.approaches[n]
			a.from, a.cells = a.from[:0], a.cells[:0]
			for s := d.next[way^2][over]; s < off && v != 0 && !j.static.Has(engine.Square(s)); s = d.next[way^2][s] {
				at := int(s)*engine.Directions + way
				j.king[at] = v
				j.touched = append(j.touched, at)
				if m := v & j.own[s]; m != 0 {
					a.from, a.cells = append(a.from, s), append(a.cells, m)
				}
				if !d.flying {
					break
				}
				v &^= j.own[s]
			}
			if len(a.from) > 0 {
				a.over, a.way = over, way
				n++
			}
		}
	}
	for i := range j.approaches[:n] {
		j.approachJump(i)
	}
	j.manJumps(valid)
	if j.any != 0 {
		j.resolve()
		j.mergeRows()
	}
	for _, at := range j.touched {
		j.king[at] = 0
	}
	j.touched = j.touched[:0]
}

// approachJump lists the jumps of an approach.
func (j *jumps) approachJump(n int) {
	d, a := j.side, &j.approaches[n]
	all, back := uint64(0), uint64(0)
	for i, from := range a.from {
		m := a.cells[i]
		all |= m
		if d.lifts {
			back |= m & j.king[int(from)*engine.Directions+a.way^2]
		}
		less := d.own.without[(j.word*d.squares+int(from))*64:][:64]
		for ; m != 0; m &= m - 1 {
			k := firstBit(m) & 63
			a.rest[k] = less[k]
		}
	}
	j.any |= all
	j.kingJump(j.king, n, a.over, a.way, all, back)
}

// mergeRows is side.merge for a word of rows of one column.
func (j *jumps) mergeRows() {
	d := j.side
	bit := uint64(1) << (j.column & 63)
	for cells := j.any; cells != 0; cells &= cells - 1 {
		i := bits.TrailingZeros64(cells)
		r := 64*j.word + i
		d.captures[j.column>>6*d.rows+r] |= bit
		x := j.gives[i&63]
		at := r*d.cols + j.column
		if d.optional {
			x = better(x, d.scores[at])
		}
		d.scores[at] = x
	}
}

func promotion(promotes bool) int {
	if promotes {
		return 1
	}
	return 0
}
