package matrix

import (
	"context"
	"flag"
	"testing"
	"time"

	"dambase/engine"
	"dambase/index"
)

var benchPieces = flag.Int("pieces", 5, "pieces of the slices that BenchmarkPieces solves")

// BenchmarkPieces solves every slice of 2 to so many pieces, without storing
// it, on one core, and reports the speed at those of most pieces, a position
// counted once with White to move: in theory, and under a counter of 40 king moves.
//
//	go test ./retro/matrix -run '^$' -bench Pieces/english/theory -benchtime 1x -pieces 6
func BenchmarkPieces(b *testing.B) {
	clocks := map[string]Clock{
		"theory": {},
		"ruled":  {Ruled: true, Limit: 40, Keeps: func(index.Slice) bool { return false }},
	}
	for _, name := range []string{"english", "italian", "brazilian", "russian", "spanish", "czech", "international"} {
		v, _ := engine.Builtin(name)
		r := engine.MustCompile(v)
		for _, pass := range []string{"theory", "ruled"} {
			b.Run(name+"/"+pass, func(b *testing.B) {
				var positions uint64
				var spent time.Duration
				for range b.N {
					p, t := solvePieces(b, r, clocks[pass])
					positions += p
					spent += t
				}
				b.ReportMetric(float64(positions)/spent.Seconds()/1e6, "Mpos/s")
			})
		}
	}
}

// solvePieces returns the positions of the slices of most pieces, and the time for them.
func solvePieces(b *testing.B, r *engine.Rules, clock Clock) (positions uint64, spent time.Duration) {
	g := NewGeometry(r)
	tables := map[index.Slice]*Table{}
	for _, pair := range index.UpTo(*benchPieces) {
		start := time.Now()
		found, err := Solve(context.Background(), Task{Geometry: g, Pair: pair, Finished: tables, Clock: clock, Workers: 1})
		if err != nil {
			b.Fatal(err)
		}
		for i, s := range pair {
			tables[s] = found[i].Table
		}
		if pair[0].Pieces() == *benchPieces {
			spent += time.Since(start)
			for _, s := range pair.Slices() {
				positions += tables[s].numbering.Size()
			}
		}
	}
	return positions, spent
}
