package storage

import (
	"context"
	"fmt"

	"dambase/engine"
	"dambase/index"
)

// A Variant is the tables of one variant in a reader or a builder. Reading is
// safe for concurrent use.
type Variant struct {
	rules   engine.Variant
	id      RulesID
	source  interface{ Table(TableID) *Table }
	builder *Builder // nil for reading alone
	workers int
}

// Variant returns the reader's tables of a variant.
func (r *Reader) Variant(rules engine.Variant) *Variant {
	return &Variant{rules: rules, id: RulesIDOf(rules), source: r}
}

// Variant returns the builder's tables of a variant, which it compresses with
// a number of workers.
func (b *Builder) Variant(rules engine.Variant, workers int) *Variant {
	return &Variant{rules: rules, id: RulesIDOf(rules), source: b, builder: b, workers: workers}
}

// Table returns a table, or nil if it is not there.
func (v *Variant) Table(s index.Slice, m index.Metric) *Table {
	return v.source.Table(TableID{Variant: v.rules.Name, Rules: v.id, Slice: s, Metric: m})
}

// find returns a table or an error that wraps ErrNoTable.
func (v *Variant) find(s index.Slice, m index.Metric) (*Table, error) {
	if t := v.Table(s, m); t != nil {
		return t, nil
	}
	return nil, fmt.Errorf("%w: %s %s %s", ErrNoTable, v.rules.Name, s, m)
}

// Has reports whether a table is there.
func (v *Variant) Has(s index.Slice, m index.Metric) bool { return v.Table(s, m) != nil }

// Each calls f with all entries of a table, in pieces and by several
// goroutines at once; first is the number of the first entry of a piece.
func (v *Variant) Each(ctx context.Context, s index.Slice, m index.Metric, workers int, f func(first uint64, entries []uint16) error) error {
	t, err := v.find(s, m)
	if err != nil {
		return err
	}
	return t.Each(ctx, workers, f)
}

// Read fills in the entries of a table from first on, as they are stored.
func (v *Variant) Read(s index.Slice, m index.Metric, first uint64, entries []uint16) error {
	t, err := v.find(s, m)
	if err != nil {
		return err
	}
	return t.Read(first, entries)
}

// Recorded returns the hash of a table's exact entries and its statistics.
// They are zero if the table cannot be read.
func (v *Variant) Recorded(s index.Slice, m index.Metric) (valuesSHA256 string, stats index.Statistics) {
	t, err := v.find(s, m)
	if err != nil {
		return "", stats
	}
	f, err := t.Footer()
	if err != nil {
		return "", stats
	}
	return f.ValuesSHA256, f.Statistics
}

// Write stores a table for good.
func (v *Variant) Write(ctx context.Context, c *index.Contents) error {
	_, err := v.builder.Write(ctx, v.rules, c, v.workers)
	return err
}
