package probe

import (
	"dambase/engine"
	"dambase/index"
)

// theory is what is known of a position without draw rules.
type theory struct {
	wld     WLD
	dtw     Distance
	missing index.Slice
}

// lostNow is the theory of a side without a legal move or a piece.
var lostNow = theory{wld: Loss, dtw: plies(0)}

// A fold collects the theories of the positions after each move.
type fold struct {
	wins, draws, losses, unknown bool // of children, as their side to move sees them
	// The shortest way to win and the longest way to lose, in plies from the
	// parent, and whether every child that could change them has a distance.
	win, loss           engine.Plies
	winExact, lossExact bool
	missing             index.Slice
	moves               bool
}

func newFold() fold { return fold{winExact: true, lossExact: true} }

func (f *fold) add(child theory) {
	f.moves = true
	n, exact := child.dtw.abs()+1, child.dtw.known
	switch child.wld {
	case Loss:
		if exact && (!f.losses || f.win == 0 || n < f.win) {
			f.win = n
		}
		f.winExact = f.winExact && exact
		f.losses = true
	case Draw:
		f.draws = true
	case Win:
		f.loss = max(f.loss, n)
		f.lossExact = f.lossExact && exact
		f.wins = true
	default:
		f.unknown = true
		f.missing = child.missing
	}
}

// result is the theory of the parent. A move that wins decides even if others
// are unknown; its distance does not, unless it wins at once.
func (f *fold) result() theory {
	switch {
	case !f.moves:
		return lostNow
	case f.losses:
		r := theory{wld: Win, missing: f.missing}
		if f.win == 1 || f.winExact && !f.unknown {
			r.dtw = plies(f.win)
		}
		return r
	case f.unknown:
		return theory{missing: f.missing}
	case f.draws:
		return theory{wld: Draw}
	}
	r := theory{wld: Loss}
	if f.lossExact {
		r.dtw = plies(-f.loss)
	}
	return r
}

// theory returns what is known of p without draw rules. It allocates nothing
// while the blocks it needs are in the cache.
func (t *Tables) theory(p *engine.Position) (theory, error) {
	if p.Turn == engine.Black {
		return t.theoryWhite(t.rules.Flip(*p))
	}
	return t.theoryWhite(*p)
}

// theoryWhite is theory with White to move. It takes a copy: a pointer handed
// down the recursion would make every position move to the heap.
func (t *Tables) theoryWhite(position engine.Position) (theory, error) {
	p := &position
	if p.Side(engine.White) == 0 {
		return lostNow, nil
	}
	if p.Side(engine.Black) == 0 {
		if t.rules.HasMove(p) {
			return theory{wld: Win, dtw: plies(1)}, nil
		}
		return lostNow, nil
	}
	if !t.rules.Optional() {
		var buffer [32]engine.Move
		if captures := t.rules.Captures(buffer[:0], p); len(captures) > 0 {
			return t.foldMoves(p, captures)
		}
	}
	s := index.SliceOf(p)
	tables := t.table(s)
	if tables == nil {
		return t.withoutTable(p, s)
	}
	return tables.lookUp(p)
}

// withoutTable returns what can be told of a quiet position outside the tables.
func (t *Tables) withoutTable(p *engine.Position, s index.Slice) (theory, error) {
	if !t.rules.HasMove(p) {
		return lostNow, nil
	}
	return theory{missing: s}, nil
}

func (t *Tables) foldMoves(p *engine.Position, moves []engine.Move) (theory, error) {
	f := newFold()
	for _, m := range moves {
		child, err := t.theoryWhite(t.rules.Flip(t.rules.Play(p, m)))
		if err != nil {
			return theory{}, err
		}
		f.add(child)
	}
	return f.result(), nil
}

// lookUp reads the entry of a quiet position: its distance if there is a
// table of them, else the result alone.
func (s *sliceTables) lookUp(p *engine.Position) (theory, error) {
	i := s.numbering.Index(p)
	if s.dtw == nil {
		entry, err := s.wld.At(i)
		return theory{wld: wldOf(index.WLD(entry))}, err
	}
	entry, err := s.dtw.At(i)
	if err != nil {
		return theory{}, err
	}
	v := index.Value(entry)
	r := theory{wld: wldOf(v.WLD())}
	switch r.wld {
	case Win:
		r.dtw = plies(v.Distance())
	case Loss:
		r.dtw = plies(-v.Distance())
	}
	return r, nil
}

func wldOf(w index.WLD) WLD { return [...]WLD{index.Draw: Draw, index.Win: Win, index.Loss: Loss}[w] }
