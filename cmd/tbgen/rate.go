package main

import (
	"fmt"
	"sync"
	"time"

	"dambase/retro"
)

// A rate tells how far a build is and how long it takes. The share done is one
// of positions; the time left is reckoned by what the plan says steps take, so
// a step with the slow solver weighs what it should. It is safe for concurrent use.
type rate struct {
	mutex   sync.Mutex
	steps   []retro.Step
	at      int    // steps finished
	total   uint64 // positions of all steps
	solved  uint64 // positions done, those of skipped steps too
	before  uint64 // of them, in finished steps
	skipped uint64 // of them, of steps that were finished before the build
	worked  float64
}

func newRate(steps []retro.Step) *rate {
	r := &rate{steps: steps}
	for _, s := range steps {
		r.total += s.Positions
	}
	return r
}

// replan takes up another plan of the same steps.
func (r *rate) replan(steps []retro.Step) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.steps = steps
}

// add counts positions solved in the present step.
func (r *rate) add(positions uint64) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.solved += positions
}

// finish ends the present step and returns how many of its positions were read
// back or skipped instead of solved.
func (r *rate) finish(skipped bool) (rest uint64) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	step := r.steps[r.at]
	rest = step.Positions - min(step.Positions, r.solved-r.before)
	r.solved += rest
	if skipped {
		r.skipped += step.Positions
	} else {
		r.worked += step.CPU
	}
	r.before = r.solved
	r.at++
	return rest
}

// text tells the share done, and from the seconds since the start the speed and
// the time left.
func (r *rate) text(seconds float64) string {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	share := fmt.Sprintf("%.1f %%", 100*float64(r.solved)/float64(max(r.total, 1)))
	worked, left := r.worked, 0.0
	for i, s := range r.steps[r.at:] {
		done := 0.0
		if i == 0 {
			done = s.CPU * float64(r.solved-r.before) / float64(max(s.Positions, 1))
		}
		worked += done
		left += s.CPU - done
	}
	if r.solved == r.skipped || worked == 0 || seconds <= 0 {
		return share
	}
	speed := float64(r.solved-r.skipped) / seconds
	wait := time.Duration(max(left, 0) / worked * seconds * float64(time.Second)).Round(time.Second)
	return fmt.Sprintf("%s, %.2f M positions/s, %v left", share, speed/1e6, wait)
}
