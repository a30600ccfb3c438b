package storage

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"dambase/engine"
	"dambase/index"

	"github.com/cockroachdb/pebble/v2/sstable"
	"golang.org/x/sync/errgroup"
)

// writeSSTable writes a table into a file and returns what the catalogue tells of it.
func writeSSTable(ctx context.Context, name string, rules engine.Variant, c *index.Contents, workers int, times *Times) (x *Listing, err error) {
	footer, err := newFooter(rules, c)
	if err != nil {
		return nil, err
	}
	w, err := newSSTable(name)
	if err != nil {
		return nil, err
	}
	stream, err := writeTable(ctx, w, footer, c, workers, times)
	if err = errors.Join(err, w.Close()); err != nil {
		return nil, err
	}
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	return newListing(footer, info, stream), nil
}

func newListing(f *Footer, info os.FileInfo, stream streamHash) *Listing {
	return &Listing{
		Name: f.ID().name(), Format: f.Format, Positions: f.Positions, Bytes: uint64(info.Size()),
		SHA256: stream.sum(), ValuesSHA256: f.ValuesSHA256,
	}
}

// writeTable writes the chunks and the footer and returns the hash of all keys and values.
func writeTable(ctx context.Context, w *sstable.Writer, footer *Footer, c *index.Contents, workers int, times *Times) (streamHash, error) {
	keys := keysOf(footer.ID())
	stream, values := newStreamHash(), index.NewValuesHash()
	put := func(key, value []byte) error {
		stream.add(key, value)
		return w.Set(key, value)
	}
	err := encodeChunks(ctx, c, footer, keys, workers, times, func(n uint32, e *encodedChunk) error {
		defer addSince(&times.Write, time.Now())
		e.hash(values)
		return put(keys.chunk(n), e.stored)
	})
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return stream, err
	}
	footer.ValuesSHA256 = values.Hex()
	text, err := json.Marshal(footer)
	if err != nil {
		return stream, err
	}
	return stream, put(keys.footer(), text)
}

// encodeChunks encodes the chunks of a table by several workers, and calls
// put with each in order, while the next ones are encoded.
func encodeChunks(ctx context.Context, c *index.Contents, f *Footer, keys tableKeys, workers int, times *Times, put func(n uint32, e *encodedChunk) error) error {
	workers = max(workers, 1)
	free := make(chan *encodedChunk, 2*workers)
	for range cap(free) {
		free <- new(encodedChunk)
	}
	type job struct {
		chunk *encodedChunk
		done  chan struct{}
	}
	// In order of their chunks; as many wait as there are chunks to fill.
	jobs := make(chan job, cap(free))
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		defer close(jobs)
		var encoders errgroup.Group
		encoders.SetLimit(workers)
		defer encoders.Wait()
		for n := range f.chunks() {
			var e *encodedChunk
			select {
			case e = <-free:
			case <-ctx.Done():
				return ctx.Err()
			}
			j := job{e, make(chan struct{})}
			encoders.Go(func() error {
				defer close(j.done)
				start := time.Now()
				e.encode(c, f, keys, uint32(n))
				addSince(&times.Compress, start)
				return nil
			})
			jobs <- j
		}
		return nil
	})
	g.Go(func() error {
		n := uint32(0)
		for j := range jobs {
			<-j.done
			if err := put(n, j.chunk); err != nil {
				return err
			}
			n++
			free <- j.chunk
		}
		return nil
	})
	return g.Wait()
}

// encodedChunk is a chunk on its way to the file; its memory is used again.
type encodedChunk struct {
	narrow []uint8 // exact entries, in one of the two
	wide   []uint16
	filler []uint64
	packed [][]byte
	stored []byte
}

func (e *encodedChunk) encode(c *index.Contents, f *Footer, keys tableKeys, n uint32) {
	length := uint64(f.BlockLength)
	first := uint64(n) * chunkBlocks * length
	size := int(min(chunkBlocks*length, f.entries()-first))
	if c.Filler != nil {
		e.filler = slices.Grow(e.filler[:0], (size+63)/64)[:(size+63)/64]
		c.Filler(first, e.filler)
	}
	var blocks int
	if c.Narrow != nil {
		e.narrow = slices.Grow(e.narrow[:0], size)[:size]
		c.Narrow(first, e.narrow)
		blocks = packBlocks(e, c, f, e.narrow)
	} else {
		e.wide = slices.Grow(e.wide[:0], size)[:size]
		c.Entries(first, e.wide)
		blocks = packBlocks(e, c, f, e.wide)
	}
	e.stored = appendChunk(e.stored[:0], keys.chunk(n), e.packed[:blocks])
}

// hash adds the exact entries to a hash.
func (e *encodedChunk) hash(h *index.ValuesHash) {
	h.AddNarrow(e.narrow)
	h.Add(e.wide)
}

// packBlocks packs exact entries with filler in place and returns the number of blocks.
func packBlocks[E index.Entry](e *encodedChunk, c *index.Contents, f *Footer, exact []E) int {
	blocks := 0
	scratch := make([]E, f.BlockLength)
	for start := 0; start < len(exact); start += f.BlockLength {
		entries := exact[start:min(start+f.BlockLength, len(exact))]
		if c.Filler != nil {
			filled := scratch[:len(entries)]
			fill(filled, entries, e.filler[start/64:])
			entries = filled
		}
		if blocks == len(e.packed) {
			e.packed = append(e.packed, nil)
		}
		e.packed[blocks] = pack(f.Packing, e.packed[blocks][:0], entries)
		blocks++
	}
	return blocks
}

// fill copies entries and gives filler the value before them, or the first
// that matters: runs compress best.
func fill[E index.Entry](to, entries []E, filler []uint64) {
	last := E(0)
	for i, e := range entries {
		if filler[i/64]>>(i%64)&1 == 0 {
			last = e
			break
		}
	}
	for start := 0; start < len(entries); start += 64 {
		free := filler[start/64]
		end := min(start+64, len(entries))
		if free == 0 {
			copy(to[start:end], entries[start:end])
			last = entries[end-1]
			continue
		}
		from, into := entries[start:end], to[start:end]
		for i, e := range from {
			if free&1 == 0 {
				last = e
			}
			free >>= 1
			into[i] = last
		}
	}
}

// listTable reads a whole file that should hold a table, checks it against
// itself, and returns what the catalogue tells of it.
func listTable(name string, id TableID) (*Listing, error) {
	r, err := openSSTable(name)
	if err != nil {
		return nil, damage(id, -1, err)
	}
	defer func() { _ = guard(r.Close) }() // nothing was written
	stream := newStreamHash()
	var last []byte
	n := uint64(0)
	err = eachValue(r, func(key, value []byte) error {
		stream.add(key, value)
		last = append(last[:0], value...)
		n++
		return nil
	})
	if err != nil {
		return nil, damage(id, -1, err)
	}
	footer, err := readFooter(last)
	if errors.Is(err, ErrFormat) {
		return nil, fmt.Errorf("table %s: %w", id, err)
	} else if err != nil {
		return nil, damage(id, -1, err)
	}
	if footer.ID() != id || n != footer.chunks()+1 {
		return nil, corrupt(id, -1, "its file holds %d chunks of table %s", n-1, footer.ID())
	}
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	return newListing(footer, info, stream), nil
}
