package retro

import (
	"sync/atomic"

	"dambase/index"
)

// pageEntries is the entries of a page: as many as a stored block of distances has.
const pageEntries = 4096

// maxPages bounds the pages that a sample keeps, to about 512 MiB.
const maxPages = 1 << 16

// A pageBudget is what the pages of all tables of a sample share.
type pageBudget struct {
	tables []*pages
	loaded atomic.Int64
	failed atomic.Pointer[error]
}

func newPageBudget() *pageBudget { return &pageBudget{} }

// err returns the first error of reading.
func (b *pageBudget) err() error {
	if err := b.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// trim lets go of all pages if there are too many.
func (b *pageBudget) trim() {
	if b.loaded.Load() <= maxPages {
		return
	}
	b.loaded.Store(0)
	for _, t := range b.tables {
		for i := range t.list {
			t.list[i].Store(nil)
		}
	}
}

// pages are the entries of a table, read when they are first asked for. It is
// safe for concurrent use.
type pages struct {
	reader RecordedReader
	budget *pageBudget
	slice  index.Slice
	metric index.Metric
	pseudo bool // results stand for distances, as in readValues
	size   uint64
	list   []atomic.Pointer[[]uint16]
}

func newPages(r RecordedReader, b *pageBudget, n *index.Numbering, m index.Metric, planes int, pseudo bool) *pages {
	size := n.Size() * uint64(planes)
	p := &pages{
		reader: r, budget: b, slice: n.Slice(), metric: m, pseudo: pseudo, size: size,
		list: make([]atomic.Pointer[[]uint16], (size+pageEntries-1)/pageEntries),
	}
	b.tables = append(b.tables, p)
	return p
}

// At returns an entry. One that cannot be read is a draw, and the budget has the error.
func (p *pages) At(i uint64) index.Value {
	page := p.list[i/pageEntries].Load()
	if page == nil {
		page = p.load(i / pageEntries)
	}
	e := (*page)[i%pageEntries]
	if p.pseudo {
		return pseudoValue(index.WLD(e))
	}
	return index.Value(e)
}

func (p *pages) load(n uint64) *[]uint16 {
	entries := make([]uint16, pageEntries)
	first := n * pageEntries
	if err := p.reader.Read(p.slice, p.metric, first, entries[:min(pageEntries, p.size-first)]); err != nil {
		p.budget.failed.CompareAndSwap(nil, &err)
	}
	p.list[n].Store(&entries)
	p.budget.loaded.Add(1)
	return &entries
}
