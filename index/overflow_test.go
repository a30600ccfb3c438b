package index

import (
	"errors"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

func TestBitsOf(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		counts := rapid.SliceOfN(rapid.Uint64Range(1, 1<<44), 0, 4).Draw(t, "counts")
		product := big.NewInt(1)
		for _, c := range counts {
			product.Mul(product, new(big.Int).SetUint64(c))
		}
		if got, want := BitsOf(counts...), product.Sub(product, big.NewInt(1)).BitLen(); got != want {
			t.Fatalf("%v need %d bits, want %d", counts, got, want)
		}
	})
}

// TestNumberingRefusesWhatOverflows compares with counts of any size: every
// slice of kings alone on the largest board, and men at both edges.
func TestNumberingRefusesWhatOverflows(t *testing.T) {
	r := rules(t, "turkish")
	refused := 0
	for white := int64(1); white <= 9; white++ {
		for black := int64(1); black <= 9; black++ {
			s := NewSlice(0, int(white), 0, int(black))
			want := new(big.Int).Mul(new(big.Int).Binomial(64, white), new(big.Int).Binomial(64-white, black))
			n, err := NewNumbering(r, s)
			var overflow *OverflowError
			switch {
			case want.IsInt64() && err != nil:
				t.Errorf("%s: %v", s, err)
			case want.IsInt64() && n.Size() != want.Uint64():
				t.Errorf("%s: %d positions, want %d", s, n.Size(), want)
			case !want.IsInt64():
				refused++
				if !errors.As(err, &overflow) || overflow.Need <= overflow.Have {
					t.Errorf("%s: %d positions, error %v", s, want, err)
				}
			}
		}
	}
	if refused == 0 {
		t.Error("no slice is too large")
	}
	if _, err := NewNumbering(r, NewSlice(0, 10, 0, 1)); err == nil {
		t.Error("ten kings are numbered")
	}
	for _, c := range []struct {
		slice Slice
		fits  bool
	}{
		{NewSlice(6, 0, 1, 1), true},  // 32,468,436 placements of White's men
		{NewSlice(7, 0, 1, 1), false}, // 231,917,400
		{NewSlice(1, 2, 9, 2), true},  // 9.6e17 positions
		{NewSlice(1, 9, 9, 9), false},
	} {
		_, err := NewNumbering(r, c.slice)
		var overflow *OverflowError
		if c.fits && err != nil || !c.fits && !errors.As(err, &overflow) {
			t.Errorf("%s: error %v", c.slice, err)
		}
	}
}
