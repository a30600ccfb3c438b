package retro

import (
	"context"
	"testing"

	"dambase/engine"
	"dambase/index"
	"dambase/retro/matrix"
)

// matrixClock returns what draw counters do to a pair.
func matrixClockX(r *engine.Rules, pair index.Pair) (matrix.Clock, bool) {
	n, err := index.NewNumbering(r, pair[0])
	if err != nil {
		panic(err)
	}
	c := ruledClock(r, n)
	if c.square {
		return matrix.Clock{}, false
	}
	return matrix.Clock{Ruled: true, Limit: c.limit, Keeps: func(s index.Slice) bool {
		n, _ := index.NewNumbering(r, s)
		return c.situation != nil && ruledClock(r, n).situation == c.situation
	}}, true
}

func TestMatrixQuick(t *testing.T) {
	for _, v := range engine.BuiltinVariants() {
		r := engine.MustCompile(v)
		if matrix.Fits(r) != nil {
			continue
		}
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			pieces := 3
			for _, ruled := range []bool{false, true} {
				if ruled && (CheckRuled(r) != nil) {
					continue
				}
				g := matrix.NewGeometry(r)
				all := map[index.Slice]*index.Values{}
				tables := map[index.Slice]*matrix.Table{}
				for _, pair := range index.UpTo(pieces) {
					want, err := Solve(context.Background(), Task{Rules: r, Pair: pair, Finished: all, Workers: 1, Ruled: ruled})
					if err != nil {
						t.Fatal(err)
					}
					all[pair[0]], all[pair[1]] = want[0], want[1]
					var clock matrix.Clock
					if ruled {
						var ok bool
						if clock, ok = matrixClockX(r, pair); !ok {
							for i := range pair {
								n, _ := index.NewNumbering(r, pair[i])
								tables[pair[i]], ok = matrix.FromValues(g, n, matrix.Clock{Ruled: true, Limit: 40}, want[i])
							}
							continue
						}
					}
					got, err := matrix.Solve(context.Background(), matrix.Task{Geometry: g, Pair: pair, Finished: tables, Workers: 1, Clock: clock})
					if err != nil {
						t.Fatal(err)
					}
					for i, s := range pair {
						tables[s] = got[i].Table
						values := got[i].Table.Values()
						bad := 0
						n, _ := index.NewNumbering(r, s)
						for k := range values.Len() {
							if values.At(k) != want[i].At(k) {
								p := n.Position(k)
								if bad == 0 {
									t.Errorf("ruled %v %s: %s is %d, want %d", ruled, s, r.FormatFEN(&p), values.At(k), want[i].At(k))
								}
								bad++
							}
						}
						if bad > 0 {
							t.Errorf("%s: %d of %d differ", s, bad, values.Len())
						}
					}
					if t.Failed() {
						return
					}
				}
			}
		})
	}
}
