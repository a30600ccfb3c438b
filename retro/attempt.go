package retro

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"dambase/index"
)

// solve solves the present pair in a pass. Where distances turn out to be too
// long it plans the steps that are left anew, and starts again.
func (b *build) solve(ctx context.Context, ruled bool) ([2]*exact, error) {
	for {
		solution, err := b.attempt(ctx, ruled)
		var found *longError
		if !errors.As(err, &found) || !b.planner.learn(found.pair) {
			return solution, err
		}
		if err := b.plan(); err != nil {
			return solution, fmt.Errorf("%w: %w", found, err)
		}
		b.begin()
		if b.Events != nil {
			b.Events.Replanned(b.steps)
		}
	}
}

// attempt solves the present pair in the way that is planned. Its error is a
// *longError if that does not do.
func (b *build) attempt(ctx context.Context, ruled bool) (solution [2]*exact, err error) {
	step := b.steps[b.at]
	dependencies, err := b.library.need(ctx, ruled)
	if err != nil {
		return solution, err
	}
	task := Task{Rules: b.Rules, Pair: step.Pair, Ruled: ruled, Workers: b.Workers}
	if b.Events != nil && !ruled {
		b.told.again()
		task.Progress = b.told.solved
	}
	way := step.ways[pass(ruled)]
	if way == fast {
		n, err := index.NewNumbering(b.Rules, step.Pair[0])
		if err != nil {
			return solution, err
		}
		return b.fast.solve(ctx, task, n, dependencies)
	}
	task.Finished = map[index.Slice]*index.Values{}
	for s, e := range dependencies {
		if task.Finished[s], err = e.unfold(ctx); err != nil {
			return solution, err
		}
	}
	largest := index.Value(0xFF)
	if way == long {
		largest = index.MaxValue
	}
	found, err := solve(ctx, task, largest)
	if err != nil {
		return solution, tooLong(err, step.Pair)
	}
	for i := range found {
		solution[i] = &exact{values: found[i]}
	}
	if step.Pair.Symmetric() {
		solution[1] = solution[0]
	}
	return solution, nil
}

// progress tells the positions of a step that are solved, each once however
// often the step is started again.
type progress struct {
	tell      Events
	mutex     sync.Mutex
	now, most uint64 // solved in this attempt, and in the farthest
}

// again is called before an attempt.
func (p *progress) again() { p.now = 0 }

// solved implements Task.Progress.
func (p *progress) solved(positions uint64) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.now += positions
	if p.now > p.most {
		p.tell.Solved(p.now - p.most)
		p.most = p.now
	}
}
