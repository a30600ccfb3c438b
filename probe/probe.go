package probe

import (
	"slices"

	"dambase/engine"
	"dambase/index"
)

// Probe returns what is known of a legal position, its counters taken into
// account. Counters that p cannot have are an error that wraps ErrCounters; a
// damaged table is a *storage.CorruptError. It allocates nothing while the
// blocks it needs are in the cache. A quiet position outside the tables is
// unknown at once; Answer may know more of it from its moves.
func (t *Tables) Probe(p engine.Position, c engine.Counters) (Result, error) {
	if err := CheckCounters(t.rules, &p, c); err != nil {
		return Result{}, err
	}
	return t.probe(&p, c, gameLength{})
}

// probe is Probe for counters that are known to be possible.
func (t *Tables) probe(p *engine.Position, c engine.Counters, g gameLength) (Result, error) {
	th, err := t.theory(p)
	if err != nil {
		return Result{}, err
	}
	r, _, err := t.result(p, c, g, th)
	return r, err
}

// result adds to a theory what the draw counters make of it, and returns the
// entry that it used.
func (t *Tables) result(p *engine.Position, c engine.Counters, g gameLength, th theory) (Result, entry, error) {
	if r, ended := t.ended(p, c, g, th); ended {
		return r, known(index.RuledDraw), nil
	}
	r := newResult(th)
	var e entry
	if t.rules.HasCounters() {
		var err error
		if e, err = t.entry(*p, t.plane(p, c), th); err != nil {
			return Result{}, e, err
		}
	}
	t.ruled(&r, p, c, e)
	r.GameOver = th == lostNow
	t.lengthen(&r, p, c, g)
	return r, e, nil
}

func newResult(th theory) Result { return Result{WLD: th.wld, DTW: th.dtw, Missing: th.missing} }

// ended returns the result of a position that a counter has ended.
func (t *Tables) ended(p *engine.Position, c engine.Counters, g gameLength, th theory) (Result, bool) {
	if t.rules.Drawn(p, c) == "" && !t.over(p, g) {
		return Result{}, false
	}
	r := newResult(th)
	r.Category, r.GameOver = cursed(th.wld), true
	return r, true
}

// A MoveResult is a legal move and the position after it.
type MoveResult struct {
	Move       engine.Move
	Position   engine.Position
	Counters   engine.Counters
	Result     Result // for the side to move after the move
	Conversion bool   // a capture, a promotion or a man's move
	Only       bool   // the one move that keeps the result
}

// Moves returns every legal move of a position, best first for the mover. A
// game that a counter has ended has none.
func (t *Tables) Moves(p engine.Position, c engine.Counters) ([]MoveResult, error) {
	if err := CheckCounters(t.rules, &p, c); err != nil {
		return nil, err
	}
	_, moves, err := t.withMoves(&p, c, gameLength{})
	return moves, err
}

// withMoves returns the moves of a position and its own result, which is the
// minimax of theirs.
func (t *Tables) withMoves(p *engine.Position, c engine.Counters, g gameLength) (Result, []MoveResult, error) {
	if t.rules.Drawn(p, c) != "" || t.over(p, g) {
		r, err := t.probe(p, c, g)
		return r, nil, err
	}
	var moves []MoveResult
	f := newFold()
	var best index.RuledBest
	entries := known(index.RuledDraw) // unless some entry is missing
	for _, m := range t.rules.Moves(nil, p) {
		q := t.rules.Play(p, m)
		child := MoveResult{
			Move: m, Position: q, Counters: t.rules.Advance(c, p, m, &q),
			Conversion: m.Captured != 0 || p.Men[p.Turn].Has(m.From),
		}
		th, err := t.theory(&q)
		if err != nil {
			return Result{}, nil, err
		}
		f.add(th)
		var e entry
		if child.Result, e, err = t.result(&q, child.Counters, g.next(), th); err != nil {
			return Result{}, nil, err
		}
		if !e.known && entries.known {
			entries = entry{missing: e.missing}
		}
		best.Add(t.gives(p, m, &q, e.value))
		moves = append(moves, child)
	}
	th := f.result()
	if th.missing != (index.Slice{}) {
		own, err := t.theory(p) // names the table that the position itself lacks
		if err != nil {
			return Result{}, nil, err
		}
		th.missing = own.missing
	}
	root := newResult(th)
	entries.value = best.Value()
	t.ruled(&root, p, c, entries)
	root.GameOver = len(moves) == 0
	slices.SortStableFunc(moves, func(a, b MoveResult) int { return compareMoves(&a.Result, &b.Result) })
	t.lengthen(&root, p, c, g)
	if len(moves) > 0 && moves[0].Result.Category == CategoryLoss && !moves[0].Result.Inexact {
		root.Category, root.Inexact = CategoryWin, false // whatever the other moves may be
	}
	markOnly(&root, moves)
	return root, moves, nil
}

// order ranks the category of a child, the best for the mover first.
var order = [...]int{
	CategoryLoss: 0, CategoryUnknown: 1, CategoryBlessedLoss: 2,
	CategoryDraw: 3, CategoryCursedWin: 4, CategoryWin: 5,
}

// compareMoves orders the results after two moves, the better for the mover
// first: by category, then the shortest win or the longest loss.
func compareMoves(a, b *Result) int {
	if d := order[a.Category] - order[b.Category]; d != 0 {
		return d
	}
	switch a.WLD {
	case Loss: // the mover wins
		return int(a.DTW.abs() - b.DTW.abs())
	case Win:
		return int(b.DTW.abs() - a.DTW.abs())
	}
	return 0
}

// keeps reports whether a move keeps the root's category and, where that is a
// draw under the rules, its result without them.
func keeps(root, child *Result) bool {
	switch root.Category {
	case CategoryWin:
		return child.Category == CategoryLoss
	case CategoryLoss:
		return child.Category == CategoryWin
	case CategoryUnknown:
		return false
	}
	drawn := child.Category == CategoryDraw || child.Category == CategoryBlessedLoss || child.Category == CategoryCursedWin
	return drawn && root.WLD == [...]WLD{Unknown: Unknown, Loss: Win, Draw: Draw, Win: Loss}[child.WLD]
}

// markOnly marks the one move that keeps the root's result, if no unknown move
// could keep it too.
func markOnly(root *Result, moves []MoveResult) {
	last, n := -1, 0
	for i := range moves {
		if r := &moves[i].Result; r.Category == CategoryUnknown || r.Inexact {
			return
		}
		if keeps(root, &moves[i].Result) {
			last = i
			n++
		}
	}
	if n == 1 {
		moves[last].Only = true
	}
}
