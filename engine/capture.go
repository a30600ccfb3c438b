package engine

import (
	"slices"
	"sync"
)

// maxCaptures is the most pieces that one capture can take: all squares but
// one have a piece, for all that is known of a position.
const maxCaptures = 63

// HasCapture reports whether the side to move can capture.
func (r *Rules) HasCapture(p *Position) bool {
	us, them := p.Turn, p.Turn.Opponent()
	free := r.all &^ p.Occupied()
	targets := p.Side(them)
	if !r.menTakeKings {
		targets = p.Men[them]
	}
	if men := p.Men[us]; men != 0 {
		for _, d := range r.manCaptures[us] {
			if r.geometry.canJump(men, targets, free, d) {
				return true
			}
		}
	}
	if p.Kings[us] == 0 {
		return false
	}
	if r.flying {
		return r.kingCanCapture(p)
	}
	for d := range Direction(directions) {
		if r.geometry.canJump(p.Kings[us], p.Side(them), free, d) {
			return true
		}
	}
	return false
}

// canJump reports whether a piece of a set has a target beside it and a free
// square behind that.
func (g *geometry) canJump(pieces, targets, free Bits, d Direction) bool {
	s := &g.shift[d]
	return s.apply(s.apply(pieces)&targets)&free != 0
}

// kingCanCapture reports whether a flying king of the side to move can capture.
func (r *Rules) kingCanCapture(p *Position) bool {
	g, occupied := r.geometry, p.Occupied()
	targets := p.Side(p.Turn.Opponent())
	for kings := p.Kings[p.Turn]; kings != 0; kings &= kings - 1 {
		from := kings.First()
		for d := range Direction(directions) {
			victim := g.firstOn(g.ray[d][from], d, occupied)
			if victim == NoSquare || !targets.Has(victim) {
				continue
			}
			if behind := g.next[d][victim]; behind != NoSquare && !occupied.Has(behind) {
				return true
			}
		}
	}
	return false
}

// searches are captureSearches to be used again. A search keeps its moves in
// memory of its own, so that a caller's buffer can live on the caller's stack.
var searches = sync.Pool{New: func() any { return new(captureSearch) }}

// Captures appends the legal captures of the side to move to dst, each once.
func (r *Rules) Captures(dst []Move, p *Position) []Move {
	dst, _ = r.CapturesWithin(nil, dst, p) // without a budget there is no error
	return dst
}

// CapturesWithin is Captures within a budget. Its error is the budget's; dst
// is then as it was.
func (r *Rules) CapturesWithin(b *Budget, dst []Move, p *Position) ([]Move, error) {
	if !r.HasCapture(p) {
		return dst, b.Err()
	}
	s := searches.Get().(*captureSearch)
	s.budget = b
	s.run(r, p)
	if b.Err() == nil {
		dst = append(dst, s.moves...)
	}
	s.budget = nil
	if cap(s.moves) <= maxPooledMoves {
		searches.Put(s)
	}
	return dst, b.Err()
}

// maxPooledMoves keeps the memory of an extreme search from being held for ever.
const maxPooledMoves = 4096

// A captureSearch walks all complete captures of a side, depth first, and
// keeps those that the choice rule allows.
type captureSearch struct {
	r    *Rules
	us   Color
	opp  Bits // the opponent's pieces before the capture
	opk  Bits // kings among them
	rest Bits // all pieces but the moving one

	isKing bool // the moving piece at the start
	from   Square
	taken  Bits
	count  int
	kings  int    // kings taken so far
	order  uint64 // bit maxCaptures-1-i: the i-th piece taken was a king
	path   [maxCaptures + 1]Square
	victim [maxCaptures]Square

	budget *Budget

	moves []Move
	known map[Move]struct{} // those of moves, where they are many
	best  rank              // of them all

	collect collector // nil if the moves alone are wanted
}

// A collector is told every way of making the captures that a search keeps.
type collector interface {
	// reset forgets all ways so far: the choice rule prefers what comes.
	reset()
	// add is told a way, which is valid until it returns; first tells that it
	// is the first way of making its move.
	add(w Way, first bool)
}

// run finds the legal captures of p.
func (s *captureSearch) run(r *Rules, p *Position) {
	them := p.Turn.Opponent()
	s.r, s.us = r, p.Turn
	s.opp, s.opk = p.Side(them), p.Kings[them]
	s.rest = p.Occupied()
	s.moves, s.known, s.best = s.moves[:0], nil, rank{}
	for men := p.Men[s.us]; men != 0; men &= men - 1 {
		s.start(men.First(), false)
	}
	for kings := p.Kings[s.us]; kings != 0; kings &= kings - 1 {
		s.start(kings.First(), true)
	}
}

// start searches the captures of one piece.
func (s *captureSearch) start(from Square, king bool) {
	s.from, s.isKing = from, king
	s.rest &^= from.Bit() // the start square counts as empty
	s.path[0] = from
	s.jumpOn(from, king, noDirection)
	s.rest |= from.Bit()
}

const noDirection Direction = directions

// jumpOn tries every jump of the moving piece from at, having arrived in
// direction last, and reports whether there is one.
func (s *captureSearch) jumpOn(at Square, king bool, last Direction) bool {
	if !s.budget.Spend(1) {
		return false
	}
	found := false
	for _, d := range s.ways(king) {
		if last != noDirection && !s.r.turnBack && d == last.opposite() {
			continue
		}
		if victim, landings := s.jump(at, d, king); landings != 0 {
			found = true
			s.take(victim, landings, d, king)
		}
	}
	return found
}

var allDirections = [directions]Direction{0, 1, 2, 3}

func (s *captureSearch) ways(king bool) []Direction {
	if king {
		return allDirections[:]
	}
	return s.r.manCaptures[s.us]
}

// jump returns the piece that a jump from at in direction d takes, and where
// it can land; no landing means no jump.
func (s *captureSearch) jump(at Square, d Direction, king bool) (victim Square, landings Bits) {
	g := s.r.geometry
	blockers := s.rest
	if s.r.liftNow {
		blockers &^= s.taken
	}
	if king && s.r.flying {
		victim = g.firstOn(g.ray[d][at], d, blockers)
	} else {
		victim = g.next[d][at]
	}
	targets := s.opp &^ s.taken
	if !king && !s.r.menTakeKings {
		targets &^= s.opk
	}
	if victim == NoSquare || !targets.Has(victim) {
		return victim, 0
	}
	if king && s.r.flying && s.r.landing != LandBehind {
		return victim, g.reach(victim, d, blockers)
	}
	if behind := g.next[d][victim]; behind != NoSquare {
		landings = behind.Bit() &^ blockers
	}
	return victim, landings
}

// take makes one jump and goes on from each landing square.
func (s *captureSearch) take(victim Square, landings Bits, d Direction, king bool) {
	tookKing := s.opk.Has(victim)
	s.taken |= victim.Bit()
	s.victim[s.count] = victim
	s.count++
	if tookKing {
		s.kings++
		s.order |= 1 << (maxCaptures - s.count)
	}
	var goesOn Bits
	// The nearest landing first: of several ways of making a move the first is
	// the one that is written.
	for todo := landings; todo != 0; {
		to := s.r.geometry.firstOn(todo, d, todo)
		todo &^= to.Bit()
		s.path[s.count] = to
		if s.jumpOn(to, king || s.r.passing && s.r.crown[s.us].Has(to), d) {
			goesOn |= to.Bit()
		}
	}
	stops := landings &^ goesOn
	if goesOn != 0 && s.r.landing == LandGoOn {
		stops = 0
	}
	if tookKing && s.r.landing == LandBehindKing {
		if behind := s.r.geometry.next[d][victim]; behind != NoSquare {
			stops &= behind.Bit()
		}
	}
	for ; stops != 0; stops &= stops - 1 {
		to := stops.First()
		s.path[s.count] = to
		s.record(to, king)
	}
	if tookKing {
		s.kings--
		s.order &^= 1 << (maxCaptures - s.count)
	}
	s.count--
	s.taken &^= victim.Bit()
}

// manyMoves is from how many moves on they are looked up in a map.
const manyMoves = 64

// record keeps a complete capture if the choice rule prefers no other.
// king tells whether the piece arrived at to as one.
func (s *captureSearch) record(to Square, king bool) {
	rank := s.rank()
	better := rank.compare(s.best)
	if better < 0 || s.budget.Err() != nil {
		return
	}
	if better > 0 {
		s.best = rank
		s.moves, s.known = s.moves[:0], nil
		if s.collect != nil {
			s.collect.reset()
		}
	}
	m := Move{
		From: s.from, To: to, Captured: s.taken,
		Promotes: !s.isKing && (king || s.r.crown[s.us].Has(to)),
	}
	first := s.keep(m)
	if s.collect != nil {
		s.collect.add(Way{Move: m, Squares: s.path[:s.count+1], Taken: s.victim[:s.count]}, first)
	}
}

// keep adds a move and reports whether it is new.
func (s *captureSearch) keep(m Move) bool {
	if s.known == nil && len(s.moves) == manyMoves {
		s.known = make(map[Move]struct{})
		for _, k := range s.moves {
			s.known[k] = struct{}{}
		}
	}
	if s.known != nil {
		if _, ok := s.known[m]; ok {
			return false
		}
		s.known[m] = struct{}{}
	} else if slices.Contains(s.moves, m) {
		return false
	}
	s.moves = append(s.moves, m)
	return true
}

// A rank orders captures by the choice rule: what each criterion says, in their
// order, the larger the better.
type rank [criteria]uint64

func (r rank) compare(o rank) int { return slices.Compare(r[:], o[:]) }

func (s *captureSearch) rank() rank {
	var r rank
	for i, c := range s.r.choice {
		switch c {
		case MostPieces:
			r[i] = uint64(s.count)
		case KingCaptures:
			if s.isKing {
				r[i] = 1
			}
		case MostKings:
			r[i] = uint64(s.kings)
		case KingsEarliest:
			r[i] = s.order
		}
	}
	return r
}
