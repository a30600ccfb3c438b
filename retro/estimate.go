package retro

import (
	"slices"
	"strings"

	"dambase/index"
	"dambase/retro/matrix"
)

// Estimates, measured on English, Brazilian, draughts64 and international of 4
// to 6 pieces.
const (
	bytesPerSlice = 3600 // of two tables however small
	ruledBytes    = 0.06 // of the dtz table, a position
	baseMemory    = 40 << 20
	scratchBytes  = 14 // of the reference solver, a node of a block, two sides to move
	kingsBytes    = 32 // of it, a position of a block, two sides to move

	secondsPerSlice   = 0.007   // of storing the tables of a slice however small
	referenceSeconds  = 0.72e-6 // a node of the reference solver
	writeSeconds      = 24e-9   // a position: its wld and dtw entries
	writeRuledSeconds = 18e-9   // a position: its dtz entry
)

// An estimate is what a position costs with one kind of king.
type estimate struct {
	seconds float64 // CPU time of one pass of the fast solver
	bytes   float64 // of the wld and dtw tables
}

var estimates = map[string]estimate{
	"short":  {seconds: 25e-9, bytes: 0.35},
	"flying": {seconds: 31e-9, bytes: 0.20},
}

// size is what the memory of a pair comes to. Amounts are for both slices, one
// where they are the same.
type size struct {
	slices, positions float64
	planes, entry     float64 // of a dtz table
	nodes             float64 // by position, of the reference solver under the rules
	blocks, blockSize float64
	atOnce            float64 // blocks that the reference solver's workers hold
	unfit             [2]error
	overflow          [2]error // why the reference solver cannot do it, by pass
	table, scratch    float64  // of the fast solver, where it fits
	geometry          float64
}

// size measures a pair.
func (p *planner) size(pair index.Pair) (*size, error) {
	if z := p.sizes[pair]; z != nil {
		return z, nil
	}
	n, err := index.NewNumbering(p.rules, pair[0])
	if err != nil {
		return nil, err
	}
	count := float64(len(pair.Slices()))
	group := float64(largestGroup(p.rules, pair[0]))
	z := &size{
		slices: count, positions: float64(n.Size()) * count, planes: 1, entry: 1, nodes: 1,
		blocks: float64(n.Blocks()), blockSize: float64(n.BlockSize()),
	}
	z.atOnce = min(float64(p.workers)*group, z.blocks)
	z.overflow[0] = checkGroup(p.rules, n, 1)
	if p.ruled {
		c := ruledClock(p.rules, n)
		z.planes, z.entry = float64(c.planes), float64(c.entryBytes())
		if c.square {
			inside := float64(c.situation.Squares().Count()) / float64(p.rules.Squares())
			z.nodes += (z.planes - 1) * inside
		}
		z.overflow[1] = checkGroup(p.rules, n, c.planes)
	}
	z.unfit = [2]error{p.unfit, p.unfit}
	if p.fast != nil {
		_, z.unfit[0] = p.fast.fits(n, false)
		if p.ruled {
			_, z.unfit[1] = p.fast.fits(n, true)
		}
		if z.unfit[0] == nil {
			z.table = matrix.TableBytes(p.rules, n) * count
			z.scratch = matrix.ScratchBytes(p.rules, n, p.workers)
			z.geometry = p.fast.geometry.NeededBytes(pair)
		}
	}
	p.sizes[pair] = z
	return z, nil
}

// values returns the bytes of a pair's values.
func (p *planner) values(pair index.Pair, z *size, ruled bool) float64 {
	switch {
	case ruled:
		return z.positions * z.planes * z.entry
	case p.long[pair]:
		return 2 * z.positions
	}
	return z.positions
}

// held returns the bytes of a finished pair as a solver reads it.
func (p *planner) held(pair index.Pair, ruled bool, w way) float64 {
	z := p.sizes[pair]
	values := p.values(pair, z, ruled)
	switch {
	case w != fast || z.unfit[0] != nil || !ruled && p.long[pair]:
		return values
	case ruled && z.planes > 1:
		return values + z.table
	}
	return z.table
}

// closure returns all pairs that captures lead to from a pair, and it.
func (p *planner) closure(pair index.Pair) []index.Pair {
	if known := p.resolution[pair]; known != nil || p.rules.Optional() {
		return known
	}
	seen := map[index.Pair]bool{pair: true}
	out := []index.Pair{pair}
	for i := 0; i < len(out); i++ {
		for _, d := range index.PairDependencies(out[i]) {
			if !seen[d] && d[0].Pieces() < out[i][0].Pieces() {
				seen[d] = true
				out = append(out, d)
			}
		}
	}
	p.resolution[pair] = out
	return out
}

// step plans the building of a pair. What is held at a time is, in this order:
// what is read back, the pass in theory, what is read back under the rules while
// that stays, and the pass under the rules.
func (p *planner) step(pair index.Pair) (Step, error) {
	z, err := p.size(pair)
	if err != nil {
		return Step{}, err
	}
	cost := estimates[p.rules.Variant().King]
	s := Step{Pair: pair, Positions: uint64(z.positions), CPU: z.positions*writeSeconds + z.slices*secondsPerSlice}
	passes, bytes := 1, cost.bytes
	if p.ruled {
		passes = 2
		bytes += ruledBytes * z.planes
		s.CPU += z.positions * z.planes * writeRuledSeconds
	}
	base := baseMemory + z.geometry
	stays, own, memory, finished := base, base, base, 0.0
	var reasons []string
	for i := range passes {
		ruled := i == 1
		w, why := p.wayOf(pair, z, ruled)
		s.ways[i] = w
		work, nodes := z.scratch, 1.0
		planes := 1.0
		if ruled {
			planes, nodes = z.planes, z.nodes
		}
		if w == fast {
			s.CPU += z.positions * cost.seconds
		} else {
			if z.overflow[i] != nil {
				return Step{}, z.overflow[i]
			}
			reasons = append(reasons, why.Error())
			work = 9*z.blocks + z.blockSize*(planes*scratchBytes+kingsBytes)*z.atOnce // with the list of blocks, and their order
			s.CPU += z.positions * nodes * referenceSeconds
		}
		dependencies, reading := p.dependencies(pair, ruled, w)
		memory = max(memory, stays+dependencies+reading)
		stays += p.result(z, ruled, w)
		own = max(own, stays+work)
		memory = max(memory, stays+work+dependencies)
		finished += p.held(pair, ruled, w)
	}
	s.Slow = strings.Join(slices.Compact(reasons), "; ")
	s.own, s.Memory = bytesOf(own), bytesOf(max(memory, own))
	s.finished, s.Disk = bytesOf(finished), bytesOf(z.positions*bytes+bytesPerSlice*z.slices)
	return s, nil
}

// result returns the bytes of what a pass finds, as it is until it is written.
func (p *planner) result(z *size, ruled bool, w way) float64 {
	bytes := z.positions
	switch {
	case ruled:
		bytes *= z.planes * z.entry
	case w == long:
		bytes *= 2
	}
	if w == fast {
		bytes += z.table
	}
	if !ruled && !p.rules.Optional() {
		bytes += z.positions / 8 // captures
	}
	return bytes
}

// dependencies returns the bytes of what a pass over a pair depends on, and of
// what is held besides while that is read back, one slice after the other, or
// brought into the form that the solver reads.
func (p *planner) dependencies(pair index.Pair, ruled bool, w way) (bytes, reading float64) {
	counted := map[index.Pair]bool{}
	for _, d := range index.PairDependencies(pair) {
		counted[d] = true
		bytes += p.held(d, ruled, w)
	}
	rest := 0.0
	for _, d := range index.PairDependencies(pair) {
		z := p.sizes[d]
		one := p.values(d, z, ruled) + z.table + z.positions/8
		if ruled {
			one += p.values(d, z, false) + p.held(d, false, fast)
		}
		reading = max(reading, one/z.slices)
		for _, c := range p.closure(d) {
			if !counted[c] {
				counted[c] = true
				for i := range pass(ruled) + 1 {
					rest += p.held(c, i == 1, fast)
				}
			}
		}
	}
	return bytes, rest + reading
}
