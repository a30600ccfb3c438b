package probe

import "dambase/engine"

// ruled returns the category of a position under the draw counters, and its
// dtz, given what is known without them.
func (t *Tables) ruled(p *engine.Position, c engine.Counters, th theory) (Category, Distance, error) {
	plain := [...]Category{Unknown: CategoryUnknown, Loss: CategoryLoss, Draw: CategoryDraw, Win: CategoryWin}[th.wld]
	if !t.rules.HasCounters() || th.wld == Unknown || th.wld == Draw {
		return plain, Distance{}, nil
	}
	if th.dtw.known && t.inTime(p, c, th.dtw.abs()) {
		return plain, Distance{}, nil
	}
	return CategoryUnknown, Distance{}, nil
}

// inTime reports whether no counter can reach its limit before the given
// number of plies is over. A win on the very ply that reaches it stands.
func (t *Tables) inTime(p *engine.Position, c engine.Counters, n engine.Plies) bool {
	if limit := t.rules.KingMovesLimit(); limit > 0 && c.KingMoves+n > limit {
		return false
	}
	here := t.rules.Situation(p)
	for i := range t.rules.Situations() {
		s := &t.rules.Situations()[i]
		counter := engine.Plies(0)
		if s == here {
			counter = c.Situation
		}
		if counter+n > s.Limit {
			return false
		}
	}
	return true
}

// cursed turns a result that the counters have ended into what it is under them.
func cursed(w WLD) Category {
	return [...]Category{Unknown: CategoryDraw, Loss: CategoryBlessedLoss, Draw: CategoryDraw, Win: CategoryCursedWin}[w]
}
