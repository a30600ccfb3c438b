package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrMove is wrapped by every error about the text of a move.
var ErrMove = errors.New("bad move")

// FormatMove writes a legal move of p as PDN does: from and to, or all squares
// visited where another capture shares from and to.
func (r *Rules) FormatMove(p *Position, m Move) string {
	if m.Captured == 0 {
		return r.squareNames([]Square{m.From, m.To}, "-")
	}
	ways, _ := r.Ways(nil, p) // without a budget there is no error
	for i := range ways {
		if ways[i].Move == m {
			return r.FormatWays(ways)[i]
		}
	}
	return r.squareNames([]Square{m.From, m.To}, r.variant.CaptureSign)
}

// FormatWays writes all legal moves of a position, as Ways returns them, each
// as FormatMove does.
func (r *Rules) FormatWays(ways []Way) []string {
	type ends struct{ from, to Square }
	captures := map[ends]int{}
	for i := range ways {
		if w := &ways[i]; w.Captured != 0 {
			captures[ends{w.From, w.To}]++
		}
	}
	out := make([]string, len(ways))
	for i := range ways {
		w := &ways[i]
		switch {
		case w.Captured == 0:
			out[i] = r.squareNames(w.Squares, "-")
		case captures[ends{w.From, w.To}] > 1:
			out[i] = r.squareNames(w.Squares, r.variant.CaptureSign)
		default:
			out[i] = r.squareNames([]Square{w.From, w.To}, r.variant.CaptureSign)
		}
	}
	return out
}

// squareNames writes squares with a sign between them.
func (r *Rules) squareNames(squares []Square, sign string) string {
	names := make([]string, len(squares))
	for i, s := range squares {
		names[i] = r.SquareName(s)
	}
	return strings.Join(names, sign)
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
	last := len(squares) - 1
	ways, _ := r.searchWays(nil, p, func(w *Way, _ bool) bool {
		return w.From == squares[0] && w.To == squares[last] && len(w.Squares) >= len(squares) && visits(w.Squares, squares)
	})
	var found []Move
	for _, w := range ways {
		if len(w.Squares) == len(squares) {
			return []Move{w.Move}
		}
		if !slices.Contains(found, w.Move) {
			found = append(found, w.Move)
		}
	}
	return found
}

// visits reports whether a path passes through the squares in their order.
func visits(path, squares []Square) bool {
	for _, s := range squares {
		i := slices.Index(path, s)
		if i < 0 {
			return false
		}
		path = path[i+1:]
	}
	return true
}
