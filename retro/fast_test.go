package retro

import (
	"context"
	"reflect"
	"testing"

	"dambase/engine"
	"dambase/index"
	"dambase/retro/matrix"
)

// allMetrics are those that the rules of a variant have tables of.
func allMetrics(r *engine.Rules) []index.Metric {
	if r.HasCounters() {
		return index.Metrics
	}
	return defaultMetrics
}

// sameTables compares the exact values and statistics of two stores.
func sameTables(t *testing.T, got, want *mapStore) {
	t.Helper()
	if len(got.hashes) != len(want.hashes) {
		t.Errorf("%d tables, want %d", len(got.hashes), len(want.hashes))
	}
	for name, hash := range want.hashes {
		if got.hashes[name] != hash {
			t.Errorf("table %s %s: the values differ", name.slice, name.metric)
		}
		if !reflect.DeepEqual(got.stats[name], want.stats[name]) {
			t.Errorf("table %s %s: the statistics differ", name.slice, name.metric)
		}
	}
}

// compareSolvers builds the tables of a task with both solvers.
func compareSolvers(t *testing.T, task BuildTask) {
	t.Helper()
	task.Metrics, task.Workers = allMetrics(task.Rules), 1
	var stores [2]*mapStore
	for i := range stores {
		stores[i] = newMapStore()
		task.Reader, task.Writer, task.Reference = stores[i], stores[i], i == 1
		if err := Build(context.Background(), task); err != nil {
			t.Fatal(err)
		}
	}
	sameTables(t, stores[0], stores[1])
}

// TestFastSolverEqualsReference builds the tables of every variant that the
// fast solver fits with both solvers.
func TestFastSolverEqualsReference(t *testing.T) {
	pieces := 4
	if testing.Short() {
		pieces = 3
	}
	fits := 0
	for _, v := range engine.BuiltinVariants() {
		r := engine.MustCompile(v)
		if matrix.Fits(r) != nil {
			continue
		}
		fits++
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			compareSolvers(t, buildTask(r, pieces, nil))
		})
	}
	if fits != 22 {
		t.Errorf("%d variants fit, want all but the two Turkish ones", fits)
	}
}

// TestFastSolverOnOtherRules is the same for rules of one's own: other boards,
// and combinations that no variant has.
func TestFastSolverOnOtherRules(t *testing.T) {
	for name, change := range map[string]func(v *engine.Variant){
		"small board":       func(v *engine.Variant) { v.Rows, v.Columns, v.StartRows = 6, 6, 2 },
		"wide board":        func(v *engine.Variant) { v.Rows, v.Columns = 6, 12; v.StartRows = 2 },
		"all squares":       func(v *engine.Variant) { v.Squares = "all" },
		"most kings":        func(v *engine.Variant) { v.Choice = []string{"most-kings", "most-pieces"} },
		"kings first, most": func(v *engine.Variant) { v.Choice = []string{"king-captures", "most-pieces", "kings-earliest"} },
		"lifting at once":   func(v *engine.Variant) { v.Lifting, v.Choice = "now", []string{"most-pieces"} },
		"passing, most":     func(v *engine.Variant) { v.Promotion, v.Choice = "passing", []string{"most-pieces"} },
		"lifting, passing":  func(v *engine.Variant) { v.Promotion, v.Lifting = "passing", "now" },
		"behind, end":       func(v *engine.Variant) { v.Landing = "behind" },
		"no kings taken":    func(v *engine.Variant) { v.MenTakeKings = false },
		"behind king, free": func(v *engine.Variant) { v.Landing, v.Choice = "behind-king", nil },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v, _ := engine.Builtin("brazilian")
			v.Name = "other"
			v.Draws = []engine.DrawRule{{Kind: engine.KingMoves, Limit: 12}}
			change(&v)
			r, err := engine.Compile(v)
			if err != nil {
				t.Fatal(err)
			}
			task := buildTask(r, 3, nil)
			if v.Squares != "all" && !testing.Short() {
				task.Wanted = append(task.Wanted, index.NewSlice(1, 1, 1, 1), index.NewSlice(0, 2, 1, 1), index.NewSlice(2, 0, 2, 0))
			}
			compareSolvers(t, task)
		})
	}
}

// TestWorkersDoNotMatter builds the same tables with one, two and three workers.
func TestWorkersDoNotMatter(t *testing.T) {
	r := rules(t, "russian")
	var want *mapStore
	for workers := 1; workers <= 3; workers++ {
		got := newMapStore()
		task := buildTask(r, 4, got)
		task.Metrics, task.Workers = index.Metrics, workers
		if err := Build(context.Background(), task); err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = got
		}
		sameTables(t, got, want)
	}
}

// TestPeaks compares what a build takes with little and with much memory.
func TestPeaks(t *testing.T) {
	r := rules(t, "brazilian")
	var wanted []index.Slice
	for _, pair := range index.UpTo(5) {
		wanted = append(wanted, pair.Slices()...)
	}
	steps, err := Plan(r, wanted, index.Metrics, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	total := Bytes(0)
	little, much := Peaks(steps, 0), Peaks(steps, 1<<40)
	for i, s := range steps {
		if little[i] != s.Memory {
			t.Errorf("step %s takes %s of no memory, and needs %s", s.Pair[0], little[i], s.Memory)
		}
		if want := max(s.Memory, s.own+total); much[i] != want {
			t.Errorf("step %s takes %s, want %s: nothing is let go of", s.Pair[0], much[i], want)
		}
		if some := Peaks(steps, 200<<20)[i]; some > max(s.Memory, 200<<20) {
			t.Errorf("step %s takes %s of 200 MiB, and needs %s", s.Pair[0], some, s.Memory)
		}
		total += s.finished
	}
	if err := Fits(steps, 100<<20); err == nil {
		t.Error("a hopeless build is not refused")
	}
}
