package matrix

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"dambase/engine"
	"dambase/index"

	"golang.org/x/sync/errgroup"
)

// A Clock says what draw counters do to a pair of slices; the zero value is
// theory.
type Clock struct {
	Ruled bool
	// Limit is that of the counter that binds.
	Limit engine.Plies
	// Keeps reports whether a move to a slice lets that counter run on,
	// instead of setting it back.
	Keeps func(child index.Slice) bool
}

func (c Clock) scale() scale { return scale{ruled: c.Ruled, limit: c.Limit} }

// LongestLimit is the largest limit of a counter that a score can hold.
const LongestLimit = 125

// A Task is a pair of slices to solve.
type Task struct {
	Geometry *Geometry
	Pair     index.Pair
	// Finished holds the tables of every dependency of the pair, of the same pass.
	Finished map[index.Slice]*Table
	Clock    Clock
	Workers  int
	// Values asks for the entries too, in the order of the numbering.
	Values bool
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
	scale      scale
	numberings [2]*index.Numbering
	tables     [2]*Table
	out        Solution
}

// Solve finds the value of every position of a pair of slices.
func Solve(ctx context.Context, t Task) (Solution, error) {
	s := &solver{Task: t, scale: t.Clock.scale()}
	if err := s.open(); err != nil {
		return Solution{}, err
	}
	for _, blocks := range s.levels() {
		if err := s.solveLevel(ctx, blocks); err != nil {
			return Solution{}, err
		}
	}
	return s.out, nil
}

func (s *solver) open() error {
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
		s.tables[i] = newTable(s.Geometry, n, s.scale)
		s.out[i].Table = s.tables[i]
		if s.Values {
			s.out[i].Values = index.NewValues(n.Size(), false)
			if !s.Geometry.board.optional {
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

// levels lists the blocks of the first slice by the rows that the men have
// made, the most advanced first: men only advance, so blocks of a level do not
// depend on each other. Of two blocks that mirror each other one is listed.
func (s *solver) levels() [][]uint64 {
	n, rules := s.numberings[0], s.Geometry.board.rules
	last := rules.Variant().Rows - 1
	byAdvance := make([][]uint64, 1)
	for block := range n.Blocks() {
		men := n.BlockMen(block)
		if s.Pair.Symmetric() && men.Men[0] != 0 {
			if mirror := rules.Flip(men); n.Block(&mirror) < block {
				continue
			}
		}
		advance := 0
		for todo := men.Men[0]; todo != 0; todo &= todo - 1 {
			advance += last - rules.Row(todo.First())
		}
		for todo := men.Men[1]; todo != 0; todo &= todo - 1 {
			advance += rules.Row(todo.First())
		}
		for len(byAdvance) <= advance {
			byAdvance = append(byAdvance, nil)
		}
		byAdvance[advance] = append(byAdvance[advance], block)
	}
	out := make([][]uint64, 0, len(byAdvance))
	for i := len(byAdvance) - 1; i >= 0; i-- {
		if len(byAdvance[i]) > 0 {
			out = append(out, byAdvance[i])
		}
	}
	return out
}

// maxChunk is how many blocks a worker takes at a time at most; many are tiny.
const maxChunk = 16

func (s *solver) solveLevel(ctx context.Context, blocks []uint64) error {
	workers := min(max(s.Workers, 1), len(blocks))
	chunk := max(1, min(maxChunk, len(blocks)/(4*workers)))
	var taken atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	for range workers {
		g.Go(func() error {
			b := newBlock(s)
			for {
				start := int(taken.Add(int64(chunk))) - chunk
				if start >= len(blocks) {
					return nil
				}
				for _, n := range blocks[start:min(start+chunk, len(blocks))] {
					if err := b.solve(ctx, n); err != nil {
						return err
					}
				}
			}
		})
	}
	return g.Wait()
}
