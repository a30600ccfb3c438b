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
	CPU       float64 // seconds of one core, estimated
	// Slow is the reason why the reference solver does the step, or a part of
	// it, as far as that is known; "" for none.
	Slow     string
	ways     [2]way // by pass: theory, rules
	own      Bytes  // of Memory, what finished slices do not take
	finished Bytes  // what the pair takes when it is finished
}

// A way is that of solving a pair in a pass.
type way uint8

const (
	fast      way = iota // by the fast solver
	reference            // by the reference solver
	long                 // the same with entries of two bytes in theory
)

// Plan lists the steps that build the wanted slices and all that they depend
// on, in order. The tables of a store, which may be nil, tell which slices have
// distances that are too long for the fast solver, if they are a RecordedReader.
// Its error is an *index.OverflowError for a slice too large for either solver.
func Plan(r *engine.Rules, wanted []index.Slice, metrics []index.Metric, workers int, store TableReader) ([]Step, error) {
	f, unfit := newFastSolver(r)
	p := newPlanner(r, wanted, metrics, workers, f, unfit)
	p.look(store)
	return p.steps()
}

// A planner plans a build, and plans it anew when a distance turns out to be long.
type planner struct {
	rules      *engine.Rules
	pairs      []index.Pair
	ruled      bool // dtz tables are built
	distances  bool // dtw tables are built: values in theory are read back with distances
	workers    int
	fast       *fastSolver // nil where it does not fit the rules,
	unfit      error       // for this reason
	sizes      map[index.Pair]*size
	long       map[index.Pair]bool
	resolution map[index.Pair][]index.Pair // all that captures lead to, of closure
}

func newPlanner(r *engine.Rules, wanted []index.Slice, metrics []index.Metric, workers int, f *fastSolver, unfit error) *planner {
	return &planner{
		rules: r, pairs: index.Closure(wanted), workers: max(workers, 1), fast: f, unfit: unfit,
		ruled: slices.Contains(metrics, index.MetricDTZ), distances: slices.Contains(metrics, index.MetricDTW),
		sizes: map[index.Pair]*size{}, long: map[index.Pair]bool{}, resolution: map[index.Pair][]index.Pair{},
	}
}

// longest is the longest distance in theory that needs no second look: it has
// a score, or where no slice has, an entry of one byte.
func (p *planner) longest() engine.Plies {
	if p.fast != nil {
		return p.fast.longest
	}
	return index.Value(0xFF).Distance()
}

// look learns which pairs have long distances from the tables of a store.
func (p *planner) look(store TableReader) {
	recorded, ok := store.(RecordedReader)
	if !ok {
		return
	}
	for _, pair := range p.pairs {
		for _, s := range pair.Slices() {
			if recorded.Has(s, index.MetricDTW) {
				_, stats := recorded.Recorded(s, index.MetricDTW)
				p.long[pair] = p.long[pair] || stats.Longest() > p.longest()
			}
		}
	}
}

// learn notes that a pair has long distances; false if that was known.
func (p *planner) learn(pair index.Pair) bool {
	known := p.long[pair]
	p.long[pair] = true
	return !known
}

// wayOf returns how a pass over a pair is solved, and why not fast.
func (p *planner) wayOf(pair index.Pair, z *size, ruled bool) (way, error) {
	if !ruled {
		slow := p.long[pair]
		at := pair
		for _, d := range index.PairDependencies(pair) {
			if !slow && p.distances && p.long[d] {
				slow, at = true, d
			}
		}
		if slow {
			return long, fmt.Errorf("slice %s has distances above %d plies", at[0], p.longest())
		}
	}
	switch {
	case p.fast == nil:
		return reference, p.unfit
	case z.unfit[pass(ruled)] != nil:
		return reference, z.unfit[pass(ruled)]
	}
	for _, d := range index.PairDependencies(pair) {
		if z, err := p.size(d); err != nil || z.unfit[0] != nil {
			return reference, fmt.Errorf("slice %s does not fit the fast solver", d[0])
		}
	}
	return fast, nil
}

// pass numbers the passes.
func pass(ruled bool) int {
	if ruled {
		return 1
	}
	return 0
}

// steps plans all steps with what is known.
func (p *planner) steps() ([]Step, error) {
	var out []Step
	for _, pair := range p.pairs {
		step, err := p.step(pair)
		if err != nil {
			return nil, err
		}
		out = append(out, step)
	}
	return out, nil
}

// bytesOf rounds, and holds at the largest amount.
func bytesOf(x float64) Bytes { return Bytes(min(x, math.MaxInt64)) }

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

// Fits returns an error with the figures if some step needs more than memory.
func Fits(steps []Step, memory Bytes) error {
	for _, s := range steps {
		if s.Memory <= memory || s.Memory < largest(steps) {
			continue
		}
		why := ""
		if s.Slow != "" {
			why = fmt.Sprintf(" with the reference solver (%s)", s.Slow)
		}
		return fmt.Errorf("slice %s needs %s of memory%s, %s are allowed; raise --memory or choose fewer pieces",
			s.Pair[0], s.Memory, why, memory)
	}
	return nil
}

// largest returns the most memory that a step cannot do without.
func largest(steps []Step) (most Bytes) {
	for _, s := range steps {
		most = max(most, s.Memory)
	}
	return most
}
