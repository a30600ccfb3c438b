package index

import (
	"slices"

	"dambase/engine"
)

// Dependencies returns the slices that one move can lead to from s, other than
// its own mirror: captures and promotions. Each is named as the side to move
// after the move sees it.
func Dependencies(s Slice) []Slice {
	var out []Slice
	us, them := engine.White, engine.Black
	for men := range s.Men[them] + 1 {
		for kings := range s.Kings[them] + 1 {
			for promoted := range min(s.Men[us], 1) + 1 {
				if men+kings+promoted == 0 || men+kings == uint8(s.Side(them)) {
					continue // a quiet move, or the last piece taken
				}
				t := s
				t.Men[them] -= men
				t.Kings[them] -= kings
				t.Men[us] -= promoted
				t.Kings[us] += promoted
				out = append(out, t.Mirror())
			}
		}
	}
	return out
}

// PairDependencies returns the pairs that must be solved before p, in the
// order of building.
func PairDependencies(p Pair) []Pair {
	seen := map[Pair]bool{}
	for _, s := range p {
		for _, d := range Dependencies(s) {
			seen[PairOf(d)] = true
		}
	}
	return sorted(seen)
}

// UpTo returns every pair of 2 to pieces pieces, in the order of building.
func UpTo(pieces int) []Pair {
	seen := map[Pair]bool{}
	for wm := range pieces {
		for wk := range pieces - wm {
			for bm := range pieces - wm - wk + 1 {
				for bk := range pieces - wm - wk - bm + 1 {
					if wm+wk > 0 && bm+bk > 0 {
						seen[PairOf(NewSlice(wm, wk, bm, bk))] = true
					}
				}
			}
		}
	}
	return sorted(seen)
}

// Closure returns the pairs of the wanted slices and all that they depend on,
// in the order of building.
func Closure(wanted []Slice) []Pair {
	seen := map[Pair]bool{}
	var visit func(Pair)
	visit = func(p Pair) {
		if seen[p] {
			return
		}
		seen[p] = true
		for _, d := range PairDependencies(p) {
			visit(d)
		}
	}
	for _, s := range wanted {
		visit(PairOf(s))
	}
	return sorted(seen)
}

func sorted(set map[Pair]bool) []Pair {
	out := make([]Pair, 0, len(set))
	for p := range set {
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b Pair) int { return a[0].Compare(b[0]) })
	return out
}
