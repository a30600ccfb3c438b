package retro

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"dambase/engine"
)

var rewrite = flag.Bool("rewrite", false, "write testdata/values.txt anew instead of comparing with it")

// goldenFile lists the hash of the exact values of every table of up to
// goldenPieces pieces of every variant, a line each: variant, slice, metric, hash.
const (
	goldenFile   = "testdata/values.txt"
	goldenPieces = 3
)

// goldenHeader is the first line of the file.
const goldenHeader = "# variant slice metric values_sha256; written by go test ./retro -run GoldenValues -rewrite\n"

// goldenLine is the line of a table.
func goldenLine(variant string, name tableName, hash string) string {
	return fmt.Sprintf("%s %s %s %s\n", variant, name.slice, name.metric, hash)
}

// goldens reads the lines of the file, by variant.
var goldens = sync.OnceValues(func() (map[string]map[string]bool, error) {
	text, err := os.ReadFile(goldenFile)
	if err != nil {
		return nil, err
	}
	out := map[string]map[string]bool{}
	for line := range strings.Lines(string(text)) {
		variant, _, _ := strings.Cut(line, " ")
		if out[variant] == nil {
			out[variant] = map[string]bool{}
		}
		out[variant][line] = true
	}
	return out, nil
})

// checkGolden compares the tables of a store with the file, which must have a
// line for each.
func checkGolden(t *testing.T, r *engine.Rules, got *mapStore) {
	t.Helper()
	want, err := goldens()
	if err != nil {
		t.Fatal(err)
	}
	for name, hash := range got.hashes {
		if !want[r.Variant().Name][goldenLine(r.Variant().Name, name, hash)] {
			t.Errorf("%s %s %s: the values differ from those of %s", r.Variant().Name, name.slice, name.metric, goldenFile)
		}
	}
}

// TestGoldenValues builds all tables of up to 3 pieces of every variant.
func TestGoldenValues(t *testing.T) {
	lines := make([]string, len(engine.BuiltinVariants()))
	for i, v := range engine.BuiltinVariants() {
		r := engine.MustCompile(v)
		store := newMapStore()
		task := buildTask(r, goldenPieces, store)
		task.Metrics, task.Workers = allMetrics(r), runtime.NumCPU()
		if err := Build(context.Background(), task); err != nil {
			t.Fatalf("%s: %v", v.Name, err)
		}
		for name, hash := range store.hashes {
			lines[i] += goldenLine(v.Name, name, hash)
		}
		if !*rewrite {
			checkGolden(t, r, store)
			if want, _ := goldens(); len(want[v.Name]) != len(store.hashes) {
				t.Errorf("%s: %d tables, %s has %d", v.Name, len(store.hashes), goldenFile, len(want[v.Name]))
			}
		}
	}
	if !*rewrite {
		return
	}
	var text bytes.Buffer
	text.WriteString(goldenHeader)
	for _, part := range lines {
		for _, line := range slices.Sorted(maps.Keys(setOf(part))) {
			text.WriteString(line)
		}
	}
	if err := os.WriteFile(goldenFile, text.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// setOf returns the lines of a text.
func setOf(text string) map[string]bool {
	out := map[string]bool{}
	for line := range strings.Lines(text) {
		out[line] = true
	}
	return out
}
