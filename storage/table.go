package storage

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/maypok86/otter/v2"
	"golang.org/x/sync/errgroup"
)

// A Table reads the entries of one table. It is safe for concurrent use. Its
// file is opened when something is first asked of it.
//
// Where the rules force captures, entries of positions whose side to move can
// capture are filler: they must be computed from their moves.
//
// Errors are a *CorruptError for damage, and wrap ErrFormat for a table of
// another format or packing and ErrResources where the system is to blame.
type Table struct {
	id     TableID
	line   *line // nil if the catalogue does not list it
	keys   tableKeys
	number uint32 // in the cache
	files  *files
	cache  *blockCache // nil for none
	footer atomic.Pointer[Footer]
	// fault is the damage that a read has met: the next reader looks anew.
	fault atomic.Pointer[error]
	// bad holds the error of each chunk that is damaged, footerChunk for the
	// file: it costs the better part of a second to find that out.
	bad sync.Map
}

// ID returns the name of the table.
func (t *Table) ID() TableID { return t.id }

// same reports whether a table is still what a line tells of.
func (t *Table) same(l *line) bool {
	return t != nil && t.line != nil && t.Fault() == nil && string(t.line.text) == string(l.text)
}

// Listing returns what the catalogue tells of the table.
func (t *Table) Listing() (*Listing, error) {
	if t.line == nil {
		return nil, t.Fault()
	}
	x, err := t.line.listing()
	if err != nil {
		return nil, fmt.Errorf("table %s: %w", t.id, err)
	}
	return x, nil
}

// Footer returns what the table tells of itself, checked against the catalogue.
func (t *Table) Footer() (*Footer, error) {
	if f := t.footer.Load(); f != nil {
		return f, nil
	}
	x, err := t.Listing()
	if err != nil {
		return nil, err
	}
	var f *Footer
	err = t.once(footerChunk, func() error {
		return t.view(func(r *sstable.Reader) error {
			return viewValue(r, t.keys.footer(), func(text []byte) (err error) {
				f, err = readFooter(text)
				return err
			})
		}, -1)
	})
	if err != nil {
		return nil, err
	}
	if f.ID() != t.id || f.Positions != x.Positions || f.ValuesSHA256 != x.ValuesSHA256 {
		return nil, t.corrupt(-1, "its file holds another table than %s lists", catalogueName)
	}
	t.footer.Store(f)
	return f, nil
}

// Fault returns the damage that reading the table has met so far, or nil. It
// reads nothing.
func (t *Table) Fault() error {
	if t.line == nil {
		return corrupt(t.id, -1, "%s does not list it", catalogueName)
	}
	if err := t.fault.Load(); err != nil {
		return *err
	}
	return nil
}

func (t *Table) corrupt(block int64, format string, args ...any) error {
	err := corrupt(t.id, block, format, args...)
	t.fault.Store(&err)
	return err
}

// view calls f with the table's sstable and tells what its errors say about the table.
func (t *Table) view(f func(r *sstable.Reader) error, block int64) error {
	err := t.files.view(t, f)
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, ErrFormat):
		return fmt.Errorf("table %s: %w", t.id, err)
	}
	if !errors.As(err, new(*CorruptError)) {
		err = damage(t.id, block, err)
	}
	if errors.As(err, new(*CorruptError)) {
		t.fault.Store(&err)
		t.files.drop(t)
	}
	return err
}

// At returns an entry, which must be below the table's number of entries. It
// allocates nothing if the block is in the cache.
func (t *Table) At(i uint64) (uint16, error) {
	f, err := t.Footer()
	if err != nil {
		return 0, err
	}
	packed, err := t.packed(f, uint32(i/uint64(f.BlockLength)))
	if err != nil {
		return 0, err
	}
	return f.Packing.entry(packed, int(i%uint64(f.BlockLength))), nil
}

// packed returns a block, from the cache if there is one.
func (t *Table) packed(f *Footer, block uint32) ([]byte, error) {
	if t.cache == nil {
		return t.load(f, block)
	}
	key := blockKey{t.number, block}
	if packed, ok := t.cache.GetIfPresent(key); ok {
		return packed, nil
	}
	// Of several callers that miss the block one loads it.
	return t.cache.Get(context.Background(), key, otter.LoaderFunc[blockKey, []byte](
		func(context.Context, blockKey) ([]byte, error) { return t.load(f, block) }))
}

// Cached is At without reading from disk: ok is false if the block is not in
// the cache.
func (t *Table) Cached(i uint64) (entry uint16, ok bool) {
	f := t.footer.Load()
	if f == nil || t.cache == nil {
		return 0, false
	}
	packed, ok := t.cache.GetIfPresent(blockKey{t.number, uint32(i / uint64(f.BlockLength))})
	if !ok {
		return 0, false
	}
	return f.Packing.entry(packed, int(i%uint64(f.BlockLength))), true
}

// Read fills in the entries from first on, as they are stored. There must be so many.
func (t *Table) Read(first uint64, entries []uint16) error {
	f, err := t.Footer()
	if err != nil {
		return err
	}
	length := uint64(f.BlockLength)
	for len(entries) > 0 {
		packed, err := t.packed(f, uint32(first/length))
		if err != nil {
			return err
		}
		n := min(len(entries), int(length-first%length))
		for i := range entries[:n] {
			entries[i] = f.Packing.entry(packed, int(first%length)+i)
		}
		first, entries = first+uint64(n), entries[n:]
	}
	return nil
}

// load reads a block from the store.
func (t *Table) load(f *Footer, block uint32) ([]byte, error) {
	var packed []byte
	err := t.viewChunk(uint64(block)/chunkBlocks, func(chunk []byte) (err error) {
		packed, err = t.block(f, chunk, uint64(block))
		return err
	})
	return packed, err
}

// viewChunk calls f with a chunk of the store, which is valid until f returns.
func (t *Table) viewChunk(n uint64, f func(chunk []byte) error) error {
	return t.once(uint32(n), func() error {
		return t.view(func(r *sstable.Reader) error {
			return viewValue(r, t.keys.chunk(uint32(n)), f)
		}, int64(n*chunkBlocks))
	})
}

// once reads a chunk, unless it has been found damaged before. A file that is
// missing may come back.
func (t *Table) once(chunk uint32, read func() error) error {
	if err, known := t.bad.Load(chunk); known {
		return err.(error)
	}
	err := read()
	if found := new(CorruptError); errors.As(err, &found) && found.Reason != reasonMissing {
		t.bad.Store(chunk, err)
	}
	return err
}

// block returns the packed entries of a block in its chunk.
func (t *Table) block(f *Footer, chunk []byte, block uint64) ([]byte, error) {
	n := block / chunkBlocks
	blocks := int(min(chunkBlocks, f.blocks()-n*chunkBlocks))
	packed, err := chunkBlock(chunk, t.keys.chunk(uint32(n)), blocks, int(block%chunkBlocks), f.Packing.packedLen(f.blockLen(block)))
	if err != nil {
		return nil, t.corrupt(int64(block), "%v", err)
	}
	return packed, nil
}

// Each calls f with all entries in order, a chunk at a time and by several
// goroutines at once; first is the number of the first of them.
func (t *Table) Each(ctx context.Context, workers int, f func(first uint64, entries []uint16) error) error {
	footer, err := t.Footer()
	if err != nil {
		return err
	}
	g, groupCtx := errgroup.WithContext(ctx)
	g.SetLimit(max(workers, 1))
	for n := range footer.chunks() {
		if groupCtx.Err() != nil {
			break
		}
		g.Go(func() error {
			entries, err := t.chunkEntries(footer, n)
			if err != nil {
				return err
			}
			return f(n*chunkBlocks*uint64(footer.BlockLength), entries)
		})
	}
	return cmp.Or(g.Wait(), ctx.Err())
}

func (t *Table) chunkEntries(f *Footer, n uint64) ([]uint16, error) {
	var entries []uint16
	err := t.viewChunk(n, func(chunk []byte) error {
		for block := n * chunkBlocks; block < min((n+1)*chunkBlocks, f.blocks()); block++ {
			packed, err := t.block(f, chunk, block)
			if err != nil {
				return err
			}
			for i := range f.blockLen(block) {
				entries = append(entries, f.Packing.entry(packed, i))
			}
		}
		return nil
	})
	return entries, err
}

// CheckHash reads the whole table and returns a *CorruptError unless its keys
// and values hash to what the catalogue says.
func (t *Table) CheckHash(ctx context.Context) error {
	x, err := t.Listing()
	if err != nil {
		return err
	}
	if _, err := t.Footer(); err != nil {
		return err
	}
	h := newStreamHash()
	err = t.view(func(r *sstable.Reader) error {
		return eachValue(r, func(key, value []byte) error {
			h.add(key, value)
			return ctx.Err()
		})
	}, -1)
	if err == nil && h.sum() != x.SHA256 {
		err = &CorruptError{Table: t.id, Block: -1, Reason: "its contents do not hash to the catalogue's sha256", Inside: true}
		t.fault.Store(&err)
	}
	return err
}
