package matrix

import (
	"dambase/engine"
	"dambase/index"
)

// TableBytes returns the memory of the table of a slice.
func TableBytes(r *engine.Rules, n *index.Numbering) float64 {
	s := n.Slice()
	men := menPlacements(r, s.Men[0]) * menPlacements(r, s.Men[1])
	if s.Kings[0]+s.Kings[1] == 0 {
		return men
	}
	return float64(n.Blocks())*kingPlacements(r, s.Kings[0])*kingPlacements(r, s.Kings[1]) + 4*men
}

func menPlacements(r *engine.Rules, men uint8) float64 {
	return float64(binomial[r.MenSquares(engine.White).Count()][min(int(men), maxMen)])
}

func kingPlacements(r *engine.Rules, kings uint8) float64 {
	return float64(binomial[r.Squares()][min(int(kings), maxKings)])
}

// ScratchBytes returns the memory that solving a slice that fits and its mirror
// takes besides tables, values and geometry.
func ScratchBytes(r *engine.Rules, n *index.Numbering, workers int) float64 {
	s := n.Slice()
	if s.Kings[0]+s.Kings[1] == 0 {
		return 1.25 * TableBytes(r, n)
	}
	blocks := min(float64(workers), float64(n.Blocks()))
	bytes := 0.0
	for i, own := range s.Kings {
		if i == 1 && ownMirror(s) {
			break
		}
		bytes += sideBytes(r, own, s.Kings[1-i]) * blocks
		// Where several goroutines share a block, each has tables of its own
		// of where kings can capture.
		bytes += kingTableBytes(r, own, s.Kings[1-i]) * float64(workers)
	}
	return bytes
}

// seedBytes is what the seeds of the search take, by cell: most cells have one.
const seedBytes = 3

// sideBytes returns the memory of one side to move.
func sideBytes(r *engine.Rules, own, opp uint8) float64 {
	rows, cols := kingPlacements(r, own), kingPlacements(r, opp)
	word := float64(int(cols+63)/64) * 8 * rows // a bitset of all cells
	bytes := rows*cols + 2*word
	if own > 0 && opp > 0 {
		bytes += 7*max(word, 8*cols) + seedBytes*rows*cols
	}
	if own > 0 && opp == 0 { // lines
		bytes += 4 * kingPlacements(r, own-1) * float64(r.Squares())
	}
	return bytes
}

// kingTableBytes returns the memory of jumps.king.
func kingTableBytes(r *engine.Rules, own, opp uint8) float64 {
	if own == 0 || byRow(int(own), int(opp)) {
		return 0
	}
	return kingPlacements(r, own-1) * float64(8*r.Squares()*engine.Directions)
}

// NeededBytes returns the memory that the tables which Release keeps for a pair
// take once they are made.
func (g *Geometry) NeededBytes(pair index.Pair) float64 {
	n := needsOf(pair[0])
	b := g.board
	bytes := 0.0
	for k, p := range n.kings {
		bytes += setBytes(b.squares, k, p)
		if p&moving != 0 {
			bytes += 4 * float64(binomial[b.squares][k]) * (1 + float64(k)*b.kingReach())
		}
	}
	for k, p := range n.men {
		squares := b.squares - b.crown.Count()
		bytes += setBytes(squares, k, p)
		if p != 0 {
			bytes += 4 * float64(binomial[squares][k]) * (3 + float64(k*len(b.manSteps)))
		}
	}
	return bytes
}

// setBytes returns the memory of the parts of the sets of k pieces, but moves.
func setBytes(squares, k int, p parts) float64 {
	n := float64(binomial[squares][k])
	bytes := 0.0
	if p != 0 {
		bytes += n * (8 + 4 + float64(squares)/8)
	}
	if p&fewer != 0 {
		bytes += 4 * n * float64(squares)
	}
	if p&more != 0 {
		bytes += 4 * n * float64(squares)
	}
	return bytes
}
