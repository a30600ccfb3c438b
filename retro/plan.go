package retro

import (
	"fmt"
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

// Estimates, measured on English and Brazilian of 4 and 5 pieces.
const (
	bytesPerEntry  = 0.45 // of the wld and dtw tables together
	bytesPerSlice  = 3600 // of two tables however small
	baseMemory     = 160 << 20
	scratchBytes   = 14    // a position of a block being solved, two sides to move
	shortKingSpeed = 3.5e6 // positions solved and stored a CPU second
	flyingSpeed    = 2.2e6
)

// Plan lists the steps that build the wanted slices and all that they depend
// on, in order.
func Plan(r *engine.Rules, wanted []index.Slice, workers int) ([]Step, error) {
	speed := shortKingSpeed
	if r.Variant().King == "flying" {
		speed = flyingSpeed
	}
	sizes := map[index.Slice]uint64{}
	var steps []Step
	for _, pair := range index.Closure(wanted) {
		step := Step{Pair: pair}
		n, err := index.NewNumbering(r, pair[0])
		if err != nil {
			return nil, err
		}
		sizes[pair[0]], sizes[pair[1]] = n.Size(), n.Size()
		step.Positions = n.Size() * uint64(len(pair.Slices()))
		own := baseMemory + step.Positions
		own += 9 * n.Blocks() // the list of blocks, and their order
		own += n.BlockSize() * scratchBytes * uint64(min(workers, int(min(n.Blocks(), 1<<16))))
		step.own, step.Memory = Bytes(own), Bytes(own)
		for _, d := range index.PairDependencies(pair) {
			step.Memory += Bytes(sizes[d[0]] * uint64(len(d.Slices())))
		}
		step.Disk = Bytes(float64(step.Positions)*bytesPerEntry) + Bytes(bytesPerSlice*len(pair.Slices()))
		step.CPU = float64(step.Positions) / speed
		steps = append(steps, step)
	}
	return steps, nil
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
