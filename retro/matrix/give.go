package matrix

import (
	"dambase/engine"
)

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

func promotion(promotes bool) int {
	if promotes {
		return 1
	}
	return 0
}
