package storage

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"dambase/engine"
	"dambase/index"
)

var quiet = slog.New(slog.DiscardHandler)

// contents is a made-up table: what matters here is that bytes come back.
type contents struct {
	index.Contents
	ID      TableID
	rules   engine.Variant
	workers int
	exact   []uint16
	filler  []bool
}

func makeContents(t testing.TB, slice string, metric index.Metric, n int, largest uint16) contents {
	t.Helper()
	s, err := index.ParseSlice(slice)
	if err != nil {
		t.Fatal(err)
	}
	v, _ := engine.Builtin("english")
	c := contents{exact: make([]uint16, n), filler: make([]bool, n)}
	random := rand.New(rand.NewPCG(uint64(n), uint64(largest)))
	run := uint16(0)
	for i := range c.exact {
		if random.IntN(20) == 0 {
			run = uint16(random.IntN(int(largest) + 1))
		}
		c.exact[i] = run
		c.filler[i] = random.IntN(5) == 0
	}
	c.ID, c.rules, c.workers = TableID{"english", RulesIDOf(v), s, metric}, v, 2
	c.Contents = index.Contents{
		Slice: s, Metric: metric, Positions: uint64(n), Planes: 1,
		Statistics: index.Statistics{Positions: uint64(n)},
		Wide:       largest > 0xFF,
		Entries:    func(first uint64, entries []uint16) { copy(entries, c.exact[first:]) },
		Filler: func(first uint64, filler []uint64) {
			clear(filler)
			for i, free := range c.filler[first:] {
				if free && i < 64*len(filler) {
					filler[i/64] |= 1 << (i % 64)
				}
			}
		},
	}
	if largest <= 0xFF { // as real tables have it
		c.Narrow = func(first uint64, entries []uint8) {
			for i := range entries {
				entries[i] = uint8(c.exact[first+uint64(i)])
			}
		}
	}
	return c
}

func someContents(t testing.TB) []contents {
	return []contents{
		makeContents(t, "0101", index.MetricWLD, 300, 2),
		makeContents(t, "0101", index.MetricDTW, 300, 200),
		makeContents(t, "1110", index.MetricDTW, 500, 1000),
	}
}

func openBuilder(t testing.TB, dir string) *Builder {
	t.Helper()
	b, err := OpenBuilder(dir, BuilderOptions{Logger: quiet})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func closeAll(t testing.TB, list ...io.Closer) {
	t.Helper()
	for _, c := range list {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
}

// build writes tables into a directory.
func build(t testing.TB, dir string, tables ...contents) {
	t.Helper()
	b := openBuilder(t, dir)
	for _, c := range tables {
		if _, err := b.Write(context.Background(), c.rules, &c.Contents, c.workers); err != nil {
			t.Fatal(err)
		}
	}
	closeAll(t, b)
	checkStore(t, dir)
}

// checkStore checks that a directory is sound as a whole: every table, and
// nothing left over.
func checkStore(t testing.TB, dir string) {
	t.Helper()
	r := openReader(t, dir)
	for _, table := range r.Tables() {
		if err := table.CheckHash(t.Context()); err != nil {
			t.Error(err)
		}
	}
	closeAll(t, r)
	if left, _ := filepath.Glob(filepath.Join(dir, temporaryName, "*")); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
}

func openReader(t testing.TB, dir string) *Reader {
	t.Helper()
	r, err := OpenReader(dir, ReaderOptions{Logger: quiet})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// tabler is what readers and the builder have in common.
type tabler interface{ Table(TableID) *Table }

// check compares a table with what was written. It fails on a wrong entry and
// returns an error of the reader.
func check(t testing.TB, r tabler, c contents) error {
	t.Helper()
	table := r.Table(c.ID)
	if table == nil {
		return errors.New("no such table")
	}
	seen := make([]bool, len(c.exact))
	err := table.Each(context.Background(), 1, func(first uint64, entries []uint16) error {
		for i, e := range entries {
			n := int(first) + i
			seen[n] = true
			if !c.filler[n] && e != c.exact[n] {
				t.Fatalf("%s: entry %d is %d, want %d", c.ID, n, e, c.exact[n])
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i := range c.exact {
		e, err := table.At(uint64(i))
		if err != nil {
			return err
		}
		if !seen[i] || !c.filler[i] && e != c.exact[i] {
			t.Fatalf("%s: entry %d is %d, want %d", c.ID, i, e, c.exact[i])
		}
	}
	return nil
}

func mustCheck(t testing.TB, r tabler, tables ...contents) {
	t.Helper()
	for _, c := range tables {
		if err := check(t, r, c); err != nil {
			t.Fatalf("%s: %v", c.ID, err)
		}
	}
}

func TestRoundTrip(t *testing.T) {
	tables := []contents{
		makeContents(t, "0101", index.MetricWLD, 992, 2),
		makeContents(t, "0201", index.MetricWLD, 3_000_000, 2), // several chunks
		makeContents(t, "0201", index.MetricDTW, 600_000, 200),
		makeContents(t, "1110", index.MetricDTW, 600_001, 1000), // wide
		makeContents(t, "1101", index.MetricDTW, 100_000, 0),    // constant
	}
	dir := t.TempDir()
	build(t, dir, tables...)
	r := openReader(t, dir)
	mustCheck(t, r, tables...)
	for _, c := range tables {
		table := r.Table(c.ID)
		hash := index.NewValuesHash()
		hash.Add(c.exact)
		x, err := table.Listing()
		if err != nil {
			t.Fatal(err)
		}
		if x.ValuesSHA256 != hash.Hex() {
			t.Errorf("%s: wrong hash of values", c.ID)
		}
		if err := table.CheckHash(context.Background()); err != nil {
			t.Errorf("%s: %v", c.ID, err)
		}
		if _, ok := table.Cached(0); !ok {
			t.Errorf("%s: its first block is not in the cache", c.ID)
		}
		if n := testing.AllocsPerRun(100, func() { _, _ = table.At(5) }); n != 0 {
			t.Errorf("%s: a cached read allocates %v times", c.ID, n)
		}
	}
	if x, err := r.Table(tables[4].ID).Listing(); err != nil || x.Bytes > 6000 {
		t.Errorf("a constant table of 100,000 entries takes %+v (%v)", x, err)
	}
	closeAll(t, r)
}

// TestDeterminism writes the same tables in another order and with other
// numbers of workers.
func TestDeterminism(t *testing.T) {
	tables := []contents{
		makeContents(t, "0201", index.MetricDTW, 900_000, 100),
		makeContents(t, "0101", index.MetricWLD, 900_000, 2),
	}
	want := map[TableID]string{}
	for workers := 1; workers <= 3; workers++ {
		dir := t.TempDir()
		for i := range tables {
			tables[i].workers = workers
		}
		tables[0], tables[1] = tables[1], tables[0]
		build(t, dir, tables...)
		r := openReader(t, dir)
		for _, table := range r.Tables() {
			x, err := table.Listing()
			if err != nil {
				t.Fatal(err)
			}
			if first, ok := want[table.ID()]; ok && first != x.SHA256 {
				t.Errorf("%s: %d workers give another hash", table.ID(), workers)
			}
			want[table.ID()] = x.SHA256
		}
		closeAll(t, r)
	}
}

func TestReadersBesideBuilder(t *testing.T) {
	dir := t.TempDir()
	tables := someContents(t)
	if _, err := OpenReader(dir, ReaderOptions{}); !errors.Is(err, ErrNoStore) {
		t.Errorf("an empty directory: error %v", err)
	}
	build(t, dir, tables[0])
	first := openReader(t, dir)
	b := openBuilder(t, dir)
	second := openReader(t, dir)
	if _, err := OpenBuilder(dir, BuilderOptions{Logger: quiet}); !errors.Is(err, ErrBusy) {
		t.Errorf("a second builder: error %v", err)
	}
	if _, err := b.Write(context.Background(), tables[1].rules, &tables[1].Contents, 1); err != nil {
		t.Fatal(err)
	}
	third := openReader(t, dir)
	mustCheck(t, first, tables[0])
	mustCheck(t, second, tables[0])
	mustCheck(t, third, tables[:2]...)
	mustCheck(t, b, tables[:2]...)
	if second.Table(tables[1].ID) != nil {
		t.Error("a table appeared in an open reader")
	}
	closeAll(t, b, first, second, third)
}

// contentsOf returns every file of a directory with when it was changed.
func contentsOf(t testing.TB, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, name := range storeFiles(t, dir) {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		out[name] = info.ModTime().String() + string(text)
	}
	return out
}

func TestReaderWritesNothing(t *testing.T) {
	dir := t.TempDir()
	tables := someContents(t)
	build(t, dir, tables...)
	before := contentsOf(t, dir)
	r := openReader(t, dir)
	mustCheck(t, r, tables...)
	next, err := r.Refresh()
	if err != nil {
		t.Fatal(err)
	}
	mustCheck(t, next, tables...)
	closeAll(t, r)
	if after := contentsOf(t, dir); !maps.Equal(before, after) {
		t.Error("a reader changed the directory")
	}
}

// TestOtherRules has tables of other rules under one name: they are refused by
// themselves, and beside tables of the right rules they do not matter.
func TestOtherRules(t *testing.T) {
	dir := t.TempDir()
	tables := someContents(t)
	build(t, dir, tables...)
	r := openReader(t, dir)
	defer closeAll(t, r)
	v, _ := engine.Builtin("english")
	if err := r.CheckRules(v); err != nil {
		t.Error(err)
	}
	other := v
	other.MenCapture = "forward-backward"
	const want = "tables of other rules: variant english was built with men_capture = forward, not forward-backward"
	if err := r.CheckRules(other); !errors.Is(err, ErrRules) || err.Error() != want {
		t.Errorf("error %v", err)
	}
	b := openBuilder(t, dir)
	if err := b.CheckRules(other); !errors.Is(err, ErrRules) || err.Error() != want {
		t.Errorf("builder: error %v", err)
	}
	foreign := makeContents(t, "0101", index.MetricWLD, 300, 1)
	foreign.rules, foreign.ID.Rules = other, RulesIDOf(other)
	if _, err := b.Write(t.Context(), other, &foreign.Contents, 1); err != nil {
		t.Fatal(err)
	}
	closeAll(t, b)
	both := openReader(t, dir)
	defer closeAll(t, both)
	if err := errors.Join(both.CheckRules(v), both.CheckRules(other)); err != nil {
		t.Error(err)
	}
	mustCheck(t, both, append(tables, foreign)...)
	if n := len(both.TablesOf(v)); n != len(tables) {
		t.Errorf("%d tables of the rules, want %d", n, len(tables))
	}
}

// TestInterruptedWrite stops a write: nothing of the table is left.
func TestInterruptedWrite(t *testing.T) {
	dir := t.TempDir()
	tables := someContents(t)
	build(t, dir, tables[0])
	b := openBuilder(t, dir)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := b.Write(ctx, tables[1].rules, &tables[1].Contents, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if b.Has(tables[1].ID) {
		t.Error("an unfinished table is listed")
	}
	closeAll(t, b)
	checkStore(t, dir)
	build(t, dir, tables[1:]...)
	r := openReader(t, dir)
	mustCheck(t, r, tables...)
	closeAll(t, r)
}
