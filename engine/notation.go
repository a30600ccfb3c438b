package engine

import (
	"fmt"
	"strconv"
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

// ParseSquare reads a square, by file and rank or by the variant's own number.
func (r *Rules) ParseSquare(text string) (Square, error) {
	if len(text) >= 2 && text[0] >= 'a' && text[0] <= 'z' {
		return r.geometry.parseAlgebraic(text)
	}
	n, err := strconv.Atoi(text)
	if err != nil || text[0] < '0' || text[0] > '9' {
		return NoSquare, fmt.Errorf("%q is not a square", text)
	}
	if n < 1 || n > r.Squares() {
		return NoSquare, fmt.Errorf("square %d is out of range 1 to %d", n, r.Squares())
	}
	if r.variant.Numbering == "bottom-right" {
		return Square(r.Squares() - n), nil
	}
	return Square(n - 1), nil
}
