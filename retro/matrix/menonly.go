package matrix

import (
	"context"
	"sync/atomic"

	"dambase/engine"

	"golang.org/x/sync/errgroup"
)

// A slice without kings is one matrix. Its rows are the sets of the men of the
// first slice's mover, here side x, its columns those of the opponent's, side y,
// each as their owner sees them.
//
// With x to move a row follows from the rows that its men step to, as whole
// rows; with y to move it follows from the same row with x to move. So rows are
// done by their advance, the most advanced first, and nothing inside a row
// depends on the order. Captures are found 64 columns at a time.
type menSolver struct {
	*solver
	x, y   *menSets
	words  int
	scores []byte // x to move, row by row: the turned over table of x
	// captures of x and of y, word w of row r at r*words+w.
	captures [2][]uint64
}

func (s *solver) solveMen(ctx context.Context) error {
	m := &menSolver{solver: s, x: s.tables[0].moverMen, y: s.tables[0].waiterMen}
	m.words = m.y.words
	m.scores = make([]byte, m.x.n*m.y.n)
	for i := range m.captures {
		m.captures[i] = make([]uint64, m.x.n*m.words)
	}
	workers := make([]*menWorker, max(s.Workers, 1))
	for i := range workers {
		workers[i] = newMenWorker(m)
	}
	for a := len(m.x.byAdvance) - 1; a >= 0; a-- {
		rows := m.x.byAdvance[a]
		var taken atomic.Int64
		g, ctx := errgroup.WithContext(ctx)
		for _, w := range workers[:min(len(workers), max(len(rows), 1))] {
			g.Go(func() error {
				for {
					i := int(taken.Add(1)) - 1
					if i >= len(rows) || ctx.Err() != nil {
						return ctx.Err()
					}
					ok := w.row(int(rows[i]))
					if err := s.stop.Err(); err != nil {
						return err
					}
					if !ok {
						return ErrWide
					}
				}
			})
		}
		if err := g.Wait(); err != nil {
			return err
		}
	}
	if !s.Pair.Symmetric() {
		for r := 0; r < m.x.n && !s.stop.Up(); r += lookRows {
			transpose(s.tables[0].cells, m.scores, m.x.n, m.y.n, r, min(r+lookRows, m.x.n))
		}
	}
	if s.Values {
		return m.export()
	}
	return s.stop.Err()
}

// menWorker does one row at a time.
type menWorker struct {
	*menSolver
	sides [2]*side // whose men are the pieces that jumps needs to know
	jumps [2]jumps
	valid []uint64
	less  *menSets
	free  engine.Bits // squares without x's men, as y sees them
}

func newMenWorker(m *menSolver) *menWorker {
	w := &menWorker{menSolver: m, valid: make([]uint64, m.words), less: m.Geometry.men[m.y.k-1]}
	for i := range w.sides {
		d := &side{board: m.Geometry.board, stop: m.stop, scale: m.scale, children: m.childrenOf(i), table: m.tables[i]}
		// The opponent's are all men.
		d.oppMen = d.all
		w.sides[i] = d
		j := &w.jumps[i]
		j.side, j.byRow, j.choosing = d, true, d.board.choosing()
		j.rankClasses()
	}
	w.jumps[0].giver, w.jumps[1].giver = w.giveX, w.giveY
	return w
}

// row finds a row of both sides to move; false if a distance is too long.
func (w *menWorker) row(r int) bool {
	x, y := w.sides[0], w.sides[1]
	men := w.x.on(r)
	turned := x.rules.Turn(men)
	for i := range w.valid {
		valid := w.y.valid(i)
		for todo := turned &^ y.crown; todo != 0; todo &= todo - 1 {
			valid &^= w.y.has[i*w.y.squares+int(todo.First())-w.y.shift]
		}
		w.valid[i] = valid
	}
	w.free = y.all &^ turned
	scores := w.scores[r*w.y.n:][:w.y.n]
	w.xRow(r, men, scores)
	ok := w.seal(scores)
	cells := w.tables[1].cells[r*w.y.n:][:w.y.n]
	w.yRow(r, turned, scores, cells)
	ok = w.seal(cells) && ok
	if w.Progress != nil {
		n := uint64(0)
		for _, v := range w.valid {
			n += uint64(engine.Bits(v).Count())
		}
		if !w.Pair.Symmetric() {
			n *= 2
		}
		w.Progress(n)
	}
	return ok
}

// seal marks the invalid cells of a row; false if a distance is too long.
func (w *menWorker) seal(cells []byte) bool {
	for c := range cells {
		if w.valid[c>>6]>>(c&63)&1 == 0 {
			cells[c] = invalid
		}
	}
	return w.scale.holds(cells)
}

// xRow finds a row with x to move.
func (w *menWorker) xRow(r int, men engine.Bits, scores []byte) {
	d, n := w.sides[0], w.y.n
	c := d.children[0][0][0]
	for _, to := range w.x.moves[w.x.firstMove[r]:w.x.firstMove[r+1]] {
		d.improve(scores, w.tables[1].cells[int(to)*n:][:n], c)
	}
	for _, m := range w.x.crowning[w.x.firstCrowning[r]:w.x.firstCrowning[r+1]] {
		w.xCrowning(m, men, scores)
	}
	j := &w.jumps[0]
	d.ownMen, j.static = men, men
	for i := range w.valid {
		if i%lookGroups == 0 && d.stop.Up() {
			return
		}
		j.word = i
		for s := range d.squares {
			j.own[s], j.opp[s] = 0, 0
			if t := d.turned(s); t >= w.y.shift {
				j.opp[s] = w.y.has[i*w.y.squares+t-w.y.shift]
			}
		}
		for todo := men; todo != 0; todo &= todo - 1 {
			j.own[todo.First()] = ^uint64(0)
		}
		j.firsts, j.any, j.goesOn = j.firsts[:0], 0, 0
		j.manJumps(w.valid[i])
		w.merge(j, 0, r, scores)
	}
}

// merge takes in what the captures in a word of a row give.
func (w *menWorker) merge(j *jumps, side, r int, scores []byte) {
	if j.any == 0 {
		return
	}
	j.resolve()
	w.captures[side][r*w.words+j.word] = j.any
	for cells := j.any; cells != 0; cells &= cells - 1 {
		i := firstBit(cells) & 63
		x := j.gives[i]
		to := &scores[64*j.word+i]
		if j.optional {
			x = better(x, *to)
		}
		*to = x
	}
}

// xCrowning takes in a move of x to the last row.
func (w *menWorker) xCrowning(m crowning, men engine.Bits, scores []byte) {
	d := w.sides[0]
	c := d.children[0][0][1]
	to := d.turned(int(m.to)) - w.y.shift
	rest := c.table.waiterMen.rank(men &^ engine.Square(m.from).Bit())
	for i, valid := range w.valid {
		if to >= 0 {
			valid &^= w.y.has[i*w.y.squares+to]
		}
		for ; valid != 0; valid &= valid - 1 {
			column := 64*i + firstBit(valid)
			scores[column] = better(scores[column], c.gives[c.table.block(column, rest)[m.to]])
		}
	}
}

// giveX is jumps.give for x: the bits are columns.
func (w *menWorker) giveX(c *capture, cells uint64) {
	d, j := w.sides[0], &w.jumps[0]
	child := d.children[c.men.Count()][0][promotion(c.promotes)]
	own := d.ownMen &^ engine.Square(c.from).Bit()
	at := 0
	if c.promotes {
		at = c.to
	} else {
		own |= engine.Square(c.to).Bit()
	}
	row := child.table.waiterMen.rank(own)
	for ; cells != 0; cells &= cells - 1 {
		i := firstBit(cells) & 63
		column := 64*j.word + i
		for k, men := w.y.k, c.men; men != 0; men &= men - 1 {
			column = w.Geometry.men[k].less(column, d.turned(int(men.First()))-w.y.shift)
			k--
		}
		j.gives[i] = better(j.gives[i], child.gives[child.table.block(column, row)[at]])
	}
}

// yRow finds a row with y to move; x is the row with x to move.
func (w *menWorker) yRow(r int, xMen engine.Bits, x, cells []byte) {
	gives := w.sides[1].children[0][0][0].gives
	for c := range cells {
		best := noMove
		for _, to := range w.y.moves[w.y.firstMove[c]:w.y.firstMove[c+1]] {
			best = better(best, gives[x[to]])
		}
		cells[c] = best
	}
	crown := w.sides[1].children[0][0][1]
	for c := range cells {
		for _, m := range w.y.crowning[w.y.firstCrowning[c]:w.y.firstCrowning[c+1]] {
			if w.free.Has(engine.Square(m.to)) && w.valid[c>>6]>>(c&63)&1 != 0 {
				rest := w.y.less(c, int(m.from)-w.y.shift)
				cells[c] = better(cells[c], crown.gives[crown.table.block(r, rest)[m.to]])
			}
		}
	}
	d, j := w.sides[1], &w.jumps[1]
	d.ownMen, j.static = xMen, xMen
	for i := range w.valid {
		if i%lookGroups == 0 && d.stop.Up() {
			return
		}
		j.word = i
		for s := range d.squares {
			j.own[s], j.opp[s] = 0, 0
			if s >= w.y.shift {
				j.own[s] = w.y.has[i*w.y.squares+s-w.y.shift]
			}
		}
		for todo := xMen; todo != 0; todo &= todo - 1 {
			j.opp[todo.First()] = ^uint64(0)
		}
		j.firsts, j.any, j.goesOn = j.firsts[:0], 0, 0
		j.jumpsOver(xMen, w.valid[i])
		w.merge(j, 1, r, cells)
	}
}

// jumpsOver lists the first jumps of men over pieces that are the same in all positions.
func (j *jumps) jumpsOver(opponents engine.Bits, valid uint64) {
	d := j.side
	for todo := opponents; todo != 0; todo &= todo - 1 {
		over := int(todo.First())
		for _, way := range d.manCaptures {
			from, to := d.next[way^2][over], d.next[way][over]
			if from == off || to == off || j.static.Has(engine.Square(to)) {
				continue
			}
			m := valid & j.own[from] &^ j.own[to]
			if m == 0 {
				continue
			}
			j.any |= m
			c := j.canGoOn(int(to), d.passing && d.crown.Has(engine.Square(to)), way, m)
			j.goesOn |= c
			j.firsts = append(j.firsts, jump{from, uint8(over), to, uint8(way), false, m &^ c, c})
		}
	}
}

// giveY is jumps.give for y, whose men are the bits.
func (w *menWorker) giveY(c *capture, cells uint64) {
	d, j := w.sides[1], &w.jumps[1]
	child := d.children[c.men.Count()][0][promotion(c.promotes)]
	row := child.table.moverMen.rank(d.rules.Turn(d.ownMen &^ c.men))
	from, to := c.from-w.y.shift, c.to-w.y.shift
	for ; cells != 0; cells &= cells - 1 {
		i := firstBit(cells) & 63
		column := w.y.less(64*j.word+i, from)
		at := c.to
		if !c.promotes {
			column = int(w.less.with[column*w.y.squares+to])
			at = 0
		}
		j.gives[i] = better(j.gives[i], child.gives[child.table.block(row, column)[at]])
	}
}

// export writes the entries and captures of both slices. Its error is that of
// the flag.
func (m *menSolver) export() error {
	for i, t := range m.tables {
		if i == 1 && m.Pair.Symmetric() {
			break
		}
		out := m.out[i]
		values := out.Values.Narrow()
		entry := m.scale.entries()
		err := t.eachBlock(m.stop, func(number, mover, waiter int, _ engine.Position) {
			values[number] = entry[t.block(mover, waiter)[0]]
			r, c := mover, waiter
			if i == 1 {
				r, c = waiter, mover
			}
			if out.Captures != nil && m.captures[i][r*m.words+c>>6]>>(c&63)&1 != 0 {
				out.Captures[number>>6] |= 1 << (number & 63)
			}
		})
		if err != nil {
			return err
		}
	}
	return m.stop.Err()
}
