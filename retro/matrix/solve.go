package matrix

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

// A Clock says what draw counters do to a pair of slices; the zero value is
// theory.
type Clock struct {
	Ruled bool
	// Limit is that of the counter that binds. In theory it is the longest
	// distance that is not ErrWide, 0 for LongestDistance.
	Limit engine.Plies
	// Keeps reports whether a move to a slice lets that counter run on,
	// instead of setting it back.
	Keeps func(child index.Slice) bool
}

func (c Clock) scale() scale {
	s := scale{ruled: c.Ruled, limit: c.Limit}
	if !c.Ruled && c.Limit == 0 {
		s.limit = LongestDistance
	}
	return s
}

// LongestDistance is the longest distance in theory that a score can hold, and
// LongestLimit the largest limit of a counter.
const (
	LongestDistance engine.Plies = 252
	LongestLimit    engine.Plies = 125
)

// A Task is a pair of slices to solve.
type Task struct {
	Geometry *Geometry
	Pair     index.Pair
	// Finished holds the tables of every dependency of the pair, of the same pass.
	Finished map[index.Slice]*Table
	Clock    Clock
	Workers  int
	// Values asks for the entries too, in the order of the numbering, and
	// Captures for the positions whose side to move can capture.
	Values, Captures bool
	// Progress, if set, is told the number of positions solved since the last
	// call. It is called by several goroutines at once.
	Progress func(positions uint64)
}

// A Solution is what Solve finds of each slice of a pair; the two are the same
// where the slices are.
type Solution [2]struct {
	Table *Table
	// Values are index.Values in theory and index.Ruled entries under the
	// rules, Captures the positions whose side to move can capture, bit i of
	// word i/64 position i; nil unless asked for.
	Values   *index.Values
	Captures []uint64
}

// ErrWide says that some distance does not fit into a score.
var ErrWide = errors.New("a distance is too long for one byte")

// solver solves one task.
type solver struct {
	Task
	stop       *halt.Flag
	scale      scale
	numberings [2]*index.Numbering
	tables     [2]*Table
	out        Solution
	workers    []*blockSolver
}

// Solve finds the value of every position of a pair of slices. Its error is
// ErrWide if a distance is too long, that of FitsSlice, that of the context
// some milliseconds after it is done, or tells which dependency is missing.
func Solve(ctx context.Context, t Task) (Solution, error) {
	stop, release := halt.Watch(ctx)
	defer release()
	s := &solver{Task: t, stop: stop, scale: t.Clock.scale()}
	if err := s.open(); err != nil {
		return Solution{}, err
	}
	if s.tables[0].menOnly {
		return s.out, s.solveMen(ctx)
	}
	for _, units := range s.levels() {
		if err := s.solveLevel(ctx, units); err != nil {
			return Solution{}, err
		}
	}
	return s.out, nil
}

func (s *solver) open() error {
	if err := FitsSlice(s.Geometry.board.rules, s.Pair[0]); err != nil {
		return err
	}
	if err := s.Geometry.provide(s.stop, needsOf(s.Pair[0])); err != nil {
		return err
	}
	for i, slice := range s.Pair {
		if i == 1 && s.Pair.Symmetric() {
			s.numberings[1], s.tables[1], s.out[1] = s.numberings[0], s.tables[0], s.out[0]
			break
		}
		n, err := index.NewNumbering(s.Geometry.board.rules, slice)
		if err != nil {
			return err
		}
		s.numberings[i] = n
		if s.tables[i], err = newTable(s.stop, s.Geometry, n, s.scale); err != nil {
			return err
		}
		s.out[i].Table = s.tables[i]
		if s.Values {
			s.out[i].Values = index.NewValues(n.Size(), false)
			if s.Captures && !s.Geometry.board.optional {
				s.out[i].Captures = make([]uint64, (n.Size()+63)/64)
			}
		}
	}
	for _, slice := range s.Pair {
		for _, d := range index.Dependencies(slice) {
			if s.Finished[d] == nil {
				return fmt.Errorf("slice %s needs slice %s, which is not solved", slice, d)
			}
		}
	}
	return nil
}

// child returns the child that a slice becomes after so many men and kings are taken.
func (s *solver) child(slice index.Slice, men, kings, promotes int) *child {
	slice.Men[1] -= uint8(men)
	slice.Kings[1] -= uint8(kings)
	slice.Men[0] -= uint8(promotes)
	slice.Kings[0] += uint8(promotes)
	slice = slice.Mirror()
	c := &child{table: s.Finished[slice], fresh: true}
	for i, own := range s.Pair {
		if own == slice {
			c.table = s.tables[i]
		}
	}
	switch {
	case !s.scale.ruled:
		c.gives = s.scale.theory()
	case s.Clock.Keeps(slice):
		c.gives, c.fresh = s.scale.kept(), false
	default:
		c.gives = s.scale.fresh()
	}
	return c
}

// childrenOf returns the children of a slice of the pair.
func (s *solver) childrenOf(i int) (out children) {
	slice := s.Pair[i]
	for men := range int(slice.Men[1]) + 1 {
		for kings := range int(slice.Kings[1]) + 1 {
			for promotes := range min(int(slice.Men[0]), 1) + 1 {
				if men < int(slice.Men[1]) || kings < int(slice.Kings[1]) {
					out[men][kings][promotes] = s.child(slice, men, kings, promotes)
				}
			}
		}
	}
	return out
}

// blockMen are the men of a block: the sets of both sides, each as its owner
// sees it, and the squares as the mover sees them.
type blockMen struct {
	own, opp int
	men      [2]engine.Bits
}

// A unit is some blocks of a level: one set of the mover's men in the first
// slice, and some of those of the opponent's that have made so many rows. Sets
// of men have numbers of menBits.
type unit struct {
	own      uint32
	advance  int32 // of the opponent's men
	from, to int32 // in menSets.byAdvance[advance]
}

// maxUnit is how many blocks a unit has at most; many are tiny.
const maxUnit = 32

// levels lists the blocks of the first slice by the rows that the men have
// made, the most advanced first: men only advance, so blocks of a level do not
// depend on each other.
func (s *solver) levels() [][]unit {
	own, opp := s.tables[0].moverMen, s.tables[0].waiterMen
	var out [][]unit
	for level := len(own.byAdvance) + len(opp.byAdvance) - 2; level >= 0; level-- {
		pairs := 0
		for a, sets := range own.byAdvance {
			if b := level - a; b >= 0 && b < len(opp.byAdvance) {
				pairs += len(sets) * len(opp.byAdvance[b])
			}
		}
		size := max(1, min(maxUnit, pairs/(8*max(s.Workers, 1))))
		var units []unit
		for a, sets := range own.byAdvance {
			b := level - a
			if b < 0 || b >= len(opp.byAdvance) {
				continue
			}
			for _, set := range sets {
				for from := 0; from < len(opp.byAdvance[b]); from += size {
					units = append(units, unit{set, int32(b), int32(from), int32(min(from+size, len(opp.byAdvance[b])))})
				}
			}
		}
		if len(units) > 0 {
			out = append(out, units)
		}
	}
	return out
}

func (s *solver) solveLevel(ctx context.Context, units []unit) error {
	var taken atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	workers := min(max(s.Workers, 1), len(units))
	for len(s.workers) < workers {
		team := 1
		if s.Pair[0].AllMen() == 0 { // there is one block
			team = max(s.Workers, 1)
		}
		s.workers = append(s.workers, newBlockSolver(s, team))
	}
	for _, b := range s.workers[:workers] {
		g.Go(func() error {
			for {
				i := int(taken.Add(1)) - 1
				if i >= len(units) || ctx.Err() != nil {
					return ctx.Err()
				}
				if err := s.solveUnit(b, units[i]); err != nil {
					return err
				}
			}
		})
	}
	return g.Wait()
}

func (s *solver) solveUnit(b *blockSolver, u unit) error {
	own, opp := s.tables[0].moverMen, s.tables[0].waiterMen
	positions := uint64(0)
	men := blockMen{own: int(u.own), men: [2]engine.Bits{own.on(int(u.own))}}
	for _, set := range opp.byAdvance[u.advance][u.from:u.to] {
		men.opp, men.men[1] = int(set), s.Geometry.board.rules.Turn(opp.on(int(set)))
		if men.men[0]&men.men[1] != 0 {
			continue
		}
		n, err := b.solve(men)
		if err != nil {
			return err
		}
		positions += n
	}
	if s.Progress != nil && positions > 0 {
		s.Progress(positions)
	}
	return nil
}
