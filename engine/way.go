package engine

import "slices"

// A Way is a legal move together with one way of making it.
type Way struct {
	Move
	// Squares are those that the piece visits: where it starts, where each jump
	// lands, and where it ends.
	Squares []Square
	// Taken are the pieces taken, in their order; those of Captured.
	Taken []Square
}

// Ways returns every legal move once, with the way that is written: where a
// king could land on several squares and jump on from them all, right behind
// the piece taken. The moves, their texts and their paths come of one search.
// Its error is that of the budget, which may be nil.
func (r *Rules) Ways(b *Budget, p *Position) ([]Way, error) {
	ways, err := r.searchWays(b, p, func(_ *Way, first bool) bool { return first })
	if err != nil || len(ways) > 0 && !r.optional {
		return ways, err
	}
	var buffer [64]Move
	quiet := r.quietMoves(buffer[:0], p)
	if !b.Spend(quietUnits * len(quiet)) {
		return nil, b.Err()
	}
	for _, m := range quiet {
		ways = append(ways, Way{Move: m, Squares: []Square{m.From, m.To}})
	}
	return ways, nil
}

// searchWays returns the ways of making legal captures that a filter keeps;
// first tells it that a way is the first of its move.
func (r *Rules) searchWays(b *Budget, p *Position, keep func(w *Way, first bool) bool) ([]Way, error) {
	if !r.HasCapture(p) {
		return nil, b.Err()
	}
	list := keptWays{keep: keep, budget: b}
	s := captureSearch{budget: b, collect: &list}
	s.run(r, p)
	return list.ways, b.Err()
}

// keptWays collects the ways that a filter keeps.
type keptWays struct {
	keep   func(w *Way, first bool) bool
	budget *Budget
	ways   []Way
}

func (k *keptWays) reset() { k.ways = nil }

// What keeping a way costs of a budget, for its memory too: of a capture, and
// of a quiet move.
const (
	wayUnits   = 40
	quietUnits = 4
)

func (k *keptWays) add(w Way, first bool) {
	if k.keep(&w, first) && k.budget.Spend(wayUnits) {
		w.Squares, w.Taken = slices.Clone(w.Squares), slices.Clone(w.Taken)
		k.ways = append(k.ways, w)
	}
}
