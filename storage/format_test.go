package storage

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
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

// TestOtherFormat meets a catalogue that a later program wrote: it is sound,
// so it is left alone.
func TestOtherFormat(t *testing.T) {
	dir := t.TempDir()
	build(t, dir, someContents(t)...)
	name := filepath.Join(dir, catalogueName)
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var sealed sealedCatalogue
	if err := json.Unmarshal(text, &sealed); err != nil {
		t.Fatal(err)
	}
	changed := bytes.ReplaceAll(sealed.Catalogue, []byte(`"format": 1,`), []byte(`"format": 2, "more": "things",`))
	var compact bytes.Buffer
	if err := json.Compact(&compact, changed); err != nil {
		t.Fatal(err)
	}
	later, err := json.Marshal(sealedCatalogue{checksum(compact.Bytes()), changed})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, later, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenBuilder(dir, BuilderOptions{Logger: quiet}); err == nil || !strings.Contains(err.Error(), "format 2; this program reads format 1") {
		t.Errorf("builder: error %v", err)
	}
	if _, err := OpenReader(dir, ReaderOptions{Logger: quiet, tries: 1}); err == nil || !strings.Contains(err.Error(), "format 2") {
		t.Errorf("reader: error %v", err)
	}
	if now, err := os.ReadFile(name); err != nil || !bytes.Equal(now, later) {
		t.Errorf("the catalogue was touched (%v)", err)
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
	if kept, _ := filepath.Glob(filepath.Join(dir, "damaged-*")); len(kept) > 0 {
		t.Errorf("set aside: %v", kept)
	}
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
