package engine

import (
	"context"
	"errors"
)

// ErrBudget says that an answer would take more work than was granted.
var ErrBudget = errors.New("the search is longer than its budget allows")

// A Budget bounds the work that is done for one request, in units of about fifty
// nanoseconds: one for each node of a search for captures, more for what costs
// more. It also ends with its context. A nil Budget is no bound. It is for one
// goroutine at a time.
//
// A crowded position can have exponentially many ways to capture, and the
// searches of forced captures multiply them: without a bound one request could
// hold a core for minutes.
type Budget struct {
	ctx   context.Context
	grant int
	left  int
	check int // the context is looked at when left falls below
	err   error
}

// contextEvery is how many units are spent between two looks at the context.
const contextEvery = 1 << 13

// NewBudget grants so many units of work.
func NewBudget(ctx context.Context, units int) *Budget {
	return &Budget{ctx: ctx, grant: units, left: units, check: max(units-contextEvery, 0), err: ctx.Err()}
}

// Spend takes units from the budget. It returns false once the budget is used
// up or its context has ended; the work must then stop, and Err tells why.
func (b *Budget) Spend(units int) bool {
	if b == nil {
		return true
	}
	if b.left -= units; b.left >= b.check && b.err == nil {
		return true
	}
	return b.look()
}

// look is the part of Spend that is seldom needed.
func (b *Budget) look() bool {
	b.check = max(b.left-contextEvery, 0)
	if b.err == nil {
		b.err = b.ctx.Err()
	}
	if b.err == nil && b.left < 0 {
		b.err = ErrBudget
	}
	return b.err == nil
}

// Err returns nil while there is something left, else ErrBudget or the
// context's error.
func (b *Budget) Err() error {
	if b == nil {
		return nil
	}
	return b.err
}

// Left returns the units that are left, at least 0.
func (b *Budget) Left() int { return max(b.left, 0) }

// Spent returns the units that have been asked for.
func (b *Budget) Spent() int { return b.grant - b.left }

// Part returns a budget of so many units, or what is left if that is less,
// under the same context. What is spent of it is not taken from b.
func (b *Budget) Part(units int) Budget {
	units = min(units, b.Left())
	return Budget{ctx: b.ctx, grant: units, left: units, check: max(units-contextEvery, 0), err: b.err}
}
