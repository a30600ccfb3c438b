package retro

import (
	"context"
	"fmt"

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
	steps, err := Plan(t.Rules, t.Wanted, t.Workers)
	if err != nil {
		return err
	}
	if err := Fits(steps, t.Memory); err != nil {
		return err
	}
	b := &build{BuildTask: t}
	b.library = library{
		rules: t.Rules, reader: t.Reader, metric: index.MetricWLD, workers: t.Workers,
		held: map[index.Slice]*index.Values{}, used: map[index.Slice]int{},
	}
	for _, m := range t.Metrics {
		if m == index.MetricDTW {
			b.library.metric = index.MetricDTW
		}
	}
	for _, step := range steps {
		if err := b.step(ctx, step); err != nil {
			return fmt.Errorf("slice %s: %w", step.Pair[0], err)
		}
	}
	return nil
}

type build struct {
	BuildTask
	library library
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
	b.library.limit = uint64(b.Memory - min(step.own, b.Memory))
	solution, err := b.values(ctx, step.Pair)
	if err != nil {
		return err
	}
	b.library.put(step.Pair[0], solution[0])
	b.library.put(step.Pair[1], solution[1])
	for _, id := range missing {
		values := solution[0]
		if id.slice == step.Pair[1] {
			values = solution[1]
		}
		table, err := b.table(id.slice, id.metric, values)
		if err != nil {
			return err
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
func (b *build) values(ctx context.Context, pair index.Pair) (Solution, error) {
	var solution Solution
	if b.Reader.Has(pair[0], b.library.metric) && b.Reader.Has(pair[1], b.library.metric) {
		for i, s := range pair {
			var err error
			if solution[i], err = b.library.get(ctx, s); err != nil {
				return solution, err
			}
		}
		return solution, nil
	}
	finished, err := b.library.need(ctx, pair)
	if err != nil {
		return solution, err
	}
	task := Task{Rules: b.Rules, Pair: pair, Finished: finished, Workers: b.Workers}
	if b.Events != nil {
		task.Progress = b.Events.Solved
	}
	if solution, err = Solve(ctx, task); err != nil || b.library.metric == index.MetricDTW {
		return solution, err
	}
	for _, values := range solution {
		for i := range values.Len() {
			values.Set(i, pseudoValue(values.At(i).WLD()))
		}
	}
	return solution, nil
}

// table prepares a table of exact values for the writer.
func (b *build) table(s index.Slice, m index.Metric, values *index.Values) (*index.Contents, error) {
	n, err := index.NewNumbering(b.Rules, s)
	if err != nil {
		return nil, err
	}
	t := &index.Contents{Slice: s, Metric: m, Positions: n.Size(), Planes: 1, Statistics: index.Count(values)}
	t.Wide = m == index.MetricDTW && t.Statistics.Longest() >= 0xFF
	t.Entries = func(first uint64, entries []uint16) {
		for i := range entries {
			v := values.At(first + uint64(i))
			if m == index.MetricWLD {
				entries[i] = uint16(v.WLD())
			} else {
				entries[i] = uint16(v)
			}
		}
	}
	if m == index.MetricWLD {
		t.Statistics = t.Statistics.WithoutDistances()
	}
	if !b.Rules.Optional() {
		t.Filler = func(first uint64, filler []bool) {
			it := n.From(first)
			for i := range filler {
				filler[i] = b.Rules.HasCapture(it.Position())
				it.Next()
			}
		}
	}
	return t, nil
}
