package matrix

import (
	"dambase/engine"
)

// An approach is the kings that can jump over the same piece in the same
// direction, from wherever they stand: at most one in a position. It is used
// where the bits are rows. What comes after the jump does not depend on the
// start, so they are followed together.
type approach struct {
	over, way int
	from      []uint8  // of squares
	cells     []uint64 // by from: where it is this king
	// rest is the number of the set of the other kings, by position.
	rest [64]uint32
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
		i := firstBit(cells)
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
