package probe

import (
	"context"
	"slices"

	"dambase/engine"
	"dambase/index"
)

// Probe returns what is known of a position, its counters taken into account.
// A position that cannot occur is an error that wraps engine.ErrPosition,
// counters that it cannot have one that wraps ErrCounters; a damaged table is a
// *storage.CorruptError. It allocates nothing while the blocks it needs are in
// the cache. If the tables do not tell the verdict, the moves are searched; for
// a distance that tables of results alone do not have they are not.
func (t *Tables) Probe(p engine.Position, c engine.Counters) (Result, error) {
	q := Query{Position: p, Counters: c}
	if err := q.Check(t.rules); err != nil {
		return Result{}, err
	}
	w := works.Get().(*Work)
	defer works.Put(w)
	w.begin(context.Background())
	r, _, err := t.judge(w, &q, verdictAlone)
	return r, err
}

// wanted is what judge is asked for.
type wanted uint8

const (
	verdictAlone wanted = iota
	withDistance
	withMoves
)

// A MoveResult is a legal move and the position after it.
type MoveResult struct {
	engine.Way
	Position   engine.Position
	Counters   engine.Counters
	Result     Result // for the side to move after the move
	Conversion bool   // a capture, a promotion or a man's move
	Only       bool   // the one move that keeps the result
}

// Moves returns every legal move of a position, best first for the mover. A
// game that a counter has ended has none. Its errors are those of Probe, and
// engine.ErrBudget where the moves are too many.
func (t *Tables) Moves(p engine.Position, c engine.Counters) ([]MoveResult, error) {
	q := Query{Position: p, Counters: c}
	if err := q.Check(t.rules); err != nil {
		return nil, err
	}
	_, moves, err := t.judge(NewWork(context.Background()), &q, withMoves)
	return moves, err
}

// judge is the one way to the verdict on a position, whoever asks: what the
// tables say, or where they leave something open the minimax of its moves. If
// wanted it lists the moves.
func (t *Tables) judge(w *Work, q *Query, want wanted) (Result, []MoveResult, error) {
	if err := w.ask(&q.Position); err != nil {
		return Result{}, nil, err
	}
	p, c := &q.Position, q.Counters
	v, err := t.value(w, p, t.plane(p, c))
	if err != nil {
		return Result{}, nil, err
	}
	root := t.result(p, c, q.length(), &v)
	switch {
	case root.GameOver && v != lostNow,
		want < withMoves && root.complete(),
		want == verdictAlone && root.decided():
		return root, nil, nil
	}
	byMoves, moves, err := t.search(w, q, want == withMoves)
	if err != nil {
		return Result{}, nil, err
	}
	if !root.complete() {
		root = root.with(byMoves)
	}
	markOnly(&root, moves)
	return root, moves, nil
}

// result adds to a value what the draw counters make of it.
func (t *Tables) result(p *engine.Position, c engine.Counters, g gameLength, v *value) Result {
	r := Result{WLD: v.wld, DTW: v.dtw}
	if t.rules.Drawn(p, c) != "" || t.over(p, g) {
		r.Category, r.GameOver = cursed(v.wld), true
		return r
	}
	t.ruled(&r, p, c, v)
	if r.lacks() {
		r.Missing, r.OverBudget = v.why.missing, v.why.budget
	}
	r.GameOver = *v == lostNow
	t.lengthen(&r, p, c, g)
	return r
}

// search judges a position by its moves, and lists them if wanted, best first.
// If the moves themselves are too many to be found and no list is wanted it
// returns a result that knows nothing.
func (t *Tables) search(w *Work, q *Query, list bool) (Result, []MoveResult, error) {
	p, c := &q.Position, q.Counters
	ways, err := t.moves(w, p, list)
	if err != nil && (list || w.total.Err() != nil) {
		return Result{}, nil, err
	} else if err != nil {
		return Result{OverBudget: true}, nil, nil
	}
	w.grant()
	here := t.situation(p)
	f := newFold()
	moves := make([]MoveResult, 0, len(ways))
	for _, way := range ways {
		if err := w.spent(childUnits); err != nil {
			return Result{}, nil, err
		}
		after := t.rules.Play(p, way.Move)
		m := MoveResult{
			Way: way, Position: after, Counters: t.rules.Advance(c, p, way.Move, &after),
			Conversion: way.Captured != 0 || p.Men[p.Turn].Has(way.From),
		}
		v, err := t.value(w, &after, t.plane(&after, m.Counters))
		if err != nil {
			return Result{}, nil, err
		}
		m.Result = t.result(&after, m.Counters, q.length().next(), &v)
		if m.Result.GameOver && v != lostNow {
			v.entry, v.ruled = index.RuledDraw, true
		}
		f.add(v, t.gives(p, way.Move, here, t.situation(&after), v.entry))
		moves = append(moves, m)
	}
	v := f.value()
	root := t.result(p, c, q.length(), &v)
	slices.SortStableFunc(moves, func(a, b MoveResult) int { return compareMoves(&a.Result, &b.Result) })
	if !root.GameOver && len(moves) > 0 && moves[0].Result.Category == CategoryLoss && !moves[0].Result.Inexact {
		root.Category, root.Inexact = CategoryWin, false // whatever the other moves may be
	}
	if root.Category == CategoryUnknown && allDrawn(moves) {
		root.Category = CategoryDraw // by the rules, whatever they would be without
	}
	return root, moves, nil
}

// allDrawn reports whether every move leads to a certain draw.
func allDrawn(moves []MoveResult) bool {
	return !slices.ContainsFunc(moves, func(m MoveResult) bool {
		return m.Result.Category != CategoryDraw || m.Result.Inexact
	})
}

// moves returns the legal moves of a position, with their paths for a list.
func (t *Tables) moves(w *Work, p *engine.Position, list bool) (ways []engine.Way, err error) {
	before := w.position.Spent()
	defer func() {
		if spent := w.spent(w.position.Spent() - before); err == nil {
			err = spent
		}
	}()
	if list {
		return t.rules.Ways(&w.position, p)
	}
	var buffer [64]engine.Move
	moves, err := t.rules.MovesWithin(&w.position, buffer[:0], p)
	for _, m := range moves {
		ways = append(ways, engine.Way{Move: m})
	}
	return ways, err
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
