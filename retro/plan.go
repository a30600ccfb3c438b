package retro

import (
	"fmt"
	"math"
	"slices"

	"dambase/engine"
	"dambase/index"
	"dambase/retro/matrix"
)

// A Bytes is an amount of memory or disk.
type Bytes uint64

func (b Bytes) String() string {
	switch {
	case b >= 1<<30:
		return fmt.Sprintf("%.1f GiB", float64(b)/(1<<30))
	case b >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(b)/(1<<20))
	}
	return fmt.Sprintf("%.1f KiB", float64(b)/(1<<10))
}

// A Step is the building of one pair of slices.
type Step struct {
	Pair      index.Pair
	Positions uint64  // of the different slices of the pair
	Memory    Bytes   // that the step cannot do without
	Disk      Bytes   // estimated
	CPU       float64 // seconds, estimated
	own       Bytes   // of Memory, what finished slices do not take
	finished  Bytes   // what the pair takes when it is finished
}

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

// Plan lists the steps that build the wanted slices and all that they depend
// on, in order.
func Plan(r *engine.Rules, wanted []index.Slice, metrics []index.Metric, workers int) ([]Step, error) {
	p := planner{
		rules: r, ruled: slices.Contains(metrics, index.MetricDTZ), workers: workers,
		fast: newFastSolver(r), finished: map[index.Pair]float64{},
	}
	var steps []Step
	for _, pair := range index.Closure(wanted) {
		step, err := p.step(pair)
		if err != nil {
			return nil, err
		}
		steps = append(steps, step)
	}
	return steps, nil
}

type planner struct {
	rules    *engine.Rules
	ruled    bool
	workers  int
	fast     *fastSolver
	finished map[index.Pair]float64 // the bytes of a pair's values
}

// bytesOf rounds, and holds at the largest amount.
func bytesOf(x float64) Bytes { return Bytes(min(x, math.MaxInt64)) }

// blocksAtOnce is how many blocks the workers hold: one each, or where men step
// sideways a group each, all columns for every man.
func (p *planner) blocksAtOnce(n *index.Numbering) float64 {
	group := 1.0
	if p.rules.MenMoveSideways() {
		group = math.Pow(float64(p.rules.Variant().Columns), float64(n.Slice().AllMen()))
	}
	return min(float64(p.workers)*group, float64(n.Blocks()))
}

func (p *planner) step(pair index.Pair) (Step, error) {
	n, err := index.NewNumbering(p.rules, pair[0])
	if err != nil {
		return Step{}, err
	}
	slices := float64(len(pair.Slices()))
	positions := float64(n.Size()) * slices
	cost := estimates[p.rules.Variant().King]
	own := float64(baseMemory) + positions/8
	cpu := positions*writeSeconds + slices*secondsPerSlice
	finished := 0.0
	pass := func(ruled bool) {
		planes, entry, nodes := 1.0, 1.0, 1.0
		if ruled {
			c := ruledClock(p.rules, n)
			planes, entry = float64(c.planes), float64(c.entryBytes())
			if c.square {
				inside := float64(c.situation.Squares().Count()) / float64(p.rules.Squares())
				nodes += (planes - 1) * inside
			}
		}
		own += positions * planes * entry
		if p.fast != nil {
			if _, ok := p.fast.fits(n, ruled); ok {
				table := matrix.TableBytes(p.rules, n) * slices
				finished += table
				own += table + positions/8
				own += matrix.ScratchBytes(p.rules, n, p.workers)
				cpu += positions * cost.seconds
				return
			}
		}
		finished += positions * planes * entry
		own += 9 * float64(n.Blocks()) // the list of blocks, and their order
		own += float64(n.BlockSize()) * (planes*scratchBytes + kingsBytes) * p.blocksAtOnce(n)
		cpu += positions * nodes * referenceSeconds
	}
	pass(false)
	bytes := cost.bytes
	if p.ruled {
		pass(true)
		planes := float64(ruledClock(p.rules, n).planes)
		bytes += ruledBytes * planes
		cpu += positions * planes * writeRuledSeconds
	}
	p.finished[pair] = finished
	memory := own
	for _, d := range index.PairDependencies(pair) {
		memory += p.finished[d]
	}
	return Step{
		Pair: pair, Positions: n.Size() * uint64(len(pair.Slices())),
		Memory: bytesOf(memory), own: bytesOf(own), finished: bytesOf(finished),
		Disk: bytesOf(positions*bytes + float64(bytesPerSlice)*slices), CPU: cpu,
	}, nil
}

// Peaks returns the memory that each step of a build takes if it may take so
// much: finished slices are kept for later while they fit.
func Peaks(steps []Step, memory Bytes) []Bytes {
	out := make([]Bytes, len(steps))
	kept := Bytes(0)
	for i, s := range steps {
		kept = max(s.Memory-s.own, min(kept, memory-min(s.own, memory)))
		out[i] = s.own + kept
		kept += s.finished
	}
	return out
}

// Fits returns an error if some step needs more than memory.
func Fits(steps []Step, memory Bytes) error {
	if len(steps) == 0 {
		return nil
	}
	largest := slices.MaxFunc(steps, func(a, b Step) int {
		if a.Memory < b.Memory {
			return -1
		}
		return 1
	})
	if largest.Memory > memory {
		return fmt.Errorf("slice %s needs %s of memory, %s are allowed; raise --memory or choose fewer pieces",
			largest.Pair[0], largest.Memory, memory)
	}
	return nil
}
