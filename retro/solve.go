package retro

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"dambase/engine"
	"dambase/index"
	"dambase/internal/halt"

	"golang.org/x/sync/errgroup"
)

// A Task is a pair of slices to solve.
type Task struct {
	Rules *engine.Rules
	Pair  index.Pair
	// Finished holds the exact values of every dependency of the pair.
	Finished map[index.Slice]*index.Values
	// Ruled asks for results under the automatic draw counters. The values,
	// of the dependencies too, are then index.Ruled, plane by plane.
	Ruled   bool
	Workers int
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
// Endgames", 1986). The result does not depend on the number of workers. Its
// error is an *index.OverflowError if a group has too many nodes, that of the
// context some milliseconds after it is done, or tells which dependency is missing.
func Solve(ctx context.Context, t Task) (Solution, error) {
	if t.Ruled {
		return solve(ctx, t, 0)
	}
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
	stop     *halt.Flag
	children children
	clock    clock // of both slices
	n        [2]*index.Numbering
	out      Solution
}

func solve(ctx context.Context, t Task, largest index.Value) (Solution, error) {
	stop, release := halt.Watch(ctx)
	defer release()
	s := &solver{Task: t, stop: stop}
	s.children.rules = t.Rules
	if err := s.open(largest); err != nil {
		return Solution{}, err
	}
	levels, err := levels(stop, t.Rules, t.Pair, s.n[0])
	if err != nil {
		return Solution{}, err
	}
	for _, l := range levels {
		if err := s.solveLevel(ctx, &l); err != nil {
			return Solution{}, err
		}
	}
	return s.out, nil
}

// open numbers the slices of the pair and those that they depend on.
func (s *solver) open(largest index.Value) error {
	for i, slice := range s.Pair {
		if i == 1 && s.Pair.Symmetric() {
			s.n[1], s.out[1] = s.n[0], s.out[0]
			break
		}
		n, err := index.NewNumbering(s.Rules, slice)
		if err != nil {
			return err
		}
		wide := largest > 0xFF
		if s.clock = theoryClock(s.Rules, largest); s.Ruled {
			s.clock = ruledClock(s.Rules, n)
			wide = s.clock.entryBytes() > 1
		}
		if err := checkGroup(s.Rules, n, s.clock.planes); err != nil {
			return err
		}
		s.n[i], s.out[i] = n, index.NewValues(n.Size()*uint64(s.clock.planes), wide)
		s.children.add(&finished{n, s.clock, s.out[i]})
	}
	for slice, values := range s.Finished {
		n, err := index.NewNumbering(s.Rules, slice)
		if err != nil {
			return err
		}
		s.children.add(newFinished(s.Rules, n, values, s.Ruled))
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

// maxChunk is how many groups a worker takes at a time at most; many are tiny.
const maxChunk = 16

func (s *solver) solveLevel(ctx context.Context, l *level) error {
	workers := min(max(s.Workers, 1), l.groups())
	chunk := max(1, min(maxChunk, l.groups()/(4*workers)))
	var taken atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	for range workers {
		g.Go(func() error {
			w := newGroupSolver(s)
			for {
				start := int(taken.Add(int64(chunk))) - chunk
				if start >= l.groups() || ctx.Err() != nil {
					return ctx.Err()
				}
				for i := start; i < min(start+chunk, l.groups()); i++ {
					if err := w.solve(l.group(i)); err != nil {
						return err
					}
				}
			}
		})
	}
	return g.Wait()
}
