package matrix

// A frontier is a bitset of the cells with a summary: bit r of word w in the
// summary's rows tells whether word w of row r has a bit. Going by the summary
// visits what there is in the order of addresses.
type frontier struct {
	bits    []uint64
	summary []uint64
}

// A frontierWord is one word of columns of a frontier, all rows.
type frontierWord struct {
	bits    []uint64 // by row
	summary []uint64
}

func (f *frontier) word(w int, d *side) frontierWord {
	return frontierWord{f.bits[w*d.rows:][:d.rows], f.summary[w*d.rowWords:][:d.rowWords]}
}

// single returns a frontier of a side with a single king as its one word, by
// the set of the opponent's kings.
func (f *frontier) single() frontierWord { return frontierWord(*f) }

// pop removes and returns the first cells of a group of 64 rows, which must
// have some.
func (f *frontierWord) pop(group int) (r int, cells uint64) {
	rows := f.summary[group]
	f.summary[group] = rows & (rows - 1)
	r = group<<6 | firstBit(rows)
	cells = f.bits[r]
	f.bits[r] = 0
	return r, cells
}

// add adds cells to a row.
func (f *frontierWord) add(r int, cells uint64) {
	f.bits[r] |= cells
	f.summary[r>>6] |= 1 << (r & 63)
}

func (f *frontier) reset() {
	clear(f.bits)
	clear(f.summary)
}

// buckets list positions to be decided by ply; those from end on are empty.
type buckets struct {
	list [256][]uint32
	end  int
}

func (b *buckets) add(ply int, seed uint32) {
	b.list[ply] = append(b.list[ply], seed)
	b.end = max(b.end, ply+1)
}

// at returns those of a ply.
func (b *buckets) at(ply int) []uint32 {
	if ply < b.end {
		return b.list[ply]
	}
	return nil
}

func (b *buckets) clear() {
	for i := range b.list[:b.end] {
		b.list[i] = b.list[i][:0]
	}
	b.end = 0
}
