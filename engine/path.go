package engine

import "slices"

// Path returns the squares that a legal move visits: from, the landing square
// of every jump, to. Where several ways of jumping are the same move, it
// returns the first in the generator's order.
func (r *Rules) Path(p *Position, m Move) []Square {
	if m.Captured == 0 {
		return []Square{m.From, m.To}
	}
	for _, c := range r.capturePaths(p) {
		if c.move == m {
			return c.squares
		}
	}
	return nil
}

// capturePaths returns every way of making every legal capture.
func (r *Rules) capturePaths(p *Position) []capturePath {
	s := captureSearch{wantPaths: true}
	s.run(r, p)
	return s.paths
}

// visits reports whether the path passes through the squares in their order.
func (c capturePath) visits(squares []Square) bool {
	rest := c.squares
	for _, s := range squares {
		i := slices.Index(rest, s)
		if i < 0 {
			return false
		}
		rest = rest[i+1:]
	}
	return true
}
