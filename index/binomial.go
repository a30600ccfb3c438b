package index

import "dambase/engine"

// maxChoose is the largest set that is ranked; a slice has at most 9 of a kind.
const maxChoose = 10

// binomial[n][k] is n over k.
var binomial = func() (c [65][maxChoose + 1]uint64) {
	for n := range c {
		c[n][0] = 1
		for k := 1; k <= min(n, maxChoose); k++ {
			c[n][k] = c[n-1][k-1] + c[n-1][k]
		}
	}
	return c
}()

// rank numbers the subsets of universe of one size in colexicographic order
// (the combinatorial number system): the set of the c1 < c2 < … -th squares of
// universe has number C(c1,1) + C(c2,2) + ….
func rank(set, universe engine.Bits) uint64 {
	var n uint64
	for k := 1; set != 0; k++ {
		s := set.First()
		n += binomial[(universe & (s.Bit() - 1)).Count()][k]
		set &= set - 1
	}
	return n
}

// unrank returns the subset of universe of size k that has the number n.
func unrank(n uint64, k int, universe engine.Bits) engine.Bits {
	var set engine.Bits
	for size := universe.Count(); k > 0; k-- {
		for size--; binomial[size][k] > n; size-- {
		}
		n -= binomial[size][k]
		set |= nth(size, universe)
	}
	return set
}

// nth returns the square of universe that has i lower ones.
func nth(i int, universe engine.Bits) engine.Bits {
	for ; i > 0; i-- {
		universe &= universe - 1
	}
	return universe & -universe
}

// next returns the subset of universe that follows set in colexicographic
// order; the last one is followed by the first.
func next(set, universe engine.Bits) engine.Bits {
	if set == 0 {
		return 0
	}
	// Move the lowest element that has a free square of universe above it,
	// and let those below start again from the bottom.
	low := set & -set
	// The sum carries through taken and absent squares to the first free one.
	target := ((set | ^universe) + low) & universe &^ set
	if target == 0 {
		return first(set.Count(), universe)
	}
	kept := set &^ (target - 1)
	return kept | target | first(set.Count()-kept.Count()-1, universe)
}

// first returns the lowest k squares of universe.
func first(k int, universe engine.Bits) engine.Bits {
	var set engine.Bits
	for ; k > 0; k-- {
		set |= universe & -universe
		universe &= universe - 1
	}
	return set
}
