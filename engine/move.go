package engine

// A Move is one ply. Two ways of jumping that agree in all four fields are one move.
type Move struct {
	Captured Bits // the squares of the pieces taken; 0 for a quiet move
	From, To Square
	Promotes bool // the moving man becomes a king
}

// Play returns the position after a legal move.
func (r *Rules) Play(p *Position, m Move) Position {
	q := *p
	us, them := p.Turn, p.Turn.Opponent()
	from, to := m.From.Bit(), m.To.Bit()
	wasMan := q.Men[us]&from != 0
	q.Men[us] &^= from
	q.Kings[us] &^= from
	if wasMan && !m.Promotes {
		q.Men[us] |= to
	} else {
		q.Kings[us] |= to
	}
	q.Men[them] &^= m.Captured
	q.Kings[them] &^= m.Captured
	q.Turn = them
	return q
}

// Moves appends the legal moves of the side to move to dst, each once. It
// allocates nothing but what dst needs to grow.
func (r *Rules) Moves(dst []Move, p *Position) []Move {
	dst, _ = r.MovesWithin(nil, dst, p) // without a budget there is no error
	return dst
}

// MovesWithin is Moves within a budget. Its error is the budget's; dst is then
// as it was.
func (r *Rules) MovesWithin(b *Budget, dst []Move, p *Position) ([]Move, error) {
	base := len(dst)
	dst, err := r.CapturesWithin(b, dst, p)
	if err != nil || len(dst) > base && !r.optional {
		return dst, err
	}
	return r.quietMoves(dst, p), nil
}

// HasMove reports whether the side to move has a legal move.
func (r *Rules) HasMove(p *Position) bool {
	us := p.Turn
	free := r.all &^ p.Occupied()
	for kings := p.Kings[us]; kings != 0; kings &= kings - 1 {
		for d := range r.geometry.next {
			if t := r.geometry.next[d][kings.First()]; t != NoSquare && free.Has(t) {
				return true
			}
		}
	}
	for men := p.Men[us]; men != 0; men &= men - 1 {
		for _, d := range r.manSteps[us] {
			if t := r.geometry.next[d][men.First()]; t != NoSquare && free.Has(t) {
				return true
			}
		}
	}
	return r.HasCapture(p)
}

func (r *Rules) quietMoves(dst []Move, p *Position) []Move {
	us := p.Turn
	occupied := p.Occupied()
	for men := p.Men[us]; men != 0; men &= men - 1 {
		from := men.First()
		for _, d := range r.manSteps[us] {
			if to := r.geometry.next[d][from]; to != NoSquare && !occupied.Has(to) {
				dst = append(dst, Move{From: from, To: to, Promotes: r.crown[us].Has(to)})
			}
		}
	}
	for kings := p.Kings[us]; kings != 0; kings &= kings - 1 {
		from := kings.First()
		for to := r.KingSteps(from, occupied); to != 0; to &= to - 1 {
			dst = append(dst, Move{From: from, To: to.First()})
		}
	}
	return dst
}

// KingSteps returns where a king on from can go without capturing. A king's
// quiet moves are reversible: s is in KingSteps(t) exactly if t is in KingSteps(s),
// the king's own square being left out of occupied.
func (r *Rules) KingSteps(from Square, occupied Bits) Bits {
	var out Bits
	g := r.geometry
	for d := range Direction(directions) {
		if r.flying {
			out |= g.reach(from, d, occupied)
		} else if t := g.next[d][from]; t != NoSquare {
			out |= t.Bit() &^ occupied
		}
	}
	return out
}

// reach returns the free squares of a ray up to the first piece.
func (g *geometry) reach(from Square, d Direction, occupied Bits) Bits {
	ray := g.ray[d][from]
	if blocker := g.firstOn(ray, d, occupied); blocker != NoSquare {
		return ray &^ g.ray[d][blocker] &^ blocker.Bit()
	}
	return ray
}

// firstOn returns the piece nearest to the start of a ray of direction d.
func (g *geometry) firstOn(ray Bits, d Direction, occupied Bits) Square {
	hit := ray & occupied
	if hit == 0 {
		return NoSquare
	}
	if g.rises[d] {
		return hit.First()
	}
	return hit.Last()
}

// ManSteps returns where a man of colour c on from can go without capturing.
func (r *Rules) ManSteps(c Color, from Square, occupied Bits) Bits {
	var out Bits
	for _, d := range r.manSteps[c] {
		if t := r.geometry.next[d][from]; t != NoSquare {
			out |= t.Bit() &^ occupied
		}
	}
	return out
}
