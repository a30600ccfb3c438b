package index

// Contents is a finished table on its way to the store.
type Contents struct {
	Slice      Slice
	Metric     Metric
	Positions  uint64
	Planes     int // entries a position; entry p of position i has number p*Positions+i
	Statistics Statistics
	Wide       bool // whether some entry needs two bytes
	// Entries fills in the exact entries from first on. Filler marks those
	// that may hold anything, and is nil where none may. Both are called by
	// several goroutines at once.
	Entries func(first uint64, entries []uint16)
	Filler  func(first uint64, filler []bool)
}
