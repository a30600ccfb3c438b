package retro

import (
	"context"
	"errors"
	"fmt"

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
	longest  engine.Plies // distance in theory that is accepted
}

// newFastSolver returns the solver, or the reason why the rules do not fit.
func newFastSolver(r *engine.Rules) (*fastSolver, error) {
	if err := matrix.Fits(r); err != nil {
		return nil, err
	}
	return &fastSolver{r, matrix.NewGeometry(r), matrix.LongestDistance}, nil
}

// fits returns the clock of the slices of a pair in a pass, or the reason why
// they cannot be solved whatever their distances are.
func (f *fastSolver) fits(n *index.Numbering, ruled bool) (matrix.Clock, error) {
	if err := matrix.FitsSlice(f.rules, n.Slice()); err != nil {
		return matrix.Clock{}, err
	}
	if !ruled {
		return matrix.Clock{Limit: f.longest}, nil
	}
	c := ruledClock(f.rules, n)
	switch {
	case c.square:
		return matrix.Clock{}, fmt.Errorf("situation %s depends on a square", c.situation.Name)
	case c.limit > matrix.LongestLimit:
		return matrix.Clock{}, fmt.Errorf("the limit of a draw counter is above %d plies", matrix.LongestLimit)
	}
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
	return matrix.Clock{Ruled: true, Limit: c.limit, Keeps: keeps}, nil
}

// tableOf returns the matrix table of exact values, which it becomes. Its error
// wraps matrix.ErrWide if some value has no score.
func (f *fastSolver) tableOf(ctx context.Context, s shelf, e *exact) (*matrix.Table, error) {
	if e.table != nil {
		return e.table, nil
	}
	n, err := index.NewNumbering(f.rules, s.slice)
	if err != nil {
		return nil, err
	}
	table, err := matrix.FromValues(ctx, f.geometry, n, matrix.Clock{Ruled: s.ruled, Limit: f.longest}, e.values)
	if err != nil {
		return nil, err
	}
	e.table = table
	e.settle()
	return table, nil
}

// solve returns the values of a pair. Its error is a *longError if a distance
// of the pair, or of one that it depends on, is too long for a score.
func (f *fastSolver) solve(ctx context.Context, t Task, n *index.Numbering, dependencies map[index.Slice]*exact) (solution [2]*exact, err error) {
	clock, err := f.fits(n, t.Ruled)
	if err != nil {
		return solution, err
	}
	task := matrix.Task{
		Geometry: f.geometry, Pair: t.Pair, Finished: map[index.Slice]*matrix.Table{}, Clock: clock,
		Workers: t.Workers, Values: true, Captures: !t.Ruled, Progress: t.Progress,
	}
	for slice, e := range dependencies {
		if task.Finished[slice], err = f.tableOf(ctx, shelf{slice, t.Ruled}, e); err != nil {
			return solution, tooLong(err, index.PairOf(slice))
		}
	}
	found, err := matrix.Solve(ctx, task)
	if err != nil {
		return solution, tooLong(err, t.Pair)
	}
	for i := range found {
		solution[i] = &exact{values: found[i].Values, table: found[i].Table, captures: found[i].Captures}
	}
	if t.Pair.Symmetric() {
		solution[1] = solution[0]
	}
	return solution, nil
}

// A longError says that a pair turned out to have distances that are too long
// for the solver that was to do it, or for the one that reads them.
type longError struct{ pair index.Pair }

func (e *longError) Error() string {
	return fmt.Sprintf("slice %s has distances too long for their entries", e.pair[0])
}

// tooLong makes a *longError of what either solver says of it.
func tooLong(err error, pair index.Pair) error {
	if errors.Is(err, matrix.ErrWide) || errors.Is(err, errWide) {
		return &longError{pair}
	}
	return err
}

// restore makes exact values of what the tables of a shelf say. Its error wraps
// matrix.ErrWide if the slice, or one that its captures lead to, has no matrix
// table.
func (f *fastSolver) restore(ctx context.Context, l *library, s shelf, n *index.Numbering, stored *index.Values) (*exact, error) {
	clock, err := f.fits(n, s.ruled)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", matrix.ErrWide, err)
	}
	task := matrix.Task{
		Geometry: f.geometry, Pair: index.PairOf(s.slice), Finished: map[index.Slice]*matrix.Table{},
		Clock: clock, Workers: l.workers, Values: true,
		Captures: !s.ruled && index.PairOf(s.slice) == l.pair, // which is to be written
	}
	err = l.eachSmaller(ctx, s, func(d index.Slice, e *exact) error {
		task.Finished[d], err = f.tableOf(ctx, shelf{d, s.ruled}, e)
		return err
	})
	if err != nil {
		return nil, err
	}
	var theory *matrix.Table
	if s.ruled {
		e, err := l.get(ctx, shelf{s.slice, false})
		if err != nil {
			return nil, err
		}
		if theory, err = f.tableOf(ctx, shelf{s.slice, false}, e); err != nil {
			return nil, err
		}
	}
	table, captures, err := matrix.Restore(ctx, task, s.slice, stored, theory)
	if err != nil {
		return nil, err
	}
	return &exact{table: table, captures: captures}, nil
}
