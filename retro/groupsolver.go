package retro

import (
	"slices"

	"dambase/engine"
	"dambase/index"
)

// A groupSolver solves one group of blocks and its mirror at a time and keeps
// its memory for the next. Side 0 is the group, side 1 the mirror; a quiet
// move that stays in the group leads from one side to the other.
//
// What is solved are nodes: the positions of the group, plane by plane.
type groupSolver struct {
	*solver
	sides [2]side
	// order maps a block to its place in the group; only needed where men's
	// steps lead from block to block.
	order     [2]map[uint64]uint32
	positions int // of the group, one side to move
	moves     []engine.Move
}

// A side is the nodes of a group with one side to move. A node's number is its
// plane, times the positions of the group, plus the position's number: the
// place of its block in the group, times the block's size, plus the number of
// its kings.
type side struct {
	n      *index.Numbering
	blocks []uint64
	men    []engine.Position // of each block
	kings  [][2]engine.Bits  // of each position; kept, since unranking them is slow
	result []index.Ruled     // or undecided, or fixedDraw
	// open counts the staying moves not yet known to lose; neverLoses if
	// a leaving move draws or wins.
	open []uint8
	// leaving is what the leaving moves alone give: a win to come where open
	// is neverLoses, else the longest loss.
	leaving []index.Ruled
	// bucket lists by distance the nodes to be decided at it; those from
	// deep on are empty.
	bucket [][]uint32
	deep   int
}

// Between two looks at the flag so many blocks or nodes are visited, some
// milliseconds of work.
const (
	lookBlocks = 1 << 10
	lookNodes  = 1 << 12
)

const (
	nodeBits  = 32 // of the number of a node, and so of a block's place in a group
	entryBits = 63 // of the number of an entry: plane by plane, an int64
)

// checkGroup returns an *index.OverflowError if a slice of so many planes has
// more entries, or a group with more nodes, than can be numbered.
func checkGroup(r *engine.Rules, n *index.Numbering, planes int) error {
	if err := index.CheckBits(n.Slice(), "an entry of a table", entryBits, n.Size(), uint64(planes)); err != nil {
		return err
	}
	return index.CheckBits(n.Slice(), "a node of a group", nodeBits, largestGroup(r, n.Slice()), n.BlockSize(), uint64(planes))
}

const (
	undecided  = index.RuledDraw
	fixedDraw  = index.Ruled(0xFFFF)
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
func (g *groupSolver) solve(blocks []uint64) error {
	g.begin(blocks)
	for i := range g.sides {
		if err := g.seed(i); err != nil {
			return err
		}
	}
	for distance := 0; distance < max(g.sides[0].deep, g.sides[1].deep); distance++ {
		for i := range g.sides {
			if err := g.settle(i, distance); err != nil {
				return err
			}
		}
		for i := range g.sides {
			if err := g.spread(i, distance); err != nil {
				return err
			}
		}
	}
	return g.store()
}

func (g *groupSolver) begin(blocks []uint64) {
	first, second := &g.sides[0], &g.sides[1]
	first.blocks, second.blocks = blocks, second.blocks[:0]
	first.men, second.men = first.men[:0], second.men[:0]
	for i, block := range blocks {
		if i%lookBlocks == 0 && g.stop.Up() {
			return
		}
		men := first.n.BlockMen(block)
		mirror := g.Rules.Flip(men)
		mirror.Turn = engine.White
		second.blocks = append(second.blocks, second.n.Block(&mirror))
		first.men = append(first.men, men)
		second.men = append(second.men, mirror)
	}
	g.positions = len(blocks) * int(g.n[0].BlockSize())
	nodes := g.positions * g.clock.planes
	for i := range g.sides {
		s := &g.sides[i]
		s.result = zeroed(s.result, nodes)
		s.kings = s.kings[:0]
		s.open = zeroed(s.open, nodes)
		s.leaving = zeroed(s.leaving, nodes)
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

// store copies the results of both sides to the solution.
func (g *groupSolver) store() error {
	for i := range g.sides {
		s := &g.sides[i]
		size := s.n.BlockSize()
		for plane := range g.clock.planes {
			for place, block := range s.blocks {
				if place%lookBlocks == 0 && g.stop.Up() {
					return g.stop.Err()
				}
				to := uint64(plane)*s.n.Size() + block*size
				from := plane*g.positions + place*int(size)
				for k, r := range s.result[from : from+int(size)] {
					if k%lookNodes == lookNodes-1 && g.stop.Up() {
						return g.stop.Err()
					}
					if r == fixedDraw {
						r = index.RuledDraw
					}
					g.set(i, to+uint64(k), r)
				}
			}
		}
	}
	if g.Progress == nil {
		return nil
	}
	positions := uint64(g.positions)
	if itself := g.Pair.Symmetric() && slices.Contains(g.sides[1].blocks, g.sides[0].blocks[0]); !itself {
		positions *= 2
	}
	g.Progress(positions)
	return nil
}

// set stores an entry of the solution.
func (g *groupSolver) set(i int, entry uint64, r index.Ruled) {
	if g.clock.ruled {
		g.out[i].Set(entry, index.Value(r))
	} else {
		g.out[i].Set(entry, r.Value())
	}
}
