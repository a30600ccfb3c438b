package engine

// A DrawKind is what a draw rule counts.
type DrawKind string

// The kinds of draw rules.
const (
	// KingMoves counts quiet king moves since the last capture or man's move.
	KingMoves DrawKind = "king-moves"
	// SituationRule counts the plies since a condition on the material came about.
	SituationRule DrawKind = "situation"
	// GameLength counts the plies of the whole game.
	GameLength DrawKind = "game-length"
	// Repetition counts the occurrences of a position.
	Repetition DrawKind = "repetition"
)

// A DrawRule ends a game in a draw, by itself or on a player's claim.
type DrawRule struct {
	Kind  DrawKind `toml:"kind" json:"kind"`
	Name  string   `toml:"name,omitempty" json:"name,omitempty"` // of a situation
	Limit Plies    `toml:"limit" json:"limit"`                   // plies, or occurrences of a repetition
	Claim bool     `toml:"claim,omitempty" json:"claim,omitempty"`
	// FlagDraw, of a repetition that can be claimed, makes a flag that falls
	// while the claim stands a draw instead of a loss.
	FlagDraw bool `toml:"flag_draw,omitempty" json:"flag_draw,omitempty"`
	// When lists the materials of a situation, either colour first: "KKM v K"
	// is two kings and a man against a king, "KKK+ v K" three kings or more.
	When []string `toml:"when,omitempty" json:"when,omitempty"`
	// LoneKingOn narrows a situation to positions whose lone king stands on
	// one of these squares, named by file and rank.
	LoneKingOn []string `toml:"lone_king_on,omitempty" json:"lone_king_on,omitempty"`
}

// A Situation is a compiled draw rule of kind SituationRule.
type Situation struct {
	Name  string
	Limit Plies
	when  []confrontation
	// loneKingOn is where the lone king must stand.
	loneKingOn Bits
	// DependsOnSquare tells that quiet king moves can enter and leave it.
	DependsOnSquare bool
}

// Holds reports whether the situation's condition is met in p.
func (s *Situation) Holds(p *Position) bool { return s.met(p, s.loneKingOn) }

// Squares returns where the lone king must stand; the whole board if the
// situation does not depend on it.
func (s *Situation) Squares() Bits { return s.loneKingOn }

// met reports whether p has the situation's material, and its lone king on one
// of the squares.
func (s *Situation) met(p *Position, squares Bits) bool {
	for _, c := range s.when {
		for strong := White; strong <= Black; strong++ {
			weak := strong.Opponent()
			if c.strong.matches(p, strong) && c.weak.matches(p, weak) && (!s.DependsOnSquare || p.Kings[weak]&squares != 0) {
				return true
			}
		}
	}
	return false
}

// Counters are the draw counters of a position, as they stand after the ply
// that led to it. The zero value belongs to a position without history.
type Counters struct {
	KingMoves Plies // quiet king moves since the last capture or man's move
	Situation Plies // plies inside the situation that holds now
}

// Situation returns the situation that holds in p, or nil. At most one holds:
// Compile refuses rules where two could.
func (r *Rules) Situation(p *Position) *Situation {
	for i := range r.situations {
		if r.situations[i].Holds(p) {
			return &r.situations[i]
		}
	}
	return nil
}

// MaterialSituation returns a situation that p has the material of, wherever
// its kings stand, or nil.
func (r *Rules) MaterialSituation(p *Position) *Situation {
	for i := range r.situations {
		if r.situations[i].met(p, r.all) {
			return &r.situations[i]
		}
	}
	return nil
}

// Advance returns the counters after m has led from before to after.
func (r *Rules) Advance(c Counters, before *Position, m Move, after *Position) Counters {
	var next Counters
	if m.Captured == 0 && before.Kings[before.Turn].Has(m.From) {
		next.KingMoves = c.KingMoves + 1
	}
	if held := r.Situation(before); held != nil && held == r.Situation(after) {
		next.Situation = c.Situation + 1
	}
	return next
}

// KingMovesLimit returns the limit of the automatic king-moves rule, or 0.
func (r *Rules) KingMovesLimit() Plies { return r.kingMoves }

// GameLengthLimit returns the limit of the automatic game-length rule, or 0.
func (r *Rules) GameLengthLimit() Plies { return r.gameLength }

// Situations returns the compiled situations; the caller must not change them.
func (r *Rules) Situations() []Situation { return r.situations }

// HasCounters reports whether an automatic counter can end a game.
func (r *Rules) HasCounters() bool { return r.kingMoves > 0 || len(r.situations) > 0 }

// Drawn names the automatic rule whose counter has reached its limit in p, or
// returns "". A side to move without a legal move has lost whatever the counters say.
func (r *Rules) Drawn(p *Position, c Counters) string {
	name := ""
	if s := r.Situation(p); s != nil && c.Situation >= s.Limit {
		name = s.Name
	} else if r.kingMoves > 0 && c.KingMoves >= r.kingMoves {
		name = string(KingMoves)
	}
	if name != "" && !r.HasMove(p) {
		return ""
	}
	return name
}
