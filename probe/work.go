package probe

import (
	"context"
	"math"
	"sync"

	"dambase/engine"
	"dambase/storage"
)

// A Work bounds what is done for one request, and ends with its context. What
// a position is granted depends on nothing but the position: not on what is in
// the cache, nor on what else was asked. So the verdict on it is one and the
// same wherever it is asked for. A request that asks too much as a whole gets
// the error engine.ErrBudget instead. A Work is for one goroutine.
type Work struct {
	ctx      context.Context
	total    engine.Budget // of the request; blocks that are read count too
	position engine.Budget // of the position that is being judged
	look     engine.Budget // of one look-up: the forced captures from one position
}

// Units of work, of about 50 ns each (engine.Budget). A request that takes all
// that it may is at work for less than 0.2 s; cmd/tbserve has a benchmark of it.
const (
	totalUnits    = 2_700_000
	positionUnits = 1_000_000
	lookUnits     = 200_000

	askUnits    = 100  // a position read, judged and written out
	boardUnits  = 7    // a piece on it
	visitUnits  = 10   // a position visited, its entries in the cache
	blockUnits  = 1500 // a block read from disk and decoded
	childUnits  = 10   // a move made and judged
	answerUnits = 40   // a move written out for an answer
	pieceUnits  = 2    // a piece on the board after it
	squareUnits = 8    // a piece that it takes, and where it lands behind
	plyUnits    = 100  // a ply of a game written out
)

// MaxUnits is more than Spent ever returns: what a request is granted, and a
// last step that was refused.
const MaxUnits = totalUnits + 10_000

// NewWork grants a request its work.
func NewWork(ctx context.Context) *Work {
	w := &Work{}
	w.begin(ctx)
	return w
}

// NewPatientWork grants what is asked of one's own program: a position is
// granted the same as by any request, and all positions together no less.
func NewPatientWork(ctx context.Context) *Work {
	return &Work{ctx: ctx, total: *engine.NewBudget(ctx, math.MaxInt)}
}

func (w *Work) begin(ctx context.Context) {
	w.ctx, w.total = ctx, *engine.NewBudget(ctx, totalUnits)
}

// works are used again by probes, which allocate nothing.
var works = sync.Pool{New: func() any { return new(Work) }}

// ask grants the work for one position. It returns an error if the request has
// used up its own.
func (w *Work) ask(p *engine.Position) error {
	if err := w.total.Err(); err != nil {
		return err
	}
	if err := w.spent(askUnits + boardUnits*p.Pieces()); err != nil {
		return err
	}
	w.grant()
	return nil
}

// grant grants the work for the next step of judging a position: finding its
// moves, then looking them up. What the first took must not bear on the second,
// for it takes more where the moves are listed.
func (w *Work) grant() { w.position = w.total.Part(positionUnits) }

// spent takes what has been spent of a part from the whole request. It returns
// an error once that is used up: a part that was cut short by what the request
// had left ends the request, and says nothing of its position.
func (w *Work) spent(units int) error {
	w.total.Spend(units)
	return w.total.Err()
}

// read reads an entry; a block that must come from disk counts.
func (w *Work) read(t *storage.Table, i uint64) (uint16, error) {
	if e, ok := t.Cached(i); ok {
		return e, nil
	}
	if err := w.spent(blockUnits); err != nil {
		return 0, err
	}
	return t.At(i)
}

// Spent returns the units that the request has taken so far. The last that it
// asked for count even if they were refused.
func (w *Work) Spent() int { return w.total.Spent() }

// Err returns engine.ErrBudget or the context's error once no more is done.
func (w *Work) Err() error { return w.total.Err() }
