package retro

import (
	"dambase/engine"
	"dambase/index"
)

// settle decides the nodes of a side whose leaving moves win at a distance,
// unless something was quicker. Both sides are settled before either is
// spread: under the rules a loss and a win can have the same distance.
func (g *groupSolver) settle(i, distance int) error {
	s := &g.sides[i]
	if distance >= s.deep {
		return nil
	}
	for k, node := range s.bucket[distance] {
		if k%lookNodes == 0 && g.stop.Up() {
			return g.stop.Err()
		}
		if s.result[node] == undecided {
			s.result[node] = s.leaving[node]
		}
	}
	return nil
}

// spread tells the nodes from which a staying move leads to those decided at a
// distance.
func (g *groupSolver) spread(i, distance int) error {
	s := &g.sides[i]
	if distance >= s.deep {
		return nil
	}
	for k, node := range s.bucket[distance] {
		if k%lookNodes == 0 && g.stop.Up() {
			return g.stop.Err()
		}
		if s.result[node].Distance() != engine.Plies(distance) {
			continue // something was quicker than its leaving move
		}
		if err := g.retract(i, node); err != nil {
			return err
		}
	}
	return nil
}

// retract visits the nodes of the other side from which a quiet move leads to
// a decided node of side i.
func (g *groupSolver) retract(i int, node uint32) error {
	s, other := &g.sides[i], &g.sides[1-i]
	size := uint32(s.n.BlockSize())
	plane, number := int(node)/g.positions, int(node)%g.positions
	place := uint32(number / int(s.n.BlockSize()))
	here := s.men[place]
	here.Kings = s.kings[number]
	to := arrival{result: s.result[node], plane: plane, inside: g.clock.inside(&here)}
	p := g.Rules.Flip(here)
	p.Turn = engine.White
	occupied := p.Occupied()
	kings := p.Kings[engine.White]
	for todo := kings; todo != 0; todo &= todo - 1 {
		rest := kings &^ todo.First().Bit()
		for from := g.Rules.KingSteps(todo.First(), occupied); from != 0; from &= from - 1 {
			p.Kings[engine.White] = rest | from.First().Bit()
			if err := g.tellPlanes(other, place*size+uint32(other.n.KingsIndex(&p)), &p, to); err != nil {
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
			if err := g.tell(other, block*size+uint32(other.n.KingsIndex(&p)), s.result[node]); err != nil {
				return err
			}
		}
	}
	return nil
}

// An arrival is a decided node as seen from the nodes that lead to it.
type arrival struct {
	result index.Ruled
	plane  int
	inside bool
}

// tellPlanes tells the planes of a position from which a quiet king move leads
// to a decided node.
func (g *groupSolver) tellPlanes(s *side, number uint32, p *engine.Position, to arrival) error {
	if !g.clock.square {
		return g.tell(s, number, to.result)
	}
	inside := g.clock.inside(p)
	for plane := range g.clock.planesOf(p) {
		next, over := g.clock.step(inside, plane, to.inside)
		if over || next != to.plane {
			continue
		}
		if err := g.tell(s, uint32(plane*g.positions)+number, to.result); err != nil {
			return err
		}
	}
	return nil
}

// tell lets a node know that one of its staying moves leads to a result.
func (g *groupSolver) tell(s *side, node uint32, r index.Ruled) error {
	if s.result[node] != undecided {
		return nil
	}
	gives := r.Before()
	if gives.WLD() == index.Win {
		if s.open[node] == neverLoses && s.leaving[node] == gives {
			return nil // its leaving move wins as quickly and is listed already
		}
		s.result[node] = gives
		return g.push(s, node, gives)
	}
	if s.open[node] == neverLoses {
		return nil
	}
	s.open[node]--
	if s.open[node] > 0 {
		return nil
	}
	gives = max(gives, s.leaving[node])
	s.result[node] = gives
	return g.push(s, node, gives)
}
