package retro

import (
	"context"
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
}

// Events is told how a build goes on. Its methods are called by one goroutine
// at a time, except Solved.
type Events interface {
	// Started is called before a step with the number of its tables that
	// are missing; a step with none is skipped.
	Started(step Step, missing int)
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
func Build(ctx context.Context, t BuildTask) error {
	if err := CheckMetrics(t.Metrics); err != nil {
		return err
	}
	if slices.Contains(t.Metrics, index.MetricDTZ) {
		if err := CheckRuled(t.Rules); err != nil {
			return err
		}
	}
	steps, err := Plan(t.Rules, t.Wanted, t.Metrics, t.Workers)
	if err != nil {
		return err
	}
	if err := Fits(steps, t.Memory); err != nil {
		return err
	}
	b := &build{BuildTask: t, theory: index.MetricWLD}
	if slices.Contains(t.Metrics, index.MetricDTW) {
		b.theory = index.MetricDTW
	}
	if !t.Reference {
		b.fast = newFastSolver(t.Rules)
	}
	b.library = newLibrary(t.Rules, b.fast, t.Reader, b.theory, t.Workers)
	for _, step := range steps {
		if err := b.step(ctx, step); err != nil {
			return fmt.Errorf("slice %s: %w", step.Pair[0], err)
		}
	}
	return nil
}

type build struct {
	BuildTask
	theory  index.Metric // that values are read back from: dtw, or wld in a build without distances
	library *library
	fast    *fastSolver // nil where it does not fit the rules
}

// step builds the missing tables of one pair.
func (b *build) step(ctx context.Context, step Step) error {
	missing := b.missing(step.Pair)
	if b.Events != nil {
		b.Events.Started(step, len(missing))
		defer b.Events.Finished(step)
	}
	if len(missing) == 0 {
		return nil
	}
	b.library.limit = b.Memory - min(step.own, b.Memory)
	theory, err := b.values(ctx, step.Pair, false)
	if err != nil {
		return err
	}
	var ruled [2]*exact
	if slices.ContainsFunc(missing, func(t tableName) bool { return t.metric == index.MetricDTZ }) {
		if ruled, err = b.values(ctx, step.Pair, true); err != nil {
			return err
		}
	}
	for i, slice := range step.Pair.Slices() {
		if err := b.write(ctx, missing, slice, theory[i], ruled[i]); err != nil {
			return err
		}
	}
	b.library.settle(step.Pair)
	return nil
}

// write stores the missing tables of a slice.
func (b *build) write(ctx context.Context, missing []tableName, slice index.Slice, theory, ruled *exact) error {
	missing = slices.DeleteFunc(slices.Clone(missing), func(t tableName) bool { return t.slice != slice })
	if len(missing) == 0 {
		return nil
	}
	m, err := newMaker(ctx, b.Rules, slice, theory.ordered(), theory.captures, b.Workers)
	if err != nil {
		return err
	}
	stats := index.Count(m.theory)
	for _, name := range missing {
		var table *index.Contents
		if name.metric == index.MetricDTZ {
			table = m.ruledTable(ruled.ordered())
		} else {
			table = m.theoryTable(name.metric, stats)
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
	var solution [2]*exact
	metric := b.theory
	if ruled {
		metric = index.MetricDTZ
	}
	if b.Reader.Has(pair[0], metric) && b.Reader.Has(pair[1], metric) {
		for i, s := range pair {
			var err error
			if solution[i], err = b.library.get(ctx, shelf{s, ruled}); err != nil {
				return solution, err
			}
		}
		return solution, nil
	}
	dependencies, err := b.library.need(ctx, pair, ruled)
	if err != nil {
		return solution, err
	}
	task := Task{Rules: b.Rules, Pair: pair, Ruled: ruled, Workers: b.Workers}
	if b.Events != nil && !ruled {
		task.Progress = b.Events.Solved
	}
	if solution, err = b.solve(ctx, task, dependencies); err != nil {
		return solution, err
	}
	if metric == index.MetricWLD {
		for i := range pair.Slices() {
			withoutDistances(solution[i])
		}
	}
	b.library.put(pair, ruled, solution)
	return solution, nil
}

// solve solves a pair by the fast solver, or where that does not fit by the other.
func (b *build) solve(ctx context.Context, task Task, dependencies map[index.Slice]*exact) (solution [2]*exact, err error) {
	if b.fast != nil {
		n, err := index.NewNumbering(b.Rules, task.Pair[0])
		if err != nil {
			return solution, err
		}
		if solution, err = b.fast.solve(ctx, task, n, dependencies); solution[0] != nil || err != nil {
			return solution, err
		}
	}
	task.Finished = map[index.Slice]*index.Values{}
	for s, e := range dependencies {
		task.Finished[s] = e.ordered()
	}
	found, err := Solve(ctx, task)
	if err != nil {
		return solution, err
	}
	for i := range found {
		solution[i] = &exact{values: found[i]}
	}
	if task.Pair.Symmetric() {
		solution[1] = solution[0]
	}
	return solution, nil
}

// withoutDistances replaces values by pseudo-values.
func withoutDistances(e *exact) {
	for i := range e.values.Len() {
		e.values.Set(i, pseudoValue(e.values.At(i).WLD()))
	}
	if e.table != nil {
		e.table.WithoutDistances()
	}
}
