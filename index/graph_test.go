package index

import (
	"errors"
	"slices"
	"testing"

	"dambase/engine"
)

func TestParseSlice(t *testing.T) {
	s, err := ParseSlice("2110")
	if err != nil || s != NewSlice(2, 1, 1, 0) || s.String() != "2110" || s.Mirror().String() != "1021" {
		t.Errorf("2110 read as %v, error %v", s, err)
	}
	for _, text := range []string{"", "211", "21100", "0010", "1100", "-110"} {
		if _, err := ParseSlice(text); !errors.Is(err, ErrSlice) {
			t.Errorf("%q: error %v", text, err)
		}
	}
}

// TestDependencies plays every move of every position of all slices up to 3
// pieces: it stays, or leads to a dependency, which is built earlier.
func TestDependencies(t *testing.T) {
	for _, name := range []string{"english", "russian"} {
		r := rules(t, name)
		order := UpTo(3)
		for _, pair := range order {
			for _, s := range pair.Slices() {
				allowed := append(Dependencies(s), s.Mirror())
				n := numbering(t, r, s)
				it := n.From(0)
				for range n.Size() {
					p := it.Position()
					for _, m := range r.Moves(nil, p) {
						q := r.Flip(r.Play(p, m))
						if child := SliceOf(&q); child.Side(engine.White) > 0 && !slices.Contains(allowed, child) {
							t.Fatalf("%s %s: %s leads to %s", name, s, r.FormatMove(p, m), child)
						}
					}
					it.Next()
				}
			}
			for _, d := range PairDependencies(pair) {
				if slices.Index(order, d) >= slices.Index(order, pair) {
					t.Errorf("%s is built before %s, which it depends on", pair[0], d[0])
				}
			}
		}
	}
}

func TestClosure(t *testing.T) {
	var got []string
	for _, p := range Closure([]Slice{NewSlice(1, 0, 1, 1)}) {
		got = append(got, p[0].String())
	}
	want := []string{"0101", "1001", "1010", "0201", "1101", "1002", "1110"}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("closure %v, want %v", got, want)
	}
}
