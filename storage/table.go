package storage

import (
	"cmp"
	"context"
	"errors"

	"github.com/cockroachdb/pebble/v2"
	"github.com/maypok86/otter/v2"
	"golang.org/x/sync/errgroup"
)

// A Table reads the entries of one table. It is safe for concurrent use.
//
// Where the rules force captures, entries of positions whose side to move can
// capture are filler: they must be computed from their moves.
type Table struct {
	entry   *Entry
	keys    tableKeys
	number  uint32 // in the cache
	db      *pebble.DB
	cache   *blockCache // nil for none
	present bool        // in the store
}

// Entry returns the table's line of the catalogue.
func (t *Table) Entry() *Entry { return t.entry }

// At returns an entry, which must be below the table's number of entries. It
// allocates nothing if the block is in the cache. Its error is a *CorruptError.
func (t *Table) At(i uint64) (uint16, error) {
	packed, err := t.packed(uint32(i / uint64(t.entry.BlockLength)))
	if err != nil {
		return 0, err
	}
	return t.entry.Packing.entry(packed, int(i%uint64(t.entry.BlockLength))), nil
}

// packed returns a block, from the cache if there is one.
func (t *Table) packed(block uint32) ([]byte, error) {
	if t.cache == nil {
		return t.load(block)
	}
	key := blockKey{t.number, block}
	if packed, ok := t.cache.GetIfPresent(key); ok {
		return packed, nil
	}
	// Of several callers that miss the block one loads it.
	return t.cache.Get(context.Background(), key, otter.LoaderFunc[blockKey, []byte](
		func(context.Context, blockKey) ([]byte, error) { return t.load(block) }))
}

// Cached is At without reading from disk: ok is false if the block is not in
// the cache.
func (t *Table) Cached(i uint64) (entry uint16, ok bool) {
	if t.cache == nil {
		return 0, false
	}
	packed, ok := t.cache.GetIfPresent(blockKey{t.number, uint32(i / uint64(t.entry.BlockLength))})
	if !ok {
		return 0, false
	}
	return t.entry.Packing.entry(packed, int(i%uint64(t.entry.BlockLength))), true
}

// Read fills in the entries from first on, as they are stored. There must be so many.
func (t *Table) Read(first uint64, entries []uint16) error {
	length := uint64(t.entry.BlockLength)
	for len(entries) > 0 {
		packed, err := t.packed(uint32(first / length))
		if err != nil {
			return err
		}
		n := min(len(entries), int(length-first%length))
		for i := range entries[:n] {
			entries[i] = t.entry.Packing.entry(packed, int(first%length)+i)
		}
		first, entries = first+uint64(n), entries[n:]
	}
	return nil
}

// load reads a block from the store.
func (t *Table) load(block uint32) ([]byte, error) {
	var packed []byte
	err := t.viewChunk(uint64(block)/chunkBlocks, func(chunk []byte) (err error) {
		packed, err = t.block(chunk, uint64(block))
		return err
	})
	return packed, err
}

// viewChunk calls f with a chunk of the store, which is valid until f returns.
func (t *Table) viewChunk(n uint64, f func(chunk []byte) error) error {
	if !t.present {
		return corrupt(t.entry.ID(), -1, "listed in the catalogue, not in the store")
	}
	var inside error
	err := view(t.db, t.keys.chunk(uint32(n)), func(chunk []byte) error {
		inside = f(chunk)
		return nil
	})
	if err != nil {
		return corrupt(t.entry.ID(), int64(n*chunkBlocks), "%v", err)
	}
	return inside
}

// block returns the packed entries of a block in its chunk.
func (t *Table) block(chunk []byte, block uint64) ([]byte, error) {
	n := block / chunkBlocks
	blocks := int(min(chunkBlocks, t.entry.blocks()-n*chunkBlocks))
	packed, err := chunkBlock(chunk, t.keys.chunk(uint32(n)), blocks, int(block%chunkBlocks),
		t.entry.Packing.packedLen(t.entry.blockLen(block)))
	if err != nil {
		return nil, corrupt(t.entry.ID(), int64(block), "%v", err)
	}
	return packed, nil
}

// Each calls f with all entries in order, a chunk at a time and by several
// goroutines at once; first is the number of the first of them.
func (t *Table) Each(ctx context.Context, workers int, f func(first uint64, entries []uint16) error) error {
	g, groupCtx := errgroup.WithContext(ctx)
	g.SetLimit(max(workers, 1))
	for n := range t.entry.chunks() {
		if groupCtx.Err() != nil {
			break
		}
		g.Go(func() error {
			entries, err := t.chunkEntries(n)
			if err != nil {
				return err
			}
			return f(n*chunkBlocks*uint64(t.entry.BlockLength), entries)
		})
	}
	return cmp.Or(g.Wait(), ctx.Err())
}

func (t *Table) chunkEntries(n uint64) ([]uint16, error) {
	var entries []uint16
	err := t.viewChunk(n, func(chunk []byte) error {
		for block := n * chunkBlocks; block < min((n+1)*chunkBlocks, t.entry.blocks()); block++ {
			packed, err := t.block(chunk, block)
			if err != nil {
				return err
			}
			for i := range t.entry.blockLen(block) {
				entries = append(entries, t.entry.Packing.entry(packed, i))
			}
		}
		return nil
	})
	return entries, err
}

// CheckHash reads the whole table and returns a *CorruptError unless its keys
// and values hash to what the catalogue says.
func (t *Table) CheckHash(ctx context.Context) error {
	h := newStreamHash()
	for n := range t.entry.chunks() {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := t.viewChunk(n, func(chunk []byte) error {
			h.add(t.keys.chunk(uint32(n)), chunk)
			return nil
		})
		if err != nil {
			return err
		}
	}
	footer, err := get(t.db, t.keys.footer())
	if errors.Is(err, pebble.ErrNotFound) {
		return corrupt(t.entry.ID(), -1, "the footer is missing")
	} else if err != nil {
		return corrupt(t.entry.ID(), -1, "%v", err)
	}
	h.add(t.keys.footer(), footer)
	if h.sum() != t.entry.SHA256 {
		return corrupt(t.entry.ID(), -1, "its contents do not hash to the catalogue's sha256")
	}
	return nil
}
