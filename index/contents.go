package index

// Contents is a finished table on its way to the store. Its functions are
// called by several goroutines at once.
type Contents struct {
	Slice      Slice
	Metric     Metric
	Positions  uint64
	Planes     int // entries a position; entry p of position i has number p*Positions+i
	Statistics Statistics
	Wide       bool // whether some entry needs two bytes
	// Entries fills in the exact entries from first on; Narrow is the same
	// unless some need two bytes, and then nil.
	Entries func(first uint64, entries []uint16)
	Narrow  func(first uint64, entries []uint8)
	// Filler tells which entries may hold anything, bit i of word i/64 entry
	// first+i; first is a multiple of 64. It is nil where none may.
	Filler func(first uint64, filler []uint64)
}

// An Entry is an entry of a table, in one byte or two.
type Entry interface{ uint8 | uint16 }
