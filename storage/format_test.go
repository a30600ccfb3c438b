package storage

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dambase/index"
)

// TestWorkedExample keeps the hex dump of docs/format.md true.
func TestWorkedExample(t *testing.T) {
	doc, err := os.ReadFile("../docs/format.md")
	if err != nil {
		t.Fatal(err)
	}
	_, example, found := strings.Cut(string(doc), "## A worked example")
	var dump strings.Builder
	for line := range strings.Lines(example) {
		bytes, _, _ := strings.Cut(line, "  ")
		if strings.Trim(strings.TrimSpace(bytes), "0123456789abcdef ") == "" && bytes != "" {
			dump.WriteString(strings.ReplaceAll(strings.TrimSpace(bytes), " ", ""))
		}
	}
	want := hex.EncodeToString(appendChunk(nil, []byte("key"), [][]byte{{1, 2, 3, 4}, {5, 5, 5, 5}}))
	if !found || dump.String() != want {
		t.Errorf("the example shows %s, want %s", dump.String(), want)
	}
}

// TestEarlierFormat meets a directory of the first format: it is left alone,
// with a word on what to do.
func TestEarlierFormat(t *testing.T) {
	for _, text := range []string{"{\n \"checksum\": \"\",\n \"catalogue\": {}\n}", `{"checksum":"","catalogue":{"tables":[]}}`} {
		dir := t.TempDir()
		name := filepath.Join(dir, catalogueName)
		write(t, name, []byte(text))
		if _, err := OpenBuilder(dir, BuilderOptions{Logger: quiet}); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), "build them again in another directory") {
			t.Errorf("builder: error %v", err)
		}
		if _, err := OpenReader(dir, ReaderOptions{Logger: quiet, tries: 1}); !errors.Is(err, ErrFormat) {
			t.Errorf("reader: error %v", err)
		}
		if string(read(t, name)) != text {
			t.Error("the catalogue was touched")
		}
	}
}

// reseal writes a table with another footer, as another program would.
func reseal(t *testing.T, dir string, c contents, format int, change func(text []byte) []byte) {
	t.Helper()
	footer, err := newFooter(c.rules, &c.Contents)
	if err != nil {
		t.Fatal(err)
	}
	path := tableFile(dir, c.ID)
	w, err := newSSTable(path)
	if err != nil {
		t.Fatal(err)
	}
	keys, stream := keysOf(c.ID), newStreamHash()
	text, err := json.Marshal(footer)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Set(keys.footer(), change(text)), w.Close()); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	x := newListing(footer, info, stream)
	x.Format = format
	cat, _, err := readCatalogue(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := cat.add(dir, x); err != nil {
		t.Fatal(err)
	}
}

// TestTablesOfOtherPrograms have a format, a packing or a parameter of the
// rules that this program does not know: they are refused one by one, and
// builders leave them alone.
func TestTablesOfOtherPrograms(t *testing.T) {
	replace := func(from, to string) func([]byte) []byte {
		return func(text []byte) []byte {
			changed := bytes.Replace(text, []byte(from), []byte(to), 1)
			if bytes.Equal(changed, text) {
				t.Fatalf("no %s in %s", from, text)
			}
			return changed
		}
	}
	for _, c := range []struct {
		name   string
		format int
		change func([]byte) []byte
		want   string
	}{
		{"format", 3, replace(`"format":2`, `"format":3`), "format 3; this program reads format 2"},
		{"packing", 2, replace(`"packing":"bytes"`, `"packing":"arithmetic"`), `packing "arithmetic"`},
		{"block length", 2, replace(`"block_length":4096`, `"block_length":4095`), "blocks of 4095"},
		{"later rules", 2, replace(`"rules_hash":"`, `"rules_hash":"0123456789abcdef`), "parameters that this program does not know"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			tables := someContents(t)
			build(t, dir, tables...)
			reseal(t, dir, tables[1], c.format, c.change)
			before := contentsOf(t, dir)
			r := openReader(t, dir)
			mustCheck(t, r, tables[0], tables[2])
			if err := check(t, r, tables[1]); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
			closeAll(t, r)
			b := openBuilder(t, dir)
			if err := b.CheckRules(tables[1].rules); !errors.Is(err, ErrFormat) {
				t.Errorf("builder: error %v", err)
			}
			closeAll(t, b)
			if after := contentsOf(t, dir); !maps.Equal(before, after) {
				t.Error("the directory was changed")
			}
		})
	}
}

// TestLeftAlone has an unlisted file of a later format, and a line that names
// no table of this program: a builder leaves both, works on all else, and
// refuses to build over the file.
func TestLeftAlone(t *testing.T) {
	dir := t.TempDir()
	tables := someContents(t)
	build(t, dir, tables[0])
	other := tables[1]
	other.rules.Name, other.ID.Variant = "later", "later"
	catalogue := filepath.Join(dir, catalogueName)
	before := read(t, catalogue)
	reseal(t, dir, other, 3, func(text []byte) []byte { return bytes.Replace(text, []byte(`"format":2`), []byte(`"format":3`), 1) })
	line, err := encodeLine(&Listing{Name: "english-0123456789abcdef-0101-dtc", Format: 3})
	if err != nil {
		t.Fatal(err)
	}
	damaged := bytes.Replace(before, []byte(`"positions"`), []byte(`"position_"`), 1)
	write(t, catalogue, append(append(damaged, line...), '\n')) // so that it is written anew
	file := read(t, tableFile(dir, other.ID))
	b := openBuilder(t, dir)
	mustCheck(t, b, tables[0])
	if err := b.CheckRules(other.rules); !errors.Is(err, ErrFormat) {
		t.Errorf("error %v", err)
	}
	if err := b.CheckRules(tables[0].rules); err != nil {
		t.Error(err)
	}
	closeAll(t, b)
	if !bytes.Equal(read(t, tableFile(dir, other.ID)), file) || !bytes.Contains(read(t, catalogue), line) {
		t.Error("what another program wrote is gone")
	}
}

// TestTooManyBlocks: numbers of blocks and chunks have 32 bits; a larger table
// is refused when its footer is made, and when one is read.
func TestTooManyBlocks(t *testing.T) {
	c := makeContents(t, "0101", index.MetricDTW, 10, 2)
	for _, x := range []struct {
		positions uint64
		planes    int
		fits      bool
	}{
		{4096 << 32, 1, false},
		{4096 * (1<<32 - 1), 1, true},
		{4096*(1<<32-1) + 1, 1, false},
		{4096 << 28, 16, false},
		{4096<<28 - 4096, 16, true},
		{1 << 63, 1, false},
		{1 << 62, 8, false},
	} {
		c.Contents.Positions, c.Contents.Planes = x.positions, x.planes
		if _, err := newFooter(c.rules, &c.Contents); errors.Is(err, ErrTooLarge) == x.fits || err != nil && x.fits {
			t.Errorf("%d positions of %d planes: error %v, fits %v", x.positions, x.planes, err, x.fits)
		}
	}
}

// TestRepairOfSoundStore changes nothing.
func TestRepairOfSoundStore(t *testing.T) {
	dir := t.TempDir()
	build(t, dir, someContents(t)...)
	b, err := OpenBuilder(dir, BuilderOptions{Repair: true, Logger: quiet})
	if err != nil {
		t.Fatal(err)
	}
	mustCheck(t, b, someContents(t)...)
	closeAll(t, b)
	if kept, _ := filepath.Glob(filepath.Join(dir, damagedName, "*")); len(kept) > 0 {
		t.Errorf("set aside: %v", kept)
	}
	checkStore(t, dir)
}

// TestLockThatCannotBeMade is no other build.
func TestLockThatCannotBeMade(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, lockName), 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenBuilder(dir, BuilderOptions{Logger: quiet}); err == nil || strings.Contains(err.Error(), "another build") {
		t.Errorf("error %v", err)
	}
}
