package retro

import (
	"context"
	"testing"

	"dambase/index"
	"dambase/retro/matrix"
)

// sliceKinds are slices of the kinds that cost differently.
var sliceKinds = []struct{ kind, slice string }{
	{"kings", "0202"},
	{"kings-and-men", "1211"},
	{"one-king-each", "2111"},
	{"kings-v-men", "1220"},
	{"one-king-v-men", "2120"},
	{"men", "2020"},
}

// BenchmarkSolve reports the speed of both solvers by kind of slice on one core,
// a position counted once with White to move.
func BenchmarkSolve(b *testing.B) {
	for _, variant := range []string{"english", "brazilian"} {
		r := rules(b, variant)
		for _, k := range sliceKinds {
			slice, err := index.ParseSlice(k.slice)
			if err != nil {
				b.Fatal(err)
			}
			pair := index.PairOf(slice)
			task := Task{Rules: r, Pair: pair, Workers: 1}
			fast, err := newFastSolver(r)
			if err != nil {
				b.Fatal(err)
			}
			dependencies, err := solved(fast, task)
			if err != nil {
				b.Fatal(err)
			}
			task.Finished = map[index.Slice]*index.Values{}
			for s, e := range dependencies {
				values, err := e.ordered(b.Context())
				if err != nil {
					b.Fatal(err)
				}
				task.Finished[s] = values
			}
			n, err := index.NewNumbering(r, pair[0])
			if err != nil {
				b.Fatal(err)
			}
			positions := n.Size() * uint64(len(pair.Slices()))
			finished := map[index.Slice]*matrix.Table{}
			for s, e := range dependencies {
				if finished[s], err = fast.tableOf(b.Context(), shelf{s, false}, e); err != nil {
					b.Fatal(err)
				}
			}
			run := func(name string, solve func() error) {
				b.Run(variant+"/"+k.kind+"/"+k.slice+"/"+name, func(b *testing.B) {
					for range b.N {
						if err := solve(); err != nil {
							b.Fatal(err)
						}
					}
					b.ReportMetric(float64(positions)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mpos/s")
				})
			}
			run("fast", func() error {
				_, err := matrix.Solve(context.Background(), matrix.Task{Geometry: fast.geometry, Pair: pair, Finished: finished, Workers: 1})
				return err
			})
			run("reference", func() error {
				_, err := Solve(context.Background(), task)
				return err
			})
		}
	}
}

// solved solves all that a pair depends on.
func solved(fast *fastSolver, t Task) (map[index.Slice]*exact, error) {
	out := map[index.Slice]*exact{}
	pairs := index.Closure(t.Pair[:])
	for _, t.Pair = range pairs[:len(pairs)-1] {
		n, err := index.NewNumbering(t.Rules, t.Pair[0])
		if err != nil {
			return nil, err
		}
		needed := map[index.Slice]*exact{}
		for _, d := range index.PairDependencies(t.Pair) {
			needed[d[0]], needed[d[1]] = out[d[0]], out[d[1]]
		}
		solution, err := fast.solve(context.Background(), t, n, needed)
		if err != nil {
			return nil, err
		}
		out[t.Pair[0]], out[t.Pair[1]] = solution[0], solution[1]
	}
	needed := map[index.Slice]*exact{}
	for _, d := range index.PairDependencies(pairs[len(pairs)-1]) {
		needed[d[0]], needed[d[1]] = out[d[0]], out[d[1]]
	}
	return needed, nil
}
