package retro

import (
	"context"
	"errors"
	"strings"
	"testing"

	"dambase/index"
)

// TestPlanOfLargeSlices plans slices at the edges of what each solver can
// number: what does not fit one goes to the other, and what fits neither is
// refused before any work.
func TestPlanOfLargeSlices(t *testing.T) {
	for _, c := range []struct {
		variant, slice string
		slow           string // the reason why the fast solver does not do it
		refused        string
	}{
		{"english", "0404", "", ""},
		{"english", "0504", "both sides' kings needs 34 bits", ""},
		{"english", "0505", "", "a node of a group needs 34 bits and has 32"},
		{"international", "0303", "", ""},
		{"international", "0403", "both sides' kings needs 33 bits", ""},
		{"international", "0404", "", "a node of a group needs 36 bits and has 32"},
		{"turkish", "0303", "men have reversible moves", ""},
		{"turkish", "0304", "", "a node of a group needs 35 bits and has 32"},
		{"turkish", "3030", "men have reversible moves", ""},
		{"turkish", "5161", "", "a node of a group needs"},
	} {
		r := rules(t, c.variant)
		slice, err := index.ParseSlice(c.slice)
		if err != nil {
			t.Fatal(err)
		}
		f, unfit := newFastSolver(r)
		p := newPlanner(r, []index.Slice{slice}, defaultMetrics, 1, f, unfit)
		steps, err := p.steps()
		var overflow *index.OverflowError
		if c.refused != "" {
			if !errors.As(err, &overflow) {
				t.Errorf("%s %s: error %v", c.variant, c.slice, err)
			}
			if _, err := p.step(index.PairOf(slice)); err == nil || !strings.Contains(err.Error(), c.refused) {
				t.Errorf("%s %s: error %v, want %q", c.variant, c.slice, err, c.refused)
			}
			store := newMapStore()
			task := BuildTask{Rules: r, Wanted: []index.Slice{slice}, Metrics: defaultMetrics, Workers: 1, Memory: 1 << 62, Reader: store, Writer: store}
			if err := Build(context.Background(), task); !errors.As(err, &overflow) || len(store.tables) > 0 {
				t.Errorf("%s %s: error %v after %d tables", c.variant, c.slice, err, len(store.tables))
			}
			continue
		}
		if err != nil {
			t.Errorf("%s %s: %v", c.variant, c.slice, err)
			continue
		}
		if last := steps[len(steps)-1]; (last.Slow == "") != (c.slow == "") || !strings.Contains(last.Slow, c.slow) {
			t.Errorf("%s %s: slow %q, want %q", c.variant, c.slice, last.Slow, c.slow)
		}
	}
}

// TestLargestGroup compares with the groups themselves.
func TestLargestGroup(t *testing.T) {
	for _, name := range []string{"turkish", "english"} {
		r := rules(t, name)
		for _, slice := range []index.Slice{index.NewSlice(1, 0, 1, 0), index.NewSlice(2, 0, 1, 0), index.NewSlice(1, 0, 2, 0), index.NewSlice(0, 1, 0, 1)} {
			n, err := index.NewNumbering(r, slice)
			if err != nil {
				t.Fatal(err)
			}
			all, err := levels(nil, r, index.PairOf(slice), n)
			if err != nil {
				t.Fatal(err)
			}
			most := 0
			for _, l := range all {
				for i := range l.groups() {
					most = max(most, len(l.group(i)))
				}
			}
			if got := largestGroup(r, slice); got != uint64(most) {
				t.Errorf("%s %s: largest group %d, want %d", name, slice, got, most)
			}
		}
	}
}
