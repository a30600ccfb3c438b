package probe

import (
	"errors"
	"fmt"

	"dambase/engine"
)

// ErrCounters is wrapped by errors about counters that a position cannot have.
var ErrCounters = errors.New("bad counters")

// CheckCounters refuses counters that p cannot have: negative, above their
// limit, a situation's where none holds, or more king moves than plies of a
// situation that only captures and promotions enter.
func CheckCounters(r *engine.Rules, p *engine.Position, c engine.Counters) error {
	if c.KingMoves < 0 || c.Situation < 0 {
		return fmt.Errorf("%w: kingmoves %d, situation %d: a counter cannot be negative", ErrCounters, c.KingMoves, c.Situation)
	}
	if limit := r.KingMovesLimit(); limit > 0 && c.KingMoves > limit {
		return fmt.Errorf("%w: kingmoves %d is above its limit %d", ErrCounters, c.KingMoves, limit)
	}
	s := r.Situation(p)
	if s == nil {
		if c.Situation > 0 {
			return fmt.Errorf("%w: situation %d, but no situation holds", ErrCounters, c.Situation)
		}
		return nil
	}
	if c.Situation > s.Limit {
		return fmt.Errorf("%w: situation %d is above the limit %d of %s", ErrCounters, c.Situation, s.Limit, s.Name)
	}
	if !s.DependsOnSquare && c.KingMoves > c.Situation {
		return fmt.Errorf("%w: kingmoves %d is above situation %d, but %s begins with a capture or a promotion", ErrCounters, c.KingMoves, c.Situation, s.Name)
	}
	return nil
}

// FENCounters returns the counters that a FEN's suffix H stands for: that of
// the situation and of king-moves where one holds, else of king-moves alone.
func FENCounters(r *engine.Rules, f *engine.FEN) engine.Counters {
	var c engine.Counters
	if f.Halfmoves == nil {
		return c
	}
	c.KingMoves = *f.Halfmoves
	if r.Situation(&f.Position) != nil {
		c.Situation = *f.Halfmoves
	}
	return c
}

// Clocks shows the counters of a position beside their limits.
type Clocks struct {
	KingMoves      engine.Plies  `json:"kingmoves"`
	KingMovesLimit *engine.Plies `json:"kingmoves_limit"`
	Situation      engine.Plies  `json:"situation"`
	Rule           *string       `json:"rule"`
	SituationLimit *engine.Plies `json:"situation_limit"`
}

// clocks returns the clocks of p, or nil if the variant has no counter.
func (t *Tables) clocks(p *engine.Position, c engine.Counters) *Clocks {
	if !t.rules.HasCounters() {
		return nil
	}
	out := &Clocks{KingMoves: c.KingMoves, Situation: c.Situation}
	if limit := t.rules.KingMovesLimit(); limit > 0 {
		out.KingMovesLimit = &limit
	}
	if s := t.rules.Situation(p); s != nil {
		out.Rule, out.SituationLimit = &s.Name, &s.Limit
	}
	return out
}
