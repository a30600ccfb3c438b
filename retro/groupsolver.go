package retro

import (
	"context"
	"slices"

	"dambase/engine"
	"dambase/index"
)

// A groupSolver solves one group of blocks and its mirror at a time and keeps
// its memory for the next. Side 0 is the group, side 1 the mirror; a quiet
// move that stays in the group leads from one side to the other.
type groupSolver struct {
	*solver
	sides [2]side
	// order maps a block to its place in the group; only needed where men's
	// steps lead from block to block.
	order [2]map[uint64]uint32
	moves []engine.Move
}

// A side is the positions of a group with one side to move. A position's
// number is the place of its block in the group, times the block's size, plus
// the number of its kings.
type side struct {
	n      *index.Numbering
	blocks []uint64
	men    []engine.Position // of each block
	value  []uint16          // undecided, fixedDraw or an index.Value
	// open counts the staying moves not yet known to lose; neverLoses if
	// a leaving move draws or wins.
	open []uint8
	// leaving is the value that the leaving moves alone give: a win to come
	// where open is neverLoses, else the longest loss.
	leaving []uint16
	// bucket lists by distance the positions to be decided at it; those from
	// deep on are empty.
	bucket [][]uint32
	deep   int
}

const (
	undecided  = 0
	fixedDraw  = 0xFFFF
	neverLoses = 0xFF
)

func newGroupSolver(s *solver) *groupSolver {
	g := &groupSolver{solver: s, moves: make([]engine.Move, 0, 128)}
	for i := range g.sides {
		g.sides[i].n = s.n[i]
	}
	return g
}

// solve decides every position of the group and of its mirror and stores their values.
func (g *groupSolver) solve(ctx context.Context, blocks []uint64) error {
	g.begin(blocks)
	for i := range g.sides {
		if err := g.seed(ctx, i); err != nil {
			return err
		}
	}
	for distance := 0; distance < max(g.sides[0].deep, g.sides[1].deep); distance++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		for i := range g.sides {
			if err := g.spread(i, distance); err != nil {
				return err
			}
		}
	}
	g.store()
	return nil
}

func (g *groupSolver) begin(blocks []uint64) {
	first, second := &g.sides[0], &g.sides[1]
	first.blocks, second.blocks = blocks, second.blocks[:0]
	first.men, second.men = first.men[:0], second.men[:0]
	for _, block := range blocks {
		men := first.n.BlockMen(block)
		mirror := g.Rules.Flip(men)
		mirror.Turn = engine.White
		second.blocks = append(second.blocks, second.n.Block(&mirror))
		first.men = append(first.men, men)
		second.men = append(second.men, mirror)
	}
	size := len(blocks) * int(g.n[0].BlockSize())
	for i := range g.sides {
		s := &g.sides[i]
		s.value = zeroed(s.value, size)
		s.open = zeroed(s.open, size)
		s.leaving = zeroed(s.leaving, size)
		for d := range s.bucket[:s.deep] {
			s.bucket[d] = s.bucket[d][:0]
		}
		s.deep = 0
		if g.Rules.MenMoveSideways() {
			g.order[i] = make(map[uint64]uint32, len(s.blocks))
			for place, block := range s.blocks {
				g.order[i][block] = uint32(place)
			}
		}
	}
}

func zeroed[T any](s []T, n int) []T {
	s = slices.Grow(s[:0], n)[:n]
	clear(s)
	return s
}

// seed gives every position of a side what its leaving moves and its lack of
// moves tell.
func (g *groupSolver) seed(ctx context.Context, i int) error {
	s := &g.sides[i]
	number := uint32(0)
	for _, block := range s.blocks {
		it := s.n.From(block * s.n.BlockSize())
		for range s.n.BlockSize() {
			if number%0x10000 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			if err := g.seedPosition(s, number, it.Position()); err != nil {
				return err
			}
			it.Next()
			number++
		}
	}
	return nil
}

func (g *groupSolver) seedPosition(s *side, number uint32, p *engine.Position) error {
	var leaving index.Best
	staying, leaves := 0, false
	g.moves = g.Rules.Moves(g.moves[:0], p)
	for _, m := range g.moves {
		if g.stays(p, m) {
			staying++
		} else {
			leaves = true
			leaving.Add(g.children.after(p, m))
		}
	}
	value := leaving.Value()
	if staying == 0 {
		if value == index.ValueDraw {
			s.value[number] = fixedDraw
			return nil
		}
		s.value[number] = uint16(value)
		return g.push(s, number, value)
	}
	s.open[number] = uint8(staying)
	if !leaves {
		return nil
	}
	s.leaving[number] = uint16(value)
	if value.WLD() == index.Loss {
		return nil
	}
	s.open[number] = neverLoses
	if value == index.ValueDraw {
		return nil
	}
	return g.push(s, number, value)
}

// stays reports whether a move leads into the mirror of the group: a quiet
// move of a king, or a step of a man along its row.
func (g *groupSolver) stays(p *engine.Position, m engine.Move) bool {
	if m.Captured != 0 {
		return false
	}
	return p.Kings[engine.White].Has(m.From) || g.Rules.Row(m.From) == g.Rules.Row(m.To)
}

// push lists a position to be decided at the distance of its value.
func (g *groupSolver) push(s *side, number uint32, v index.Value) error {
	if v > g.largest {
		return errWide
	}
	d := int(v.Distance())
	for len(s.bucket) <= d {
		s.bucket = append(s.bucket, nil)
	}
	s.bucket[d] = append(s.bucket[d], number)
	s.deep = max(s.deep, d+1)
	return nil
}

// spread decides the positions of a side at a distance and tells those from
// which a staying move leads to them.
func (g *groupSolver) spread(i, distance int) error {
	s := &g.sides[i]
	if distance >= s.deep {
		return nil
	}
	v := index.Value(distance + 1)
	for _, number := range s.bucket[distance] {
		if s.value[number] == undecided {
			s.value[number] = uint16(v) // a leaving move wins, and nothing was quicker
		} else if s.value[number] != uint16(v) {
			continue
		}
		if err := g.retract(i, number, v); err != nil {
			return err
		}
	}
	return nil
}

// retract visits the positions of the other side from which a quiet move leads
// to a position of side i with value v.
func (g *groupSolver) retract(i int, number uint32, v index.Value) error {
	s, other := &g.sides[i], &g.sides[1-i]
	size := uint32(s.n.BlockSize())
	place := number / size
	p := g.Rules.Flip(s.n.WithKings(s.men[place], uint64(number%size)))
	p.Turn = engine.White
	occupied := p.Occupied()
	kings := p.Kings[engine.White]
	for todo := kings; todo != 0; todo &= todo - 1 {
		rest := kings &^ todo.First().Bit()
		for from := g.Rules.KingSteps(todo.First(), occupied); from != 0; from &= from - 1 {
			p.Kings[engine.White] = rest | from.First().Bit()
			if err := g.tell(other, place*size+uint32(other.n.KingsIndex(&p)), v); err != nil {
				return err
			}
		}
	}
	if !g.Rules.MenMoveSideways() {
		return nil
	}
	p.Kings[engine.White] = kings
	men := p.Men[engine.White]
	for todo := men; todo != 0; todo &= todo - 1 {
		to := todo.First()
		for from := g.Rules.ManSteps(engine.White, to, occupied); from != 0; from &= from - 1 {
			if g.Rules.Row(from.First()) != g.Rules.Row(to) {
				continue
			}
			p.Men[engine.White] = men&^to.Bit() | from.First().Bit()
			block := g.order[1-i][other.n.Block(&p)]
			if err := g.tell(other, block*size+uint32(other.n.KingsIndex(&p)), v); err != nil {
				return err
			}
		}
	}
	return nil
}

// tell lets a position know that one of its staying moves leads to value v.
func (g *groupSolver) tell(s *side, number uint32, v index.Value) error {
	if s.value[number] != undecided {
		return nil
	}
	if v.WLD() == index.Loss {
		win := v + 1
		if s.open[number] == neverLoses && s.leaving[number] == uint16(win) {
			return nil // its leaving move wins as quickly and is listed already
		}
		s.value[number] = uint16(win)
		return g.push(s, number, win)
	}
	if s.open[number] == neverLoses {
		return nil
	}
	s.open[number]--
	if s.open[number] > 0 {
		return nil
	}
	loss := max(v+1, index.Value(s.leaving[number]))
	s.value[number] = uint16(loss)
	return g.push(s, number, loss)
}

// store copies the values of both sides to the solution.
func (g *groupSolver) store() {
	for i := range g.sides {
		s := &g.sides[i]
		size := s.n.BlockSize()
		for place, block := range s.blocks {
			for k, v := range s.value[uint64(place)*size : uint64(place+1)*size] {
				if v == fixedDraw {
					v = undecided
				}
				g.out[i].Set(block*size+uint64(k), index.Value(v))
			}
		}
	}
	if g.Progress == nil {
		return
	}
	positions := uint64(len(g.sides[0].value))
	if itself := g.Pair.Symmetric() && slices.Contains(g.sides[1].blocks, g.sides[0].blocks[0]); !itself {
		positions *= 2
	}
	g.Progress(positions)
}
