package retro

import (
	"context"
	"errors"

	"dambase/engine"
	"dambase/index"
	"dambase/retro/matrix"
)

// fastSolver solves with package matrix what that can: all but the slices
// whose draw counters depend on a square, those with distances too long for a
// byte, and those with too many kings. The solver of this package does the rest.
type fastSolver struct {
	rules    *engine.Rules
	geometry *matrix.Geometry
}

// newFastSolver returns nil if the rules do not fit.
func newFastSolver(r *engine.Rules) *fastSolver {
	if matrix.Fits(r) != nil {
		return nil
	}
	return &fastSolver{r, matrix.NewGeometry(r)}
}

// fits reports whether the slices of a pair can be solved in a pass, and
// returns the clock.
func (f *fastSolver) fits(n *index.Numbering, ruled bool) (matrix.Clock, bool) {
	if matrix.FitsSlice(f.rules, n.Slice()) != nil {
		return matrix.Clock{}, false
	}
	if !ruled {
		return matrix.Clock{}, true
	}
	c := ruledClock(f.rules, n)
	keeps := func(child index.Slice) bool {
		if c.situation == nil {
			return false
		}
		m, err := index.NewNumbering(f.rules, child)
		if err != nil {
			return false
		}
		return ruledClock(f.rules, m).situation == c.situation
	}
	return matrix.Clock{Ruled: true, Limit: c.limit, Keeps: keeps}, !c.square && c.limit <= matrix.LongestLimit
}

// tableOf returns the matrix table of exact values; false if some has no score.
func (f *fastSolver) tableOf(s shelf, e *exact) (*matrix.Table, bool) {
	if e.table != nil {
		return e.table, true
	}
	n, err := index.NewNumbering(f.rules, s.slice)
	if err != nil || matrix.FitsSlice(f.rules, s.slice) != nil {
		return nil, false
	}
	table, ok := matrix.FromValues(f.geometry, n, matrix.Clock{Ruled: s.ruled}, e.values)
	if ok {
		e.table = table
	}
	return table, ok
}

// tables returns the matrix tables of exact values; false if some has none.
func (f *fastSolver) tables(ruled bool, values map[index.Slice]*exact) (map[index.Slice]*matrix.Table, bool) {
	out := map[index.Slice]*matrix.Table{}
	for slice, e := range values {
		table, ok := f.tableOf(shelf{slice, ruled}, e)
		if !ok {
			return nil, false
		}
		out[slice] = table
	}
	return out, true
}

// solve returns the values of a pair, or nothing if the pair does not fit.
func (f *fastSolver) solve(ctx context.Context, t Task, n *index.Numbering, dependencies map[index.Slice]*exact) (solution [2]*exact, err error) {
	clock, ok := f.fits(n, t.Ruled)
	if !ok {
		return solution, nil
	}
	finished, ok := f.tables(t.Ruled, dependencies)
	if !ok {
		return solution, nil
	}
	task := matrix.Task{
		Geometry: f.geometry, Pair: t.Pair, Finished: finished, Clock: clock,
		Workers: t.Workers, Values: true, Captures: !t.Ruled, Progress: t.Progress,
	}
	found, err := matrix.Solve(ctx, task)
	if errors.Is(err, matrix.ErrWide) {
		return solution, nil
	} else if err != nil {
		return solution, err
	}
	for i := range found {
		solution[i] = &exact{values: found[i].Values, table: found[i].Table, captures: found[i].Captures}
	}
	if t.Pair.Symmetric() {
		solution[1] = solution[0]
	}
	return solution, nil
}

// errUnfit says that a slice has no matrix table.
var errUnfit = errors.New("no matrix table")

// restore makes exact values of what the tables of a shelf say, or nil if the
// slice does not fit.
func (f *fastSolver) restore(ctx context.Context, l *library, s shelf, n *index.Numbering, stored *index.Values) (*exact, error) {
	clock, ok := f.fits(n, s.ruled)
	if !ok {
		return nil, nil
	}
	task := matrix.Task{
		Geometry: f.geometry, Pair: index.PairOf(s.slice), Finished: map[index.Slice]*matrix.Table{},
		Clock: clock, Workers: l.workers, Values: true, Captures: !s.ruled,
	}
	err := l.eachSmaller(ctx, s, func(d index.Slice, e *exact) error {
		if task.Finished[d], ok = f.tableOf(shelf{d, s.ruled}, e); !ok {
			return errUnfit
		}
		return nil
	})
	if errors.Is(err, errUnfit) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	var theory *matrix.Table
	if s.ruled {
		e, err := l.get(ctx, shelf{s.slice, false})
		if err != nil {
			return nil, err
		}
		if theory, ok = f.tableOf(shelf{s.slice, false}, e); !ok {
			return nil, nil
		}
	}
	table, captures, err := matrix.Restore(ctx, task, s.slice, stored, theory)
	if errors.Is(err, matrix.ErrWide) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	return &exact{table: table, captures: captures}, nil
}
