package main

import (
	"context"
	"fmt"

	"dambase/engine"
	"dambase/index"
	"dambase/retro"
	"dambase/storage"
)

// variantStore shows retro the tables of one variant. It is safe for
// concurrent reading.
type variantStore struct {
	rules  *engine.Rules
	source interface {
		Table(storage.TableID) *storage.Table
	}
	builder *storage.Builder // nil for reading alone
	workers int
}

func (s *variantStore) table(slice index.Slice, m index.Metric) *storage.Table {
	return s.source.Table(storage.TableID{Variant: s.rules.Variant().Name, Slice: slice, Metric: m})
}

// Has implements retro.TableReader.
func (s *variantStore) Has(slice index.Slice, m index.Metric) bool { return s.table(slice, m) != nil }

// Each implements retro.TableReader.
func (s *variantStore) Each(ctx context.Context, slice index.Slice, m index.Metric, workers int, f func(uint64, []uint16) error) error {
	t := s.table(slice, m)
	if t == nil {
		return fmt.Errorf("%w: slice %s, metric %s", retro.ErrNoTable, slice, m)
	}
	return t.Each(ctx, workers, f)
}

// Recorded implements retro.RecordedReader.
func (s *variantStore) Recorded(slice index.Slice, m index.Metric) (string, index.Statistics) {
	e := s.table(slice, m).Entry()
	return e.ValuesSHA256, e.Statistics
}

// Write implements retro.TableWriter.
func (s *variantStore) Write(ctx context.Context, t *retro.Table) error {
	_, err := s.builder.Write(ctx, storage.Contents{
		ID:    storage.TableID{Variant: s.rules.Variant().Name, Slice: t.Slice, Metric: t.Metric},
		Rules: s.rules.Variant(), Positions: t.Positions, Planes: 1, Statistics: t.Statistics,
		Entries: t.Entries, Filler: t.Filler, Wide: t.Wide, Workers: s.workers,
	})
	return err
}
