package retro

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"testing"

	"dambase/engine"
	"dambase/index"
)

// A manner is a way of building tables that must not bear on them.
type manner struct {
	workers int
	stops   bool // stopped at each write and started again
	least   bool // with the smallest memory that plan allows
	ruled   bool // with dtz tables
}

func (m manner) String() string {
	return fmt.Sprintf("workers=%d,stops=%v,least=%v,dtz=%v", m.workers, m.stops, m.least, m.ruled)
}

// manners are all of them for a variant; fewer where tests are to be short.
func manners(r *engine.Rules) (out []manner) {
	for _, stops := range []bool{true, false} {
		for _, least := range []bool{true, false} {
			for _, ruled := range []bool{r.HasCounters(), false} {
				for workers := 1; workers <= 3; workers++ {
					if m := (manner{workers, stops, least, ruled}); !slices.Contains(out, m) {
						out = append(out, m)
					}
				}
			}
		}
	}
	if testing.Short() {
		return []manner{{2, true, true, r.HasCounters()}, {3, false, true, false}}
	}
	return out
}

// mannered are the slices that are built in every manner: all of 2 pieces, and
// of 3 those with all kinds of dependencies, fewer where they are large.
func mannered(r *engine.Rules) []index.Slice {
	out := []index.Slice{index.NewSlice(1, 0, 1, 0)}
	switch {
	case r.Squares() <= 32:
		out = append(out, index.NewSlice(0, 2, 0, 1), index.NewSlice(1, 1, 0, 1), index.NewSlice(1, 0, 1, 1))
	case !r.MenMoveSideways():
		out = append(out, index.NewSlice(0, 1, 0, 2))
	}
	return out
}

// buildIn builds tables in a manner.
func buildIn(r *engine.Rules, m manner, wanted []index.Slice) (*mapStore, error) {
	store := newMapStore()
	task := BuildTask{Rules: r, Wanted: wanted, Metrics: defaultMetrics, Workers: m.workers, Memory: 1 << 30, Reader: store, Writer: store}
	if m.ruled {
		task.Metrics = index.Metrics
	}
	if m.least {
		steps, err := Plan(r, wanted, task.Metrics, m.workers, nil)
		if err != nil {
			return nil, err
		}
		task.Memory = 0
		for _, s := range steps {
			task.Memory = max(task.Memory, s.Memory)
		}
	}
	for {
		if m.stops {
			store.writes = 1
		}
		if err := Build(context.Background(), task); err == nil || !errors.Is(err, errCrash) {
			return store, err
		}
	}
}

// TestMannersDoNotMatter builds tables of every variant in every manner and
// compares them with the list of values.
func TestMannersDoNotMatter(t *testing.T) {
	for _, v := range engine.BuiltinVariants() {
		r := engine.MustCompile(v)
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			tables := 0
			for _, m := range manners(r) {
				store, err := buildIn(r, m, mannered(r))
				if err != nil {
					t.Fatalf("%v: %v", m, err)
				}
				checkGolden(t, r, store)
				tables += len(store.hashes)
			}
			if tables == 0 {
				t.Error("no tables")
			}
		})
	}
}

// TestOptionalEvicts builds, within one run, slices whose dependencies are let
// go of and read back where capture is optional.
func TestOptionalEvicts(t *testing.T) {
	for _, name := range []string{"english-optional", "russian-optional"} {
		r := rules(t, name)
		wanted := []index.Slice{index.NewSlice(1, 1, 1, 1)}
		var stores [2]*mapStore
		for i := range stores {
			var err error
			if stores[i], err = buildIn(r, manner{workers: runtime.NumCPU(), least: i == 0, stops: i == 0}, wanted); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		sameTables(t, stores[0], stores[1])
	}
}
