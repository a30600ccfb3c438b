package retro

import (
	"context"
	"testing"

	"dambase/index"
)

// BenchmarkSolve reports the speed of the reference solver on one core, a
// position counted once with White to move.
func BenchmarkSolve(b *testing.B) {
	for _, c := range []struct{ variant, slice string }{
		{"english", "1111"},
		{"english", "2020"},
		{"english", "0202"},
		{"brazilian", "1111"},
		{"brazilian", "2020"},
		{"brazilian", "0202"},
		{"international", "1101"},
	} {
		b.Run(c.variant+"/"+c.slice, func(b *testing.B) {
			r := rules(b, c.variant)
			slice, err := index.ParseSlice(c.slice)
			if err != nil {
				b.Fatal(err)
			}
			all := map[index.Slice]*index.Values{}
			pairs := index.Closure([]index.Slice{slice})
			for _, pair := range pairs {
				solution, err := Solve(context.Background(), Task{Rules: r, Pair: pair, Finished: all, Workers: 1})
				if err != nil {
					b.Fatal(err)
				}
				all[pair[0]], all[pair[1]] = solution[0], solution[1]
			}
			pair := pairs[len(pairs)-1]
			positions := all[pair[0]].Len() * uint64(len(pair.Slices()))
			b.ResetTimer()
			for range b.N {
				if _, err := Solve(context.Background(), Task{Rules: r, Pair: pair, Finished: all, Workers: 1}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(positions)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mpos/s")
		})
	}
}
