package probe

import (
	"fmt"

	"dambase/engine"
)

// A Query is a position that is asked about.
type Query struct {
	Position engine.Position
	Counters engine.Counters
	// Ply, if not nil, is how many plies the game has lasted: a rule on the
	// length of the game then bears on the result.
	Ply *engine.Plies
}

// A QueryText is a Query as programs and people write it: a FEN, and counters
// that may be left out.
type QueryText struct {
	FEN                       string
	KingMoves, Situation, Ply *engine.Plies
}

// Read reads a query. Its errors wrap engine.ErrFEN, engine.ErrPosition or
// ErrCounters.
func (q QueryText) Read(r *engine.Rules) (Query, error) {
	fen, err := r.ParseFEN(q.FEN)
	if err != nil {
		return Query{}, err
	}
	out := Query{Position: fen.Position, Counters: FENCounters(r, &fen), Ply: q.Ply}
	for _, given := range []struct{ from, to *engine.Plies }{{q.KingMoves, &out.Counters.KingMoves}, {q.Situation, &out.Counters.Situation}} {
		if given.from == nil {
			continue
		}
		if fen.Halfmoves != nil {
			return Query{}, fmt.Errorf("%w: counters are given twice, by H in the FEN and explicitly", ErrCounters)
		}
		*given.to = *given.from
	}
	return out, out.Check(r)
}

// Check refuses a position that cannot occur, counters that it cannot have,
// and a negative length of the game.
func (q *Query) Check(r *engine.Rules) error {
	if err := r.Check(&q.Position); err != nil {
		return err
	}
	if err := CheckCounters(r, &q.Position, q.Counters); err != nil {
		return err
	}
	if q.Ply != nil && *q.Ply < 0 {
		return fmt.Errorf("%w: ply %d: a game cannot have lasted less than 0 plies", ErrCounters, *q.Ply)
	}
	return nil
}

func (q *Query) length() gameLength {
	if q.Ply == nil {
		return gameLength{}
	}
	return gameLength{*q.Ply, true}
}
