package retro

import (
	"context"
	"encoding/binary"

	"dambase/engine"
	"dambase/index"
)

// A maker prepares the tables of one slice for the writer.
type maker struct {
	rules    *engine.Rules
	n        *index.Numbering
	theory   *index.Values
	captures bitset // positions whose side to move must capture; nil where it need not
}

// newMaker takes the exact theory values of a slice, and the positions whose
// side to move must capture; it finds those out if it is not told.
func newMaker(ctx context.Context, r *engine.Rules, s index.Slice, theory *index.Values, captures bitset, workers int) (*maker, error) {
	n, err := index.NewNumbering(r, s)
	if err != nil {
		return nil, err
	}
	m := &maker{rules: r, n: n, theory: theory, captures: captures}
	if r.Optional() || captures != nil {
		return m, nil
	}
	m.captures = make(bitset, (n.Size()+63)/64)
	return m, forEachPosition(ctx, n, workers, func(_ struct{}, i uint64, p *engine.Position) (struct{}, error) {
		if r.HasCapture(p) {
			m.captures[i/64] |= 1 << (i % 64)
		}
		return struct{}{}, nil
	})
}

// bitset is a set of positions. Different words may be written at once.
type bitset []uint64

func (b bitset) has(i uint64) bool { return b[i/64]>>(i%64)&1 != 0 }

// read fills in the bits from first on.
func (b bitset) read(first uint64, bits []uint64) {
	for i := range bits {
		bits[i] = b.at(first + 64*uint64(i))
	}
}

// at returns the 64 bits from i on.
func (b bitset) at(i uint64) uint64 {
	w, shift := i/64, i%64
	if shift == 0 {
		return b.word(w)
	}
	return b.word(w)>>shift | b.word(w+1)<<(64-shift)
}

// word returns a word of the set; those beyond its end are empty.
func (b bitset) word(i uint64) uint64 {
	if i < uint64(len(b)) {
		return b[i]
	}
	return 0
}

// theoryTable returns the WLD or DTW table.
func (m *maker) theoryTable(metric index.Metric, stats index.Statistics) *index.Contents {
	c := &index.Contents{Slice: m.n.Slice(), Metric: metric, Positions: m.n.Size(), Planes: 1, Statistics: stats}
	if metric == index.MetricWLD {
		c.Statistics = stats.WithoutDistances()
		c.Entries = func(first uint64, entries []uint16) {
			for i := range entries {
				entries[i] = uint16(m.theory.At(first + uint64(i)).WLD())
			}
		}
		c.Narrow = func(first uint64, entries []uint8) {
			if m.theory.Wide() {
				for i := range entries {
					entries[i] = uint8(m.theory.At(first + uint64(i)).WLD())
				}
				return
			}
			for i, v := range m.theory.Narrow()[first:][:len(entries)] {
				entries[i] = resultOf[v]
			}
		}
	} else {
		c.Wide = stats.Longest() >= 0xFF
		m.setEntries(c, m.theory)
	}
	if m.captures != nil {
		c.Filler = m.captures.read
	}
	return c
}

// resultOf is the WLD entry of a value of one byte.
var resultOf = func() (t [256]uint8) {
	for v := range t {
		t[v] = uint8(index.Value(v).WLD())
	}
	return t
}()

// setEntries makes values the entries of a table.
func (m *maker) setEntries(c *index.Contents, values *index.Values) {
	c.Entries = func(first uint64, entries []uint16) {
		for i := range entries {
			entries[i] = uint16(values.At(first + uint64(i)))
		}
	}
	if c.Wide {
		return
	}
	c.Narrow = func(first uint64, entries []uint8) {
		if values.Wide() {
			for i := range entries {
				entries[i] = uint8(values.At(first + uint64(i)))
			}
			return
		}
		copy(entries, values.Narrow()[first:])
	}
}

// ruledTable returns the DTZ table of exact ruled values. Its error is that of
// the context.
func (m *maker) ruledTable(ctx context.Context, ruled *index.Values) (*index.Contents, error) {
	stats, err := index.CountRuled(ctx, ruled, m.theory)
	if err != nil {
		return nil, err
	}
	own := ruledClock(m.rules, m.n)
	size := m.n.Size()
	c := &index.Contents{
		Slice: m.n.Slice(), Metric: index.MetricDTZ, Positions: size, Planes: own.planes,
		Statistics: stats, Wide: own.entryBytes() > 1,
	}
	m.setEntries(c, ruled)
	c.Filler = func(first uint64, filler []uint64) {
		if narrow := m.theory.Narrow(); narrow != nil && own.planes == 1 {
			drawnBits(filler, narrow[first:])
			for i := range filler {
				if m.captures != nil {
					filler[i] |= m.captures.at(first + 64*uint64(i))
				}
			}
			return
		}
		clear(filler)
		for i := range min(64*uint64(len(filler)), size*uint64(own.planes)-first) {
			entry := first + i
			number := entry % size
			free := m.theory.At(number) == index.ValueDraw || m.captures != nil && m.captures.has(number)
			if !free && entry >= size {
				p := m.n.Position(number)
				free = !own.inside(&p)
			}
			if free {
				filler[i/64] |= 1 << (i % 64)
			}
		}
	}
	return c, nil
}

// drawnBits tells which values are draws, bit i of word i/64 value i.
func drawnBits(bits []uint64, values []uint8) {
	for w := range bits {
		part := values[64*w : min(64*w+64, len(values))]
		x := uint64(0)
		i := 0
		for ; i+8 <= len(part); i += 8 {
			// The highest bit of each byte that is not 0, gathered.
			v := binary.LittleEndian.Uint64(part[i:])
			v = (v | (v&0x7F7F7F7F7F7F7F7F + 0x7F7F7F7F7F7F7F7F)) & 0x8080808080808080
			x |= ((^v >> 7 & 0x0101010101010101) * 0x0102040810204080 >> 56) << i
		}
		for ; i < len(part); i++ {
			if part[i] == 0 {
				x |= 1 << i
			}
		}
		bits[w] = x
	}
}
