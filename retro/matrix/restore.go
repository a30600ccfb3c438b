package matrix

import (
	"context"
	"fmt"
	"sync/atomic"

	"dambase/engine"
	"dambase/index"
	"dambase/internal/halt"

	"golang.org/x/sync/errgroup"
)

// Restore makes the table of one slice of a task's pair from what its stored
// tables say: values where the mover has no capture, anything elsewhere. The
// task needs the tables of smaller slices only, to find the values of captures;
// where a side may decline to capture all values are stored, and it needs none.
// Under the rules theory is the slice's table of that pass: where it is a draw,
// so is the result.
//
// If the task asks for captures, it returns the positions with them too, as a
// Solution has them. Its errors are those of Solve.
func Restore(ctx context.Context, t Task, slice index.Slice, stored *index.Values, theory *Table) (*Table, []uint64, error) {
	stop, release := halt.Watch(ctx)
	defer release()
	s := &solver{Task: t, stop: stop, scale: t.Clock.scale()}
	n, err := index.NewNumbering(t.Geometry.board.rules, slice)
	if err != nil {
		return nil, nil, err
	}
	i := 0
	if slice != t.Pair[0] {
		i = 1
	}
	s.numberings[i] = n
	if s.tables[i], err = newTable(stop, t.Geometry, n, s.scale); err != nil {
		return nil, nil, err
	}
	if err := t.Geometry.provide(stop, needsOf(slice)); err != nil {
		return nil, nil, err
	}
	optional := t.Geometry.board.optional
	for _, d := range index.Dependencies(slice) {
		if !optional && d.Pieces() < slice.Pieces() && t.Finished[d] == nil {
			return nil, nil, fmt.Errorf("slice %s needs slice %s, which is not solved", slice, d)
		}
	}
	var captures []uint64
	if t.Captures && !optional {
		captures = make([]uint64, (n.Size()+63)/64)
	}
	var taken atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	for range max(t.Workers, 1) {
		g.Go(func() error {
			d := newSide(s, i)
			d.jumps.lend(make([]uint64, d.jumps.kingWords()))
			for {
				own := int(taken.Add(1)) - 1
				if own >= d.table.moverMen.n || ctx.Err() != nil {
					return ctx.Err()
				}
				men := d.table.moverMen.on(own)
				for k, set := range d.table.waiterMen.set {
					if set&men != 0 {
						continue
					}
					b := blockMen{own, int(d.table.waiterMen.turned[k]), [2]engine.Bits{men, set}}
					if err := d.restore(b, stored, theory, captures); err != nil {
						return err
					}
				}
			}
		})
	}
	return s.tables[i], captures, g.Wait()
}

// restore makes the scores of a block.
func (d *side) restore(b blockMen, stored *index.Values, theory *Table, captures []uint64) error {
	d.begin(b, d)
	if err := d.stop.Err(); err != nil {
		return err
	}
	i := d.block * d.numbering.BlockSize()
	occupied := d.ownMen | d.oppMen
	for r, own := range d.own.set {
		if d.late(r) {
			return d.stop.Err()
		}
		if own&occupied != 0 {
			continue
		}
		for k, opp := range d.opp.set {
			if opp&(occupied|own) != 0 {
				continue
			}
			x, ok := d.scale.scoreOf(stored.At(i))
			if !ok {
				return ErrWide
			}
			d.scores[r*d.cols+int(d.opp.turned[k])] = x
			i++
		}
	}
	if !d.optional {
		d.captureMoves()
	}
	d.markInvalid()
	d.finish(0, d.rows)
	if captures != nil {
		d.exportCaptures(captures)
	}
	if theory != nil {
		cells := d.table.block(b.own, b.opp)
		for i, x := range theory.block(b.own, b.opp) {
			if x == draw {
				cells[i] = draw
			}
		}
	}
	return d.stop.Err()
}
