package storage

import (
	"context"
	"errors"
	"fmt"

	"dambase/engine"
	"dambase/index"

	"github.com/cockroachdb/pebble/v2/sstable"
	"golang.org/x/sync/errgroup"
)

// newFooter describes a table before it is written.
func newFooter(rules engine.Variant, c *index.Contents) *Footer {
	f := &Footer{
		Format: FormatVersion, Rules: rules, RulesHash: rules.Hash(),
		Slice: c.Slice.String(), Metric: c.Metric, Packing: packBytes,
		Planes: c.Planes, Positions: c.Positions, BlockLength: blockEntries(c.Metric),
		Statistics: c.Statistics,
	}
	switch {
	case c.Metric == index.MetricWLD:
		f.Packing = packTrits
	case c.Wide:
		f.Packing = packWords
	}
	return f
}

// writeSSTable writes a table into a file and returns its footer and the hash
// of its keys and values.
func writeSSTable(ctx context.Context, name string, rules engine.Variant, c *index.Contents, workers int) (footer *Footer, sum string, err error) {
	w, err := newSSTable(name)
	if err != nil {
		return nil, "", err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	footer = newFooter(rules, c)
	if err := footer.check(); err != nil {
		return nil, "", err
	}
	keys := footer.keys()
	stream, values := newStreamHash(), index.NewValuesHash()
	put := func(key, value []byte) error {
		stream.add(key, value)
		return w.Set(key, value)
	}
	workers = max(workers, 1)
	batch := make([]encodedChunk, 4*workers)
	for start := uint64(0); start < footer.chunks(); start += uint64(len(batch)) {
		n := min(uint64(len(batch)), footer.chunks()-start)
		g, gctx := errgroup.WithContext(ctx)
		g.SetLimit(workers)
		for i := range n {
			g.Go(func() error {
				batch[i].encode(c, footer, keys, uint32(start+i))
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

func (e *encodedChunk) encode(c *index.Contents, f *Footer, keys tableKeys, n uint32) {
	length := uint64(f.BlockLength)
	first := uint64(n) * chunkBlocks * length
	size := int(min(chunkBlocks*length, f.entries()-first))
	if cap(e.exact) < size {
		e.exact, e.entries, e.filler = make([]uint16, size), make([]uint16, size), make([]bool, size)
	}
	e.exact, e.entries, e.filler = e.exact[:size], e.entries[:size], e.filler[:size]
	c.Entries(first, e.exact)
	copy(e.entries, e.exact)
	if c.Filler != nil {
		c.Filler(first, e.filler)
	}
	blocks := 0
	for start := 0; start < size; start += f.BlockLength {
		end := min(start+f.BlockLength, size)
		if c.Filler != nil {
			fill(e.entries[start:end], e.filler[start:end])
		}
		if blocks == len(e.packed) {
			e.packed = append(e.packed, nil)
		}
		e.packed[blocks] = f.Packing.pack(e.packed[blocks][:0], e.entries[start:end])
		blocks++
	}
	e.stored = appendChunk(e.stored[:0], keys.chunk(n), e.packed[:blocks])
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
