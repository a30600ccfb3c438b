package probe

import (
	"errors"
	"fmt"
	"slices"

	"dambase/engine"
)

// ErrGame is wrapped by errors about the moves of a game; the error names the ply.
var ErrGame = errors.New("bad game")

// A GameRequest is a game to adjudicate.
type GameRequest struct {
	FEN   string   `json:"fen"` // the start position if empty
	Moves []string `json:"moves"`
	Flag  string   `json:"flag"` // white or black: whose time ran out after the moves; empty for none
	// GameType, if not 0, is PDN's number of the rules; it must be the variant's.
	GameType int `json:"-"`
}

// A Game is the course of a game under the rules, ply by ply.
type Game struct {
	Variant string    `json:"variant"`
	Plies   []GamePly `json:"plies"`
	Result  *string   `json:"result"` // white, black, draw; null while it goes on
	Reason  *string   `json:"reason"` // no-moves, no-pieces, king-moves, situation A, repetition, game-length, flag
	// Exact is false if some verdict is not certain: a position has occurred
	// so often that repetition could change it, or the game's length does.
	Exact bool `json:"exact"`
	// EndedAt is the ply that ended the game, 0 if it began so; null while it
	// goes on. Moves may follow it: people play on after a draw that nobody saw.
	EndedAt *int `json:"ended_at"`
}

// A GamePly is one move of a Game. Before and After are the verdicts from the
// mover's side; nil outside the tables.
type GamePly struct {
	Ply         int      `json:"ply"`
	Move        string   `json:"move"`
	FEN         string   `json:"fen"` // after the move
	Clocks      *Clocks  `json:"clocks"`
	Repetitions int      `json:"repetitions"` // how often the position has occurred
	Claims      []string `json:"claims"`      // draws that can now be claimed
	Before      *Verdict `json:"before"`
	After       *Verdict `json:"after"`
	Exact       bool     `json:"exact"`
}

// A Verdict is a result for one side.
type Verdict struct {
	Category Category `json:"category"`
	DTW      Distance `json:"dtw"`
}

// Game plays a game through: its counters, repetitions, claims and end, and
// the verdict before and after every move. An illegal move is an error that
// wraps ErrGame and names the ply. A game that asks too much is engine.ErrBudget.
func (t *Tables) Game(w *Work, request GameRequest) (*Game, error) {
	g, err := t.newGame(w, request)
	if err != nil {
		return nil, err
	}
	ways, err := t.rules.ParseMoves(&w.total, g.position, request.Moves)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrGame, err)
	}
	for i, way := range ways {
		if err := g.play(i+1, way.Move); err != nil {
			return nil, fmt.Errorf("ply %d: %w", i+1, err) // damage, or too much work
		}
	}
	g.fallFlag(request.Flag)
	return &g.out, nil
}

// game is a game being played through.
type game struct {
	t        *Tables
	work     *Work
	rules    *engine.Rules
	position engine.Position
	counters engine.Counters
	ply      engine.Plies // since the game or the request began
	whole    bool         // whether that was the first position of the game
	// seen counts the positions since the last move that none of them can
	// come back from.
	seen map[engine.Position]int
	most int    // the largest of seen
	last Result // of position, for its side to move
	sure bool   // whether last is certain
	out  Game
}

func (t *Tables) newGame(w *Work, request GameRequest) (*game, error) {
	g := &game{t: t, work: w, rules: t.rules, position: t.rules.Start(), seen: map[engine.Position]int{}}
	switch request.Flag {
	case "", "white", "black":
	default:
		return nil, fmt.Errorf("%w: flag %.20q: want white or black", ErrGame, request.Flag)
	}
	if own := t.rules.Variant().GameType; request.GameType != 0 && own != 0 && request.GameType != own {
		return nil, fmt.Errorf("%w: tag GameType %d is not that of %s, %d", ErrGame, request.GameType, t.rules.Variant().Name, own)
	}
	g.whole = request.FEN == ""
	if !g.whole {
		fen, err := t.rules.ParseFEN(request.FEN)
		if err != nil {
			return nil, err
		}
		g.position, g.counters = fen.Position, FENCounters(t.rules, &fen)
		if err := CheckCounters(t.rules, &g.position, g.counters); err != nil {
			return nil, err
		}
	}
	g.out = Game{Variant: t.rules.Variant().Name, Plies: []GamePly{}, Exact: true}
	g.seen[g.position], g.most = 1, 1
	if err := g.judge(); err != nil {
		return nil, err
	}
	g.end(0)
	return g, nil
}

// play makes one legal move.
func (g *game) play(ply int, m engine.Move) error {
	before, mover := g.position, g.position.Turn
	text, err := g.moveText(m)
	if err != nil {
		return err
	}
	out := GamePly{Ply: ply, Move: text, Before: verdict(g.last, false), Exact: g.sure}
	g.position = g.rules.Play(&before, m)
	g.counters = g.rules.Advance(g.counters, &before, m, &g.position)
	g.ply++
	if g.irreversible(&before, m) {
		clear(g.seen)
		g.most = 0
	}
	g.seen[g.position]++
	g.most = max(g.most, g.seen[g.position])
	if err := g.judge(); err != nil {
		return err
	}
	out.FEN = g.rules.FormatFEN(&g.position)
	out.Clocks = g.t.clocks(&g.position, g.counters)
	out.Repetitions = g.seen[g.position]
	out.Claims = g.claims()
	out.After = verdict(g.last, g.position.Turn != mover)
	out.Exact = out.Exact && g.sure
	g.out.Exact = g.out.Exact && out.Exact
	g.out.Plies = append(g.out.Plies, out)
	g.end(ply)
	return nil
}

// moveText writes a legal move.
func (g *game) moveText(m engine.Move) (string, error) {
	if err := g.work.spent(plyUnits + pieceUnits*g.position.Pieces()); err != nil {
		return "", err
	}
	ways := []engine.Way{{Move: m, Squares: []engine.Square{m.From, m.To}}}
	if m.Captured != 0 {
		var err error
		if ways, err = g.rules.Ways(&g.work.total, &g.position); err != nil {
			return "", err
		}
	}
	texts := g.rules.FormatWays(ways)
	return texts[slices.IndexFunc(ways, func(w engine.Way) bool { return w.Move == m })], nil
}

// irreversible reports whether no earlier position can come back after a move:
// a capture, or a man's step forward.
func (g *game) irreversible(before *engine.Position, m engine.Move) bool {
	if m.Captured != 0 {
		return true
	}
	return before.Men[before.Turn].Has(m.From) && g.rules.Row(m.From) != g.rules.Row(m.To)
}

// judge finds the verdict on the position, and whether it is certain.
func (g *game) judge() error {
	q := Query{Position: g.position, Counters: g.counters}
	if g.whole {
		q.Ply = &g.ply
	}
	var err error
	if g.last, _, err = g.t.judge(g.work, &q, withDistance); err != nil {
		return err
	}
	decided := g.last.Category == CategoryWin || g.last.Category == CategoryLoss
	g.sure = !g.last.Inexact && !(decided && !g.last.GameOver && g.repetitionThreatens() && g.canComeBack())
	return nil
}

// canComeBack reports whether some earlier position can occur again: not if
// every move is one that no position comes back from, as where a capture is forced.
func (g *game) canComeBack() bool {
	if g.rules.HasCapture(&g.position) && !g.rules.Optional() {
		return false
	}
	moves, err := g.rules.MovesWithin(&g.work.total, nil, &g.position)
	return err != nil || slices.ContainsFunc(moves, func(m engine.Move) bool { return !g.irreversible(&g.position, m) })
}

// repetitionThreatens reports whether one more occurrence of some position
// that can come back would be a draw, or could be claimed as one.
func (g *game) repetitionThreatens() bool {
	for _, d := range g.rules.Variant().Draws {
		if d.Kind == engine.Repetition && g.most+1 >= int(d.Limit) {
			return true
		}
	}
	return false
}

// verdict shows a result to its side to move, or to the other one.
func verdict(r Result, other bool) *Verdict {
	if r.Category == CategoryUnknown {
		return nil
	}
	if !other {
		return &Verdict{r.Category, r.DTW}
	}
	opposite := [...]Category{
		CategoryLoss: CategoryWin, CategoryBlessedLoss: CategoryCursedWin, CategoryDraw: CategoryDraw,
		CategoryCursedWin: CategoryBlessedLoss, CategoryWin: CategoryLoss,
	}
	return &Verdict{opposite[r.Category], Distance{-r.DTW.plies, r.DTW.known}}
}
