package index

import "dambase/engine"

// Statistics counts the results of a slice, White to move.
type Statistics struct {
	Positions uint64 `json:"positions"`
	Wins      uint64 `json:"wins"`
	Draws     uint64 `json:"draws"`
	Losses    uint64 `json:"losses"`
	// WinsIn and LossesIn count positions by their distance in plies; nil if
	// there are none.
	WinsIn   map[engine.Plies]uint64 `json:"wins_in,omitempty"`
	LossesIn map[engine.Plies]uint64 `json:"losses_in,omitempty"`
	// LongestWin and LongestLoss are nil where there is none.
	LongestWin  *Extreme `json:"longest_win,omitempty"`
	LongestLoss *Extreme `json:"longest_loss,omitempty"`
	// CursedWins and BlessedLosses, of a DTZ table, count the wins and losses
	// in theory that are draws under the rules. All counts of a DTZ table are
	// for counters at 0, and its distances are those of its entries.
	CursedWins    uint64 `json:"cursed_wins,omitempty"`
	BlessedLosses uint64 `json:"blessed_losses,omitempty"`
}

// An Extreme is the first position, in the order of the numbering, that has
// the longest distance.
type Extreme struct {
	Distance engine.Plies `json:"distance"`
	Index    uint64       `json:"index"`
}

// Count returns the statistics of exact theory values.
func Count(values *Values) Statistics { return count(values, values.Len(), RuledOf) }

// CountRuled returns the statistics of exact ruled values, plane by plane, of
// as many positions as there are theory values.
func CountRuled(ruled, theory *Values) Statistics {
	s := count(ruled, theory.Len(), func(v Value) Ruled { return Ruled(v) })
	for i := range theory.Len() {
		if Ruled(ruled.At(i)) != RuledDraw {
			continue
		}
		switch theory.At(i).WLD() {
		case Win:
			s.CursedWins++
		case Loss:
			s.BlessedLosses++
		}
	}
	return s
}

// count counts the first n values.
func count(values *Values, n uint64, result func(Value) Ruled) Statistics {
	var histogram [int(MaxValue) + 1]uint64
	var first [int(MaxValue) + 1]uint64
	for i := range n {
		v := values.At(i)
		if histogram[v] == 0 {
			first[v] = i
		}
		histogram[v]++
	}
	s := Statistics{Positions: n, Draws: histogram[ValueDraw]}
	for v := LostNow; v <= MaxValue; v++ {
		n := histogram[v]
		if n == 0 {
			continue
		}
		r := result(v)
		longest := &Extreme{Distance: r.Distance(), Index: first[v]}
		if r.WLD() == Win {
			s.Wins += n
			s.WinsIn = with(s.WinsIn, r.Distance(), n)
			s.LongestWin = longest
		} else {
			s.Losses += n
			s.LossesIn = with(s.LossesIn, r.Distance(), n)
			s.LongestLoss = longest
		}
	}
	return s
}

// with sets an entry of a map, which stays nil while it is empty.
func with(m map[engine.Plies]uint64, key engine.Plies, n uint64) map[engine.Plies]uint64 {
	if m == nil {
		m = map[engine.Plies]uint64{}
	}
	m[key] = n
	return m
}

// WithoutDistances returns the counts alone.
func (s Statistics) WithoutDistances() Statistics {
	return Statistics{Positions: s.Positions, Wins: s.Wins, Draws: s.Draws, Losses: s.Losses}
}

// Longest returns the longest distance of all.
func (s Statistics) Longest() engine.Plies {
	var longest engine.Plies
	for _, e := range []*Extreme{s.LongestWin, s.LongestLoss} {
		if e != nil {
			longest = max(longest, e.Distance)
		}
	}
	return longest
}
