package probe

import (
	"errors"

	"dambase/engine"
	"dambase/index"
)

// A value is what is known of a position: its result without draw rules, and
// its entry under them.
type value struct {
	wld WLD
	dtw Distance
	// entry is how much of the binding counter the result needs; ruled tells
	// whether it is known.
	entry index.Ruled
	ruled bool
	why   unknown // why something is not known
}

// unknown is why something is not known; zero if it is.
type unknown struct {
	missing index.Slice // whose table is wanted
	budget  bool        // the captures are too many to be searched
}

// lostNow is the value of a side without a legal move or a piece.
var lostNow = value{wld: Loss, dtw: plies(0), entry: index.RuledLoss(0), ruled: true}

// value returns what is known of a position, in a plane of entries.
func (t *Tables) value(w *Work, p *engine.Position, plane int) (value, error) {
	q := *p
	if p.Turn == engine.Black {
		q = t.rules.Flip(q)
	}
	w.look = w.position.Part(min(lookUnits, w.total.Left()))
	v, err := t.descend(w, q, plane, t.situation(&q))
	used := w.look.Spent()
	w.position.Spend(used)
	return v, errors.Join(err, w.spent(used))
}

// situation returns the situation that holds in p, if entries ask for it.
func (t *Tables) situation(p *engine.Position) *engine.Situation {
	if !t.entries {
		return nil
	}
	return t.rules.Situation(p)
}

// descend returns what is known of a position with White to move in which a
// situation holds: from the tables, or where White must capture from the
// positions after the captures. It takes a copy: a pointer handed down the
// recursion would make every position move to the heap.
func (t *Tables) descend(w *Work, position engine.Position, plane int, here *engine.Situation) (value, error) {
	p := &position
	if !w.look.Spend(visitUnits) {
		return w.giveUp()
	}
	if p.Side(engine.White) == 0 {
		return lostNow, nil
	}
	if p.Side(engine.Black) == 0 {
		if t.rules.HasMove(p) {
			return value{wld: Win, dtw: plies(1), entry: index.RuledWin(1), ruled: true}, nil
		}
		return lostNow, nil
	}
	if !t.rules.Optional() && t.rules.HasCapture(p) {
		return t.foldCaptures(w, position, plane, here)
	}
	s := index.SliceOf(p)
	if tables := t.table(s); tables != nil {
		v, err := tables.lookUp(w, p, plane, t.entries)
		if v.wld == Loss && !v.dtw.known && !t.rules.HasMove(p) {
			v = lostNow // a table of results alone does not tell
		}
		return v, err
	}
	if !t.rules.HasMove(p) {
		return lostNow, nil
	}
	return value{why: unknown{missing: s}}, nil
}

// giveUp is the value of a position that the budget of its look-up does not
// reach; an error if its request has ended.
func (w *Work) giveUp() (value, error) {
	if err := w.look.Err(); !errors.Is(err, engine.ErrBudget) {
		return value{}, err
	}
	return value{why: unknown{budget: true}}, nil
}

func (t *Tables) foldCaptures(w *Work, p engine.Position, plane int, here *engine.Situation) (value, error) {
	var buffer [32]engine.Move
	captures, err := t.rules.CapturesWithin(&w.look, buffer[:0], &p)
	if err != nil {
		return w.giveUp()
	}
	f := newFold()
	for _, m := range captures {
		q := t.rules.After(&p, m)
		after := t.situation(&q)
		next, over := step(here, plane, after)
		child, err := t.descend(w, q, next, after)
		if err != nil {
			return value{}, err
		}
		if child == lostNow {
			return value{wld: Win, dtw: plies(1), entry: index.RuledWin(1), ruled: true}, nil // nothing is quicker
		}
		if over {
			child.entry, child.ruled = index.RuledDraw, true
		}
		f.add(child, t.gives(&p, m, here, after, child.entry))
	}
	return f.value(), nil
}

// lookUp reads what the tables of the slice say of a quiet position: its
// distance if there is a table of them, else the result alone; and its entry.
func (s *sliceTables) lookUp(w *Work, p *engine.Position, plane int, entries bool) (value, error) {
	n, err := s.numbering()
	if err != nil {
		return value{}, err
	}
	i := n.Index(p)
	v, err := s.theory(w, i)
	if err != nil || v == lostNow || !entries {
		return v, err
	}
	switch {
	case v.wld == Draw:
		v.entry, v.ruled = index.RuledDraw, true
	case s.dtz == nil:
		v.why = unknown{missing: n.Slice()}
	default:
		e, err := w.read(s.dtz, uint64(plane)*n.Size()+i)
		if err != nil {
			return value{}, err
		}
		v.entry, v.ruled = index.Ruled(e), true
	}
	return v, nil
}

// theory reads the result of a position without draw rules.
func (s *sliceTables) theory(w *Work, i uint64) (value, error) {
	if s.dtw == nil {
		e, err := w.read(s.wld, i)
		return value{wld: wldOf(index.WLD(e))}, err
	}
	e, err := w.read(s.dtw, i)
	if err != nil {
		return value{}, err
	}
	x := index.Value(e)
	if x == index.LostNow {
		return lostNow, nil
	}
	v := value{wld: wldOf(x.WLD())}
	switch v.wld {
	case Win:
		v.dtw = plies(x.Distance())
	case Loss:
		v.dtw = plies(-x.Distance())
	}
	return v, nil
}

func wldOf(w index.WLD) WLD { return [...]WLD{index.Draw: Draw, index.Win: Win, index.Loss: Loss}[w] }
