package engine

import (
	"context"
	"errors"
	"testing"
	"time"
)

// crowded are positions with very many ways to capture.
var crowded = []struct{ variant, fen string }{
	{"turkish", "W:WKb3:BKc1,Kf1,b2,d2,c3,f3,a4,b4,e4,g4,h4,d5,c6,f6,d7,c8"},
	{"international", "W:WK46:B7,8,9,10,17,18,19,20,27,28,29,30,37,38,39,40"},
}

// TestBudgetEndsSearch: the work of a search is bounded, and a search that
// fits gives the same moves as one without a bound.
func TestBudgetEndsSearch(t *testing.T) {
	for _, c := range crowded {
		r := builtin(t, c.variant)
		p, err := r.ParsePosition(c.fen)
		if err != nil {
			t.Fatal(err)
		}
		want, err := r.Ways(nil, &p)
		if err != nil {
			t.Fatal(err)
		}
		small := NewBudget(context.Background(), 500)
		if moves, err := r.MovesWithin(small, nil, &p); !errors.Is(err, ErrBudget) || len(moves) != 0 || small.Left() != 0 {
			t.Errorf("%s: within 500 units %d moves, error %v, %d left", c.variant, len(moves), err, small.Left())
		}
		if _, err := r.Ways(NewBudget(context.Background(), 500), &p); !errors.Is(err, ErrBudget) {
			t.Errorf("%s: ways within 500 units: error %v", c.variant, err)
		}
		large := NewBudget(context.Background(), 1<<40)
		moves, err := r.MovesWithin(large, nil, &p)
		if err != nil || len(moves) != len(want) {
			t.Errorf("%s: within a large budget %d moves, want %d, error %v", c.variant, len(moves), len(want), err)
		}
	}
}

// TestBudgetEndsWithContext: a search stops soon after its request is gone.
func TestBudgetEndsWithContext(t *testing.T) {
	r := builtin(t, crowded[0].variant)
	p, err := r.ParsePosition(crowded[0].fen)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	b := NewBudget(ctx, 1<<40)
	time.AfterFunc(time.Millisecond, cancel)
	for err == nil {
		_, err = r.MovesWithin(b, nil, &p)
	}
	if !errors.Is(err, context.Canceled) || b.Spend(1) || !errors.Is(b.Err(), context.Canceled) {
		t.Errorf("error %v, of the budget %v", err, b.Err())
	}
}

func BenchmarkCrowdedCaptures(b *testing.B) {
	for _, c := range crowded {
		b.Run(c.variant, func(b *testing.B) {
			v, _ := Builtin(c.variant)
			r := MustCompile(v)
			p, err := r.ParsePosition(c.fen)
			if err != nil {
				b.Fatal(err)
			}
			nodes := 0
			for b.Loop() {
				budget := NewBudget(b.Context(), 1<<40)
				if _, err := r.MovesWithin(budget, nil, &p); err != nil {
					b.Fatal(err)
				}
				nodes += 1<<40 - budget.Left()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(nodes), "ns/node")
		})
	}
}
