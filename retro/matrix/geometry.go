package matrix

import (
	"sync"

	"dambase/engine"
	"dambase/index"
	"dambase/internal/halt"
)

// Geometry holds the tables of a variant that do not depend on a slice. They
// are made when first wanted. It is safe for concurrent use, but for Release.
type Geometry struct {
	board *board
	mutex sync.Mutex
	kings [maxKings + 1]*kingSets
	men   [maxMen + 1]*menSets
}

// NewGeometry prepares for the rules, which Fits must accept.
func NewGeometry(r *engine.Rules) *Geometry { return &Geometry{board: newBoard(r)} }

// parts tell which tables of the sets of so many pieces are wanted.
type parts uint8

const (
	numbers parts = 1 << iota // of the sets themselves
	fewer                     // without, to the sets of one piece less
	more                      // with, to those of one piece more
	moving                    // steps
)

// needs are the parts wanted by the number of pieces of a side.
type needs struct {
	kings [maxKings + 1]parts
	men   [maxMen + 1]parts
}

// needsOf returns what solving a slice and its mirror needs.
func needsOf(s index.Slice) (n needs) {
	for side := range 2 {
		own, opp, men := int(s.Kings[side]), int(s.Kings[1-side]), int(s.Men[side])
		n.kings[0] |= numbers
		n.men[0] |= numbers
		for k := 1; k <= own; k++ {
			n.kings[k] |= numbers | fewer
		}
		for k := 1; k <= men; k++ {
			n.men[k] |= numbers
		}
		if own > 0 {
			n.kings[own-1] |= more
		}
		if own > 0 && opp > 0 {
			n.kings[own] |= moving
		}
		if men > 0 { // crowned
			n.kings[own] |= more
			n.kings[own+1] |= numbers
		}
		if s.Kings[0]+s.Kings[1] == 0 {
			for k := 1; k <= men; k++ {
				n.men[k] |= fewer
			}
			n.men[men-1] |= more
		}
	}
	return n
}

// provide makes what is wanted and not there yet. Its error is that of the
// flag that was put up.
func (g *Geometry) provide(stop *halt.Flag, n needs) error {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	for k, p := range n.kings {
		if p != 0 && g.kings[k] == nil {
			g.kings[k] = newKingSets(k, g.board.squares)
		}
	}
	for k, p := range n.kings {
		if err := g.kings[k].provide(stop, p); err != nil {
			return err
		}
	}
	for k, p := range n.kings {
		if t := g.kings[k]; p&moving != 0 && t.steps == nil {
			if err := t.makeSteps(stop, g.board, g.kings[k-1]); err != nil {
				return err
			}
		}
	}
	for k, p := range n.men {
		if p != 0 && g.men[k] == nil {
			t, err := newMenSets(stop, g.board, k)
			if err != nil {
				return err
			}
			g.men[k] = t
		}
		if p != 0 {
			if err := g.men[k].provide(stop, p); err != nil {
				return err
			}
		}
	}
	return nil
}

// provide makes tables to other sets.
func (t *kingSets) provide(stop *halt.Flag, p parts) error {
	if p&fewer != 0 && t.without == nil {
		if err := t.makeWithout(stop); err != nil {
			return err
		}
	}
	if p&more != 0 && t.with == nil {
		return t.makeWith(stop)
	}
	return nil
}

// Release lets go of what solving a pair of slices does not need, except the
// numbers of sets, which tables hold. Nothing may be solved meanwhile.
func (g *Geometry) Release(pair index.Pair) {
	n := needsOf(pair[0])
	for k, t := range g.kings {
		if t != nil {
			t.release(n.kings[k])
		}
	}
	for k, t := range g.men {
		if t != nil {
			t.release(n.men[k])
		}
	}
}

func (t *kingSets) release(kept parts) {
	if kept&fewer == 0 {
		t.without = nil
	}
	if kept&more == 0 {
		t.with = nil
	}
	if kept&moving == 0 {
		t.steps, t.first = nil, nil
	}
}

// Bytes returns the memory that the tables take.
func (g *Geometry) Bytes() uint64 {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	total := uint64(0)
	for _, t := range g.kings {
		if t != nil {
			total += t.bytes()
		}
	}
	for _, t := range g.men {
		if t != nil {
			total += t.bytes() + 4*uint64(t.n+cap(t.moves)+cap(t.firstMove)+cap(t.firstCrowning)) + 2*uint64(cap(t.crowning))
		}
	}
	return total
}

func (t *kingSets) bytes() uint64 {
	return 8*uint64(len(t.set)+len(t.has)) + 4*uint64(len(t.turned)+len(t.without)+len(t.with)+cap(t.steps)+cap(t.first))
}

// sets returns the sets of k kings; what else is wanted of them must have been provided.
func (g *Geometry) sets(k int) *kingSets {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if g.kings[k] == nil {
		g.kings[k] = newKingSets(k, g.board.squares)
	}
	return g.kings[k]
}

// menSets returns the sets of k men, with what has been provided.
func (g *Geometry) menSets(stop *halt.Flag, k int) (*menSets, error) {
	var n needs
	n.men[k] = numbers
	err := g.provide(stop, n)
	return g.men[k], err
}
