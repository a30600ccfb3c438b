package retro

import (
	"context"

	"dambase/engine"
	"dambase/index"
)

// A library holds the exact values of finished slices, as many as fit, and
// reads the others back from their tables.
type library struct {
	rules   *engine.Rules
	reader  TableReader
	metric  index.Metric // of the tables that are read: dtw, or wld in a build without distances
	workers int
	limit   uint64 // bytes of values to keep
	held    map[index.Slice]*index.Values
	used    map[index.Slice]int // when a slice was last wanted
	clock   int
}

// need returns the exact values of all slices that a pair depends on. It keeps
// them, and lets go of others while the limit is passed.
func (l *library) need(ctx context.Context, pair index.Pair) (map[index.Slice]*index.Values, error) {
	wanted := map[index.Slice]*index.Values{}
	for _, d := range index.PairDependencies(pair) {
		for _, s := range d.Slices() {
			values, err := l.get(ctx, s)
			if err != nil {
				return nil, err
			}
			wanted[s] = values
		}
	}
	l.evict(wanted)
	return wanted, nil
}

// get returns the exact values of a slice.
func (l *library) get(ctx context.Context, s index.Slice) (*index.Values, error) {
	l.clock++
	l.used[s] = l.clock
	if v := l.held[s]; v != nil {
		return v, nil
	}
	n, err := index.NewNumbering(l.rules, s)
	if err != nil {
		return nil, err
	}
	values, err := readValues(ctx, l.reader, n, l.metric, l.workers)
	if err != nil {
		return nil, err
	}
	if !l.rules.Optional() {
		if err := l.resolveCaptures(ctx, n, values); err != nil {
			return nil, err
		}
	}
	l.held[s] = values
	return values, nil
}

// put keeps the values of a slice that was just solved.
func (l *library) put(s index.Slice, values *index.Values) {
	l.clock++
	l.used[s] = l.clock
	l.held[s] = values
}

// evict lets go of the slices not wanted for longest.
func (l *library) evict(wanted map[index.Slice]*index.Values) {
	total := uint64(0)
	for _, v := range l.held {
		total += v.Bytes()
	}
	for total > l.limit {
		var oldest index.Slice
		found := false
		for s := range l.held {
			if wanted[s] == nil && (!found || l.used[s] < l.used[oldest]) {
				oldest, found = s, true
			}
		}
		if !found {
			return
		}
		total -= l.held[oldest].Bytes()
		delete(l.held, oldest)
	}
}

// resolveCaptures replaces filler by the values that the captures give.
func (l *library) resolveCaptures(ctx context.Context, n *index.Numbering, values *index.Values) error {
	finishedSlices := map[index.Slice]*index.Values{}
	for _, d := range index.Dependencies(n.Slice()) {
		if d.Pieces() < n.Slice().Pieces() {
			v, err := l.get(ctx, d)
			if err != nil {
				return err
			}
			finishedSlices[d] = v
		}
	}
	c := &children{rules: l.rules}
	for s, v := range finishedSlices {
		sub, err := index.NewNumbering(l.rules, s)
		if err != nil {
			return err
		}
		c.add(&finished{numbering: sub, values: v})
	}
	return forEachPosition(ctx, n, l.workers, func(moves []engine.Move, i uint64, p *engine.Position) ([]engine.Move, error) {
		moves = l.rules.Captures(moves[:0], p)
		if len(moves) == 0 {
			return moves, nil
		}
		var best index.RuledBest
		for _, m := range moves {
			best.Add(c.after(p, m, &clock{}, 0))
		}
		values.Set(i, best.Value().Value())
		return moves, nil
	})
}
