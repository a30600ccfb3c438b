package retro

import (
	"context"
	"runtime"
	"testing"

	"dambase/engine"
)

// verifiedPieces is how many pieces the proof of every table goes to in the
// tests: where one more takes minutes, it is run by hand.
func verifiedPieces(r *engine.Rules) int {
	if r.MenMoveSideways() && testing.Short() {
		return 2
	}
	if r.Optional() || r.MenMoveSideways() || testing.Short() {
		return 3
	}
	return 4
}

// TestVerifyEveryVariant builds and proves all tables of every variant.
func TestVerifyEveryVariant(t *testing.T) {
	for _, r := range theories() {
		t.Run(r.Variant().Name, func(t *testing.T) {
			m := newMapStore()
			task := buildTask(r, verifiedPieces(r), m)
			task.Workers = runtime.NumCPU()
			if err := Build(context.Background(), task); err != nil {
				t.Fatal(err)
			}
			verify := VerifyTask{Rules: r, Reader: m, Workers: task.Workers}
			for _, slice := range task.Wanted {
				verdict, err := Verify(context.Background(), verify, slice, defaultMetrics...)
				if err != nil || !verdict.Proved {
					t.Fatalf("%s: verdict %+v, error %v", slice, verdict, err)
				}
			}
		})
	}
}
