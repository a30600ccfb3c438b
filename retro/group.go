package retro

import (
	"cmp"
	"slices"

	"dambase/engine"
	"dambase/index"
	"dambase/internal/halt"
)

// A block is the positions of a slice that share the men. Men only advance, so
// a move of a man leads to a finished block, except a sideways step: blocks
// that sideways steps connect form a group and are solved together. Without
// sideways steps every block is a group of its own.
//
// A group is solved with its mirror: the quiet moves of one lead into the other.

// A level is the groups whose men have made equally many rows; they do not
// depend on each other.
type level struct {
	blocks []uint64
	ends   []int // of the groups in blocks; nil if every block is a group
}

func (l *level) groups() int {
	if l.ends == nil {
		return len(l.blocks)
	}
	return len(l.ends)
}

func (l *level) group(i int) []uint64 {
	if l.ends == nil {
		return l.blocks[i : i+1]
	}
	start := 0
	if i > 0 {
		start = l.ends[i-1]
	}
	return l.blocks[start:l.ends[i]]
}

// levels returns the blocks of a pair's first slice, the most advanced men
// first. Of two groups of a symmetric pair that mirror each other only one is
// listed. The error is that of the flag.
func levels(stop *halt.Flag, r *engine.Rules, pair index.Pair, n *index.Numbering) ([]level, error) {
	farthest := 0
	byAdvance := map[int][]uint64{}
	for block := range n.Blocks() {
		if block%lookBlocks == 0 && stop.Up() {
			return nil, stop.Err()
		}
		men := n.BlockMen(block)
		if pair.Symmetric() && !listed(r, n, &men, block) {
			continue
		}
		a := advancement(r, &men)
		byAdvance[a] = append(byAdvance[a], block)
		farthest = max(farthest, a)
	}
	var out []level
	for a := farthest; a >= 0; a-- {
		if blocks := byAdvance[a]; blocks != nil {
			out = append(out, newLevel(r, n, blocks))
		}
	}
	return out, stop.Err()
}

// largestGroup returns the number of blocks of a slice's largest group: the
// most placements of its men, how many stand on each row being fixed.
func largestGroup(r *engine.Rules, s index.Slice) uint64 {
	if !r.MenMoveSideways() {
		return 1
	}
	// most[w][b] is that for so many men on the rows seen so far.
	var most [10][10]uint64
	most[0][0] = 1
	for row := range r.Variant().Rows {
		squares := r.All()
		for todo := squares; todo != 0; todo &= todo - 1 {
			if r.Row(todo.First()) != row {
				squares &^= todo.First().Bit()
			}
		}
		before := most
		for w := range most {
			for b := range most[w] {
				for i := range min(w, (squares&r.MenSquares(engine.White)).Count()) + 1 {
					for j := range min(b, (squares&r.MenSquares(engine.Black)).Count()) + 1 {
						ways := choose(squares.Count(), i) * choose(squares.Count()-i, j)
						most[w][b] = max(most[w][b], before[w-i][b-j]*ways)
					}
				}
			}
		}
	}
	return most[s.Men[0]][s.Men[1]]
}

// choose returns n over k.
func choose(n, k int) uint64 {
	if k > n {
		return 0
	}
	c := uint64(1)
	for i := range uint64(k) {
		c = c * (uint64(n) - i) / (i + 1)
	}
	return c
}

// listed reports whether of a group and its mirror this one is solved.
func listed(r *engine.Rules, n *index.Numbering, men *engine.Position, block uint64) bool {
	mirror := r.Flip(*men)
	if r.MenMoveSideways() {
		return menByRow(r, men).compare(menByRow(r, &mirror)) <= 0
	}
	return block <= n.Block(&mirror)
}

// newLevel brings the blocks of each group together.
func newLevel(r *engine.Rules, n *index.Numbering, blocks []uint64) level {
	if !r.MenMoveSideways() {
		return level{blocks: blocks}
	}
	type entry struct {
		rows  rowCounts
		block uint64
	}
	entries := make([]entry, len(blocks))
	for i, block := range blocks {
		men := n.BlockMen(block)
		entries[i] = entry{menByRow(r, &men), block}
	}
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(a.rows.compare(b.rows), cmp.Compare(a.block, b.block))
	})
	l := level{blocks: make([]uint64, len(blocks))}
	for i, e := range entries {
		l.blocks[i] = e.block
		if i > 0 && e.rows != entries[i-1].rows {
			l.ends = append(l.ends, i)
		}
	}
	l.ends = append(l.ends, len(blocks))
	return l
}

// rowCounts is the number of men of each side on each row: what sideways steps keep.
type rowCounts [2][16]uint8

func menByRow(r *engine.Rules, p *engine.Position) (rows rowCounts) {
	for c := range p.Men {
		for men := p.Men[c]; men != 0; men &= men - 1 {
			rows[c][r.Row(men.First())]++
		}
	}
	return rows
}

func (rows rowCounts) compare(o rowCounts) int {
	return cmp.Or(slices.Compare(rows[0][:], o[0][:]), slices.Compare(rows[1][:], o[1][:]))
}

// advancement is the number of rows that the men of both sides have made.
func advancement(r *engine.Rules, p *engine.Position) int {
	last := r.Variant().Rows - 1
	total := 0
	for men := p.Men[engine.White]; men != 0; men &= men - 1 {
		total += last - r.Row(men.First())
	}
	for men := p.Men[engine.Black]; men != 0; men &= men - 1 {
		total += r.Row(men.First())
	}
	return total
}
