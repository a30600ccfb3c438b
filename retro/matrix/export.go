package matrix

import (
	"context"
	"sync/atomic"

	"dambase/engine"
	"dambase/index"
	"dambase/internal/halt"
)

// exporter writes blocks in the order of the numbering, which has no invalid
// cells and knows the opponent's kings as the mover sees them.
type exporter struct {
	entry    [256]uint8 // of a score
	row      []uint8
	captures []uint8 // by column: 0xFF if the mover can capture
}

func (e *exporter) open(d *side) {
	e.entry = d.scale.entries()
	e.row = make([]uint8, d.cols+8)
	e.captures = make([]uint8, 64*d.words)
}

// exportEntries writes the block's entries.
func (d *side) exportEntries(values *index.Values) {
	e := &d.exporter
	out := values.Narrow()
	occupied := d.ownMen | d.oppMen
	at := d.block*d.numbering.BlockSize() + uint64(d.r0)*d.rowEntries()
	for r := d.r0; r < d.r1; r++ {
		if d.late(r) {
			return
		}
		if d.own.set[r]&occupied != 0 {
			continue
		}
		cells := d.scores[r*d.cols:][:d.cols]
		n := 0
		for _, c := range d.opp.turned {
			x := cells[c]
			e.row[n] = e.entry[x]
			n += int(int32(x)-int32(invalid)) >> 63 & 1
		}
		copy(out[at:], e.row[:n])
		at += uint64(n)
	}
}

// exportCaptures writes which of the block's positions have captures.
func (d *side) exportCaptures(captures []uint64) {
	e := &d.exporter
	occupied := d.ownMen | d.oppMen
	size := d.rowEntries()
	at := d.block*d.numbering.BlockSize() + uint64(d.r0)*size
	for r := d.r0; r < d.r1; r++ {
		if d.late(r) {
			return
		}
		if d.own.set[r]&occupied != 0 {
			continue
		}
		if d.spreadCaptures(r) {
			cells := d.scores[r*d.cols:][:d.cols]
			n := 0
			for _, c := range d.opp.turned {
				e.row[n] = e.captures[c]
				n += int(int32(cells[c])-int32(invalid)) >> 63 & 1
			}
			clear(e.row[n:])
			orBits(captures, at, e.row[:(n+7)&^7])
		}
		at += size
	}
}

// rowEntries is the entries of a valid row.
func (d *side) rowEntries() uint64 {
	return d.numbering.BlockSize() / uint64(binomial[(d.all &^ (d.ownMen | d.oppMen)).Count()][d.own.k])
}

// spreadCaptures makes bytes of the bits of a row; it returns false if there are none.
func (d *side) spreadCaptures(r int) bool {
	any := uint64(0)
	for w := range d.words {
		x := d.captures[w*d.rows+r]
		any |= x
		for i := range 8 {
			store(d.exporter.captures[64*w+8*i:], spread[x>>(8*i)&0xFF])
		}
	}
	return any != 0
}

// orBits sets the bits from at on that have their byte set; several
// goroutines may do so for different bits of a word.
func orBits(words []uint64, at uint64, set []uint8) {
	for ; len(set) > 0; set, at = set[8:], at+8 {
		x := highBits(load(set))
		if x == 0 {
			continue
		}
		atomic.OrUint64(&words[at>>6], x<<(at&63))
		if at&63 > 56 && x>>(64-at&63) != 0 {
			atomic.OrUint64(&words[at>>6+1], x>>(64-at&63))
		}
	}
}

// Values returns the entries of a table in the order of the numbering. Its
// error is that of the context.
func (t *Table) Values(ctx context.Context) (*index.Values, error) {
	out := index.NewValues(t.numbering.Size(), false)
	i := uint64(0)
	return out, t.eachCell(ctx, func(cell *byte) {
		out.Set(i, t.scale.entry(*cell))
		i++
	})
}

// FromValues returns the table of exact entries: of the first plane, if there
// are several. Its error is ErrWide if some entry has no score, that of
// FitsSlice, or that of the context.
func FromValues(ctx context.Context, g *Geometry, n *index.Numbering, c Clock, values *index.Values) (*Table, error) {
	stop, release := halt.Watch(ctx)
	defer release()
	t, err := newTable(stop, g, n, c.scale())
	if err != nil {
		return nil, err
	}
	for i := range t.cells {
		t.cells[i] = invalid
	}
	fits := true
	i := uint64(0)
	err = t.eachCell(ctx, func(cell *byte) {
		x, ok := t.scale.scoreOf(values.At(i))
		*cell = x
		fits = fits && ok
		i++
	})
	if err == nil && !fits {
		err = ErrWide
	}
	return t, err
}

// eachCell calls f with the cells of the positions in their order.
func (t *Table) eachCell(ctx context.Context, f func(cell *byte)) error {
	stop, release := halt.Watch(ctx)
	defer release()
	return t.eachBlock(stop, func(_, m, w int, men engine.Position) {
		cells := t.block(m, w)
		occupied := men.Men[0] | men.Men[1]
		done := 0
		for column, white := range t.mover.set {
			if white&occupied != 0 {
				continue
			}
			if done += t.rows; done >= lookCells {
				if done = 0; stop.Up() {
					return
				}
			}
			for i, black := range t.waiter.set {
				if black&(occupied|white) == 0 {
					f(&cells[int(t.waiter.turned[i])*t.cols+column])
				}
			}
		}
	})
}

// WithoutDistances makes every win one in 1 and every loss one in 0 plies, in
// a table of theory. Its error is that of the context.
func (t *Table) WithoutDistances(ctx context.Context) error {
	for i, x := range t.cells {
		if i%lookCells == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		switch {
		case x < draw:
			t.cells[i] = t.scale.loss(0)
		case x > draw && x != invalid:
			t.cells[i] = t.scale.win(1)
		}
	}
	return nil
}
