package matrix

import (
	"math/rand/v2"
	"testing"

	"dambase/engine"
	"dambase/index"
)

func TestEightScores(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	theory := scale{}.theory()
	rules := scale{ruled: true, limit: 40}
	fresh := rules.fresh()
	at := func(x uint64, i int) byte { return byte(x >> (8 * i)) }
	pick := func() uint64 {
		x := random.Uint64()
		for i := range 8 {
			if random.IntN(2) == 0 {
				edge := []uint64{0, 1, 126, 127, 128, 129, 253, 254, 255}[random.IntN(9)]
				x = x&^(0xFF<<(8*i)) | edge<<(8*i)
			}
		}
		return x
	}
	for range 100000 {
		a, b := pick(), pick()
		m, o, f := max8(a, b), opposed8(a), fresh8(opposed8(a), lows*uint64(rules.win(1)), lows*uint64(rules.loss(1)))
		high, drawn := highBits(a), drawBits(a)
		for i := range 8 {
			x, y := at(a, i), at(b, i)
			if at(m, i) != max(x, y) || at(o, i) != theory[x] || at(f, i) != fresh[x] ||
				high>>i&1 != uint64(x>>7) || (drawn>>i&1 != 0) != (x == draw) {
				t.Fatalf("byte %d of %x and %x: max %x, opposed %x, fresh %x, high %b, drawn %b", i, a, b, m, o, f, high, drawn)
			}
		}
	}
}

func TestScoresRoundTrip(t *testing.T) {
	for _, c := range []scale{Clock{}.scale(), {ruled: true, limit: 100}} {
		for v := range index.Value(202) {
			s, ok := c.scoreOf(v)
			if !ok || c.entry(s) != v {
				t.Errorf("%+v: value %d becomes score %d and then %d", c, v, s, c.entry(s))
			}
		}
	}
	if _, ok := (scale{}).scoreOf(255); ok {
		t.Error("a win in 254 plies has a score")
	}
}

func TestTranspose(t *testing.T) {
	for _, size := range [][2]int{{1, 9}, {9, 1}, {8, 8}, {32, 496}, {50, 33}, {13, 21}} {
		rows, cols := size[0], size[1]
		src, dst := make([]byte, rows*cols), make([]byte, rows*cols)
		for i := range src {
			src[i] = byte(rand.Int())
		}
		transpose(dst, src, rows, cols, 0, rows/2)
		transpose(dst, src, rows, cols, rows/2, rows)
		for r := range rows {
			for c := range cols {
				if dst[c*rows+r] != src[r*cols+c] {
					t.Fatalf("%dx%d: cell %d,%d", rows, cols, r, c)
				}
			}
		}
	}
}

// TestHolds tries every score alone against the longest distance.
func TestHolds(t *testing.T) {
	for _, limit := range []engine.Plies{6, 20, LongestDistance} {
		c := Clock{Limit: limit}.scale()
		for s := range 256 {
			x := score(s)
			want := x == draw || x == invalid || x != slowestWin && c.distance(x) <= int(limit)
			if got := c.holds([]byte{invalid, x, draw}); got != want {
				t.Errorf("limit %d: score %d held: %v", limit, x, got)
			}
		}
	}
}
