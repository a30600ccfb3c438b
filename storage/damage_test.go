package storage

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dambase/index"
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

// readDamaged opens a damaged directory and reads all tables: every entry must
// be right, or the read an error that says so and names the table. It returns
// the tables that could not be read.
func readDamaged(t *testing.T, dir string, tables []contents) (lost []TableID) {
	t.Helper()
	r, err := OpenReader(dir, ReaderOptions{Logger: quiet, tries: 1})
	if err != nil {
		t.Fatalf("the whole directory is refused: %v", err)
	}
	defer closeAll(t, r)
	for _, c := range tables {
		err := check(t, r, c)
		if err == nil {
			continue
		}
		lost = append(lost, c.ID)
		if !errors.As(err, new(*CorruptError)) && !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), c.ID.String()) {
			t.Fatalf("%s: error %v", c.ID, err)
		}
		if strings.Contains(err.Error(), dir) {
			t.Fatalf("%s: the error tells where the file is: %v", c.ID, err)
		}
	}
	return lost
}

func write(t testing.TB, name string, text []byte) {
	t.Helper()
	if err := os.WriteFile(name, text, 0o666); err != nil {
		t.Fatal(err)
	}
}

func read(t testing.TB, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestBitFlips flips a bit in every byte of every file of a small store. A
// flip concerns one table alone, but for one that joins two lines of the catalogue.
func TestBitFlips(t *testing.T) {
	tables := someContents(t)
	dir := t.TempDir()
	build(t, dir, tables...)
	flips, harmless := 0, 0
	for _, name := range storeFiles(t, dir) {
		path := filepath.Join(dir, name)
		text := read(t, path)
		for i := range text {
			damaged := slices.Clone(text)
			damaged[i] ^= 1 << (i % 8)
			write(t, path, damaged)
			flips++
			lost := readDamaged(t, dir, tables)
			most := 1
			if text[i] == '\n' {
				most = 2
			}
			if len(lost) > most {
				t.Fatalf("%s, byte %d: %d tables are lost: %v", name, i, len(lost), lost)
			}
			if len(lost) == 0 {
				harmless++
			}
		}
		write(t, path, text)
	}
	if harmless > flips*2/3 || flips < 5000 {
		t.Errorf("%d flips, of which %d changed nothing: the test does not reach the data", flips, harmless)
	}
	if lost := readDamaged(t, dir, tables); lost != nil {
		t.Errorf("lost after all bits were put back: %v", lost)
	}
}

// table returns the name of a table's file.
func tableFile(dir string, id TableID) string { return filepath.Join(dir, storeName, id.file()) }

// A damaging is something that happens to a store of three tables.
type damaging struct {
	name   string
	damage func(t *testing.T, dir string, tables []contents)
	lost   []int // the tables that readers cannot read
	again  []int // those that a builder must build again
	aside  int   // files that a builder puts aside
}

var damagings = []damaging{
	{name: "nothing"},
	{name: "a file gone", damage: func(t *testing.T, dir string, c []contents) {
		remove(t, tableFile(dir, c[0].ID))
	}, lost: []int{0}, again: []int{0}},
	{name: "a file empty", damage: func(t *testing.T, dir string, c []contents) {
		write(t, tableFile(dir, c[1].ID), nil)
	}, lost: []int{1}, again: []int{1}},
	{name: "a file cut in half", damage: func(t *testing.T, dir string, c []contents) {
		text := read(t, tableFile(dir, c[1].ID))
		write(t, tableFile(dir, c[1].ID), text[:len(text)/2])
	}, lost: []int{1}, again: []int{1}},
	{name: "a file without its last byte", damage: func(t *testing.T, dir string, c []contents) {
		text := read(t, tableFile(dir, c[2].ID))
		write(t, tableFile(dir, c[2].ID), text[:len(text)-1])
	}, lost: []int{2}, again: []int{2}},
	{name: "a foreign file in its place", damage: func(t *testing.T, dir string, c []contents) {
		write(t, tableFile(dir, c[0].ID), []byte("not a table"))
	}, lost: []int{0}, again: []int{0}},
	{name: "two files swapped", damage: func(t *testing.T, dir string, c []contents) {
		a, b := read(t, tableFile(dir, c[0].ID)), read(t, tableFile(dir, c[1].ID))
		write(t, tableFile(dir, c[0].ID), b)
		write(t, tableFile(dir, c[1].ID), a)
	}, lost: []int{0, 1}, again: []int{0, 1}},
	{name: "a file doubled under another table's name", damage: func(t *testing.T, dir string, c []contents) {
		id := c[0].ID
		id.Slice.Kings[0]++
		write(t, tableFile(dir, id), read(t, tableFile(dir, c[0].ID)))
	}, aside: 1},
	{name: "files that are no tables", damage: func(t *testing.T, dir string, c []contents) {
		write(t, filepath.Join(dir, storeName, "notes.sst"), []byte("x"))
		write(t, filepath.Join(dir, storeName, "english-2110-dtw.sst"), []byte("x"))
		write(t, filepath.Join(dir, temporaryName, c[0].ID.file()), []byte("half a table"))
	}},
	{name: "the catalogue gone", damage: func(t *testing.T, dir string, _ []contents) {
		remove(t, filepath.Join(dir, catalogueName))
	}, lost: []int{0, 1, 2}},
	{name: "the catalogue empty", damage: func(t *testing.T, dir string, _ []contents) {
		write(t, filepath.Join(dir, catalogueName), nil)
	}, lost: []int{0, 1, 2}},
	{name: "the catalogue's last line cut", damage: func(t *testing.T, dir string, _ []contents) {
		text := read(t, filepath.Join(dir, catalogueName))
		write(t, filepath.Join(dir, catalogueName), text[:len(text)-30])
	}, lost: []int{2}},
	{name: "the catalogue's last line lost", damage: func(t *testing.T, dir string, _ []contents) {
		text := read(t, filepath.Join(dir, catalogueName))
		write(t, filepath.Join(dir, catalogueName), text[:bytes.LastIndexByte(text[:len(text)-1], '\n')+1])
	}, lost: []int{2}},
	{name: "the catalogue's last end of a line lost", damage: func(t *testing.T, dir string, _ []contents) {
		text := read(t, filepath.Join(dir, catalogueName))
		write(t, filepath.Join(dir, catalogueName), text[:len(text)-1])
	}},
	{name: "a line of the catalogue damaged", damage: func(t *testing.T, dir string, _ []contents) {
		text := read(t, filepath.Join(dir, catalogueName))
		text[bytes.IndexByte(text, '\n')+40] ^= 1
		write(t, filepath.Join(dir, catalogueName), text)
	}, lost: []int{1}},
	{name: "the catalogue and a file damaged", damage: func(t *testing.T, dir string, c []contents) {
		remove(t, filepath.Join(dir, catalogueName))
		write(t, tableFile(dir, c[1].ID), []byte("not a table"))
	}, lost: []int{0, 1, 2}, again: []int{1}, aside: 1},
	{name: "a rewritten catalogue not yet in its place", damage: func(t *testing.T, dir string, _ []contents) {
		write(t, filepath.Join(dir, catalogueName+".new"), []byte("half"))
	}},
}

func remove(t testing.TB, name string) {
	t.Helper()
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
}

// TestDamagings: readers serve what is sound and name what is not, and write
// nothing; a builder finds exactly the damaged tables, builds them again, and
// then all is as it was.
func TestDamagings(t *testing.T) {
	tables := someContents(t)
	sound := t.TempDir()
	build(t, sound, tables...)
	for _, d := range damagings {
		t.Run(d.name, func(t *testing.T) {
			dir := copyDir(t, sound)
			if d.damage != nil {
				d.damage(t, dir, tables)
			}
			before := contentsOf(t, dir)
			var want []TableID
			for _, i := range d.lost {
				want = append(want, tables[i].ID)
			}
			if lost := readDamaged(t, dir, tables); !slices.Equal(lost, want) {
				t.Errorf("lost %v, want %v", lost, want)
			}
			for name, text := range contentsOf(t, dir) {
				if before[name] != text {
					t.Errorf("a reader changed %s", name)
				}
			}
			rebuild(t, dir, tables, d.again, BuilderOptions{Logger: quiet})
			aside, _ := filepath.Glob(filepath.Join(dir, damagedName, "*"))
			if len(aside) != d.aside {
				t.Errorf("put aside: %v", aside)
			}
			if lost := readDamaged(t, dir, tables); lost != nil {
				t.Errorf("lost after a build: %v", lost)
			}
			checkStore(t, dir)
		})
	}
}

// rebuild builds what a builder says is missing, and checks that it is that.
func rebuild(t *testing.T, dir string, tables []contents, want []int, o BuilderOptions) {
	t.Helper()
	b, err := OpenBuilder(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range tables {
		missing := !b.Has(c.ID)
		if missing != slices.Contains(want, i) {
			t.Errorf("table %s must be built again: %v", c.ID, missing)
		}
		if !missing {
			mustCheck(t, b, c)
		} else if _, err := b.Write(t.Context(), c.rules, &c.Contents, 1); err != nil {
			t.Fatal(err)
		}
	}
	closeAll(t, b)
}

// flipData flips a bit in the data of a table.
func flipData(t testing.TB, dir string, id TableID) {
	t.Helper()
	name := tableFile(dir, id)
	text := read(t, name)
	text[30] ^= 4
	write(t, name, text)
}

// TestRepairFindsDamage damages the data of one table: an ordinary open does
// not look so far, its reads fail, and --repair builds the table again.
func TestRepairFindsDamage(t *testing.T) {
	tables := someContents(t)
	dir := t.TempDir()
	build(t, dir, tables...)
	flipData(t, dir, tables[1].ID)
	if lost := readDamaged(t, dir, tables); len(lost) != 1 || lost[0] != tables[1].ID {
		t.Errorf("lost %v", lost)
	}
	rebuild(t, dir, tables, []int{1}, BuilderOptions{Repair: true, Logger: quiet})
	checkStore(t, dir)
}

// TestReaderSeesRepair: a reader that has met damage finds the table sound
// after it was built again, and keeps what it knows of the others.
func TestReaderSeesRepair(t *testing.T) {
	tables := someContents(t)
	dir := t.TempDir()
	build(t, dir, tables...)
	flipData(t, dir, tables[1].ID)
	first := openReader(t, dir)
	mustCheck(t, first, tables[0])
	if err := check(t, first, tables[1]); !errors.As(err, new(*CorruptError)) {
		t.Fatalf("error %v", err)
	}
	rebuild(t, dir, tables, []int{1}, BuilderOptions{Repair: true, Logger: quiet})
	second, err := first.Refresh()
	if err != nil {
		t.Fatal(err)
	}
	mustCheck(t, second, tables...)
	if second.Table(tables[0].ID) != first.Table(tables[0].ID) || second.Table(tables[1].ID) == first.Table(tables[1].ID) {
		t.Error("the tables of the two readers")
	}
	closeAll(t, second)
}

// TestDamageIsFoundOnce: what has been found damaged is not read again, and
// what is sound of the table is.
func TestDamageIsFoundOnce(t *testing.T) {
	c := makeContents(t, "0201", index.MetricDTW, 2*64*4096, 200)
	dir := t.TempDir()
	build(t, dir, c)
	flipData(t, dir, c.ID)
	r := openReader(t, dir)
	defer closeAll(t, r)
	table := r.Table(c.ID)
	_, first := table.At(0)
	if !errors.As(first, new(*CorruptError)) || table.Fault() == nil {
		t.Fatalf("error %v, fault %v", first, table.Fault())
	}
	flipData(t, dir, c.ID) // back again
	if _, err := table.At(0); err != first {
		t.Errorf("the second time error %v", err)
	}
	if e, err := table.At(64 * 4096); err != nil || e != c.exact[64*4096] {
		t.Errorf("of another chunk %d, error %v", e, err)
	}
}

// TestFileComesBack: a reader serves a table whose file is put back.
func TestFileComesBack(t *testing.T) {
	tables := someContents(t)
	dir := t.TempDir()
	build(t, dir, tables...)
	name := tableFile(dir, tables[0].ID)
	text := read(t, name)
	remove(t, name)
	r := openReader(t, dir)
	defer closeAll(t, r)
	if err := check(t, r, tables[0]); !errors.As(err, new(*CorruptError)) {
		t.Fatalf("error %v", err)
	}
	write(t, name, text)
	mustCheck(t, r, tables...)
}

// FuzzChunk decodes arbitrary bytes as a chunk: what is decoded encodes to the
// same checksums.
func FuzzChunk(f *testing.F) {
	key := []byte("key")
	f.Add(appendChunk(nil, key, [][]byte{{1, 2, 3, 4}, {5, 5, 5, 5}}))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, chunk []byte) {
		var packed [2][]byte
		for i := range packed {
			var err error
			if packed[i], err = chunkBlock(chunk, key, 2, i, 4); err != nil {
				return
			}
		}
		again := appendChunk(nil, key, packed[:])
		for i := range packed {
			if got, err := chunkBlock(again, key, 2, i, 4); err != nil || !bytes.Equal(got, packed[i]) {
				t.Fatalf("block %d is %v, written and read %v (%v)", i, packed[i], got, err)
			}
		}
	})
}

// FuzzCatalogue reads arbitrary bytes as a catalogue.
func FuzzCatalogue(f *testing.F) {
	line, err := encodeLine(&Listing{Name: "english-0123456789abcdef-0101-wld", Format: FormatVersion})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(append(line, '\n'))
	f.Add([]byte("{\"checksum\""))
	f.Fuzz(func(t *testing.T, text []byte) {
		dir := t.TempDir()
		write(t, filepath.Join(dir, catalogueName), text)
		c, _, err := readCatalogue(dir)
		if err != nil && !errors.Is(err, ErrFormat) {
			t.Fatal(err)
		}
		for id, l := range c.lines {
			if x, err := l.listing(); err == nil && x.Name != id.name() {
				t.Fatalf("the line of %s names %s", id, x.Name)
			}
		}
	})
}
