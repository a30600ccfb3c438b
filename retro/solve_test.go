package retro

import (
	"context"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"dambase/engine"
	"dambase/index"
)

func rules(t testing.TB, name string) *engine.Rules {
	t.Helper()
	for _, v := range engine.BuiltinVariants() {
		if v.Name == name {
			return engine.MustCompile(v)
		}
	}
	t.Fatalf("no variant %s", name)
	return nil
}

// solveUpTo solves every slice of up to so many pieces.
func solveUpTo(t testing.TB, r *engine.Rules, pieces, workers int) map[index.Slice]*index.Values {
	t.Helper()
	all := map[index.Slice]*index.Values{}
	for _, pair := range index.UpTo(pieces) {
		task := Task{Rules: r, Pair: pair, Finished: all, Workers: workers}
		solution, err := Solve(context.Background(), task)
		if err != nil {
			t.Fatal(err)
		}
		all[pair[0]], all[pair[1]] = solution[0], solution[1]
	}
	return all
}

// TestPublishedTotals compares with the counts of the literature.
func TestPublishedTotals(t *testing.T) {
	r := rules(t, "english")
	all := solveUpTo(t, r, 4, runtime.NumCPU())
	first, err := r.ParsePosition("B:WK8,30:B22,27")
	if err != nil {
		t.Fatal(err)
	}
	turned := r.Flip(first)
	n, err := index.NewNumbering(r, index.SliceOf(&turned))
	if err != nil {
		t.Fatal(err)
	}
	if v := all[n.Slice()].At(n.Index(&turned)); v.WLD() != index.Win || v.Distance() != 93 {
		t.Errorf("first position: %s in %d, want a win in 93", v.WLD(), v.Distance())
	}
	var total index.Statistics
	var longest engine.Plies
	for _, values := range all {
		s, err := index.Count(t.Context(), values)
		if err != nil {
			t.Fatal(err)
		}
		total.Wins += s.Wins
		total.Draws += s.Draws
		total.Losses += s.Losses
		if s.LongestWin != nil {
			longest = max(longest, s.LongestWin.Distance)
		}
	}
	if total.Wins != 2675270 || total.Draws != 1728769 || total.Losses != 2004797 || longest != 109 {
		t.Errorf("english up to 4 pieces: %d/%d/%d, longest win %d", total.Wins, total.Draws, total.Losses, longest)
	}
}

// TestPublishedSlices runs testdata/published.txt.
func TestPublishedSlices(t *testing.T) {
	text, err := os.ReadFile("testdata/published.txt")
	if err != nil {
		t.Fatal(err)
	}
	solved := map[string]map[index.Slice]*index.Values{}
	for line := range strings.Lines(string(text)) {
		field := strings.Fields(line)
		if len(field) == 0 || field[0] == "#" {
			continue
		}
		r := rules(t, field[0])
		pieces := 4
		if testing.Short() && r.Squares() > 32 {
			pieces = 3
		}
		if solved[field[0]] == nil {
			solved[field[0]] = solveUpTo(t, r, pieces, runtime.NumCPU())
		}
		slice, err := index.ParseSlice(field[1])
		if err != nil {
			t.Fatal(err)
		}
		if slice.Pieces() > pieces {
			continue
		}
		values := solved[field[0]][slice]
		got, err := index.Count(t.Context(), values)
		if err != nil {
			t.Fatal(err)
		}
		n, err := index.NewNumbering(r, slice)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range field[2:] {
			key, value, _ := strings.Cut(want, "=")
			switch key {
			case "wdl":
				text := strconv.FormatUint(got.Wins, 10) + "/" + strconv.FormatUint(got.Draws, 10) + "/" + strconv.FormatUint(got.Losses, 10)
				if text != value {
					t.Errorf("%s %s: W/D/L %s, want %s", field[0], slice, text, value)
				}
			case "longest":
				if strconv.Itoa(int(got.LongestWin.Distance)) != value {
					t.Errorf("%s %s: longest win %d, want %s", field[0], slice, got.LongestWin.Distance, value)
				}
			case "at":
				p, err := r.ParsePosition(value)
				if err != nil {
					t.Fatal(err)
				}
				if v := values.At(n.Index(&p)); v.Distance() != got.LongestWin.Distance {
					t.Errorf("%s %s: %s is %d, the longest win %d", field[0], slice, value, v.Distance(), got.LongestWin.Distance)
				}
			}
		}
	}
}
