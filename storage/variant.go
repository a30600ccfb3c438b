package storage

import (
	"context"
	"errors"
	"fmt"

	"dambase/engine"
	"dambase/index"
)

// ErrNoTable is wrapped by errors about a table that is not there.
var ErrNoTable = errors.New("no such table")

// A Variant is the tables of one variant in a reader or a builder. Reading is
// safe for concurrent use.
type Variant struct {
	rules   engine.Variant
	source  interface{ Table(TableID) *Table }
	builder *Builder // nil for reading alone
	workers int
}

// Variant returns the reader's tables of a variant.
func (r *Reader) Variant(rules engine.Variant) *Variant { return &Variant{rules: rules, source: r} }

// Variant returns the builder's tables of a variant, which it compresses with
// a number of workers.
func (b *Builder) Variant(rules engine.Variant, workers int) *Variant {
	return &Variant{rules: rules, source: b, builder: b, workers: workers}
}

func (v *Variant) table(s index.Slice, m index.Metric) *Table {
	return v.source.Table(TableID{Variant: v.rules.Name, Slice: s, Metric: m})
}

// Has reports whether a table is there.
func (v *Variant) Has(s index.Slice, m index.Metric) bool { return v.table(s, m) != nil }

// Each calls f with all entries of a table, in pieces and by several
// goroutines at once; first is the number of the first entry of a piece.
func (v *Variant) Each(ctx context.Context, s index.Slice, m index.Metric, workers int, f func(first uint64, entries []uint16) error) error {
	t := v.table(s, m)
	if t == nil {
		return fmt.Errorf("%w: %s %s %s", ErrNoTable, v.rules.Name, s, m)
	}
	return t.Each(ctx, workers, f)
}

// Read fills in the entries of a table from first on, as they are stored.
func (v *Variant) Read(s index.Slice, m index.Metric, first uint64, entries []uint16) error {
	t := v.table(s, m)
	if t == nil {
		return fmt.Errorf("%w: %s %s %s", ErrNoTable, v.rules.Name, s, m)
	}
	return t.Read(first, entries)
}

// Recorded returns the hash of a table's exact entries and its statistics.
func (v *Variant) Recorded(s index.Slice, m index.Metric) (valuesSHA256 string, stats index.Statistics) {
	e := v.table(s, m).Entry()
	return e.ValuesSHA256, e.Statistics
}

// Write stores a table for good.
func (v *Variant) Write(ctx context.Context, c *index.Contents) error {
	_, err := v.builder.Write(ctx, v.rules, c, v.workers)
	return err
}
