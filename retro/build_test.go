package retro

import (
	"context"
	"errors"
	"strings"
	"testing"

	"dambase/engine"
	"dambase/index"
)

// mapStore is a store in memory.
type mapStore struct {
	tables map[tableName][]uint16
	hashes map[tableName]string
	stats  map[tableName]index.Statistics
	// writes counts down; at 0 the next write fails.
	writes int
}

var (
	errCrash   = errors.New("crash")
	errNoTable = errors.New("no such table")
)

func newMapStore() *mapStore {
	return &mapStore{tables: map[tableName][]uint16{}, hashes: map[tableName]string{}, stats: map[tableName]index.Statistics{}, writes: -1}
}

func (m *mapStore) Has(s index.Slice, metric index.Metric) bool {
	return m.tables[tableName{s, metric}] != nil
}

func (m *mapStore) Each(ctx context.Context, s index.Slice, metric index.Metric, _ int, f func(uint64, []uint16) error) error {
	const piece = 1 << 16
	if !m.Has(s, metric) {
		return errNoTable
	}
	entries := m.tables[tableName{s, metric}]
	for first := 0; first < len(entries) && ctx.Err() == nil; first += piece {
		if err := f(uint64(first), entries[first:min(first+piece, len(entries))]); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (m *mapStore) Read(s index.Slice, metric index.Metric, first uint64, entries []uint16) error {
	if !m.Has(s, metric) {
		return errNoTable
	}
	copy(entries, m.tables[tableName{s, metric}][first:])
	return nil
}

func (m *mapStore) Recorded(s index.Slice, metric index.Metric) (string, index.Statistics) {
	name := tableName{s, metric}
	return m.hashes[name], m.stats[name]
}

func (m *mapStore) Write(ctx context.Context, t *index.Contents) error {
	if m.writes == 0 {
		return errCrash
	}
	m.writes--
	name := tableName{t.Slice, t.Metric}
	size := t.Positions * uint64(t.Planes)
	entries := make([]uint16, size)
	t.Entries(0, entries)
	m.stats[name] = t.Statistics
	m.seal(name, entries)
	if t.Filler != nil {
		filler := make(bitset, (size+63)/64)
		t.Filler(0, filler)
		for i := range size {
			if filler.has(i) {
				entries[i] = 2 // any value would do
			}
		}
	}
	m.tables[name] = entries
	return nil
}

// seal records the hash of exact entries.
func (m *mapStore) seal(name tableName, exact []uint16) {
	h := index.NewValuesHash()
	h.Add(exact)
	m.hashes[name] = h.Hex()
}

var defaultMetrics = []index.Metric{index.MetricWLD, index.MetricDTW}

func buildTask(r *engine.Rules, pieces int, m *mapStore) BuildTask {
	t := BuildTask{Rules: r, Metrics: defaultMetrics, Workers: 2, Memory: 1 << 30, Reader: m, Writer: m}
	for _, pair := range index.UpTo(pieces) {
		t.Wanted = append(t.Wanted, pair.Slices()...)
	}
	return t
}

// TestBuildResumes stops a build at every write and goes on with nothing but
// the tables, whose filler is no value: the end is the same.
func TestBuildResumes(t *testing.T) {
	r := rules(t, "russian")
	want := newMapStore()
	task := buildTask(r, 3, want)
	task.Metrics = index.Metrics
	if err := Build(context.Background(), task); err != nil {
		t.Fatal(err)
	}
	got := newMapStore()
	task.Reader, task.Writer = got, got
	stops := 0
	for {
		got.writes = 1
		err := Build(context.Background(), task)
		if err == nil {
			break
		}
		if !errors.Is(err, errCrash) {
			t.Fatal(err)
		}
		stops++
	}
	if stops < 20 {
		t.Errorf("stopped only %d times", stops)
	}
	if len(got.hashes) != len(want.hashes) {
		t.Errorf("%d tables, want %d", len(got.hashes), len(want.hashes))
	}
	for name, hash := range want.hashes {
		if got.hashes[name] != hash {
			t.Errorf("table %s %s differs after a restart", name.slice, name.metric)
		}
	}
}

// TestBuildWLDAlone builds results without distances, stopping at every write.
func TestBuildWLDAlone(t *testing.T) {
	r := rules(t, "brazilian")
	want, got := newMapStore(), newMapStore()
	if err := Build(context.Background(), buildTask(r, 3, want)); err != nil {
		t.Fatal(err)
	}
	task := buildTask(r, 3, got)
	task.Metrics = []index.Metric{index.MetricWLD}
	for err := errCrash; err != nil; {
		got.writes = 1
		if err = Build(context.Background(), task); err != nil && !errors.Is(err, errCrash) {
			t.Fatal(err)
		}
	}
	for name, hash := range got.hashes {
		if want.hashes[name] != hash {
			t.Errorf("slice %s: results without distances differ", name.slice)
		}
		verdict, err := Verify(context.Background(), VerifyTask{Rules: r, Reader: got, Workers: 2}, name.slice, name.metric)
		if err != nil || verdict.Proved {
			t.Errorf("slice %s: verdict %+v, error %v", name.slice, verdict, err)
		}
	}
}

// TestRuledBuildResumes does the same where positions have planes, once: four
// pieces, stopped in the middle.
func TestRuledBuildResumes(t *testing.T) {
	r := rules(t, "draughts64")
	want := newMapStore()
	task := buildTask(r, 2, want)
	task.Metrics = index.Metrics
	task.Wanted = append(task.Wanted, index.NewSlice(0, 3, 0, 1), index.NewSlice(1, 2, 0, 1))
	if err := Build(context.Background(), task); err != nil {
		t.Fatal(err)
	}
	got := newMapStore()
	task.Reader, task.Writer = got, got
	writes := 7
	if testing.Short() {
		writes = 25
	}
	for err := errCrash; err != nil; {
		got.writes = writes
		if err = Build(context.Background(), task); err != nil && !errors.Is(err, errCrash) {
			t.Fatal(err)
		}
	}
	for name, hash := range want.hashes {
		if got.hashes[name] != hash {
			t.Errorf("table %s %s differs after a restart", name.slice, name.metric)
		}
	}
}

// TestCheckRuled refuses counters that cannot be solved exactly.
func TestCheckRuled(t *testing.T) {
	situation := engine.DrawRule{Kind: engine.SituationRule, Name: "X", Limit: 10, When: []string{"KK v K"}}
	square := situation
	square.LoneKingOn = []string{"a1"}
	kingMoves := engine.DrawRule{Kind: engine.KingMoves, Limit: 9}
	long := engine.DrawRule{Kind: engine.KingMoves, Limit: 20}
	for _, c := range []struct {
		variant string
		draws   []engine.DrawRule
		reason  string
	}{
		{"english", nil, "no automatic draw counter"},
		{"turkish", []engine.DrawRule{kingMoves}, "men have reversible moves"},
		{"brazilian", []engine.DrawRule{situation}, "without a king-moves rule"},
		{"brazilian", []engine.DrawRule{kingMoves, situation}, "above that of king-moves"},
		{"brazilian", []engine.DrawRule{long, square}, "not the same after a turn"},
		{"brazilian", []engine.DrawRule{long, situation}, ""},
	} {
		v := rules(t, c.variant).Variant()
		v.Draws = c.draws
		err := CheckRuled(engine.MustCompile(v))
		if c.reason == "" && err != nil || c.reason != "" && (err == nil || !strings.Contains(err.Error(), c.reason)) {
			t.Errorf("%s %+v: error %v, want %q", c.variant, c.draws, err, c.reason)
		}
	}
}

// TestVerifyRuled proves ruled tables, then finds a changed entry in any plane.
func TestVerifyRuled(t *testing.T) {
	names := []string{"draughts64", "italian", "russian-optional", "international"}
	if testing.Short() {
		names = names[1:]
	}
	for _, name := range names {
		r := rules(t, name)
		m := newMapStore()
		pieces := 3
		if r.Squares() > 32 {
			pieces = 2
		}
		task := buildTask(r, pieces, m)
		task.Metrics = index.Metrics
		if name == "draughts64" {
			task.Wanted = append(task.Wanted, index.NewSlice(0, 3, 0, 1))
		}
		ctx := context.Background()
		if err := Build(ctx, task); err != nil {
			t.Fatal(err)
		}
		verify := VerifyTask{Rules: r, Reader: m, Workers: 2}
		for _, pair := range index.Closure(task.Wanted) {
			for _, slice := range pair.Slices() {
				if _, err := Verify(ctx, verify, slice, index.Metrics...); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
			}
		}
		findChange(t, r, m, verify, task.Wanted[len(task.Wanted)-1])
	}
}

// findChange changes single entries that matter and wants each to be found.
func findChange(t *testing.T, r *engine.Rules, m *mapStore, verify VerifyTask, slice index.Slice) {
	t.Helper()
	n, err := index.NewNumbering(r, slice)
	if err != nil {
		t.Fatal(err)
	}
	name := tableName{slice, index.MetricDTZ}
	entries := m.tables[name]
	tried := 0
	for i := uint64(0); i < uint64(len(entries)) && tried < 4; i += 10007 % uint64(len(entries)) {
		number := i % n.Size()
		p := n.Position(number)
		decided := m.tables[tableName{slice, index.MetricWLD}][number] != uint16(index.Draw)
		if !decided || r.HasCapture(&p) && !r.Optional() || i >= n.Size() && r.Situation(&p) == nil {
			continue
		}
		tried++
		old := entries[i]
		entries[i] = old ^ 3
		var wrong *VerifyError
		if _, err := Verify(context.Background(), verify, slice, index.Metrics...); !errors.As(err, &wrong) || wrong.Metric != index.MetricDTZ || wrong.FEN == "" {
			t.Errorf("%s: entry %d changed from %d: error %v", slice, i, old, err)
		}
		entries[i] = old
	}
	if tried == 0 {
		t.Errorf("%s: no entry to change", slice)
	}
}

func TestBuildRefuses(t *testing.T) {
	task := buildTask(rules(t, "english"), 2, newMapStore())
	task.Metrics = []index.Metric{index.MetricDTW}
	if err := Build(context.Background(), task); err == nil || !strings.Contains(err.Error(), "dtw needs metric wld") {
		t.Errorf("dtw alone: error %v", err)
	}
	small := rules(t, "english").Variant()
	small.Rows, small.Columns, small.StartRows = 4, 4, 1
	for _, c := range []struct {
		slice  index.Slice
		reason string
	}{
		{index.NewSlice(7, 0, 1, 0), "has no positions"},
		{index.NewSlice(1, 9, 0, 1), "has no positions"},
	} {
		task := buildTask(engine.MustCompile(small), 2, newMapStore())
		task.Wanted = []index.Slice{c.slice}
		if err := Build(context.Background(), task); err == nil || !strings.Contains(err.Error(), c.reason) {
			t.Errorf("slice %s on 4x4: error %v", c.slice, err)
		}
	}
	task = buildTask(rules(t, "turkish"), 2, newMapStore())
	task.Wanted = []index.Slice{index.NewSlice(1, 9, 0, 1)}
	var overflow *index.OverflowError
	if err := Build(context.Background(), task); !errors.As(err, &overflow) {
		t.Errorf("nine kings on 64 squares: error %v", err)
	}
	task = buildTask(rules(t, "english"), 6, newMapStore())
	task.Memory = 200 << 20
	if err := Build(context.Background(), task); err == nil || !strings.Contains(err.Error(), "of memory") {
		t.Errorf("6 pieces in 200 MiB: error %v", err)
	}
}

// TestVerify proves whole tables, then finds every kind of fault.
func TestVerify(t *testing.T) {
	r := rules(t, "english")
	m := newMapStore()
	if err := Build(context.Background(), buildTask(r, 3, m)); err != nil {
		t.Fatal(err)
	}
	task := VerifyTask{Rules: r, Reader: m, Workers: 2}
	ctx := context.Background()
	for name := range m.tables {
		verdict, err := Verify(ctx, task, name.slice, name.metric)
		if err != nil || !verdict.Proved || verdict.Positions != uint64(len(m.tables[name])) {
			t.Fatalf("%s %s: verdict %+v, error %v", name.slice, name.metric, verdict, err)
		}
	}
	slice := index.NewSlice(1, 1, 0, 1)
	n, err := index.NewNumbering(r, slice)
	if err != nil {
		t.Fatal(err)
	}
	for _, metric := range defaultMetrics {
		name := tableName{slice, metric}
		for i := range uint64(2000) {
			p := n.Position(i * 7)
			if r.HasCapture(&p) {
				continue
			}
			old := m.tables[name][i*7]
			m.tables[name][i*7] = (old + 1) % 3
			_, err := Verify(ctx, VerifyTask{Rules: r, Reader: m, Workers: 2, Sample: 1 << 20}, slice, metric)
			m.tables[name][i*7] = old
			var wrong *VerifyError
			if !errors.As(err, &wrong) || wrong.Slice != slice || wrong.FEN == "" {
				t.Fatalf("%s, one entry changed: error %v", metric, err)
			}
			if i > 3 {
				break
			}
		}
	}
	name := tableName{slice, index.MetricDTW}
	m.hashes[name] = "0"
	if _, err := Verify(ctx, task, slice, index.MetricDTW); err == nil || !strings.Contains(err.Error(), "hash") {
		t.Errorf("wrong hash: error %v", err)
	}
}
