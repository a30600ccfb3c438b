package engine

import (
	"errors"
	"fmt"
	"strings"
)

// ErrMove is wrapped by every error about the text of a move.
var ErrMove = errors.New("bad move")

// FormatMove writes a legal move of p as PDN does: from and to, or all squares
// visited where another capture shares from and to.
func (r *Rules) FormatMove(p *Position, m Move) string {
	if m.Captured == 0 {
		return r.SquareName(m.From) + "-" + r.SquareName(m.To)
	}
	var buffer [64]Move
	squares := []Square{m.From, m.To}
	for _, other := range r.Captures(buffer[:0], p) {
		if other != m && other.From == m.From && other.To == m.To {
			squares = r.Path(p, m)
			break
		}
	}
	names := make([]string, len(squares))
	for i, s := range squares {
		names[i] = r.SquareName(s)
	}
	return strings.Join(names, r.variant.CaptureSign)
}

// ParseMove finds the legal move of p that text names: "a-b" a quiet move,
// "axb" or "a:b" a capture, with as many of the squares visited in between as
// tell it from others.
func (r *Rules) ParseMove(p *Position, text string) (Move, error) {
	text = strings.TrimSpace(text)
	separator := ""
	if i := strings.IndexAny(text, "-x:"); i >= 0 {
		separator = text[i : i+1]
	}
	if separator == "" {
		return Move{}, fmt.Errorf("%w %q: want two squares with -, x or : between them", ErrMove, text)
	}
	var squares []Square
	for name := range strings.SplitSeq(text, separator) {
		s, err := r.ParseSquare(name)
		if err != nil {
			return Move{}, fmt.Errorf("%w %q: %w", ErrMove, text, err)
		}
		squares = append(squares, s)
	}
	var found []Move
	if separator == "-" {
		if len(squares) != 2 {
			return Move{}, fmt.Errorf("%w %q: a quiet move has two squares", ErrMove, text)
		}
		found = r.matchQuiet(p, squares[0], squares[1])
	} else {
		found = r.matchCaptures(p, squares)
	}
	switch len(found) {
	case 0:
		return Move{}, fmt.Errorf("%w %q: not legal in %s", ErrMove, text, r.FormatFEN(p))
	case 1:
		return found[0], nil
	}
	return Move{}, fmt.Errorf("%w %q: stands for %d captures; write the squares in between", ErrMove, text, len(found))
}

func (r *Rules) matchQuiet(p *Position, from, to Square) []Move {
	var found []Move
	for _, m := range r.Moves(nil, p) {
		if m.Captured == 0 && m.From == from && m.To == to {
			found = append(found, m)
		}
	}
	return found
}

// matchCaptures returns the captures that visit the squares in their order. A
// capture whose full path is written wins over others that pass the same squares.
func (r *Rules) matchCaptures(p *Position, squares []Square) []Move {
	var found []Move
	last := len(squares) - 1
	for _, c := range r.capturePaths(p) {
		if c.move.From != squares[0] || c.move.To != squares[last] || len(c.squares) < len(squares) || !c.visits(squares) {
			continue
		}
		if len(c.squares) == len(squares) {
			return []Move{c.move}
		}
		known := false
		for _, m := range found {
			known = known || m == c.move
		}
		if !known {
			found = append(found, c.move)
		}
	}
	return found
}
