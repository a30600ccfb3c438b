package probe

import (
	"errors"
	"log/slog"
	"slices"
	"sync"

	"dambase/engine"
	"dambase/index"
	"dambase/storage"
)

// Options are the choices of Open.
type Options struct {
	// Variant is the rules whose tables are wanted.
	Variant engine.Variant
	// CacheBytes bounds the decoded blocks that are kept; 0 means 64 MiB.
	CacheBytes uint64
	// Logger gets warnings; nil means slog.Default().
	Logger *slog.Logger
}

// Tables answers probes of one variant. All methods are safe for concurrent use.
type Tables struct {
	rules   *engine.Rules
	reader  *storage.Reader // nil without any table
	owned   bool            // whether Close closes the reader
	entries bool            // whether results under draw counters come of entries
	list    []*storage.Table
	slices  [index.MaxSlot]*sliceTables
	most    int
}

// sliceTables is what is there of a slice.
type sliceTables struct {
	slice index.Slice
	// The tables; nil where one is missing.
	wld, dtw, dtz *storage.Table
	// numbering makes the numbering when it is first wanted: it takes longer
	// than all the rest of opening a table.
	numbering func() (*index.Numbering, error)
}

// Open opens the tables of a variant in a directory, read-only and beside any
// number of other readers and a builder. It returns an error that wraps
// storage.ErrNoStore for a directory without tables, storage.ErrRules if they
// were built with other rules under the same name.
func Open(dir string, o Options) (*Tables, error) {
	rules, err := engine.Compile(o.Variant)
	if err != nil {
		return nil, err
	}
	reader, err := storage.OpenReader(dir, storage.ReaderOptions{CacheBytes: o.CacheBytes, Logger: o.Logger})
	if err != nil {
		return nil, err
	}
	t, err := New(reader, rules)
	if err != nil {
		return nil, errors.Join(err, reader.Close())
	}
	t.owned = true
	return t, nil
}

// New returns the tables of one variant of an open reader, which must stay
// open as long as they are used. A nil reader stands for no tables at all. The
// error wraps storage.ErrRules if there are only tables of other rules.
func New(reader *storage.Reader, rules *engine.Rules) (*Tables, error) {
	t := &Tables{rules: rules, reader: reader, entries: rules.HasCounters() && turnsAlike(rules)}
	if reader == nil {
		return t, nil
	}
	if err := reader.CheckRules(rules.Variant()); err != nil {
		return nil, err
	}
	t.list = reader.TablesOf(rules.Variant())
	for _, table := range t.list {
		t.add(table)
	}
	for i, s := range t.slices {
		if s != nil && s.wld == nil && s.dtw == nil {
			t.slices[i] = nil // a dtz table says nothing by itself
		} else if s != nil {
			t.most = max(t.most, s.slice.Pieces())
		}
	}
	return t, nil
}

func (t *Tables) add(table *storage.Table) {
	id := table.ID()
	if id.Slice.Slot() == index.MaxSlot {
		return // no table has more than 9 pieces of a kind
	}
	s := t.slices[id.Slice.Slot()]
	if s == nil {
		s = &sliceTables{slice: id.Slice}
		s.numbering = sync.OnceValues(func() (*index.Numbering, error) { return index.NewNumbering(t.rules, id.Slice) })
		t.slices[id.Slice.Slot()] = s
	}
	switch id.Metric {
	case index.MetricWLD:
		s.wld = table
	case index.MetricDTW:
		s.dtw = table
	case index.MetricDTZ:
		s.dtz = table
	}
}

// Close releases the files if Open opened them.
func (t *Tables) Close() error {
	if !t.owned {
		return nil
	}
	return t.reader.Close()
}

// List lists the tables of the variant, in the order of building. The caller
// must not change it.
func (t *Tables) List() []*storage.Table { return t.list }

// Rules returns the compiled rules.
func (t *Tables) Rules() *engine.Rules { return t.rules }

// Largest returns the most pieces that any table has, 0 without tables.
func (t *Tables) Largest() int { return t.most }

// Slices lists the slices present, in the order of building.
func (t *Tables) Slices() []index.Slice {
	var out []index.Slice
	for _, s := range t.slices {
		if s != nil {
			out = append(out, s.slice)
		}
	}
	slices.SortFunc(out, index.Slice.Compare)
	return out
}

// table returns the tables of a slice, or nil.
func (t *Tables) table(s index.Slice) *sliceTables {
	if slot := s.Slot(); slot < index.MaxSlot {
		return t.slices[slot]
	}
	return nil
}
