package engine

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
)

// builtin compiles a built-in variant.
func builtin(t testing.TB, name string) *Rules {
	t.Helper()
	for _, v := range BuiltinVariants() {
		if v.Name == name {
			r, err := Compile(v)
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
	}
	t.Fatalf("no variant %s", name)
	return nil
}

// topLeft returns the same rules printing and reading top-left numbers, which
// the test data are written in.
func topLeft(t testing.TB, name string) *Rules {
	t.Helper()
	v := builtin(t, name).Variant()
	v.Notation, v.Numbering = "numbers", "top-left"
	r, err := Compile(v)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// dataLines reads a file of testdata, without comments and empty lines.
func dataLines(t testing.TB, name string) []string {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			out = append(out, line)
		}
	}
	return out
}

// TestPerft runs every line of testdata/perft.txt: variants | FEN or start | counts by depth.
func TestPerft(t *testing.T) {
	for _, line := range dataLines(t, "perft.txt") {
		field := strings.Split(line, "|")
		for name := range strings.FieldsSeq(field[0]) {
			t.Run(fmt.Sprintf("%s/%s", name, strings.TrimSpace(field[1])), func(t *testing.T) {
				t.Parallel()
				r := topLeft(t, name)
				p := r.Start()
				if fen := strings.TrimSpace(field[1]); fen != "start" {
					var err error
					if p, err = r.ParsePosition(fen); err != nil {
						t.Fatal(err)
					}
				}
				for i, want := range strings.Fields(field[2]) {
					if got := r.Perft(&p, i+1); strconv.FormatUint(got, 10) != want {
						t.Fatalf("perft %d = %d, want %s", i+1, got, want)
					}
				}
			})
		}
	}
}
