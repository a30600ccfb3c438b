package retro

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync/atomic"

	"dambase/engine"
	"dambase/index"

	"golang.org/x/sync/errgroup"
)

// A VerifyTask says which tables to prove.
type VerifyTask struct {
	Rules   *engine.Rules
	Reader  RecordedReader
	Workers int
	// Sample, if not 0, is how many blocks of each table are recomputed
	// instead of the whole; hashes of values are then not checked.
	Sample int
}

// A RecordedReader also tells what was recorded of a table when it was built.
type RecordedReader interface {
	TableReader
	// Read fills in the entries of a table from first on, as they are stored.
	Read(s index.Slice, m index.Metric, first uint64, entries []uint16) error
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

// A Verdict tells how tables were checked.
type Verdict struct {
	Positions uint64 // recomputed
	// Proved tells that distances were checked: they fall by one a ply along
	// best play, which only true values can do. A WLD table without them is
	// merely consistent.
	Proved bool
}

// Verify recomputes the values of a slice from those of its successors, by
// forward move generation, and compares the slice's tables of the given
// metrics with them. Its error is a *VerifyError if a table is wrong.
//
// A DTW table that passes over all its positions, and whose smaller slices
// pass too, is proved: its values are the only fixpoint. A WLD table is
// compared with the DTW table of the slice where there is one.
func Verify(ctx context.Context, t VerifyTask, s index.Slice, metrics ...index.Metric) (Verdict, error) {
	v := &verifier{VerifyTask: t, slice: s, from: index.MetricWLD, tables: map[index.Slice]*storedTable{}, known: make(knownValues, 1<<knownBits)}
	if t.Reader.Has(s, index.MetricDTW) {
		v.from = index.MetricDTW
	}
	if t.Sample > 0 {
		v.pages = newPageBudget()
	}
	if err := v.load(ctx, metrics); err != nil {
		return Verdict{}, err
	}
	verdict := Verdict{Positions: v.tables[s].numbering.Size(), Proved: v.from == index.MetricDTW}
	if t.Sample > 0 {
		var err error
		verdict.Positions, err = v.sample(ctx)
		return verdict, err
	}
	return verdict, v.whole(ctx)
}

// verifier recomputes one slice. It shares no code with the solver.
type verifier struct {
	VerifyTask
	slice   index.Slice
	from    index.Metric // of the tables that values are recomputed from
	tables  map[index.Slice]*storedTable
	bySlot  [index.MaxSlot]*storedTable // the same
	known   knownValues
	targets []target
	ruled   *ruledVerifier // nil if no DTZ table is checked
	pages   *pageBudget    // of a sample
}

// A target is a table of the slice that is compared with recomputed values.
type target struct {
	metric  index.Metric
	entries source
}

// entry returns what the table must hold for a value.
func (t *target) entry(x index.Value) uint16 {
	if t.metric == index.MetricWLD {
		return uint16(x.WLD())
	}
	return uint16(x)
}

// A source gives the entries of a table.
type source interface{ At(i uint64) index.Value }

// storedTable is a table as it is on disk.
type storedTable struct {
	numbering *index.Numbering
	values    source
	ruled     source // the DTZ table; nil if none is checked
}

// load reads the tables of the slice, its mirror and all that they depend on.
func (v *verifier) load(ctx context.Context, metrics []index.Metric) error {
	s := v.slice
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
		t := &storedTable{numbering: n}
		if t.values, err = v.source(ctx, n, v.from, 1); err != nil {
			return err
		}
		if slices.Contains(metrics, index.MetricDTZ) {
			if t.ruled, err = v.source(ctx, n, index.MetricDTZ, tablePlanes(v.Rules, n)); err != nil {
				return err
			}
		}
		v.tables[slice], v.bySlot[slice.Slot()] = t, t
	}
	for _, m := range metrics {
		n := v.tables[s].numbering
		if m == index.MetricDTZ {
			v.ruled = newRuledVerifier(v, v.Sample > 0)
			continue
		}
		if v.Sample > 0 {
			v.targets = append(v.targets, target{m, newPages(v.Reader, v.pages, n, m, 1, false)})
			continue
		}
		entries := index.NewValues(n.Size(), true)
		err := v.Reader.Each(ctx, s, m, v.Workers, func(first uint64, stored []uint16) error {
			for i, e := range stored {
				entries.Set(first+uint64(i), index.Value(e))
			}
			return nil
		})
		if err != nil {
			return err
		}
		v.targets = append(v.targets, target{m, entries})
	}
	return nil
}

// source reads a table, for a sample only what is asked of it.
func (v *verifier) source(ctx context.Context, n *index.Numbering, m index.Metric, planes int) (source, error) {
	if v.Sample == 0 {
		return readValues(ctx, v.Reader, n, m, planes, v.Workers)
	}
	if !v.Reader.Has(n.Slice(), m) {
		return nil, fmt.Errorf("slice %s has no table of metric %s", n.Slice(), m)
	}
	return newPages(v.Reader, v.pages, n, m, planes, m == index.MetricWLD), nil
}

// exact returns the value of a position with White to move: stored, or where
// the side to move can capture and must, the best of its captures.
func (v *verifier) exact(p *engine.Position) index.Value {
	if p.Side(engine.White) == 0 {
		return index.LostNow
	}
	slice := index.SliceOf(p)
	t := v.bySlot[slice.Slot()]
	i := t.numbering.Index(p)
	if v.Rules.Optional() || !v.Rules.HasCapture(p) {
		return t.values.At(i)
	}
	if x, ok := v.known.get(slice, i); ok {
		return x
	}
	var buffer [32]engine.Move
	x := v.minimax(p, v.Rules.Captures(buffer[:0], p))
	v.known.put(slice, i, x)
	return x
}

// knownValues remembers values of positions with captures, which several
// positions lead to. An entry is the position's slot and number, 48 bits, and
// its value; the newest takes the place. It is safe for concurrent use.
type knownValues []atomic.Uint64

const (
	knownBits = 18
	// knownNumbers is how many positions of a slice can be remembered.
	knownNumbers = 1 << 34
)

func (k knownValues) entry(s index.Slice, i uint64) (e *atomic.Uint64, key uint64) {
	key = uint64(s.Slot())<<34 | i
	return &k[key*0x9E3779B97F4A7C15>>(64-knownBits)], key
}

func (k knownValues) get(s index.Slice, i uint64) (index.Value, bool) {
	if i >= knownNumbers {
		return 0, false
	}
	e, key := k.entry(s, i)
	x := e.Load()
	return index.Value(x & 0xFFFF), x>>16 == key
}

func (k knownValues) put(s index.Slice, i uint64, x index.Value) {
	if i < knownNumbers {
		e, key := k.entry(s, i)
		e.Store(key<<16 | uint64(x))
	}
}

func (v *verifier) minimax(p *engine.Position, moves []engine.Move) index.Value {
	var best index.Best
	for _, m := range moves {
		q := v.Rules.After(p, m)
		best.Add(v.exact(&q))
	}
	return best.Value()
}

// check recomputes the position with number i and returns its value.
func (v *verifier) check(i uint64, p *engine.Position) (index.Value, error) {
	var buffer [64]engine.Move
	moves := v.Rules.Moves(buffer[:0], p)
	x := v.minimax(p, moves)
	if v.from == index.MetricWLD {
		x = pseudoValue(x.WLD())
	}
	filler := !v.Rules.Optional() && len(moves) > 0 && moves[0].Captured != 0
	for _, t := range v.targets {
		if got, want := uint16(t.entries.At(i)), t.entry(x); got != want && !filler {
			return x, &VerifyError{v.slice, t.metric, v.Rules.FormatFEN(p), fmt.Sprintf("entry %d is stored, its moves give %d", got, want)}
		}
	}
	if v.ruled != nil {
		return x, v.ruled.check(i, p, moves, x)
	}
	return x, nil
}

// whole recomputes every position, and what was recorded of the tables.
func (v *verifier) whole(ctx context.Context) error {
	n := v.tables[v.slice].numbering
	exact := index.NewValues(n.Size(), true)
	err := forEachPosition(ctx, n, v.Workers, func(_ struct{}, i uint64, p *engine.Position) (struct{}, error) {
		x, err := v.check(i, p)
		exact.Set(i, x)
		return struct{}{}, err
	})
	if err != nil {
		return err
	}
	stats, err := index.Count(ctx, exact)
	if err != nil {
		return err
	}
	for _, t := range v.targets {
		recorded := stats
		if t.metric == index.MetricWLD {
			recorded = stats.WithoutDistances()
		}
		entry := func(i uint64) uint16 { return t.entry(exact.At(i)) }
		if err := v.checkRecords(t.metric, exact.Len(), entry, recorded); err != nil {
			return err
		}
	}
	if v.ruled == nil {
		return nil
	}
	ruled := index.NewValues(uint64(len(v.ruled.exact)), true)
	for i, x := range v.ruled.exact {
		ruled.Set(uint64(i), x)
	}
	entry := func(i uint64) uint16 { return uint16(ruled.At(i)) }
	if stats, err = index.CountRuled(ctx, ruled, exact); err != nil {
		return err
	}
	return v.checkRecords(index.MetricDTZ, ruled.Len(), entry, stats)
}

// checkRecords compares what was recorded of a table with recomputed entries.
func (v *verifier) checkRecords(m index.Metric, n uint64, entry func(uint64) uint16, stats index.Statistics) error {
	hash := index.NewValuesHash()
	entries := make([]uint16, 1<<16)
	for first := uint64(0); first < n; first += uint64(len(entries)) {
		entries = entries[:min(uint64(len(entries)), n-first)]
		for i := range entries {
			entries[i] = entry(first + uint64(i))
		}
		hash.Add(entries)
	}
	recordedHash, recorded := v.Reader.Recorded(v.slice, m)
	if hash.Hex() != recordedHash {
		return &VerifyError{v.slice, m, "", "the recorded hash of the values is not theirs"}
	}
	if !reflect.DeepEqual(stats, recorded) {
		return &VerifyError{v.slice, m, "", "the recorded statistics are not those of the values"}
	}
	return nil
}

// sampleBlock is the positions of a block of a sample; those of a stored
// block of distances.
const sampleBlock = 4096

// sampledBlocks chooses so many blocks of a slice by a fixed seed.
func sampledBlocks(n *index.Numbering, sample int) (chosen []uint64) {
	blocks := (n.Size() + sampleBlock - 1) / sampleBlock
	if uint64(sample) >= blocks {
		for i := range blocks {
			chosen = append(chosen, i)
		}
		return chosen
	}
	random := rand.New(rand.NewPCG(2026, n.Size()))
	seen := map[uint64]bool{}
	for len(chosen) < sample {
		if i := random.Uint64N(blocks); !seen[i] {
			seen[i] = true
			chosen = append(chosen, i)
		}
	}
	return chosen
}

// sample recomputes blocks chosen by a fixed seed and returns how many
// positions that were.
func (v *verifier) sample(ctx context.Context) (uint64, error) {
	n := v.tables[v.slice].numbering
	total := uint64(0)
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(max(v.Workers, 1))
	for _, block := range sampledBlocks(n, v.Sample) {
		first := block * sampleBlock
		end := min(first+sampleBlock, n.Size())
		total += end - first
		g.Go(func() error {
			it := n.From(first)
			for i := first; i < end; i++ {
				_, wrong := v.check(i, it.Position())
				// What could not be read was taken for some value.
				if err := cmp.Or(v.pages.err(), wrong); err != nil {
					return err
				}
				it.Next()
			}
			v.pages.trim()
			return gctx.Err()
		})
	}
	return total, g.Wait()
}
