package storage

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// copyDir copies a directory for a test to damage.
func copyDir(t testing.TB, from string) string {
	t.Helper()
	to := t.TempDir()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	return to
}

// storeFiles lists the files of a directory that hold something, relative to it.
func storeFiles(t testing.TB, dir string) []string {
	t.Helper()
	var out []string
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil && info.Size() > 0 {
				out = append(out, name)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// readDamaged opens a damaged directory and reads all tables: every answer
// must be right or an error. It reports whether all went well.
func readDamaged(t *testing.T, dir string, tables []contents) bool {
	t.Helper()
	r, err := OpenReader(dir, ReaderOptions{Logger: quiet, tries: 1})
	if err != nil {
		return false
	}
	defer r.Close() // Pebble may complain about what it left open when it panicked
	intact := true
	for _, c := range tables {
		if err := check(t, r, c); err != nil {
			intact = false
		}
	}
	return intact
}

// TestBitFlips flips a bit in every byte of every file of a small store.
func TestBitFlips(t *testing.T) {
	tables := someContents(t)[:2]
	dir := t.TempDir()
	build(t, dir, tables...)
	flips, harmless := 0, 0
	for _, name := range storeFiles(t, dir) {
		path := filepath.Join(dir, name)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i := range text {
			damaged := slices.Clone(text)
			damaged[i] ^= 1 << (i % 8)
			if err := os.WriteFile(path, damaged, 0o666); err != nil {
				t.Fatal(err)
			}
			flips++
			if readDamaged(t, dir, tables) {
				harmless++
			}
		}
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if harmless > flips*2/3 || flips < 3000 {
		t.Errorf("%d flips, of which %d changed nothing: the test does not reach the data", flips, harmless)
	}
	if !readDamaged(t, dir, tables) {
		t.Error("the store is damaged after all bits were put back")
	}
}

// TestMissingAndCutFiles removes every file, and cuts it at several places.
func TestMissingAndCutFiles(t *testing.T) {
	tables := someContents(t)
	dir := t.TempDir()
	build(t, dir, tables...)
	for _, name := range storeFiles(t, dir) {
		path := filepath.Join(dir, name)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		readDamaged(t, dir, tables)
		for _, n := range []int{0, 1, len(text) / 2, len(text) - 1} {
			if err := os.WriteFile(path, text[:n], 0o666); err != nil {
				t.Fatal(err)
			}
			readDamaged(t, dir, tables)
		}
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// glob returns the one file that matches.
func glob(t testing.TB, pattern ...string) string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(pattern...))
	if err != nil || len(names) == 0 {
		t.Fatalf("no file %v (%v)", pattern, err)
	}
	return names[len(names)-1]
}

// TestBuilderRepairs damages a store in ways that would make Pebble delete
// tables, or that a crash leaves; the builder ends with all sound tables.
func TestBuilderRepairs(t *testing.T) {
	tables := someContents(t)
	dir := t.TempDir()
	build(t, dir, tables...)
	flip := func(name string, at int) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text[(at+len(text))%len(text)] ^= 4
		if err := os.WriteFile(name, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	remove := func(name string) {
		if err := os.RemoveAll(name); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name   string
		damage func(dir string)
		lost   int // tables
		aside  bool
	}{
		{"manifest's last record", func(dir string) { flip(glob(t, dir, storeName, "MANIFEST-*"), -3) }, 0, true},
		{"manifest gone", func(dir string) { remove(glob(t, dir, storeName, "MANIFEST-*")) }, 0, true},
		{"manifest's first record", func(dir string) { flip(glob(t, dir, storeName, "MANIFEST-*"), 3) }, 0, true},
		{"catalogue gone", func(dir string) { remove(filepath.Join(dir, catalogueName)) }, 0, false},
		{"catalogue damaged", func(dir string) { flip(filepath.Join(dir, catalogueName), 200) }, 0, false},
		{"catalogue and manifest", func(dir string) {
			remove(filepath.Join(dir, catalogueName))
			flip(glob(t, dir, storeName, "MANIFEST-*"), -3)
		}, 0, true},
		{"an sstable gone", func(dir string) { remove(glob(t, dir, storeName, "*.sst")) }, 1, true},
		{"unfinished table", func(dir string) {
			if err := os.WriteFile(filepath.Join(dir, temporaryName, "table.sst"), []byte("half"), 0o666); err != nil {
				t.Fatal(err)
			}
		}, 0, false},
		{"repair cut off between its renames", func(dir string) {
			if err := os.Rename(filepath.Join(dir, storeName), filepath.Join(dir, newStoreName)); err != nil {
				t.Fatal(err)
			}
		}, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := copyDir(t, dir)
			c.damage(dir)
			b := openBuilder(t, dir)
			have := 0
			for _, x := range tables {
				if b.Has(x.ID) {
					have++
					mustCheck(t, b, x)
				}
			}
			if have != len(tables)-c.lost {
				t.Errorf("%d tables, want %d", have, len(tables)-c.lost)
			}
			closeAll(t, b)
			kept, _ := filepath.Glob(filepath.Join(dir, "damaged-*"))
			if (len(kept) > 0) != c.aside {
				t.Errorf("set aside: %v", kept)
			}
			r := openReader(t, dir)
			if len(r.Entries()) != have {
				t.Errorf("the catalogue lists %d tables", len(r.Entries()))
			}
			closeAll(t, r)
		})
	}
}

// TestRepairFindsDamage damages the data of one table: an ordinary open does
// not look so far, its reads fail, and --repair leaves the table out.
func TestRepairFindsDamage(t *testing.T) {
	tables := someContents(t)
	dir := t.TempDir()
	build(t, dir, tables...)
	name := glob(t, dir, storeName, "*.sst")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	text[50] ^= 1
	if err := os.WriteFile(name, text, 0o666); err != nil {
		t.Fatal(err)
	}
	r := openReader(t, dir)
	failed := 0
	for _, c := range tables {
		var damage *CorruptError
		if err := check(t, r, c); errors.As(err, &damage) {
			failed++
			if !strings.Contains(err.Error(), c.ID.String()) {
				t.Errorf("error %v does not name the table", err)
			}
		}
	}
	closeAll(t, r)
	if failed != 1 {
		t.Fatalf("%d tables failed to read, want 1", failed)
	}
	b, err := OpenBuilder(dir, BuilderOptions{Repair: true, Logger: quiet})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range tables {
		if !b.Has(c.ID) {
			if _, err := b.Write(t.Context(), c.rules, &c.Contents, 1); err != nil {
				t.Fatal(err)
			}
		}
	}
	mustCheck(t, b, tables...)
	closeAll(t, b)
}

// FuzzChunk decodes arbitrary bytes as a chunk.
func FuzzChunk(f *testing.F) {
	key := []byte("key")
	f.Add(appendChunk(nil, key, [][]byte{{1, 2, 3, 4}, {5, 5, 5, 5}}))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, chunk []byte) {
		for i := range 2 {
			if packed, err := chunkBlock(chunk, key, 2, i, 4); err == nil && len(packed) != 4 {
				t.Fatalf("block %d has %d bytes", i, len(packed))
			}
		}
	})
}
