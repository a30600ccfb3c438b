package retro

import (
	"context"
	"errors"
	"slices"

	"dambase/engine"
	"dambase/index"
	"dambase/retro/matrix"
)

// A shelf is the place of a slice in the library: its values in theory, or
// those under the draw counters.
type shelf struct {
	slice index.Slice
	ruled bool
}

// exact are the exact values of a slice: in the order of the numbering, or as
// a matrix table, or both.
type exact struct {
	values *index.Values
	table  *matrix.Table
	// captures are the positions whose side to move must capture; nil if not known.
	captures bitset
}

func (e *exact) bytes() Bytes {
	total := Bytes(8 * len(e.captures))
	if e.values != nil {
		total += Bytes(e.values.Bytes())
	}
	if e.table != nil {
		total += Bytes(e.table.Bytes())
	}
	return total
}

// ordered returns the values in the order of the numbering, and keeps the
// table. Its error is that of the context.
func (e *exact) ordered(ctx context.Context) (*index.Values, error) {
	if e.values != nil {
		return e.values, nil
	}
	values, err := e.table.Values(ctx)
	if err == nil {
		e.values = values
	}
	return values, err
}

// unfold is ordered for values that are only read from now on: of the two forms
// only this is kept.
func (e *exact) unfold(ctx context.Context) (*index.Values, error) {
	values, err := e.ordered(ctx)
	if err == nil {
		e.table = nil
	}
	return values, err
}

// settle lets go of what only the writing of tables needs. A table holds no
// more than one plane.
func (e *exact) settle() {
	e.captures = nil
	if e.table != nil && e.values != nil && e.values.Len() == e.table.Positions() {
		e.values = nil
	}
}

// A library holds the exact values of finished slices, as many as fit, and
// reads the others back from their tables.
type library struct {
	rules   *engine.Rules
	fast    *fastSolver // nil where it does not fit the rules
	reader  TableReader
	theory  index.Metric // dtw, or wld in a build without distances
	workers int
	held    map[shelf]*exact
	used    map[shelf]int // when a shelf was last wanted
	clock   int

	// The pair that is built, and the bytes that all else may take.
	pair  index.Pair
	limit Bytes
}

func newLibrary(r *engine.Rules, fast *fastSolver, reader TableReader, theory index.Metric, workers int) *library {
	return &library{
		rules: r, fast: fast, reader: reader, theory: theory, workers: workers,
		held: map[shelf]*exact{}, used: map[shelf]int{},
	}
}

// begin takes up a pair, beside which so many bytes may be taken, and lets go
// of what that does not leave room for.
func (l *library) begin(pair index.Pair, limit Bytes) {
	l.pair, l.limit = pair, limit
	dependencies := index.PairDependencies(pair)
	l.evict(func(s shelf) bool { return slices.Contains(dependencies, index.PairOf(s.slice)) })
}

// need returns the exact values of all slices that the pair depends on. It keeps
// them, and lets go of others while the limit is passed.
func (l *library) need(ctx context.Context, ruled bool) (map[index.Slice]*exact, error) {
	wanted := map[index.Slice]*exact{}
	dependencies := index.PairDependencies(l.pair)
	keep := func(s shelf) bool { return s.ruled == ruled && slices.Contains(dependencies, index.PairOf(s.slice)) }
	l.evict(keep)
	for _, d := range dependencies {
		for _, s := range d.Slices() {
			e, err := l.get(ctx, shelf{s, ruled})
			if err != nil {
				return nil, err
			}
			wanted[s] = e
			l.evict(keep) // what was read for it alone
		}
	}
	return wanted, nil
}

// get returns the exact values of a shelf.
func (l *library) get(ctx context.Context, s shelf) (*exact, error) {
	l.clock++
	l.used[s] = l.clock
	if e := l.held[s]; e != nil {
		return e, nil
	}
	e, err := l.read(ctx, s)
	if err != nil {
		return nil, err
	}
	l.held[s] = e
	return e, nil
}

// read makes the exact values of a shelf from its tables.
func (l *library) read(ctx context.Context, s shelf) (*exact, error) {
	n, err := index.NewNumbering(l.rules, s.slice)
	if err != nil {
		return nil, err
	}
	metric, planes := l.theory, 1
	if s.ruled {
		c := ruledClock(l.rules, n)
		metric, planes = index.MetricDTZ, c.planes
	}
	values, err := readValues(ctx, l.reader, n, metric, planes, l.workers)
	if err != nil {
		return nil, err
	}
	if l.fast != nil && planes == 1 && !values.Wide() {
		e, err := l.fast.restore(ctx, l, s, n, values)
		if !errors.Is(err, matrix.ErrWide) {
			return e, err
		}
	}
	return &exact{values: values}, l.resolveFiller(ctx, s, n, values)
}

// put keeps the values of the pair, which was just solved.
func (l *library) put(ruled bool, solution [2]*exact) {
	l.clock++
	for i, slice := range l.pair {
		s := shelf{slice, ruled}
		l.used[s] = l.clock
		l.held[s] = solution[i]
	}
}

// settle lets go of what only the writing of the pair's tables needs.
func (l *library) settle() {
	for _, slice := range l.pair {
		for _, ruled := range []bool{false, true} {
			if e := l.held[shelf{slice, ruled}]; e != nil {
				e.settle()
			}
		}
	}
}

// evict lets go of the geometry that the pair does not need and of the shelves
// not wanted for longest, until the rest fits. The pair's own stay.
func (l *library) evict(keep func(shelf) bool) {
	var others []shelf
	total := Bytes(0)
	for s, e := range l.held {
		if index.PairOf(s.slice) == l.pair {
			continue
		}
		total += e.bytes()
		if !keep(s) {
			others = append(others, s)
		}
	}
	if l.fast != nil {
		total += l.spareGeometry()
		if total > l.limit {
			total -= l.spareGeometry()
			l.fast.geometry.Release(l.pair)
			total += l.spareGeometry()
		}
	}
	slices.SortFunc(others, func(a, b shelf) int { return l.used[a] - l.used[b] })
	for _, s := range others {
		if total <= l.limit {
			return
		}
		total -= l.held[s].bytes()
		delete(l.held, s)
	}
}

// spareGeometry returns the bytes of geometry that the pair was not planned with.
func (l *library) spareGeometry() Bytes {
	g := l.fast.geometry
	taken, planned := Bytes(g.Bytes()), bytesOf(g.NeededBytes(l.pair))
	return taken - min(taken, planned)
}

// resolveFiller replaces what a table does not say by what it follows from:
// positions whose side to move must capture by the values of the captures, and
// under the rules what theory says is a draw, and planes that a position does
// not have, by draws.
func (l *library) resolveFiller(ctx context.Context, s shelf, n *index.Numbering, values *index.Values) error {
	own := clock{rules: l.rules, planes: 1}
	var theory *index.Values
	if s.ruled {
		own = ruledClock(l.rules, n)
		e, err := l.get(ctx, shelf{s.slice, false})
		if err != nil {
			return err
		}
		if theory, err = e.ordered(ctx); err != nil {
			return err
		}
	}
	smaller, err := l.smaller(ctx, s)
	if err != nil {
		return err
	}
	return forEachPosition(ctx, n, l.workers, func(moves []engine.Move, i uint64, p *engine.Position) ([]engine.Move, error) {
		moves = moves[:0]
		if !l.rules.Optional() {
			moves = l.rules.Captures(moves, p)
		}
		draw := theory != nil && theory.At(i) == index.ValueDraw
		planes := own.planesOf(p)
		for plane := range own.planes {
			entry := uint64(plane)*n.Size() + i
			switch {
			case draw || plane >= planes:
				values.Set(entry, 0)
			case len(moves) > 0:
				values.Set(entry, own.fold(smaller, p, moves, plane))
			}
		}
		return moves, nil
	})
}

// fold returns the entry of a position from its captures.
func (c *clock) fold(smaller *children, p *engine.Position, captures []engine.Move, plane int) index.Value {
	var best index.RuledBest
	for _, m := range captures {
		best.Add(smaller.after(p, m, c, plane))
	}
	if c.ruled {
		return index.Value(best.Value())
	}
	return best.Value().Value()
}

// smaller returns the slices that captures lead to.
func (l *library) smaller(ctx context.Context, s shelf) (*children, error) {
	c := &children{rules: l.rules}
	return c, l.eachSmaller(ctx, s, func(d index.Slice, e *exact) error {
		n, err := index.NewNumbering(l.rules, d)
		if err != nil {
			return err
		}
		values, err := e.unfold(ctx)
		c.add(newFinished(l.rules, n, values, s.ruled))
		return err
	})
}

// eachSmaller calls f with the exact values of each slice that captures lead
// to; with none where a side may decline to capture.
func (l *library) eachSmaller(ctx context.Context, s shelf, f func(d index.Slice, e *exact) error) error {
	if l.rules.Optional() {
		return nil
	}
	for _, d := range index.Dependencies(s.slice) {
		if d.Pieces() == s.slice.Pieces() {
			continue
		}
		e, err := l.get(ctx, shelf{d, s.ruled})
		if err == nil {
			err = f(d, e)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
