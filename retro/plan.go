package retro

import (
	"fmt"
	"math"
	"slices"

	"dambase/engine"
	"dambase/index"
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
}

// Estimates, measured on English, draughts64 and international of 4 and 5 pieces.
const (
	bytesPerSlice = 3600 // of two tables however small
	ruledBytes    = 0.06 // of the dtz table, a position
	baseMemory    = 64 << 20
	scratchBytes  = 14 // a node of a block being solved, two sides to move
	kingsBytes    = 32 // a position of it, two sides to move
)

// An estimate is what a position costs with one kind of king.
type estimate struct {
	speed float64 // positions solved and stored a CPU second, in theory or under the rules
	bytes float64 // of the wld and dtw tables
}

var estimates = map[string]estimate{
	"short":  {speed: 2.2e6, bytes: 0.35},
	"flying": {speed: 1.9e6, bytes: 0.20},
}

// Plan lists the steps that build the wanted slices and all that they depend
// on, in order.
func Plan(r *engine.Rules, wanted []index.Slice, metrics []index.Metric, workers int) ([]Step, error) {
	p := planner{rules: r, ruled: slices.Contains(metrics, index.MetricDTZ), workers: workers, sizes: map[index.Pair]sizes{}}
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
	rules   *engine.Rules
	ruled   bool
	workers int
	sizes   map[index.Pair]sizes
}

// sizes are the bytes of a pair's values.
type sizes struct{ theory, ruled float64 }

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
	positions := float64(n.Size()) * float64(len(pair.Slices()))
	own := sizes{theory: positions}
	cost := estimates[p.rules.Variant().King]
	planes, passes := 1.0, 1.0
	if p.ruled {
		c := ruledClock(p.rules, n)
		planes = float64(c.planes)
		passes += planes
		cost.bytes += ruledBytes * planes
		own.ruled = positions * planes * float64(c.entryBytes())
	}
	p.sizes[pair] = own
	memory := float64(baseMemory) + own.theory + own.ruled + positions/8
	memory += 9 * float64(n.Blocks()) // the list of blocks, and their order
	memory += float64(n.BlockSize()) * (planes*scratchBytes + kingsBytes) * p.blocksAtOnce(n)
	step := Step{Pair: pair, Positions: n.Size() * uint64(len(pair.Slices())), own: bytesOf(memory)}
	for _, d := range index.PairDependencies(pair) {
		memory += p.sizes[d].theory + p.sizes[d].ruled
	}
	step.Memory = bytesOf(memory)
	step.Disk = bytesOf(positions*cost.bytes + float64(bytesPerSlice*len(pair.Slices())))
	step.CPU = positions * passes / cost.speed
	return step, nil
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
