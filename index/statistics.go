package index

import (
	"bytes"
	"context"

	"dambase/engine"
	"dambase/internal/halt"
)

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

// Count returns the statistics of exact theory values. Its error is that of the
// context.
func Count(ctx context.Context, values *Values) (Statistics, error) {
	return count(ctx, values, values.Len(), RuledOf)
}

// CountRuled returns the statistics of exact ruled values, plane by plane, of
// as many positions as there are theory values. Its error is that of the context.
func CountRuled(ctx context.Context, ruled, theory *Values) (Statistics, error) {
	s, err := count(ctx, ruled, theory.Len(), func(v Value) Ruled { return Ruled(v) })
	if err != nil {
		return s, err
	}
	var lifted [3]uint64 // draws by their result in theory
	err = stretches(ctx, theory.Len(), func(from, to uint64) {
		if r, t := ruled.Narrow(), theory.Narrow(); r != nil && t != nil {
			r, t = r[from:to], t[from:to]
			var drawn [256]uint64 // by the value in theory
			for i, v := range t {
				if Ruled(r[i]) == RuledDraw {
					drawn[v]++
				}
			}
			for v, n := range drawn {
				lifted[Value(v).WLD()] += n
			}
			return
		}
		for i := from; i < to; i++ {
			if Ruled(ruled.At(i)) == RuledDraw {
				lifted[theory.At(i).WLD()]++
			}
		}
	})
	s.CursedWins, s.BlessedLosses = lifted[Win], lifted[Loss]
	return s, err
}

// stretches calls f with one stretch of n values after the other, some
// milliseconds each, until the context is done.
func stretches(ctx context.Context, n uint64, f func(from, to uint64)) error {
	const stretch = 1 << 22
	stop, release := halt.Watch(ctx)
	defer release()
	for from := uint64(0); from < n && !stop.Up(); from += stretch {
		f(from, min(from+stretch, n))
	}
	return stop.Err()
}

// count counts the first n values.
func count(ctx context.Context, values *Values, n uint64, result func(Value) Ruled) (Statistics, error) {
	var histogram [int(MaxValue) + 1]uint64
	find := func(v Value) uint64 {
		i := uint64(0)
		for values.At(i) != v {
			i++
		}
		return i
	}
	narrow := values.Narrow()
	if narrow != nil {
		find = func(v Value) uint64 { return uint64(bytes.IndexByte(narrow, byte(v))) }
	}
	err := stretches(ctx, n, func(from, to uint64) {
		if narrow != nil {
			countBytes(&histogram, narrow[from:to])
			return
		}
		for i := from; i < to; i++ {
			histogram[values.At(i)]++
		}
	})
	if err != nil {
		return Statistics{}, err
	}
	s := Statistics{Positions: n, Draws: histogram[ValueDraw]}
	var longest [2]Value // win, loss
	for v := LostNow; v <= MaxValue; v++ {
		n := histogram[v]
		if n == 0 {
			continue
		}
		r := result(v)
		if r.WLD() == Win {
			s.Wins += n
			s.WinsIn = with(s.WinsIn, r.Distance(), n)
			longest[0] = v
		} else {
			s.Losses += n
			s.LossesIn = with(s.LossesIn, r.Distance(), n)
			longest[1] = v
		}
	}
	for i, to := range []**Extreme{&s.LongestWin, &s.LongestLoss} {
		if v := longest[i]; v != 0 {
			*to = &Extreme{Distance: result(v).Distance(), Index: find(v)}
		}
	}
	return s, nil
}

// countBytes adds up values of one byte, in four histograms: the same value
// twice in a row would have to wait for itself in one.
func countBytes(histogram *[int(MaxValue) + 1]uint64, values []uint8) {
	var parts [4][256]uint64
	for ; len(values) >= 4; values = values[4:] {
		parts[0][values[0]]++
		parts[1][values[1]]++
		parts[2][values[2]]++
		parts[3][values[3]]++
	}
	for _, v := range values {
		parts[0][v]++
	}
	for v := range 256 {
		histogram[v] += parts[0][v] + parts[1][v] + parts[2][v] + parts[3][v]
	}
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
