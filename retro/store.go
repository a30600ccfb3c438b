package retro

import (
	"context"

	"dambase/index"
)

// A TableReader reads the finished tables of one variant. It is safe for
// concurrent use.
type TableReader interface {
	// Has reports whether a table is finished.
	Has(s index.Slice, m index.Metric) bool
	// Each calls f with all entries of a table, in pieces and by several
	// goroutines at once; first is the number of the first entry of a piece.
	Each(ctx context.Context, s index.Slice, m index.Metric, workers int, f func(first uint64, entries []uint16) error) error
}

// A TableWriter stores finished tables of one variant. When Write returns nil
// the table is there for good.
type TableWriter interface {
	Write(ctx context.Context, c *index.Contents) error
}
