package index

import (
	"fmt"
	"math/bits"
)

// An OverflowError says that a slice is too large: a number that has to be
// kept for it takes more bits than there are.
type OverflowError struct {
	Slice      Slice
	Number     string // what is numbered
	Need, Have int    // bits
}

func (e *OverflowError) Error() string {
	return fmt.Sprintf("slice %s is too large: the number of %s needs %d bits and has %d", e.Slice, e.Number, e.Need, e.Have)
}

// CheckBits returns an *OverflowError unless the numbers below the product of
// the counts, none of which may be 0, fit into so many bits.
func CheckBits(s Slice, number string, have int, counts ...uint64) error {
	if need := BitsOf(counts...); need > have {
		return &OverflowError{s, number, need, have}
	}
	return nil
}

// BitsOf returns how many bits the numbers below the product of counts take.
func BitsOf(counts ...uint64) int {
	// In 192 bits: four counts of 44 bits, the most of a kind, fit.
	x := [3]uint64{1}
	for _, c := range counts {
		carry := uint64(0)
		for i := range x {
			hi, lo := bits.Mul64(x[i], c)
			sum, over := bits.Add64(lo, carry, 0)
			x[i], carry = sum, hi+over
		}
	}
	borrow := uint64(1)
	for i := range x {
		x[i], borrow = bits.Sub64(x[i], 0, borrow)
	}
	for i := len(x) - 1; i >= 0; i-- {
		if x[i] != 0 {
			return 64*i + bits.Len64(x[i])
		}
	}
	return 0
}
