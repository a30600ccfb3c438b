package retro

import (
	"context"
	"testing"

	"dambase/engine"
	"dambase/index"
)

// sweep is the oracle of Solve: it recomputes every position of a pair from
// the values of its moves, over and over, until nothing changes. A fixpoint is
// the right answer: along best play from a decided position distances fall by
// one a ply, and a drawn one has a move that holds.
func sweep(t testing.TB, r *engine.Rules, pair index.Pair, all map[index.Slice]*index.Values) {
	t.Helper()
	numberings := map[index.Slice]*index.Numbering{}
	for _, p := range index.UpTo(pair[0].Pieces()) {
		for _, s := range p {
			n, err := index.NewNumbering(r, s)
			if err != nil {
				t.Fatal(err)
			}
			numberings[s] = n
		}
	}
	for _, s := range pair {
		all[s] = index.NewValues(numberings[s].Size(), true)
	}
	for changed := true; changed; {
		changed = false
		for _, s := range pair {
			n := numberings[s]
			for i := range n.Size() {
				p := n.Position(i)
				var best index.Best
				for _, m := range r.Moves(nil, &p) {
					q := r.Flip(r.Play(&p, m))
					if q.Side(engine.White) == 0 {
						best.Add(index.LostNow)
						continue
					}
					child := index.SliceOf(&q)
					best.Add(all[child].At(numberings[child].Index(&q)))
				}
				if v := best.Value(); v != all[s].At(i) {
					all[s].Set(i, v)
					changed = true
				}
			}
		}
	}
}

// compareSlices fails on the first position where two solvers differ.
func compareSlices(t *testing.T, r *engine.Rules, got, want map[index.Slice]*index.Values) {
	t.Helper()
	for slice, values := range want {
		n, err := index.NewNumbering(r, slice)
		if err != nil {
			t.Fatal(err)
		}
		for i := range values.Len() {
			if values.At(i) != got[slice].At(i) {
				p := n.Position(i)
				t.Fatalf("%s %s: value %d, want %d", slice, r.FormatFEN(&p), got[slice].At(i), values.At(i))
			}
		}
	}
}

// oraclePieces is how far the sweeping oracle can go in a test's time.
func oraclePieces(r *engine.Rules) int {
	if r.Squares() > 32 {
		return 2
	}
	return 3
}

func TestSolveEqualsSweep(t *testing.T) {
	for _, v := range engine.BuiltinVariants() {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			r := engine.MustCompile(v)
			want := map[index.Slice]*index.Values{}
			for _, pair := range index.UpTo(oraclePieces(r)) {
				sweep(t, r, pair, want)
			}
			compareSlices(t, r, solveUpTo(t, r, oraclePieces(r), 2), want)
		})
	}
}

// TestWideValues solves with entries too narrow for the distances.
func TestWideValues(t *testing.T) {
	r := rules(t, "english")
	all := solveUpTo(t, r, 3, 1)
	task := Task{Rules: r, Pair: index.PairOf(index.NewSlice(2, 0, 1, 0)), Finished: all, Workers: 1}
	if _, err := solve(context.Background(), task, 10); err != errWide {
		t.Fatalf("entries up to 10: error %v", err)
	}
	wide, err := solve(context.Background(), task, index.MaxValue)
	if err != nil || !wide[0].Wide() {
		t.Fatalf("wide entries: %v", err)
	}
	compareSlices(t, r, map[index.Slice]*index.Values{task.Pair[0]: wide[0], task.Pair[1]: wide[1]},
		map[index.Slice]*index.Values{task.Pair[0]: all[task.Pair[0]], task.Pair[1]: all[task.Pair[1]]})
}

func TestSolveRefusesMissingDependency(t *testing.T) {
	task := Task{Rules: rules(t, "english"), Pair: index.PairOf(index.NewSlice(0, 2, 0, 1))}
	if _, err := Solve(context.Background(), task); err == nil {
		t.Error("solved without its dependencies")
	}
}

func TestSolveStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	task := Task{Rules: rules(t, "english"), Pair: index.PairOf(index.NewSlice(0, 1, 0, 1)), Workers: 2}
	if _, err := Solve(ctx, task); err != context.Canceled {
		t.Errorf("error %v, want context.Canceled", err)
	}
}
