package engine

import (
	"errors"
	"fmt"
)

// A Position is a placement of men and kings, and the side to move. Sets are
// indexed by Color.
type Position struct {
	Men, Kings [2]Bits
	Turn       Color
}

// ErrPosition is wrapped by every error about a position that cannot occur.
var ErrPosition = errors.New("illegal position")

// Occupied returns all squares with a piece.
func (p *Position) Occupied() Bits { return p.Side(White) | p.Side(Black) }

// Side returns all squares with a piece of colour c.
func (p *Position) Side(c Color) Bits { return p.Men[c] | p.Kings[c] }

// Pieces returns the number of pieces on the board.
func (p *Position) Pieces() int { return p.Occupied().Count() }

// Check refuses a position that cannot occur: a piece off the board, two
// pieces on a square, a man on its own crowning row, an empty board.
func (r *Rules) Check(p *Position) error {
	sets := [...]Bits{p.Men[White], p.Kings[White], p.Men[Black], p.Kings[Black]}
	var seen Bits
	for _, set := range sets {
		if off := set &^ r.all; off != 0 {
			return fmt.Errorf("%w: a piece off the board", ErrPosition)
		}
		if twice := set & seen; twice != 0 {
			return fmt.Errorf("%w: two pieces on %s", ErrPosition, r.SquareName(twice.First()))
		}
		seen |= set
	}
	if seen == 0 {
		return fmt.Errorf("%w: no pieces", ErrPosition)
	}
	for c := White; c <= Black; c++ {
		if crowned := p.Men[c] & r.crown[c]; crowned != 0 {
			return fmt.Errorf("%w: a %s man on %s, its crowning row", ErrPosition, c, r.SquareName(crowned.First()))
		}
	}
	return nil
}

// Flip returns the same position with the board turned by 180 degrees and the
// colours exchanged: what is White to move becomes Black to move.
func (r *Rules) Flip(p Position) Position {
	turn := r.geometry.turn
	return Position{
		Men:   [2]Bits{turn(p.Men[Black]), turn(p.Men[White])},
		Kings: [2]Bits{turn(p.Kings[Black]), turn(p.Kings[White])},
		Turn:  p.Turn.Opponent(),
	}
}

// After is Flip of Play: the position after a legal move as the opponent,
// then to move, sees it.
func (r *Rules) After(p *Position, m Move) (q Position) {
	us, them := p.Turn, p.Turn.Opponent()
	from, to := m.From.Bit(), m.To.Bit()
	men, kings := p.Men[us]&^from, p.Kings[us]&^from
	if men != p.Men[us] && !m.Promotes {
		men |= to
	} else {
		kings |= to
	}
	turn := r.geometry.turn
	q.Men[us], q.Kings[us] = turn(p.Men[them]&^m.Captured), turn(p.Kings[them]&^m.Captured)
	q.Men[them], q.Kings[them] = turn(men), turn(kings)
	q.Turn = us
	return q
}

// Start returns the first position of a game.
func (r *Rules) Start() Position {
	v := r.variant
	p := Position{Turn: r.first}
	for i := range v.StartRows {
		row := v.StartGap + i
		p.Men[Black] |= r.geometry.rowBits(row)
		p.Men[White] |= r.geometry.rowBits(v.Rows - 1 - row)
	}
	return p
}
