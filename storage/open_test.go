package storage

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"dambase/engine"
	"dambase/index"
)

// manyTables lists n tables in a directory, with files that say nothing: what
// opening a directory looks at.
func manyTables(t testing.TB, n int) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, storeName), 0o777); err != nil {
		t.Fatal(err)
	}
	var text []byte
	for _, v := range engine.BuiltinVariants() {
		for _, pair := range index.UpTo(9) {
			for _, s := range pair.Slices() {
				for _, m := range index.Metrics {
					if n == 0 {
						write(t, filepath.Join(dir, catalogueName), text)
						return dir
					}
					n--
					id := TableID{v.Name, RulesIDOf(v), s, m}
					line, err := encodeLine(&Listing{id.name(), FormatVersion, 1 << 40, 1 << 40, strings.Repeat("0", 64), strings.Repeat("f", 64)})
					if err != nil {
						t.Fatal(err)
					}
					text = append(append(text, line...), '\n')
					write(t, tableFile(dir, id), nil)
				}
			}
		}
	}
	t.Fatal("too few slices")
	return ""
}

// BenchmarkOpen opens directories of many tables for reading, and again after
// one more has come.
func BenchmarkOpen(b *testing.B) {
	for _, n := range []int{1000, 10000} {
		dir := manyTables(b, n)
		b.Run(fmt.Sprintf("%d tables", n), func(b *testing.B) {
			for b.Loop() {
				r, err := OpenReader(dir, ReaderOptions{Logger: quiet})
				if err != nil || r.Len() != n {
					b.Fatal(r.Len(), err)
				}
			}
		})
		b.Run(fmt.Sprintf("%d tables anew", n), func(b *testing.B) {
			r, err := OpenReader(dir, ReaderOptions{Logger: quiet})
			for b.Loop() && err == nil {
				r, err = r.Refresh()
			}
			if err != nil {
				b.Fatal(err)
			}
		})
	}
}

// TestManyTables opens a directory of many tables: the last of them is there.
func TestManyTables(t *testing.T) {
	dir := manyTables(t, 3000)
	r := openReader(t, dir)
	defer closeAll(t, r)
	tables := r.Tables()
	if len(tables) != 3000 {
		t.Fatalf("%d tables", len(tables))
	}
	for i, table := range tables {
		if i > 0 && tables[i-1].ID().compare(table.ID()) >= 0 {
			t.Fatalf("%s stands before %s", tables[i-1].ID(), table.ID())
		}
		if x, err := table.Listing(); err != nil || x.Name != table.ID().name() {
			t.Fatalf("%s is listed as %+v (%v)", table.ID(), x, err)
		}
	}
}

// TestCatalogueGrowsByLines: a new table adds its line and touches no other.
func TestCatalogueGrowsByLines(t *testing.T) {
	dir := t.TempDir()
	b := openBuilder(t, dir)
	defer closeAll(t, b)
	var before []byte
	for _, c := range someContents(t) {
		if _, err := b.Write(t.Context(), c.rules, &c.Contents, 1); err != nil {
			t.Fatal(err)
		}
		now := read(t, filepath.Join(dir, catalogueName))
		if !bytes.HasPrefix(now, before) || bytes.Count(now[len(before):], []byte{'\n'}) != 1 || len(now)-len(before) > 500 {
			t.Errorf("after %s the catalogue is %s", c.ID, now)
		}
		before = now
	}
}

// TestWriteThatCannotBeListed leaves no trace, and does not spoil what comes.
func TestWriteThatCannotBeListed(t *testing.T) {
	dir := t.TempDir()
	tables := someContents(t)
	b := openBuilder(t, dir)
	block := filepath.Join(dir, catalogueName)
	if err := os.Mkdir(block, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Write(t.Context(), tables[0].rules, &tables[0].Contents, 1); !errors.As(err, new(*fs.PathError)) {
		t.Errorf("error %v", err)
	}
	if b.Has(tables[0].ID) {
		t.Error("a table that could not be listed is there")
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "*", "*.sst")); len(files) > 0 {
		t.Errorf("left over: %v", files)
	}
	remove(t, block)
	for _, c := range tables {
		if _, err := b.Write(t.Context(), c.rules, &c.Contents, 1); err != nil {
			t.Fatal(err)
		}
	}
	mustCheck(t, b, tables...)
	closeAll(t, b)
	checkStore(t, dir)
}

// TestRefreshKeepsBlocks: what a reader has decoded is there for the next one.
func TestRefreshKeepsBlocks(t *testing.T) {
	dir := t.TempDir()
	tables := someContents(t)
	build(t, dir, tables[:2]...)
	first := openReader(t, dir)
	mustCheck(t, first, tables[:2]...)
	build(t, dir, tables[2])
	next, err := first.Refresh()
	if err != nil {
		t.Fatal(err)
	}
	if first.Digest() == next.Digest() {
		t.Error("the digest is the same with one more table")
	}
	for i, c := range tables {
		if _, ok := next.Table(c.ID).Cached(0); ok != (i < 2) {
			t.Errorf("%s: in the cache %v", c.ID, ok)
		}
	}
	mustCheck(t, next, tables...)
	closeAll(t, next)
}

func openFiles(t testing.TB, dir string) (n int) {
	t.Helper()
	fds, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	for _, fd := range fds {
		if name, err := os.Readlink("/proc/self/fd/" + fd.Name()); err == nil && strings.HasPrefix(name, dir) {
			n++
		}
	}
	return n
}

// TestOpenFiles reads more tables than files may be open, by several
// goroutines at once.
func TestOpenFiles(t *testing.T) {
	dir := t.TempDir()
	var tables []contents
	for i, slice := range []string{"0101", "0201", "1101", "1001", "1010", "0110", "0102"} {
		tables = append(tables, makeContents(t, slice, index.MetricDTW, 500+i, 200))
	}
	build(t, dir, tables...)
	r, err := OpenReader(dir, ReaderOptions{Logger: quiet, OpenFiles: 2, CacheBytes: 1})
	if err != nil {
		t.Fatal(err)
	}
	if n := openFiles(t, dir); n != 0 {
		t.Errorf("%d files are open before anything was read", n)
	}
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for k := range tables {
				if err := check(t, r, tables[(i+k)%len(tables)]); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if n := openFiles(t, dir); n > 2 {
		t.Errorf("%d files are open, want 2 at most", n)
	}
	closeAll(t, r)
	if n := openFiles(t, dir); n != 0 {
		t.Errorf("%d files are open after all were closed", n)
	}
}

// TestReplacedFilesAreClosed: a reader that follows a directory does not keep
// the files of tables that were built again.
func TestReplacedFilesAreClosed(t *testing.T) {
	dir := t.TempDir()
	c := someContents(t)[0]
	build(t, dir, c)
	r := openReader(t, dir)
	for range 3 {
		mustCheck(t, r, c)
		c.exact[7] ^= 1
		build(t, dir, c)
		next, err := r.Refresh()
		if err != nil {
			t.Fatal(err)
		}
		r = next
	}
	mustCheck(t, r, c)
	if n := openFiles(t, dir); n != 1 {
		t.Errorf("%d files are open of one table", n)
	}
	closeAll(t, r)
}

// TestOutOfFiles: where no more files can be opened a table is not damaged,
// and a builder does not build it again.
func TestOutOfFiles(t *testing.T) {
	dir := t.TempDir()
	tables := someContents(t)
	build(t, dir, tables...)
	r, b := openReader(t, dir), openBuilder(t, dir)
	var held []*os.File
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	low := limit
	low.Cur = 200
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &low); err != nil {
		t.Fatal(err)
	}
	for {
		f, err := os.Open(os.DevNull)
		if err != nil {
			break
		}
		held = append(held, f)
	}
	err := check(t, r, tables[0])
	has := b.Has(tables[0].ID)
	for _, f := range held {
		f.Close()
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	if !errors.Is(err, ErrResources) || errors.As(err, new(*CorruptError)) {
		t.Errorf("a read without files: error %v", err)
	}
	if !has {
		t.Error("a builder without files takes a table for damaged")
	}
	mustCheck(t, r, tables...)
	mustCheck(t, b, tables...)
	closeAll(t, r, b)
}
