package engine

import "slices"

// ParseMove finds the legal move of p that a text names: see MatchMoves. A
// text that fits none or several is a *MoveError.
func (r *Rules) ParseMove(p *Position, text string) (Move, error) {
	ways, err := r.MatchMoves(nil, p, text)
	if err != nil {
		return Move{}, err
	}
	if len(ways) > 1 {
		return Move{}, r.ambiguous(text, ways)
	}
	return ways[0].Move, nil
}

// MatchMoves returns the legal moves of p that a text fits, each once, at
// least one. Legality comes first and spelling second: a text names squares,
// where the piece starts, where it ends and perhaps some between, and fits
// every legal move with these squares, whatever its sign. Of several moves
// those win that the sign is right for, then those that the text tells most
// of: see fit. The error is a *MoveError, or that of the budget, which may be
// nil.
func (r *Rules) MatchMoves(b *Budget, p *Position, text string) ([]Way, error) {
	t, err := r.readMove(text)
	if err != nil {
		return nil, err
	}
	ways, err := r.matchMoves(b, p, t)
	if err == nil && len(ways) == 0 {
		err = r.illegal(b, t, []Position{*p})
	}
	return ways, err
}

// matchMoves is MatchMoves of a text that has been read; it may find none.
func (r *Rules) matchMoves(b *Budget, p *Position, t *moveText) ([]Way, error) {
	capturing := r.HasCapture(p)
	m := moveMatcher{r: r, text: t, budget: b, fits: map[Move]fit{}}
	if capturing {
		search := captureSearch{budget: b, collect: &m}
		search.run(r, p)
	}
	if err := b.Err(); err != nil {
		return nil, err
	}
	quiet, captures := r.matchQuiet(p, t, capturing), m.best()
	switch {
	case t.sign == dash && len(quiet) > 0:
		captures = nil
	case t.sign == cross && len(captures) > 0:
		quiet = nil
	}
	return append(quiet, captures...), nil
}

// matchQuiet returns the quiet move from the first to the second of two squares.
func (r *Rules) matchQuiet(p *Position, t *moveText, capturing bool) []Way {
	if len(t.squares) != 2 || capturing && !r.optional {
		return nil
	}
	var buffer [64]Move
	for _, m := range r.quietMoves(buffer[:0], p) {
		if m.From == t.squares[0] && m.To == t.squares[1] {
			return []Way{{Move: m, Squares: slices.Clone(t.squares)}}
		}
	}
	return nil
}

// A fit says how much of a capture a text tells; of several captures with the
// squares of a text those win that it tells most of.
type fit uint8

const (
	noFit     fit = iota
	passes        // the piece passes all squares written
	visits        // it lands on them, or takes what stands there
	takes         // all pieces that it takes are written
	wholePath     // all squares that it lands on are written
)

// moveMatcher collects the captures that a text fits.
type moveMatcher struct {
	r      *Rules
	text   *moveText
	budget *Budget
	ways   []Way // of the captures that could fit the way that is written
	fits   map[Move]fit
}

func (m *moveMatcher) reset() {
	m.ways = nil
	clear(m.fits)
}

func (m *moveMatcher) add(w Way, first bool) {
	squares := m.text.squares
	if w.From != squares[0] || w.To != squares[1] && w.To != squares[len(squares)-1] || !m.budget.Spend(wayUnits) {
		return
	}
	if first {
		w.Squares, w.Taken = slices.Clone(w.Squares), slices.Clone(w.Taken)
		m.ways = append(m.ways, w)
	}
	m.fits[w.Move] = max(m.fits[w.Move], m.r.fit(squares, &w))
}

// best returns the captures that fit best, in the order of their search.
func (m *moveMatcher) best() []Way {
	best := passes
	for _, f := range m.fits {
		best = max(best, f)
	}
	return slices.DeleteFunc(m.ways, func(w Way) bool { return m.fits[w.Move] < best })
}

// fit says how the squares of a text fit a capture that starts from the first.
func (r *Rules) fit(squares []Square, w *Way) fit {
	if end := squares[1]; w.To == end && len(squares) > 2 && setOf(squares[2:]) == w.Captured && len(squares)-2 == len(w.Taken) {
		return takes // Hub writes what is taken behind the end
	}
	last := len(squares) - 1
	between := squares[1:last]
	switch {
	case w.To != squares[last]:
		return noFit
	case slices.Equal(squares, w.Squares):
		return wholePath
	case slices.Equal(between, w.Taken):
		return takes // as the Turkish federation writes
	case within(between, w.visited()):
		return visits
	case within(between, r.track(w)):
		return passes
	}
	return noFit
}

func setOf(squares []Square) Bits {
	var set Bits
	for _, s := range squares {
		set |= s.Bit()
	}
	return set
}

// within reports whether squares stand in others in their order.
func within(squares, others []Square) bool {
	for _, s := range others {
		if len(squares) > 0 && s == squares[0] {
			squares = squares[1:]
		}
	}
	return len(squares) == 0
}

// visited returns the squares of the pieces that a capture takes and where it
// lands between them, in the order of the way.
func (w *Way) visited() []Square {
	var out []Square
	for i, victim := range w.Taken {
		if i > 0 {
			out = append(out, w.Squares[i])
		}
		out = append(out, victim)
	}
	return out
}

// track returns all squares that a capture comes over between its ends.
func (r *Rules) track(w *Way) []Square {
	g := r.geometry
	var out []Square
	for i, victim := range w.Taken {
		at := w.Squares[i]
		d := Direction(0)
		for !g.ray[d][at].Has(victim) {
			d++
		}
		for at != w.Squares[i+1] {
			at = g.next[d][at]
			out = append(out, at)
		}
	}
	return out[:len(out)-1]
}
