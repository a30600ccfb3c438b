package engine

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

func (r *Rules) nameSquares() {
	r.names = make([]string, r.Squares())
	for s := range Square(r.Squares()) {
		if r.variant.Notation == "algebraic" {
			r.names[s] = r.geometry.algebraic(s)
		} else {
			r.names[s] = strconv.Itoa(r.number(s))
		}
	}
}

// number returns the variant's own number of a square.
func (r *Rules) number(s Square) int {
	if r.variant.Numbering == "bottom-right" {
		return r.Squares() - int(s)
	}
	return int(s) + 1
}

// SquareName returns a square's name in the variant's own notation.
func (r *Rules) SquareName(s Square) string { return r.names[s] }

// longestSquare is what the name of a square takes at most.
const longestSquare = 3

// ParseSquare reads a square, by file and rank in either case or by the
// variant's own number.
func (r *Rules) ParseSquare(text string) (Square, error) {
	n := squareLength(text)
	if n == 0 || n != len(text) || n > longestSquare {
		return NoSquare, fmt.Errorf("%s is not a square", quote(text))
	}
	if isLetter(text[0]) {
		s, ok := r.geometry.named(text)
		if !ok {
			return NoSquare, fmt.Errorf("%s is not a playing square of this board", quote(text))
		}
		return s, nil
	}
	number, err := strconv.Atoi(text)
	if err != nil || number < 1 || number > r.Squares() {
		return NoSquare, fmt.Errorf("square %s is out of range 1 to %d", text, r.Squares())
	}
	if r.variant.Numbering == "bottom-right" {
		return Square(r.Squares() - number), nil
	}
	return Square(number - 1), nil
}

// quote shows in an error what was read: of a long text the beginning, and
// nothing that could upset a terminal.
func quote(text string) string {
	const mostRunes, mostBytes = 60, 120
	var short strings.Builder
	runes := 0
	for _, c := range text {
		if runes++; runes > mostRunes || short.Len() >= mostBytes {
			short.WriteRune('…')
			break
		}
		switch {
		case unicode.IsSpace(c):
			c = ' '
		case !unicode.IsPrint(c):
			c = unicode.ReplacementChar
		}
		short.WriteRune(c)
	}
	return strconv.Quote(short.String())
}
