package retro

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"dambase/engine"
	"dambase/index"

	"golang.org/x/sync/errgroup"
)

// A Task is a pair of slices to solve.
type Task struct {
	Rules *engine.Rules
	Pair  index.Pair
	// Finished holds the exact values of every dependency of the pair.
	Finished map[index.Slice]*index.Values
	Workers  int
	// Progress, if set, is told the number of positions solved since the last
	// call. It is called by several goroutines at once.
	Progress func(positions uint64)
}

// Solution holds the exact values of a slice and of its mirror; the two are
// the same array where the slices are.
type Solution [2]*index.Values

// Solve computes the distance to win of every position of a pair of slices:
// retrograde analysis, breadth first by distance, one group of blocks after
// the other (Ströhlein 1970; Thompson, "Retrograde Analysis of Certain
// Endgames", 1986). The result does not depend on the number of workers.
func Solve(ctx context.Context, t Task) (Solution, error) {
	solution, err := solve(ctx, t, 0xFF)
	if errors.Is(err, errWide) {
		return solve(ctx, t, index.MaxValue)
	}
	return solution, err
}

// errWide says that some distance does not fit into one byte.
var errWide = errors.New("distance too long for its entry")

// solver is one attempt to solve a task with entries up to largest.
type solver struct {
	Task
	children children
	largest  index.Value
	n        [2]*index.Numbering
	out      Solution
}

func solve(ctx context.Context, t Task, largest index.Value) (Solution, error) {
	s := &solver{Task: t, largest: largest}
	s.children.rules = t.Rules
	if err := s.open(); err != nil {
		return Solution{}, err
	}
	for _, l := range levels(t.Rules, t.Pair, s.n[0]) {
		if err := s.solveLevel(ctx, &l); err != nil {
			return Solution{}, err
		}
	}
	return s.out, nil
}

// open numbers the slices of the pair and those that they depend on.
func (s *solver) open() error {
	for i, slice := range s.Pair {
		if i == 1 && s.Pair.Symmetric() {
			s.n[1], s.out[1] = s.n[0], s.out[0]
			break
		}
		n, err := index.NewNumbering(s.Rules, slice)
		if err != nil {
			return err
		}
		s.n[i], s.out[i] = n, index.NewValues(n.Size(), s.largest > 0xFF)
		s.children.add(&finished{n, s.out[i]})
	}
	for slice, values := range s.Finished {
		n, err := index.NewNumbering(s.Rules, slice)
		if err != nil {
			return err
		}
		s.children.add(&finished{n, values})
	}
	for _, slice := range s.Pair {
		for _, d := range index.Dependencies(slice) {
			if s.children.table[d.Slot()] == nil {
				return fmt.Errorf("slice %s needs slice %s, which is not solved", slice, d)
			}
		}
	}
	return nil
}

// chunk is how many groups a worker takes at a time; many are tiny.
const chunk = 16

func (s *solver) solveLevel(ctx context.Context, l *level) error {
	var taken atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	for range min(max(s.Workers, 1), (l.groups()+chunk-1)/chunk) {
		g.Go(func() error {
			w := newGroupSolver(s)
			for {
				start := int(taken.Add(chunk)) - chunk
				if start >= l.groups() {
					return nil
				}
				for i := start; i < min(start+chunk, l.groups()); i++ {
					if err := w.solve(ctx, l.group(i)); err != nil {
						return err
					}
				}
			}
		})
	}
	return g.Wait()
}
