package retro

import (
	"context"

	"dambase/engine"
	"dambase/index"
	"dambase/internal/halt"

	"golang.org/x/sync/errgroup"
)

// readValues reads a table of so many entries a position as it is stored: where captures are compulsory, the
// values of positions with a capture are filler. A WLD table is read as if
// every win were in 1 and every loss in 0 plies.
func readValues(ctx context.Context, r TableReader, n *index.Numbering, m index.Metric, planes, workers int) (*index.Values, error) {
	wide := false
	size := n.Size() * uint64(planes)
	values := index.NewValues(size, false)
	read := func(first uint64, entries []uint16) error {
		for i, e := range entries {
			v := index.Value(e)
			if m == index.MetricWLD {
				v = pseudoValue(index.WLD(e))
			}
			if v > 0xFF && !wide {
				return errWide
			}
			values.Set(first+uint64(i), v)
		}
		return nil
	}
	err := r.Each(ctx, n.Slice(), m, workers, read)
	if err == errWide {
		wide, values = true, index.NewValues(size, true)
		err = r.Each(ctx, n.Slice(), m, workers, read)
	}
	return values, err
}

// pseudoValue stands for a result whose distance is not known. Solving from
// pseudo-values gives right results and meaningless distances.
func pseudoValue(w index.WLD) index.Value {
	switch w {
	case index.Win:
		return index.LostNow + 1
	case index.Loss:
		return index.LostNow
	}
	return index.ValueDraw
}

// forEachPosition calls f with every position of a slice, by several
// goroutines at once. The buffer that f returns is handed to it again.
func forEachPosition[B any](ctx context.Context, n *index.Numbering, workers int, f func(buffer B, i uint64, p *engine.Position) (B, error)) error {
	const (
		stretch = 1 << 16
		look    = 1 << 10 // positions between two looks at the context
	)
	stop, release := halt.Watch(ctx)
	defer release()
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(max(workers, 1))
	for start := uint64(0); start < n.Size() && gctx.Err() == nil; start += stretch {
		g.Go(func() error {
			var buffer B
			it := n.From(start)
			for i := start; i < min(start+stretch, n.Size()); i++ {
				if i%look == 0 && stop.Up() {
					return stop.Err()
				}
				var err error
				if buffer, err = f(buffer, i, it.Position()); err != nil {
					return err
				}
				it.Next()
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	return ctx.Err()
}
