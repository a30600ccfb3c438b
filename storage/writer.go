package storage

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"dambase/engine"
	"dambase/index"

	"github.com/cockroachdb/pebble/v2/sstable"
	"golang.org/x/sync/errgroup"
)

// Contents is a table to be written.
type Contents struct {
	ID         TableID
	Rules      engine.Variant
	Positions  uint64
	Planes     int
	Statistics index.Statistics
	// Entries fills in the exact entries from first on. It is called by
	// several goroutines at once.
	Entries func(first uint64, entries []uint16)
	// Filler marks the entries from first on that may hold anything; nil if
	// there are none. It is called by several goroutines at once.
	Filler func(first uint64, filler []bool)
	// Wide tells that some entry needs two bytes.
	Wide    bool
	Workers int // 0 means one for each processor
}

func (t *Contents) footer() *Footer {
	f := &Footer{
		Format: FormatVersion, Rules: t.Rules, RulesHash: t.Rules.Hash(),
		Slice: t.ID.Slice.String(), Metric: t.ID.Metric, Packing: packBytes,
		Planes: t.Planes, Positions: t.Positions, BlockLength: blockEntries(t.ID.Metric),
		Statistics: t.Statistics,
	}
	switch {
	case t.ID.Metric == index.MetricWLD:
		f.Packing = packTrits
	case t.Wide:
		f.Packing = packWords
	}
	return f
}

// writeSSTable writes the table into a file and returns its footer and the
// hash of its keys and values.
func (t *Contents) writeSSTable(ctx context.Context, name string) (footer *Footer, sum string, err error) {
	w, err := newSSTable(name)
	if err != nil {
		return nil, "", err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	footer = t.footer()
	keys := footer.keys()
	stream, values := newStreamHash(), index.NewValuesHash()
	put := func(key, value []byte) error {
		stream.add(key, value)
		return w.Set(key, value)
	}
	workers := t.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	batch := make([]encodedChunk, 4*workers)
	for start := uint64(0); start < footer.chunks(); start += uint64(len(batch)) {
		n := min(uint64(len(batch)), footer.chunks()-start)
		g, gctx := errgroup.WithContext(ctx)
		g.SetLimit(workers)
		for i := range n {
			g.Go(func() error {
				batch[i].encode(t, footer, keys, uint32(start+i))
				return gctx.Err()
			})
		}
		if err := g.Wait(); err != nil {
			return nil, "", err
		}
		for i := range n {
			values.Add(batch[i].exact)
			if err := put(keys.chunk(uint32(start+i)), batch[i].stored); err != nil {
				return nil, "", err
			}
		}
	}
	footer.ValuesSHA256 = values.Hex()
	text, err := encodeFooter(footer)
	if err != nil {
		return nil, "", err
	}
	if err := put(keys.footer(), text); err != nil {
		return nil, "", err
	}
	return footer, stream.sum(), nil
}

// encodedChunk is a chunk on its way to the file; its memory is used again.
type encodedChunk struct {
	exact   []uint16
	entries []uint16
	filler  []bool
	packed  [][]byte
	stored  []byte
}

func (c *encodedChunk) encode(t *Contents, f *Footer, keys tableKeys, n uint32) {
	length := uint64(f.BlockLength)
	first := uint64(n) * chunkBlocks * length
	size := int(min(chunkBlocks*length, f.entries()-first))
	if cap(c.exact) < size {
		c.exact, c.entries, c.filler = make([]uint16, size), make([]uint16, size), make([]bool, size)
	}
	c.exact, c.entries, c.filler = c.exact[:size], c.entries[:size], c.filler[:size]
	t.Entries(first, c.exact)
	copy(c.entries, c.exact)
	if t.Filler != nil {
		t.Filler(first, c.filler)
	}
	blocks := 0
	for start := 0; start < size; start += f.BlockLength {
		end := min(start+f.BlockLength, size)
		if t.Filler != nil {
			fill(c.entries[start:end], c.filler[start:end])
		}
		if blocks == len(c.packed) {
			c.packed = append(c.packed, nil)
		}
		c.packed[blocks] = f.Packing.pack(c.packed[blocks][:0], c.entries[start:end])
		blocks++
	}
	c.stored = appendChunk(c.stored[:0], keys.chunk(n), c.packed[:blocks])
}

// fill gives filler entries the value before them, or the first that matters:
// runs compress best.
func fill(entries []uint16, filler []bool) {
	last := uint16(0)
	for i, free := range filler {
		if !free {
			last = entries[i]
			break
		}
	}
	for i, free := range filler {
		if free {
			entries[i] = last
		} else {
			last = entries[i]
		}
	}
}

// readSSTable reads a whole sstable of one table, checks it against itself,
// and returns its footer and the hash of its keys and values.
func readSSTable(name string) (*Footer, string, error) {
	r, err := openSSTable(name)
	if err != nil {
		return nil, "", err
	}
	var footer *Footer
	var sum string
	err = guard(func() (err error) { footer, sum, err = readTable(r); return err })
	if err = errors.Join(err, guard(r.Close)); err != nil {
		return nil, "", fmt.Errorf("%s: %w", name, err)
	}
	return footer, sum, nil
}

func readTable(r *sstable.Reader) (*Footer, string, error) {
	it, err := r.NewIter(sstable.NoTransforms, nil, nil, sstable.AssertNoBlobHandles)
	if err != nil {
		return nil, "", err
	}
	stream := newStreamHash()
	var last []byte
	n := uint64(0)
	for kv := it.First(); kv != nil; kv = it.Next() {
		value, _, err := kv.Value(nil)
		if err != nil {
			return nil, "", errors.Join(err, it.Close())
		}
		stream.add(kv.K.UserKey, value)
		last = append(last[:0], value...)
		n++
	}
	if err := errors.Join(it.Error(), it.Close()); err != nil {
		return nil, "", err
	}
	footer, err := readFooter(last)
	if err != nil {
		return nil, "", err
	}
	if n != footer.chunks()+1 {
		return nil, "", fmt.Errorf("%d chunks instead of %d", n-1, footer.chunks())
	}
	return footer, stream.sum(), nil
}
