package retro

import (
	"context"

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

// newMaker takes the exact theory values of a slice.
func newMaker(ctx context.Context, r *engine.Rules, s index.Slice, theory *index.Values, workers int) (*maker, error) {
	n, err := index.NewNumbering(r, s)
	if err != nil {
		return nil, err
	}
	m := &maker{rules: r, n: n, theory: theory}
	if r.Optional() {
		return m, nil
	}
	m.captures = make(bitset, (n.Size()+63)/64)
	return m, forEachPosition(ctx, n, workers, func(_ struct{}, i uint64, p *engine.Position) (struct{}, error) {
		if r.HasCapture(p) {
			m.captures.add(i)
		}
		return struct{}{}, nil
	})
}

// bitset is a set of positions. Different words may be written at once.
type bitset []uint64

func (b bitset) add(i uint64)      { b[i/64] |= 1 << (i % 64) }
func (b bitset) has(i uint64) bool { return b[i/64]>>(i%64)&1 != 0 }

// theoryTable returns the WLD or DTW table.
func (m *maker) theoryTable(metric index.Metric) *index.Contents {
	c := &index.Contents{Slice: m.n.Slice(), Metric: metric, Positions: m.n.Size(), Planes: 1, Statistics: index.Count(m.theory)}
	c.Wide = metric == index.MetricDTW && c.Statistics.Longest() >= 0xFF
	c.Entries = func(first uint64, entries []uint16) {
		for i := range entries {
			v := m.theory.At(first + uint64(i))
			if metric == index.MetricWLD {
				entries[i] = uint16(v.WLD())
			} else {
				entries[i] = uint16(v)
			}
		}
	}
	if metric == index.MetricWLD {
		c.Statistics = c.Statistics.WithoutDistances()
	}
	if m.captures != nil {
		c.Filler = func(first uint64, filler []bool) {
			for i := range filler {
				filler[i] = m.captures.has(first + uint64(i))
			}
		}
	}
	return c
}

// ruledTable returns the DTZ table of exact ruled values.
func (m *maker) ruledTable(ruled *index.Values) *index.Contents {
	own := ruledClock(m.rules, m.n)
	size := m.n.Size()
	c := &index.Contents{
		Slice: m.n.Slice(), Metric: index.MetricDTZ, Positions: size, Planes: own.planes,
		Statistics: index.CountRuled(ruled, m.theory), Wide: own.entryBytes() > 1,
	}
	c.Entries = func(first uint64, entries []uint16) {
		for i := range entries {
			entries[i] = uint16(ruled.At(first + uint64(i)))
		}
	}
	c.Filler = func(first uint64, filler []bool) {
		for i := range filler {
			entry := first + uint64(i)
			number := entry % size
			filler[i] = m.captures != nil && m.captures.has(number) || m.theory.At(number) == index.ValueDraw
			if entry >= size && !filler[i] {
				p := m.n.Position(number)
				filler[i] = !own.inside(&p)
			}
		}
	}
	return c
}
