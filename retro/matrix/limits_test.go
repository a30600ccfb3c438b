package matrix

import (
	"errors"
	"strings"
	"testing"

	"dambase/engine"
	"dambase/index"
)

// TestFitsSlice goes to both edges of every number that is packed: a slice that
// fits, and the next one that does not.
func TestFitsSlice(t *testing.T) {
	for _, c := range []struct {
		variant, slice string
		refused        string // the number that does not fit; "" if all do
	}{
		{"english", "0701", ""},
		{"english", "0801", "a placement of a side's kings needs 24 bits and has 22"},
		{"international", "0501", ""},
		{"international", "0601", "a placement of a side's kings needs 24 bits and has 22"},
		{"english", "8010", ""},
		{"international", "5010", ""},
		{"international", "6010", "a placement of a side's men needs 23 bits and has 22"},
		{"english", "0404", ""}, // 32 bits
		{"english", "0504", "a placement of both sides' kings needs 34 bits and has 32"},
		{"english", "0503", ""},
		{"english", "0603", "a placement of both sides' kings needs 33 bits and has 32"},
		{"international", "0303", ""},
		{"international", "0403", "a placement of both sides' kings needs 33 bits and has 32"},
		{"international", "0304", "a placement of both sides' kings needs 33 bits and has 32"},
		{"international", "0402", ""},
		{"international", "0502", "a placement of both sides' kings needs 33 bits and has 32"},
		{"international", "4130", ""},
		{"international", "4140", "a placement of both sides' men needs 35 bits and has 32"},
		{"international", "4041", "a placement of both sides' men needs 35 bits and has 32"},
		{"international", "4040", ""}, // the blocks of men alone are not kept
		{"english", "5444", ""},       // 62 bits
		{"english", "7434", "a cell of its table needs 63 bits and has 62"},
		{"english", "9010", "9 or more pieces of a kind"},
	} {
		v, _ := engine.Builtin(c.variant)
		r := engine.MustCompile(v)
		s, err := index.ParseSlice(c.slice)
		if err != nil {
			t.Fatal(err)
		}
		err = FitsSlice(r, s)
		var overflow *index.OverflowError
		switch {
		case c.refused == "" && err != nil:
			t.Errorf("%s %s: %v", c.variant, s, err)
		case c.refused != "" && (err == nil || !strings.Contains(err.Error(), c.refused)):
			t.Errorf("%s %s: error %v, want %q", c.variant, s, err, c.refused)
		case strings.Contains(c.refused, "bits") && (!errors.As(err, &overflow) || overflow.Slice != s):
			t.Errorf("%s %s: error %#v", c.variant, s, err)
		}
		if c.refused == "" {
			checkPacking(t, r, s)
		}
	}
}

// checkPacking packs the largest numbers of a slice that fits and reads them back.
func checkPacking(t *testing.T, r *engine.Rules, s index.Slice) {
	t.Helper()
	rows, cols := binomial[r.Squares()][s.Kings[0]], binomial[r.Squares()][s.Kings[1]]
	for _, n := range []int{rows, cols} {
		if x := newStep(n-1, r.Squares()-1) | 15; x.set() != n-1 || x.square() != r.Squares()-1 || x.left() != 15 {
			t.Errorf("%s: set %d becomes %d in a step", s, n-1, x.set())
		}
	}
	x := search{shift: seedShift(cols)}
	if row, col := x.unpack(x.seed(rows-1, cols-1)); row != rows-1 || col != cols-1 {
		t.Errorf("%s: row %d, column %d become %d, %d in a seed", s, rows-1, cols-1, row, col)
	}
	men := binomial[r.MenSquares(engine.White).Count()]
	if blocks := men[s.Men[0]] * men[s.Men[1]]; rows*cols > 1 && int(uint32(blocks-1)) != blocks-1 {
		t.Errorf("%s: block %d becomes %d", s, blocks-1, uint32(blocks-1))
	}
}

// TestSolveRefusesWhatOverflows asks for a slice that does not fit, and for its table.
func TestSolveRefusesWhatOverflows(t *testing.T) {
	v, _ := engine.Builtin("international")
	r := engine.MustCompile(v)
	slice := index.NewSlice(0, 4, 0, 3)
	g := NewGeometry(r)
	var overflow *index.OverflowError
	if _, err := Solve(t.Context(), Task{Geometry: g, Pair: index.PairOf(slice)}); !errors.As(err, &overflow) {
		t.Errorf("solving: error %v", err)
	}
	n, err := index.NewNumbering(r, slice)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := FromValues(t.Context(), g, n, Clock{}, nil); !errors.As(err, &overflow) {
		t.Errorf("a table: error %v", err)
	}
}
