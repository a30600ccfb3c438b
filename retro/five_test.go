package retro

import (
	"context"
	"testing"

	"dambase/engine"
	"dambase/index"
)

// TestFivePieces builds slices of 5 pieces, one against four, and all below them
// with the least memory that plan allows, and proves samples. Only from there on
// can three pieces be captured at once while one survives.
func TestFivePieces(t *testing.T) {
	sample := 100
	if testing.Short() {
		sample = 10
	}
	for name, slices := range map[string][]index.Slice{
		"english":   {index.NewSlice(0, 1, 1, 3), index.NewSlice(1, 0, 2, 2), index.NewSlice(1, 0, 4, 0)},
		"brazilian": {index.NewSlice(0, 1, 3, 1), index.NewSlice(1, 0, 2, 2), index.NewSlice(0, 1, 4, 0)},
	} {
		r := rules(t, name)
		store, err := buildIn(r, manner{workers: 2, least: true}, slices)
		if err != nil {
			t.Fatal(err)
		}
		verify := VerifyTask{Rules: r, Reader: store, Workers: 2, Sample: sample}
		for _, slice := range slices {
			found := threes(t, r, slice, sample)
			if found == 0 {
				t.Errorf("%s %s: no capture of three with a survivor in the sample", name, slice)
			}
			verdict, err := Verify(context.Background(), verify, slice, defaultMetrics...)
			if err != nil || verdict.Positions == 0 {
				t.Errorf("%s %s: verdict %+v, error %v", name, slice, verdict, err)
			}
			t.Logf("%s %s: %d positions proved, %d of them with a capture of three and a survivor", name, slice, verdict.Positions, found)
		}
	}
}

// threes counts the positions of a sample of a slice in which White can capture
// three pieces and leave one.
func threes(t *testing.T, r *engine.Rules, slice index.Slice, sample int) (found int) {
	t.Helper()
	n, err := index.NewNumbering(r, slice)
	if err != nil {
		t.Fatal(err)
	}
	var moves []engine.Move
	for _, block := range sampledBlocks(n, sample) {
		it := n.From(block * sampleBlock)
		for i := block * sampleBlock; i < min((block+1)*sampleBlock, n.Size()); i++ {
			moves = r.Captures(moves[:0], it.Position())
			for _, m := range moves {
				if m.Captured.Count() == 3 && slice.Side(engine.Black) == 4 {
					found++
					break
				}
			}
			it.Next()
		}
	}
	return found
}
