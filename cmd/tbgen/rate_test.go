package main

import (
	"testing"

	"dambase/retro"
)

// TestRate follows a build of three steps, of which one is finished before and
// one turns out to be slow.
func TestRate(t *testing.T) {
	plan := func(last float64) []retro.Step {
		return []retro.Step{{Positions: 1e6, CPU: 1}, {Positions: 2e6, CPU: 2}, {Positions: 1e6, CPU: last}}
	}
	r := newRate(plan(1))
	want := func(seconds float64, text string) {
		t.Helper()
		if got := r.text(seconds); got != text {
			t.Errorf("%q, want %q", got, text)
		}
	}
	want(0, "0.0 %")
	if rest := r.finish(true); rest != 1e6 {
		t.Errorf("%d positions skipped", rest)
	}
	want(1, "25.0 %")
	r.add(1e6)
	want(2, "50.0 %, 0.50 M positions/s, 4s left")
	r.replan(plan(10))
	want(2, "50.0 %, 0.50 M positions/s, 22s left")
	if rest := r.finish(false); rest != 1e6 {
		t.Errorf("%d positions read back", rest)
	}
	r.add(1e6)
	if rest := r.finish(false); rest != 0 {
		t.Errorf("%d positions left over", rest)
	}
	want(10, "100.0 %, 0.30 M positions/s, 0s left")
}
