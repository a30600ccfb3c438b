package retro

import (
	"context"
	"testing"

	"dambase/engine"
	"dambase/index"
)

// A sweeper is the oracle of Solve: it recomputes every position of a pair from
// the values of its moves, over and over, until nothing changes. A fixpoint is
// the right answer: along best play from a decided position distances fall by
// one a ply, and a drawn one has a move that holds.
type sweeper struct {
	rules  *engine.Rules
	slices map[index.Slice]*index.Numbering
	base   map[index.Slice]uint32 // of the slice's positions in values
	values []index.Value
}

// lostChild stands for a position whose side to move has no piece.
const lostChild = ^uint32(0)

func newSweeper(t testing.TB, r *engine.Rules, pieces int) *sweeper {
	t.Helper()
	s := &sweeper{rules: r, slices: map[index.Slice]*index.Numbering{}, base: map[index.Slice]uint32{}}
	total := uint32(0)
	for _, pair := range index.UpTo(pieces) {
		for _, slice := range pair.Slices() {
			n, err := index.NewNumbering(r, slice)
			if err != nil {
				t.Fatal(err)
			}
			s.slices[slice], s.base[slice] = n, total
			total += uint32(n.Size())
		}
	}
	s.values = make([]index.Value, total)
	return s
}

// children lists, for each position of a slice, the places of the positions
// after its moves.
func (s *sweeper) children(slice index.Slice) (list []uint32, ends []int) {
	var moves []engine.Move
	n := s.slices[slice]
	for i := range n.Size() {
		p := n.Position(i)
		moves = s.rules.Moves(moves[:0], &p)
		for _, m := range moves {
			q := s.rules.Flip(s.rules.Play(&p, m))
			if q.Side(engine.White) == 0 {
				list = append(list, lostChild)
				continue
			}
			child := index.SliceOf(&q)
			list = append(list, s.base[child]+uint32(s.slices[child].Index(&q)))
		}
		ends = append(ends, len(list))
	}
	return list, ends
}

func (s *sweeper) solve(pair index.Pair) {
	var lists [2][]uint32
	var ends [2][]int
	for k, slice := range pair.Slices() {
		lists[k], ends[k] = s.children(slice)
	}
	for changed := true; changed; {
		changed = false
		for k, slice := range pair.Slices() {
			values := s.values[s.base[slice]:][:s.slices[slice].Size()]
			start := 0
			for i, end := range ends[k] {
				var best index.Best
				for _, child := range lists[k][start:end] {
					if child == lostChild {
						best.Add(index.LostNow)
					} else {
						best.Add(s.values[child])
					}
				}
				start = end
				if v := best.Value(); v != values[i] {
					values[i] = v
					changed = true
				}
			}
		}
	}
}

// all returns the values of every slice.
func (s *sweeper) all() map[index.Slice]*index.Values {
	out := map[index.Slice]*index.Values{}
	for slice, n := range s.slices {
		values := index.NewValues(n.Size(), true)
		for i := range n.Size() {
			values.Set(i, s.values[uint64(s.base[slice])+i])
		}
		out[slice] = values
	}
	return out
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

// theories returns the rules of the built-in variants that differ without draw rules.
func theories() []*engine.Rules {
	var out []*engine.Rules
	seen := map[string]bool{}
	for _, v := range engine.BuiltinVariants() {
		v.Draws, v.First = nil, "white"
		if hash := v.Hash(); !seen[hash] {
			seen[hash] = true
			out = append(out, engine.MustCompile(v))
		}
	}
	return out
}

func TestSolveEqualsSweep(t *testing.T) {
	for _, r := range theories() {
		t.Run(r.Variant().Name, func(t *testing.T) {
			t.Parallel()
			pieces := 3
			if testing.Short() && r.Squares() > 32 {
				pieces = 2
			}
			s := newSweeper(t, r, pieces)
			for _, pair := range index.UpTo(pieces) {
				s.solve(pair)
			}
			compareSlices(t, r, solveUpTo(t, r, pieces, 2), s.all())
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
