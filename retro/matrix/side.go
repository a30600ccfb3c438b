package matrix

import (
	"dambase/engine"
	"dambase/index"
	"dambase/internal/halt"
)

// Between two looks at the flag there is far less than a tenth of a second of
// work: lookRows words of rows, or sets of pieces, or about lookCells cells.
const (
	lookRows   = 1 << 10
	lookGroups = lookRows / 64 // words of a bitset of rows
	lookCells  = 1 << 20
)

// A side is one side to move of a block: the mover's kings are the rows, the
// opponent's the columns. Its memory is used again for the next block.
//
// Bitsets over the cells are words of 64 columns, one row after the other:
// word w of row r is at w*rows + r.
type side struct {
	*board
	solver     *solver
	stop       *halt.Flag
	index      int // in the pair
	scale      scale
	numbering  *index.Numbering
	table      *Table // where the scores go
	rows, cols int
	words      int // of 64 columns
	rowWords   int // of 64 rows
	wholeRows  int // how many rows with all columns are done between two looks, a power of 2
	own, opp   *kingSets
	rest       *kingSets // one king of the mover less; nil if it has none
	children   children

	// The part of the block that this is for: words of columns and rows. Where
	// several goroutines work on one block each has a copy of the side, which
	// shares the bitsets and scores.
	w0, w1, r0, r1 int

	// The block: its number, the sets of men, each as its owner sees it, and the
	// men as the mover sees them.
	block          uint64
	ownSet, oppSet int
	ownMen, oppMen engine.Bits
	victims        [off + 1]victim
	other          *side // the other side to move; itself if the block is its own mirror

	scores   []byte   // rows x cols: what the leaving moves give, then the value
	blocked  []uint64 // [word*squares+square] columns with a piece on the square; all ones for a man
	valid    []uint64
	captures []uint64 // cells whose mover can capture

	search search
	jumps  jumps
	lines  lines

	exporter exporter
}

// A child is a slice that moves lead to: the opponent's view of what is left
// after so many men and kings are taken, and perhaps a man is crowned.
type child struct {
	table *Table
	gives *translation
	fresh bool // gives is scale.theory, or scale.fresh
}

// children by the men and kings taken, and whether a man is crowned.
type children [maxMen + 1][maxKings + 1][2]*child

// A victim is what is left of the block after a king has taken one piece and
// nothing more: by the square of a man; the kings share the last entry.
type victim struct {
	child *child // nil if there is nothing left
	cells []byte
	king  bool
}

func newSide(s *solver, i int) *side {
	slice := s.Pair[i]
	own, opp := int(slice.Kings[0]), int(slice.Kings[1])
	d := &side{
		board: s.Geometry.board, solver: s, stop: s.stop, index: i, scale: s.scale, numbering: s.numberings[i], table: s.tables[i],
		own: s.Geometry.sets(own), opp: s.Geometry.sets(opp),
	}
	if own > 0 {
		d.rest = s.Geometry.sets(own - 1)
	}
	d.rows, d.cols = d.own.n, d.opp.n
	d.words, d.rowWords = d.opp.words, d.own.words
	d.children = s.childrenOf(i)
	d.w1, d.r1 = d.words, d.rows
	d.wholeRows = 8 // are turned over at once
	for d.wholeRows < lookRows && 2*d.wholeRows*d.cols <= lookCells {
		d.wholeRows *= 2
	}
	cells := d.rows * d.cols
	d.scores = make([]byte, cells)
	d.blocked = make([]uint64, d.words*d.squares)
	d.valid = make([]uint64, d.words*d.rows)
	d.captures = make([]uint64, d.words*d.rows)
	d.jumps.open(d)
	if own > 0 && opp == 0 {
		d.lines.open(d)
	}
	if s.Values {
		d.exporter.open(d)
	}
	if own > 0 && opp > 0 {
		d.search.open(d)
	}
	return d
}

// begin takes up a block.
func (d *side) begin(b blockMen, other *side) {
	d.block, d.ownSet, d.oppSet, d.other = d.table.number(b.own, b.opp), b.own, b.opp, other
	d.ownMen, d.oppMen = b.men[0], b.men[1]
	occupied := d.ownMen | d.oppMen
	for w := range d.words {
		if d.stop.Up() {
			return
		}
		to, from := d.blocked[w*d.squares:][:d.squares], d.opp.has[w*d.squares:][:d.squares]
		for s := range to {
			to[s] = from[len(from)-1-s]
		}
		free := d.opp.valid(w)
		for todo := occupied; todo != 0; todo &= todo - 1 {
			s := todo.First()
			free &^= to[s]
			to[s] = ^uint64(0)
		}
		valid := d.valid[w*d.rows:][:d.rows]
		if d.own.k == 1 {
			for s := range valid {
				valid[s] = free &^ to[s]
			}
			continue
		}
		for r, set := range d.own.set {
			v := free
			for todo := set; todo != 0; todo &= todo - 1 {
				v &^= to[todo.First()&63]
			}
			valid[r] = v
		}
	}
	clear(d.scores)
	clear(d.captures)
}

// findVictims finds what is left of the block after a king has taken one piece.
func (d *side) findVictims() {
	if d.own.k == 0 {
		return
	}
	for men := d.oppMen; men != 0; men &= men - 1 {
		v := &d.victims[men.First()]
		if v.child = d.children[1][0][0]; v.child != nil {
			v.cells = d.find(v.child, d.ownMen, d.oppMen&^men.First().Bit())
		}
	}
	v := &d.victims[off]
	v.king = true
	if d.opp.k > 0 {
		if v.child = d.children[0][1][0]; v.child != nil {
			v.cells = d.find(v.child, d.ownMen, d.oppMen)
		}
	}
}

// find returns the cells of a child's block, given the men as the mover sees them.
func (d *side) find(c *child, own, opp engine.Bits) []byte {
	w, m := d.ownSet, d.oppSet
	if own != d.ownMen {
		w = c.table.waiterMen.rank(own)
	}
	if opp != d.oppMen {
		m = c.table.moverMen.rank(d.rules.Turn(opp))
	}
	return c.table.block(m, w)
}

// late reports whether the flag is up before a whole row; it seldom looks.
func (d *side) late(r int) bool { return r&(d.wholeRows-1) == 0 && d.stop.Up() }

// finish stores rows r0 to r1 of the block's scores in the table, where the
// waiting side's kings are the rows.
func (d *side) finish(r0, r1 int) {
	for cells := d.table.block(d.ownSet, d.oppSet); r0 < r1 && !d.stop.Up(); r0 += d.wholeRows {
		transpose(cells, d.scores, d.rows, d.cols, r0, min(r0+d.wholeRows, r1))
	}
}

// menMoves takes in the quiet moves of men: each is a maximum over the whole
// block, for a move to a square with a king leads to invalid cells.
func (d *side) menMoves() {
	free := d.all &^ (d.ownMen | d.oppMen)
	for men := d.ownMen; men != 0 && !d.stop.Up(); men &= men - 1 {
		from := men.First()
		rest := d.ownMen &^ from.Bit()
		for _, way := range d.manSteps {
			to := engine.Square(d.next[way][from])
			switch {
			case to == off || !free.Has(to):
			case d.crown.Has(to):
				d.promotion(rest, int(to))
			default:
				c := d.children[0][0][0]
				cells := d.find(c, rest|to.Bit(), d.oppMen)
				for at := 0; at < len(cells) && !d.stop.Up(); at += 16 * lookCells {
					end := min(at+16*lookCells, len(cells))
					d.improve(d.scores[at:end], cells[at:end], c)
				}
			}
		}
	}
}

// promotion takes in a man's move to the last row.
func (d *side) promotion(rest engine.Bits, to int) {
	c := d.children[0][0][1]
	cells := d.find(c, rest, d.oppMen)
	with := d.own.with
	if d.cols == 1 {
		for r, set := range d.own.set {
			if !set.Has(engine.Square(to)) {
				d.scores[r] = better(d.scores[r], c.gives[cells[with[r*d.squares+to]]])
			}
		}
		return
	}
	for r, set := range d.own.set {
		if d.late(r) {
			return
		}
		if !set.Has(engine.Square(to)) {
			row := int(with[r*d.squares+to])
			d.improve(d.scores[r*d.cols:][:d.cols], cells[row*d.cols:][:d.cols], c)
		}
	}
}

// improve raises scores to what moves to the cells of a child give.
func (d *side) improve(scores, cells []byte, c *child) {
	i := 0
	switch {
	case !c.fresh:
	case d.scale.ruled:
		win, loss := lows*uint64(d.scale.win(1)), lows*uint64(d.scale.loss(1))
		for ; i+8 <= len(scores) && i+8 <= len(cells); i += 8 {
			store(scores[i:], max8(load(scores[i:]), fresh8(opposed8(load(cells[i:])), win, loss)))
		}
	default:
		for ; i+8 <= len(scores) && i+8 <= len(cells); i += 8 {
			store(scores[i:], max8(load(scores[i:]), opposed8(load(cells[i:]))))
		}
	}
	for ; i < len(scores); i++ {
		scores[i] = better(scores[i], c.gives[cells[i]])
	}
}

// captureMoves takes in the captures of the side's part of the block.
func (d *side) captureMoves() {
	d.findVictims()
	if d.jumps.byRow {
		d.jumps.run(0, d.rowWords)
	} else {
		d.jumps.run(d.w0, d.w1)
	}
}

// markInvalid sets the invalid cells.
func (d *side) markInvalid() {
	if d.cols == 1 {
		for r, v := range d.valid {
			if v == 0 {
				d.scores[r] = invalid
			}
		}
		return
	}
	for w := range d.words {
		if d.stop.Up() {
			return
		}
		for r, v := range d.valid[w*d.rows:][:d.rows] {
			d.overwrite(r, w, ^v&d.opp.valid(w), invalid)
		}
	}
}

// overwrite sets the cells of a word of a row.
func (d *side) overwrite(r, w int, cells uint64, x score) {
	at := r*d.cols + 64*w
	to := d.scores[at : r*d.cols+min(d.cols, 64*w+64)]
	bytes := lows * uint64(x)
	i := 0
	for ; i+8 <= len(to); i += 8 {
		m := spread[cells>>i&0xFF]
		store(to[i:], load(to[i:])&^m|bytes&m)
	}
	for ; i < len(to); i++ {
		if cells>>i&1 != 0 {
			to[i] = x
		}
	}
}

// merge takes in what captures give the cells of a word of a row.
func (d *side) merge(r, w int, cells uint64, gives *[64]byte) {
	d.captures[w*d.rows+r] |= cells
	to := d.scores[r*d.cols+64*w : r*d.cols+min(d.cols, 64*w+64)]
	i := 0
	for ; i+8 <= len(to); i += 8 {
		m := spread[cells>>i&0xFF]
		x := load(gives[i:])
		if d.optional {
			x = max8(x, load(to[i:]))
		}
		store(to[i:], load(to[i:])&^m|x&m)
	}
	for ; i < len(to); i++ {
		if cells>>i&1 != 0 {
			x := gives[i]
			if d.optional {
				x = better(x, to[i])
			}
			to[i] = x
		}
	}
}
