package storage

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"dambase/engine"
	"dambase/index"

	"github.com/cockroachdb/pebble/v2/vfs"
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
	c.ID, c.rules, c.workers = TableID{"english", s, metric}, v, 2
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
		if table.Entry().ValuesSHA256 != hash.Hex() {
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
	if constant := r.Table(tables[4].ID).Entry().Bytes; constant > 6000 {
		t.Errorf("a constant table of 100,000 entries takes %d bytes", constant)
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
		for _, e := range r.Entries() {
			if first, ok := want[e.ID()]; ok && first != e.SHA256 {
				t.Errorf("%s: %d workers give another hash", e.ID(), workers)
			}
			want[e.ID()] = e.SHA256
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

// readOnlyFS fails every operation that would write.
type readOnlyFS struct {
	vfs.FS
	t *testing.T
}

func (f readOnlyFS) deny(name string) error {
	f.t.Errorf("a reader writes: %s", name)
	return errors.New("read-only file system")
}

func (f readOnlyFS) Create(name string, _ vfs.DiskWriteCategory) (vfs.File, error) {
	return nil, f.deny(name)
}
func (f readOnlyFS) Link(name, _ string) error                 { return f.deny(name) }
func (f readOnlyFS) Remove(name string) error                  { return f.deny(name) }
func (f readOnlyFS) RemoveAll(name string) error               { return f.deny(name) }
func (f readOnlyFS) Rename(name, _ string) error               { return f.deny(name) }
func (f readOnlyFS) MkdirAll(name string, _ os.FileMode) error { return f.deny(name) }
func (f readOnlyFS) Lock(name string) (io.Closer, error)       { return nil, f.deny(name) }
func (f readOnlyFS) OpenReadWrite(name string, _ vfs.DiskWriteCategory, _ ...vfs.OpenOption) (vfs.File, error) {
	return nil, f.deny(name)
}

func (f readOnlyFS) ReuseForWrite(name, _ string, _ vfs.DiskWriteCategory) (vfs.File, error) {
	return nil, f.deny(name)
}

func TestReaderWritesNothing(t *testing.T) {
	dir := t.TempDir()
	tables := someContents(t)
	build(t, dir, tables...)
	r, err := OpenReader(dir, ReaderOptions{Logger: quiet, fs: readOnlyFS{vfs.Default, t}})
	if err != nil {
		t.Fatal(err)
	}
	mustCheck(t, r, tables...)
	closeAll(t, r)
}

func TestOtherRules(t *testing.T) {
	dir := t.TempDir()
	build(t, dir, someContents(t)...)
	r := openReader(t, dir)
	defer closeAll(t, r)
	v, _ := engine.Builtin("english")
	if err := r.CheckRules(v); err != nil {
		t.Error(err)
	}
	v.MenCapture = "forward-backward"
	if err := r.CheckRules(v); !errors.Is(err, ErrRules) || err.Error() != "tables of other rules: variant english was built with men_capture = forward, not forward-backward" {
		t.Errorf("error %v", err)
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
	if files, _ := filepath.Glob(filepath.Join(dir, temporaryName, "*")); len(files) != 0 {
		t.Errorf("left behind: %v", files)
	}
	build(t, dir, tables[1:]...)
	r := openReader(t, dir)
	mustCheck(t, r, tables...)
	closeAll(t, r)
}
