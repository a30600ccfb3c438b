package retro

import (
	"fmt"

	"dambase/engine"
	"dambase/index"
)

// seed gives every node of a side what its leaving moves and its lack of moves
// tell.
func (g *groupSolver) seed(i int) error {
	s := &g.sides[i]
	number := uint32(0)
	for _, block := range s.blocks {
		it := s.n.From(block * s.n.BlockSize())
		for range s.n.BlockSize() {
			if number%lookNodes == 0 && g.stop.Up() {
				return g.stop.Err()
			}
			s.kings = append(s.kings, it.Position().Kings)
			g.moves = g.Rules.Moves(g.moves[:0], it.Position())
			for plane := range g.clock.planesOf(it.Position()) {
				node := uint32(plane*g.positions) + number
				if err := g.seedNode(s, node, it.Position(), plane); err != nil {
					return err
				}
			}
			it.Next()
			number++
		}
	}
	return nil
}

// seedNode seeds one node of the position whose moves are in g.moves.
func (g *groupSolver) seedNode(s *side, node uint32, p *engine.Position, plane int) error {
	var leaving index.RuledBest
	staying, leaves := 0, false
	for _, m := range g.moves {
		gives, stays := g.leaving(p, m, plane)
		if stays {
			staying++
			continue
		}
		leaves = true
		leaving.Add(gives)
	}
	r := leaving.Value()
	if staying == 0 {
		if r == index.RuledDraw {
			s.result[node] = fixedDraw
			return nil
		}
		s.result[node] = r
		return g.push(s, node, r)
	}
	if staying >= neverLoses {
		return fmt.Errorf("%s has %d staying moves: too many to count", g.Rules.FormatFEN(p), staying)
	}
	s.open[node] = uint8(staying)
	if !leaves {
		return nil
	}
	s.leaving[node] = r
	if r.WLD() == index.Loss {
		return nil
	}
	s.open[node] = neverLoses
	if r == index.RuledDraw {
		return nil
	}
	return g.push(s, node, r)
}

// leaving returns what a move gives the mover in a plane of p, unless it stays:
// a quiet move of a king, or a step of a man along its row, to a node of the
// group's other side.
func (g *groupSolver) leaving(p *engine.Position, m engine.Move, plane int) (gives index.Ruled, stays bool) {
	if m.Captured != 0 || !p.Kings[engine.White].Has(m.From) && g.Rules.Row(m.From) != g.Rules.Row(m.To) {
		return g.children.after(p, m, &g.clock, plane), false
	}
	if !g.clock.square {
		return 0, true
	}
	turned := g.Rules.After(p, m)
	if _, over := g.clock.step(g.clock.inside(p), plane, g.clock.inside(&turned)); over {
		return g.children.overAfter(&turned), false
	}
	return 0, true
}

// push lists a node to be decided at the distance of its result. A result that
// the clock does not leave time for is a draw; in theory, it is one that does
// not fit into an entry.
func (g *groupSolver) push(s *side, node uint32, r index.Ruled) error {
	d := int(r.Distance())
	if d > int(g.clock.limit) {
		if !g.clock.ruled {
			return errWide
		}
		s.result[node] = fixedDraw
		return nil
	}
	for len(s.bucket) <= d {
		s.bucket = append(s.bucket, nil)
	}
	s.bucket[d] = append(s.bucket[d], node)
	s.deep = max(s.deep, d+1)
	return nil
}
