package probe

import (
	"slices"

	"dambase/engine"
	"dambase/index"
)

// Probe returns what is known of a legal position, its counters taken into
// account. Counters that p cannot have are an error that wraps ErrCounters; a
// damaged table is a *storage.CorruptError. It allocates nothing while the
// blocks it needs are in the cache.
func (t *Tables) Probe(p engine.Position, c engine.Counters) (Result, error) {
	if err := CheckCounters(t.rules, &p, c); err != nil {
		return Result{}, err
	}
	return t.probe(&p, c)
}

// probe is Probe for counters that are known to be possible.
func (t *Tables) probe(p *engine.Position, c engine.Counters) (Result, error) {
	th, err := t.theory(p)
	if err != nil {
		return Result{}, err
	}
	return t.result(p, c, th)
}

// result adds to a theory what the draw counters make of it.
func (t *Tables) result(p *engine.Position, c engine.Counters, th theory) (Result, error) {
	r := Result{WLD: th.wld, DTW: th.dtw, Missing: th.missing}
	if th.wld == Loss && th.dtw == plies(0) {
		r.Category, r.GameOver = CategoryLoss, true
		return r, nil
	}
	if t.rules.Drawn(p, c) != "" {
		r.Category, r.GameOver = cursed(th.wld), true
		return r, nil
	}
	var err error
	r.Category, r.DTZ, err = t.ruled(p, c, th)
	return r, err
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
	_, moves, err := t.withMoves(&p, c)
	return moves, err
}

// withMoves returns the moves of a position and its own result, which is the
// minimax of theirs.
func (t *Tables) withMoves(p *engine.Position, c engine.Counters) (Result, []MoveResult, error) {
	if t.rules.Drawn(p, c) != "" {
		r, err := t.probe(p, c)
		return r, nil, err
	}
	var moves []MoveResult
	f := newFold()
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
		if child.Result, err = t.result(&q, child.Counters, th); err != nil {
			return Result{}, nil, err
		}
		f.add(th)
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
	root, err := t.result(p, c, th)
	if err != nil {
		return Result{}, nil, err
	}
	slices.SortStableFunc(moves, func(a, b MoveResult) int { return compareMoves(&a.Result, &b.Result) })
	if len(moves) > 0 && !t.rules.HasCounters() {
		root.Category = parent(moves[0].Result.Category)
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

// parent is the category of a position whose best move leads to a child's
// category, the moves being sorted. An unknown move hides all but a won one.
func parent(best Category) Category {
	switch best {
	case CategoryLoss:
		return CategoryWin
	case CategoryUnknown:
		return CategoryUnknown
	case CategoryBlessedLoss:
		return CategoryCursedWin
	case CategoryDraw:
		return CategoryDraw
	case CategoryCursedWin:
		return CategoryBlessedLoss
	}
	return CategoryLoss
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

func markOnly(root *Result, moves []MoveResult) {
	last, n := -1, 0
	for i := range moves {
		if keeps(root, &moves[i].Result) {
			last = i
			n++
		}
	}
	if n == 1 {
		moves[last].Only = true
	}
}
