package retro

import (
	"context"
	"errors"
	"strings"
	"testing"

	"dambase/engine"
	"dambase/index"
	"dambase/retro/matrix"
)

// A witness keeps account of a build's events.
type witness struct {
	t         *testing.T
	steps     []Step
	at        int
	solved    uint64 // in the present step
	total     uint64
	replanned int
}

func (w *witness) Started(Step, int) { w.solved = 0 }
func (w *witness) Replanned(steps []Step) {
	w.replanned++
	w.steps = steps
}
func (w *witness) Solved(positions uint64) { w.solved += positions } // one worker
func (w *witness) Stored(*index.Contents)  {}
func (w *witness) Finished(step Step) {
	if w.solved > step.Positions {
		w.t.Errorf("slice %s: %d positions solved of %d", step.Pair[0], w.solved, step.Positions)
	}
	w.total += step.Positions
	w.at++
}

// TestLongDistances builds tables where the fast solver takes distances above 6
// or 12 plies for too long: the other solver takes over, in the middle of a
// build and after a restart, with and without distances, and the values are the same.
func TestLongDistances(t *testing.T) {
	for _, name := range []string{"english", "russian", "russian-optional"} {
		for _, longest := range []int{6, 12} {
			for _, metrics := range [][]index.Metric{{index.MetricWLD}, defaultMetrics, index.Metrics} {
				r := rules(t, name)
				if len(metrics) == 3 && !r.HasCounters() {
					continue
				}
				got := newMapStore()
				task := buildTask(r, 3, got)
				task.Metrics, task.Workers = metrics, 1
				task.longest = engine.Plies(longest)
				steps, err := Plan(r, task.Wanted, metrics, 1, nil)
				if err != nil {
					t.Fatal(err)
				}
				w := &witness{t: t, steps: steps}
				task.Events = w
				if err := Build(context.Background(), task); err != nil {
					t.Fatal(err)
				}
				checkGolden(t, r, got)
				if w.replanned == 0 {
					t.Errorf("%s: no distance is above %d plies", name, longest)
				}
				want := uint64(0)
				for _, s := range steps {
					want += s.Positions
				}
				if w.total != want {
					t.Errorf("%s: %d positions done of %d", name, w.total, want)
				}
				// The same in the least memory that the slow way takes; a build
				// that goes on knows from the tables which slices are long.
				again := newMapStore()
				task.Reader, task.Writer = again, again
				task.Memory = largest(w.steps) // as planned last
				for err := errCrash; err != nil; {
					again.writes = 5
					if err = Build(context.Background(), task); err != nil && !errors.Is(err, errCrash) {
						t.Fatal(err)
					}
				}
				sameTables(t, again, got)
			}
		}
	}
}

// planLong plans with what a store tells, given the longest distance of the fast solver.
func planLong(t *testing.T, r *engine.Rules, wanted []index.Slice, metrics []index.Metric, workers, longest int, store TableReader) []Step {
	t.Helper()
	f, err := newFastSolver(r)
	if err != nil {
		t.Fatal(err)
	}
	f.longest = engine.Plies(longest)
	p := newPlanner(r, wanted, metrics, workers, f, nil)
	p.look(store)
	steps, err := p.steps()
	if err != nil {
		t.Fatal(err)
	}
	return steps
}

// TestLongPlan plans what the tables that are there tell to be long: more
// memory and time for it and all that depend on it, the reason, and an error
// with figures when it turns out in the middle of a build.
func TestLongPlan(t *testing.T) {
	r := rules(t, "english")
	store := newMapStore()
	task := buildTask(r, 3, store)
	if err := Build(context.Background(), task); err != nil {
		t.Fatal(err)
	}
	wanted := []index.Slice{index.NewSlice(0, 2, 0, 2)}
	quick, slow := planLong(t, r, wanted, defaultMetrics, 2, 252, store), planLong(t, r, wanted, defaultMetrics, 2, 12, store)
	last := len(quick) - 1
	for i := range quick {
		if quick[i].Slow != "" {
			t.Errorf("step %s is slow: %s", quick[i].Pair[0], quick[i].Slow)
		}
	}
	if quick[last].Pair[0] != wanted[0] || !strings.Contains(slow[last].Slow, "distances above 12 plies") || slow[last].CPU < 4*quick[last].CPU {
		t.Errorf("fast %+v, slow %+v", quick[last], slow[last])
	}
	if slow[0].Slow != "" {
		t.Errorf("step %s is slow: %s", slow[0].Pair[0], slow[0].Slow)
	}

	// The slow way takes more memory than is allowed.
	task = BuildTask{
		Rules: rules(t, "international"), Wanted: []index.Slice{index.NewSlice(0, 2, 0, 1)}, Metrics: defaultMetrics, Workers: 1,
		Reader: newMapStore(), Writer: newMapStore(), longest: 4,
	}
	steps, err := Plan(task.Rules, task.Wanted, task.Metrics, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	task.Memory = largest(steps)
	err = Build(context.Background(), task)
	var found *longError
	if !errors.As(err, &found) || !strings.Contains(err.Error(), "with the reference solver (slice ") || !strings.Contains(err.Error(), "MiB") {
		t.Errorf("error %v", err)
	}
}

// TestLongDependencies solves a slice whose dependencies have distances that
// the fast solver's tables cannot hold, or just so.
func TestLongDependencies(t *testing.T) {
	r := rules(t, "english")
	slice := index.NewSlice(0, 2, 0, 1)
	pair := index.PairOf(slice)
	n, err := index.NewNumbering(r, pair[0])
	if err != nil {
		t.Fatal(err)
	}
	f, err := newFastSolver(r)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		value index.Value
		found index.Pair
	}{
		{300, index.PairOf(index.NewSlice(0, 1, 0, 1))},
		{252, pair}, // a ply below what fits, and met in the search
	} {
		dependencies := map[index.Slice]*exact{}
		for _, d := range index.PairDependencies(pair) {
			for _, s := range d.Slices() {
				n, err := index.NewNumbering(r, s)
				if err != nil {
					t.Fatal(err)
				}
				values := index.NewValues(n.Size(), true)
				for i := range n.Size() {
					values.Set(i, c.value)
				}
				dependencies[s] = &exact{values: values}
			}
		}
		_, err = f.solve(context.Background(), Task{Rules: r, Pair: pair, Workers: 1}, n, dependencies)
		var long *longError
		if !errors.As(err, &long) || long.pair != c.found {
			t.Errorf("value %d: error %v", c.value, err)
		}
	}
	if matrix.LongestDistance != 252 {
		t.Error("the scores hold another distance: change the values of this test")
	}
}
