package engine

import "strings"

// FormatMove writes a legal move of p as PDN does: from and to, or all squares
// visited where another capture shares from and to.
func (r *Rules) FormatMove(p *Position, m Move) string {
	ends := r.squareNames([]Square{m.From, m.To}, r.signOf(&m))
	if m.Captured == 0 {
		return ends
	}
	ways, _ := r.Ways(nil, p) // without a budget there is no error
	for i := range ways {
		if ways[i].Move == m {
			return r.FormatWays(ways)[i]
		}
	}
	return ends
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
		squares := []Square{w.From, w.To}
		if captures[ends{w.From, w.To}] > 1 && w.Captured != 0 {
			squares = w.Squares
		}
		out[i] = r.squareNames(squares, r.signOf(&w.Move))
	}
	return out
}

// signOf returns the sign that a move is written with.
func (r *Rules) signOf(m *Move) string {
	if m.Captured == 0 {
		return "-"
	}
	return r.variant.CaptureSign
}

// squareNames writes squares with a sign between them.
func (r *Rules) squareNames(squares []Square, sign string) string {
	names := make([]string, len(squares))
	for i, s := range squares {
		names[i] = r.SquareName(s)
	}
	return strings.Join(names, sign)
}
