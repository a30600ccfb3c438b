package probe

import (
	"fmt"
	"strconv"

	"dambase/engine"
	"dambase/index"
	"dambase/storage"
)

// SliceStatistics are the statistics of a slice, White to move, as programs
// read them.
type SliceStatistics struct {
	Variant   string `json:"variant"`
	Slice     string `json:"slice"`
	Positions uint64 `json:"positions"`
	Wins      uint64 `json:"wins"`
	Draws     uint64 `json:"draws"`
	Losses    uint64 `json:"losses"`
	// CursedWins and BlessedLosses count at counters 0; null if not known.
	CursedWins    *uint64 `json:"cursed_wins"`
	BlessedLosses *uint64 `json:"blessed_losses"`
	// LongestWin, LongestLoss and Histogram are null without a dtw table.
	LongestWin  *Longest   `json:"longest_win"`
	LongestLoss *Longest   `json:"longest_loss"`
	Histogram   *Histogram `json:"histogram"`
	// Ruled counts under the draw rules; null without a dtz table.
	Ruled *RuledStatistics `json:"ruled"`
}

// RuledStatistics are the statistics of a slice under the draw rules, counters
// at 0. LostAt tells how many wins in theory are no wins when the counter that
// binds has a value: those that need more of it than is left.
type RuledStatistics struct {
	Wins        uint64            `json:"wins"`
	Draws       uint64            `json:"draws"`
	Losses      uint64            `json:"losses"`
	LongestWin  *RuledLongest     `json:"longest_win"`
	LongestLoss *RuledLongest     `json:"longest_loss"`
	Histogram   Histogram         `json:"histogram"`
	LostAt      map[string]uint64 `json:"wins_lost_at"`
}

// RuledLongest is a position that needs the most of the counter that binds.
type RuledLongest struct {
	DTZ engine.Plies `json:"dtz"`
	FEN string       `json:"fen"`
}

// Longest is a position with the longest distance of its kind, negative for a loss.
type Longest struct {
	DTW engine.Plies `json:"dtw"`
	FEN string       `json:"fen"`
}

// Histogram counts positions by their distance in plies.
type Histogram struct {
	Win  map[string]uint64 `json:"win"`
	Loss map[string]uint64 `json:"loss"`
}

// Statistics returns the statistics of a slice. Its error wraps
// storage.ErrNoTable if there are no tables of it, or is that of reading them.
func (t *Tables) Statistics(s index.Slice) (*SliceStatistics, error) {
	tables := t.table(s)
	if tables == nil {
		return nil, fmt.Errorf("%w: no tables of slice %s of %s", storage.ErrNoTable, s, t.rules.Variant().Name)
	}
	n, err := tables.numbering()
	if err != nil {
		return nil, err
	}
	source := tables.dtw
	if source == nil {
		source = tables.wld
	}
	footer, err := source.Footer()
	if err != nil {
		return nil, err
	}
	stats := &footer.Statistics
	out := &SliceStatistics{
		Variant: t.rules.Variant().Name, Slice: s.String(), Positions: stats.Positions,
		Wins: stats.Wins, Draws: stats.Draws, Losses: stats.Losses,
	}
	if tables.dtw != nil {
		out.LongestWin = t.longest(n, stats.LongestWin)
		out.LongestLoss = t.longest(n, stats.LongestLoss)
		if out.LongestLoss != nil {
			out.LongestLoss.DTW *= -1
		}
		out.Histogram = &Histogram{Win: byText(stats.WinsIn), Loss: byText(stats.LossesIn)}
	}
	if !t.rules.HasCounters() {
		var none uint64
		out.CursedWins, out.BlessedLosses = &none, &none
	} else if tables.dtz != nil {
		if footer, err = tables.dtz.Footer(); err != nil {
			return nil, err
		}
		t.ruledStatistics(out, n, &footer.Statistics)
	}
	return out, nil
}

func (t *Tables) longest(n *index.Numbering, e *index.Extreme) *Longest {
	if e == nil {
		return nil
	}
	p := n.Position(e.Index)
	return &Longest{DTW: e.Distance, FEN: t.rules.FormatFEN(&p)}
}

func byText(counts map[engine.Plies]uint64) map[string]uint64 {
	out := map[string]uint64{}
	for n, count := range counts {
		out[strconv.Itoa(int(n))] = count
	}
	return out
}

func (t *Tables) ruledStatistics(out *SliceStatistics, n *index.Numbering, stats *index.Statistics) {
	out.CursedWins, out.BlessedLosses = &stats.CursedWins, &stats.BlessedLosses
	longest := func(e *index.Extreme) *RuledLongest {
		if l := t.longest(n, e); l != nil {
			return &RuledLongest{l.DTW, l.FEN}
		}
		return nil
	}
	out.Ruled = &RuledStatistics{
		Wins: stats.Wins, Draws: stats.Draws, Losses: stats.Losses,
		LongestWin: longest(stats.LongestWin), LongestLoss: longest(stats.LongestLoss),
		Histogram: Histogram{byText(stats.WinsIn), byText(stats.LossesIn)},
		LostAt:    map[string]uint64{},
	}
	if out.Ruled.LongestLoss != nil {
		out.Ruled.LongestLoss.DTZ *= -1
	}
	p := n.Position(0)
	limit := t.rules.KingMovesLimit()
	if s := t.rules.MaterialSituation(&p); s != nil && !s.DependsOnSquare {
		limit = s.Limit
	}
	for counter := range limit {
		lost := stats.CursedWins
		for needs, n := range stats.WinsIn {
			if counter+needs > limit {
				lost += n
			}
		}
		out.Ruled.LostAt[strconv.Itoa(int(counter))] = lost
	}
}
