package engine

import (
	"errors"
	"fmt"
	"slices"
)

// ErrFEN is wrapped by every error about the text of a position. The error
// says what is wrong and at which character, the first being 1.
var ErrFEN = errors.New("bad FEN")

// A FEN is a position as read from text.
type FEN struct {
	Position Position
	// Halfmoves is the counter of a lidraughts suffix :H, nil without one. It
	// belongs to the situation that holds, else to king-moves.
	Halfmoves *Plies
}

// ParseFEN reads a position in any form: PDN FEN with numbers or algebraic
// squares, in its tag, in quotes or bare, with a lidraughts suffix :H:F, or a
// Hub string. It refuses positions that cannot occur.
func (r *Rules) ParseFEN(text string) (FEN, error) {
	f := fenReader{r: r, text: text, end: len(text)}
	fen, err := f.read()
	if err == nil {
		err = r.Check(&fen.Position)
	}
	if err != nil {
		return FEN{}, fmt.Errorf("%w: %w", ErrFEN, err)
	}
	return fen, nil
}

// ParsePosition reads a position as ParseFEN does and drops its counter.
func (r *Rules) ParsePosition(text string) (Position, error) {
	fen, err := r.ParseFEN(text)
	return fen.Position, err
}

// FormatFEN writes a position in the variant's notation: White's pieces, then
// Black's, in the order of their numbers, or rank by rank where squares are
// written algebraically.
func (r *Rules) FormatFEN(p *Position) string {
	letter := [2]byte{'W', 'B'}
	out := []byte{letter[p.Turn]}
	for c := White; c <= Black; c++ {
		out = append(out, ':', letter[c])
		for i, s := range r.printOrder(p.Side(c)) {
			if i > 0 {
				out = append(out, ',')
			}
			if p.Kings[c].Has(s) {
				out = append(out, 'K')
			}
			out = append(out, r.SquareName(s)...)
		}
	}
	return string(out)
}

func (r *Rules) printOrder(set Bits) []Square {
	squares := make([]Square, 0, 64)
	for ; set != 0; set &= set - 1 {
		squares = append(squares, set.First())
	}
	key := func(s Square) int {
		if r.variant.Notation == "algebraic" {
			return (r.variant.Rows-r.Row(s))*r.variant.Columns + r.Column(s)
		}
		return r.number(s)
	}
	slices.SortFunc(squares, func(a, b Square) int { return key(a) - key(b) })
	return squares
}
