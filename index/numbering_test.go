package index

import (
	"testing"

	"dambase/engine"
	"pgregory.net/rapid"
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

func numbering(t testing.TB, r *engine.Rules, s Slice) *Numbering {
	t.Helper()
	n, err := NewNumbering(r, s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestPositionCounts compares with the published counts of positions.
func TestPositionCounts(t *testing.T) {
	for _, c := range []struct {
		variant string
		want    []uint64 // by pieces, from 2
	}{
		{"english", []uint64{3488, 196032, 6209316, 139450808, 2426085676, 34243113624, 403190250561}},
		{"italian", []uint64{3488, 196032, 6209316, 139450808, 2426085676}},
		{"international", []uint64{8845, 806300, 41971200, 1570600750}},
	} {
		r := rules(t, c.variant)
		got := make([]uint64, len(c.want))
		for _, pair := range UpTo(len(c.want) + 1) {
			for _, s := range pair.Slices() {
				got[s.Pieces()-2] += numbering(t, r, s).Size()
			}
		}
		for i, want := range c.want {
			if got[i] != want {
				t.Errorf("%s: %d positions of %d pieces, want %d", c.variant, got[i], i+2, want)
			}
		}
	}
}

// TestNumberingIsDense walks whole slices: every number is a legal position of
// the slice, a different one each, and leads back to itself.
func TestNumberingIsDense(t *testing.T) {
	for _, name := range []string{"english", "italian", "international"} {
		r := rules(t, name)
		for _, pair := range UpTo(3) {
			for _, s := range pair.Slices() {
				n := numbering(t, r, s)
				it := n.From(0)
				for i := range n.Size() {
					p := n.Position(i)
					if p != *it.Position() {
						t.Fatalf("%s %s: position %d is %v, by iteration %v", name, s, i, p, *it.Position())
					}
					if err := r.Check(&p); err != nil || SliceOf(&p) != s || n.Index(&p) != i {
						t.Fatalf("%s %s: position %d = %s: %v, slice %s, index %d", name, s, i, r.FormatFEN(&p), err, SliceOf(&p), n.Index(&p))
					}
					it.Next()
				}
			}
		}
	}
}

// TestNumberingOfLargeSlices samples slices too large to walk.
func TestNumberingOfLargeSlices(t *testing.T) {
	english, international := rules(t, "english"), rules(t, "international")
	pairs := UpTo(7)
	rapid.Check(t, func(t *rapid.T) {
		r := rapid.SampledFrom([]*engine.Rules{english, international}).Draw(t, "rules")
		s := rapid.SampledFrom(pairs).Draw(t, "pair")[rapid.IntRange(0, 1).Draw(t, "side")]
		n, err := NewNumbering(r, s)
		if err != nil {
			t.Fatal(err)
		}
		i := rapid.Uint64Range(0, n.Size()-1).Draw(t, "index")
		p := n.Position(i)
		if r.Check(&p) != nil || SliceOf(&p) != s || n.Index(&p) != i {
			t.Fatalf("%s: position %d is %s with index %d", s, i, r.FormatFEN(&p), n.Index(&p))
		}
		if i+1 < n.Size() {
			it := n.From(i)
			it.Next()
			if want := n.Position(i + 1); *it.Position() != want {
				t.Fatalf("%s: after position %d %v, want %v", s, i, *it.Position(), want)
			}
		}
	})
}
