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

// captureBudget bounds the positions that one look-up visits in its search of
// forced captures. What real exchanges lead to takes tens; positions can be made
// up whose exchanges would take for ever, and those stay unknown.
const captureBudget = 4096

// theory returns what is known of p without draw rules. It allocates nothing
// while the blocks it needs are in the cache.
func (t *Tables) theory(p *engine.Position) (theory, error) {
	q := *p
	if p.Turn == engine.Black {
		q = t.rules.Flip(q)
	}
	th, _, err := t.theoryWhite(q, captureBudget)
	return th, err
}

// theoryWhite is theory with White to move, visiting at most so many
// positions; it returns how many are left. It takes a copy: a pointer handed
// down the recursion would make every position move to the heap.
func (t *Tables) theoryWhite(position engine.Position, budget int) (theory, int, error) {
	p := &position
	budget--
	if p.Side(engine.White) == 0 {
		return lostNow, budget, nil
	}
	if p.Side(engine.Black) == 0 {
		if t.rules.HasMove(p) {
			return theory{wld: Win, dtw: plies(1)}, budget, nil
		}
		return lostNow, budget, nil
	}
	s := index.SliceOf(p)
	if !t.rules.Optional() && t.rules.HasCapture(p) {
		if budget <= 0 {
			return theory{missing: s}, 0, nil
		}
		return t.foldCaptures(position, budget)
	}
	tables := t.table(s)
	if tables == nil {
		return t.withoutTable(p, s), budget, nil
	}
	th, err := tables.lookUp(p)
	if th.wld == Loss && !th.dtw.known && !t.rules.HasMove(p) {
		th = lostNow // a table of results alone does not tell
	}
	return th, budget, err
}

// withoutTable returns what can be told of a quiet position outside the tables.
func (t *Tables) withoutTable(p *engine.Position, s index.Slice) theory {
	if !t.rules.HasMove(p) {
		return lostNow
	}
	return theory{missing: s}
}

func (t *Tables) foldCaptures(p engine.Position, budget int) (theory, int, error) {
	var buffer [32]engine.Move
	f := newFold()
	for _, m := range t.rules.Captures(buffer[:0], &p) {
		var child theory
		var err error
		if child, budget, err = t.theoryWhite(t.rules.After(&p, m), budget); err != nil {
			return theory{}, 0, err
		}
		f.add(child)
		if child == lostNow {
			break // nothing is quicker
		}
	}
	return f.result(), budget, nil
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
