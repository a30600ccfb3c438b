package matrix

import (
	"dambase/engine"
	"dambase/index"
)

// TableBytes returns the memory of the table of a slice.
func TableBytes(r *engine.Rules, n *index.Numbering) float64 {
	s := n.Slice()
	men := float64(menPlacements(r, s.Men[0])) * float64(menPlacements(r, s.Men[1]))
	if s.Kings[0]+s.Kings[1] == 0 {
		return men
	}
	return float64(n.Blocks())*blockCells(r, s) + 4*men
}

func menPlacements(r *engine.Rules, men uint8) int {
	return binomial[r.MenSquares(engine.White).Count()][min(int(men), maxMen)]
}

func blockCells(r *engine.Rules, s index.Slice) float64 {
	return float64(binomial[r.Squares()][min(int(s.Kings[0]), maxKings)]) * float64(binomial[r.Squares()][min(int(s.Kings[1]), maxKings)])
}

// cellScratch is the bytes that a cell of a block being solved takes, one side
// to move: its score, nine bitsets, and a seed for most.
const cellScratch = 1 + 9.0/8 + 3

// ScratchBytes returns the memory that solving a slice and its mirror takes
// besides tables and values.
func ScratchBytes(r *engine.Rules, n *index.Numbering, workers int) float64 {
	s := n.Slice()
	bytes := 0.0
	for _, kings := range s.Kings {
		bytes += setBytes(r.Squares(), int(min(kings, maxKings)))
	}
	if s.Kings[0]+s.Kings[1] == 0 {
		return bytes + 1.25*TableBytes(r, n)
	}
	blocks := min(float64(workers), float64(n.Blocks()))
	return bytes + 2*cellScratch*blockCells(r, s)*blocks
}
