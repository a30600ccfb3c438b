package retro

import (
	"context"
	"errors"

	"dambase/index"
)

// ErrNoTable is wrapped by a TableReader's error for a table that it does not have.
var ErrNoTable = errors.New("no such table")

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
	Write(ctx context.Context, t *Table) error
}

// A Table is a finished table on its way to a TableWriter.
type Table struct {
	Slice      index.Slice
	Metric     index.Metric
	Positions  uint64
	Statistics index.Statistics
	Wide       bool // whether some entry needs two bytes
	// Entries fills in the entries from first on; Filler marks those that
	// may hold anything, and is nil where none may. Both are safe for
	// concurrent use.
	Entries func(first uint64, entries []uint16)
	Filler  func(first uint64, filler []bool)
}
