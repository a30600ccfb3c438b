package retro

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"dambase/engine"
	"dambase/index"
)

// A BuildTask says what to build.
type BuildTask struct {
	Rules   *engine.Rules
	Wanted  []index.Slice
	Metrics []index.Metric
	Workers int
	Memory  Bytes
	Reader  TableReader
	Writer  TableWriter
	// Reference has the solver of this package do all, as an oracle.
	Reference bool
	// Events gets news of the build; nil for none.
	Events Events
	// longest, if not 0, takes the place of the longest distance that the fast
	// solver accepts, for tests.
	longest engine.Plies
}

// Events is told how a build goes on. Its methods are called by one goroutine
// at a time, except Solved.
type Events interface {
	// Started is called before a step with the number of its tables that
	// are missing; a step with none is skipped.
	Started(step Step, missing int)
	// Replanned is called in a step when distances turn out to be so long that
	// it and steps that follow take longer; steps are all of the build, in
	// order. What is solved again is not told to Solved again.
	Replanned(steps []Step)
	// Solved adds to the positions solved in the present step.
	Solved(positions uint64)
	// Stored is called when a table is on disk.
	Stored(t *index.Contents)
	// Finished is called after a step.
	Finished(step Step)
}

// CheckMetrics refuses a list of metrics that lacks one that another needs.
func CheckMetrics(metrics []index.Metric) error {
	has := map[index.Metric]bool{}
	for _, m := range metrics {
		has[m] = true
	}
	if has[index.MetricDTW] && !has[index.MetricWLD] {
		return fmt.Errorf("metric dtw needs metric wld")
	}
	if has[index.MetricDTZ] && !has[index.MetricDTW] {
		return fmt.Errorf("metric dtz needs metric dtw")
	}
	if len(metrics) == 0 {
		return fmt.Errorf("no metrics")
	}
	return nil
}

// Build builds every missing table of the wanted slices and of those that they
// depend on. Stopped at any moment and started again, it goes on where it
// stopped and ends with the same tables.
//
// It refuses metrics that cannot be built, and before any work slices that are
// too large (*index.OverflowError) or need more memory than is allowed. If a
// slice turns out to need more than was known, it stops there. Some
// milliseconds after the context is done it returns the context's error.
func Build(ctx context.Context, t BuildTask) error {
	if err := CheckMetrics(t.Metrics); err != nil {
		return err
	}
	if slices.Contains(t.Metrics, index.MetricDTZ) {
		if err := CheckRuled(t.Rules); err != nil {
			return err
		}
	}
	b := &build{BuildTask: t, theory: index.MetricWLD}
	if slices.Contains(t.Metrics, index.MetricDTW) {
		b.theory = index.MetricDTW
	}
	var unfit error
	if t.Reference {
		unfit = errors.New("as asked for")
	} else if b.fast, unfit = newFastSolver(t.Rules); b.fast != nil && t.longest > 0 {
		b.fast.longest = t.longest
	}
	b.planner = newPlanner(t.Rules, t.Wanted, t.Metrics, t.Workers, b.fast, unfit)
	b.planner.look(t.Reader)
	b.library = newLibrary(t.Rules, b.fast, t.Reader, b.theory, t.Workers)
	if err := b.plan(); err != nil {
		return err
	}
	for b.at = range b.steps {
		if err := b.step(ctx); err != nil {
			return fmt.Errorf("slice %s: %w", b.steps[b.at].Pair[0], err)
		}
	}
	return nil
}

type build struct {
	BuildTask
	theory  index.Metric // that values are read back from: dtw, or wld in a build without distances
	planner *planner
	library *library
	fast    *fastSolver // nil where it does not fit the rules
	steps   []Step
	at      int       // the present step
	told    *progress // of the present step
}

// plan plans the steps with what is known now. Its error tells that a slice
// that is left to be built is too large.
func (b *build) plan() error {
	steps, err := b.planner.steps()
	if err != nil {
		return err
	}
	b.steps = steps
	var left []Step
	for _, s := range steps[b.at:] {
		if len(b.missing(s.Pair)) > 0 {
			left = append(left, s)
		}
	}
	return Fits(left, b.Memory)
}

// step builds the missing tables of the present pair.
func (b *build) step(ctx context.Context) error {
	pair := b.steps[b.at].Pair
	missing := b.missing(pair)
	if b.Events != nil {
		b.Events.Started(b.steps[b.at], len(missing))
		defer func() { b.Events.Finished(b.steps[b.at]) }()
	}
	if len(missing) == 0 {
		return nil
	}
	b.told = &progress{tell: b.Events}
	b.begin()
	theory, err := b.values(ctx, pair, false)
	if err != nil {
		return err
	}
	var ruled [2]*exact
	if slices.ContainsFunc(missing, func(t tableName) bool { return t.metric == index.MetricDTZ }) {
		if ruled, err = b.values(ctx, pair, true); err != nil {
			return err
		}
	}
	for i, slice := range pair.Slices() {
		if err := b.write(ctx, missing, slice, theory[i], ruled[i]); err != nil {
			return err
		}
	}
	b.library.settle()
	return nil
}

// begin lets go of what the present step has no room for.
func (b *build) begin() {
	step := b.steps[b.at]
	b.library.begin(step.Pair, b.Memory-min(step.own, b.Memory))
}

// write stores the missing tables of a slice.
func (b *build) write(ctx context.Context, missing []tableName, slice index.Slice, theory, ruled *exact) error {
	missing = slices.DeleteFunc(slices.Clone(missing), func(t tableName) bool { return t.slice != slice })
	if len(missing) == 0 {
		return nil
	}
	values, err := theory.ordered(ctx)
	if err != nil {
		return err
	}
	m, err := newMaker(ctx, b.Rules, slice, values, theory.captures, b.Workers)
	if err != nil {
		return err
	}
	stats, err := index.Count(ctx, m.theory)
	if err != nil {
		return err
	}
	for _, name := range missing {
		table := m.theoryTable(name.metric, stats)
		if name.metric == index.MetricDTZ {
			values, err := ruled.ordered(ctx)
			if err != nil {
				return err
			}
			if table, err = m.ruledTable(ctx, values); err != nil {
				return err
			}
		}
		if err := b.Writer.Write(ctx, table); err != nil {
			return err
		}
		if b.Events != nil {
			b.Events.Stored(table)
		}
	}
	return nil
}

type tableName struct {
	slice  index.Slice
	metric index.Metric
}

func (b *build) missing(pair index.Pair) []tableName {
	var out []tableName
	for _, s := range pair.Slices() {
		for _, m := range b.Metrics {
			if !b.Reader.Has(s, m) {
				out = append(out, tableName{s, m})
			}
		}
	}
	return out
}

// values returns the exact values of a pair: read back where both tables are
// there, else solved.
func (b *build) values(ctx context.Context, pair index.Pair, ruled bool) ([2]*exact, error) {
	metric := b.theory
	if ruled {
		metric = index.MetricDTZ
	}
	if b.Reader.Has(pair[0], metric) && b.Reader.Has(pair[1], metric) {
		var solution [2]*exact
		for i, s := range pair {
			var err error
			if solution[i], err = b.library.get(ctx, shelf{s, ruled}); err != nil {
				return solution, err
			}
		}
		return solution, nil
	}
	solution, err := b.solve(ctx, ruled)
	if err != nil {
		return solution, err
	}
	if metric == index.MetricWLD {
		for i := range pair.Slices() {
			if err := withoutDistances(ctx, solution[i]); err != nil {
				return solution, err
			}
		}
	}
	b.library.put(ruled, solution)
	return solution, nil
}

// withoutDistances replaces values by pseudo-values, of one byte each.
func withoutDistances(ctx context.Context, e *exact) error {
	const look = 1 << 20
	values := e.values
	if values.Wide() {
		values = index.NewValues(values.Len(), false)
	}
	for i := range values.Len() {
		if i%look == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		values.Set(i, pseudoValue(e.values.At(i).WLD()))
	}
	e.values = values
	if e.table != nil {
		return e.table.WithoutDistances(ctx)
	}
	return nil
}
