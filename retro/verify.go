package retro

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"

	"dambase/engine"
	"dambase/index"

	"golang.org/x/sync/errgroup"
)

// A VerifyTask says which tables to prove.
type VerifyTask struct {
	Rules   *engine.Rules
	Reader  RecordedReader
	Workers int
	// Sample, if not 0, is how many stretches of each table are recomputed
	// instead of the whole; hashes of values are then not checked.
	Sample int
}

// A RecordedReader also tells what was recorded of a table when it was built.
type RecordedReader interface {
	TableReader
	// Recorded returns the hash of the table's exact values and its statistics.
	Recorded(s index.Slice, m index.Metric) (valuesSHA256 string, stats index.Statistics)
}

// A VerifyError is a table that is wrong.
type VerifyError struct {
	Slice  index.Slice
	Metric index.Metric
	FEN    string // of a position with a wrong value; "" if only the records are wrong
	Reason string
}

func (e *VerifyError) Error() string {
	at := ""
	if e.FEN != "" {
		at = " at " + e.FEN
	}
	return fmt.Sprintf("slice %s, metric %s%s: %s", e.Slice, e.Metric, at, e.Reason)
}

// A Verdict tells how a table was checked.
type Verdict struct {
	Positions uint64 // recomputed
	// Proved tells that distances were checked: they fall by one a ply along
	// best play, which only true values can do. A WLD table without them is
	// merely consistent.
	Proved bool
}

// Verify recomputes the values of a table from those of its successors, by
// forward move generation. Its error is a *VerifyError if the table is wrong.
//
// A DTW table that passes over all its positions, and whose smaller slices
// pass too, is proved: its values are the only fixpoint. A WLD table is
// compared with the DTW table of the slice where there is one.
func Verify(ctx context.Context, t VerifyTask, s index.Slice, m index.Metric) (Verdict, error) {
	v := &verifier{VerifyTask: t, metric: m, tables: map[index.Slice]*storedTable{}}
	v.from = m
	if m == index.MetricWLD && t.Reader.Has(s, index.MetricDTW) {
		v.from = index.MetricDTW
	}
	if err := v.load(ctx, s); err != nil {
		return Verdict{}, err
	}
	verdict := Verdict{Proved: v.from == index.MetricDTW}
	if t.Sample > 0 {
		n, err := v.sample(ctx, s)
		verdict.Positions = n
		return verdict, err
	}
	verdict.Positions = v.tables[s].numbering.Size()
	return verdict, v.whole(ctx, s)
}

// verifier recomputes one table. It shares no code with the solver.
type verifier struct {
	VerifyTask
	metric index.Metric // of the table
	from   index.Metric // of the tables that values are recomputed from
	tables map[index.Slice]*storedTable
	target []uint16 // the table, entry by entry
}

// storedTable is a table as it is on disk.
type storedTable struct {
	numbering *index.Numbering
	values    *index.Values
}

// load reads the tables of a slice, its mirror and all that they depend on.
func (v *verifier) load(ctx context.Context, s index.Slice) error {
	wanted := append(index.Dependencies(s), s, s.Mirror())
	for i := 0; i < len(wanted); i++ {
		slice := wanted[i]
		if v.tables[slice] != nil {
			continue
		}
		if !v.Rules.Optional() {
			// A filler entry is resolved by captures, into slices smaller yet.
			for _, d := range index.Dependencies(slice) {
				if d.Pieces() < slice.Pieces() {
					wanted = append(wanted, d)
				}
			}
		}
		n, err := index.NewNumbering(v.Rules, slice)
		if err != nil {
			return err
		}
		values, err := readValues(ctx, v.Reader, n, v.from, v.Workers)
		if err != nil {
			return err
		}
		v.tables[slice] = &storedTable{n, values}
	}
	v.target = make([]uint16, v.tables[s].numbering.Size())
	return v.Reader.Each(ctx, s, v.metric, v.Workers, func(first uint64, entries []uint16) error {
		copy(v.target[first:], entries)
		return nil
	})
}

// exact returns the value of a position with White to move: stored, or where
// the side to move can capture and must, the best of its captures.
func (v *verifier) exact(p *engine.Position) index.Value {
	if p.Side(engine.White) == 0 {
		return index.LostNow
	}
	if !v.Rules.Optional() {
		var buffer [32]engine.Move
		if captures := v.Rules.Captures(buffer[:0], p); len(captures) > 0 {
			return v.minimax(p, captures)
		}
	}
	t := v.tables[index.SliceOf(p)]
	return t.values.At(t.numbering.Index(p))
}

func (v *verifier) minimax(p *engine.Position, moves []engine.Move) index.Value {
	var best index.Best
	for _, m := range moves {
		q := v.Rules.Flip(v.Rules.Play(p, m))
		best.Add(v.exact(&q))
	}
	return best.Value()
}

// entry returns what the table must hold for a value.
func (v *verifier) entry(x index.Value) uint16 {
	if v.metric == index.MetricWLD {
		return uint16(x.WLD())
	}
	return uint16(x)
}

// check recomputes the position with number i and returns its right entry.
func (v *verifier) check(s index.Slice, i uint64, p *engine.Position) (uint16, error) {
	var buffer [64]engine.Move
	moves := v.Rules.Moves(buffer[:0], p)
	x := v.minimax(p, moves)
	if v.from == index.MetricWLD {
		x = pseudoValue(x.WLD())
	}
	want := v.entry(x)
	filler := !v.Rules.Optional() && len(moves) > 0 && moves[0].Captured != 0
	if got := v.target[i]; got != want && !filler {
		return want, &VerifyError{s, v.metric, v.Rules.FormatFEN(p), fmt.Sprintf("entry %d is stored, its moves give %d", got, want)}
	}
	return want, nil
}

// whole recomputes every position, and what was recorded of the table.
func (v *verifier) whole(ctx context.Context, s index.Slice) error {
	n := v.tables[s].numbering
	exact := index.NewValues(n.Size(), true)
	err := forEachPosition(ctx, n, v.Workers, func(_ struct{}, i uint64, p *engine.Position) (struct{}, error) {
		want, err := v.check(s, i, p)
		exact.Set(i, index.Value(want))
		return struct{}{}, err
	})
	if err != nil {
		return err
	}
	return v.checkRecords(s, exact)
}

// checkRecords compares the recorded hash and statistics with recomputed entries.
func (v *verifier) checkRecords(s index.Slice, exact *index.Values) error {
	hash := index.NewValuesHash()
	entries := make([]uint16, 1<<16)
	for first := uint64(0); first < exact.Len(); first += uint64(len(entries)) {
		entries = entries[:min(uint64(len(entries)), exact.Len()-first)]
		for i := range entries {
			entries[i] = uint16(exact.At(first + uint64(i)))
		}
		hash.Add(entries)
	}
	recordedHash, recorded := v.Reader.Recorded(s, v.metric)
	if hash.Hex() != recordedHash {
		return &VerifyError{s, v.metric, "", "the recorded hash of the values is not theirs"}
	}
	if v.metric == index.MetricWLD {
		for i := range exact.Len() {
			exact.Set(i, pseudoValue(index.WLD(exact.At(i))))
		}
	}
	stats := index.Count(exact)
	if v.metric == index.MetricWLD {
		stats = stats.WithoutDistances()
	}
	if !reflect.DeepEqual(stats, recorded) {
		return &VerifyError{s, v.metric, "", "the recorded statistics are not those of the values"}
	}
	return nil
}

// sampleStretch is the positions that a sample recomputes in a row.
const sampleStretch = 4096

// sample recomputes stretches chosen by a fixed seed and returns how many
// positions that were.
func (v *verifier) sample(ctx context.Context, s index.Slice) (uint64, error) {
	n := v.tables[s].numbering
	stretches := (n.Size() + sampleStretch - 1) / sampleStretch
	var chosen []uint64
	if uint64(v.Sample) >= stretches {
		for i := range stretches {
			chosen = append(chosen, i)
		}
	} else {
		random := rand.New(rand.NewPCG(2026, n.Size()))
		seen := map[uint64]bool{}
		for len(chosen) < v.Sample {
			if i := random.Uint64N(stretches); !seen[i] {
				seen[i] = true
				chosen = append(chosen, i)
			}
		}
	}
	total := uint64(0)
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(max(v.Workers, 1))
	for _, stretch := range chosen {
		first := stretch * sampleStretch
		end := min(first+sampleStretch, n.Size())
		total += end - first
		g.Go(func() error {
			it := n.From(first)
			for i := first; i < end; i++ {
				if _, err := v.check(s, i, it.Position()); err != nil {
					return err
				}
				it.Next()
			}
			return gctx.Err()
		})
	}
	return total, g.Wait()
}
