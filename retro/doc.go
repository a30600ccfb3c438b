// Package retro computes tables by retrograde analysis and proves them.
//
// Solve finds the exact distance to win of every position of a slice and its
// mirror from finished smaller slices. Verify recomputes stored values from
// their successors and shares nothing with the solver but the rules. Build
// drives both over a list of slices in the order of their dependencies; it
// reads and writes tables only through the interfaces of this package.
//
// Reading order: group.go (what is solved together), solve.go (the search),
// seed.go (where it starts), children.go (finished slices), verify.go; then
// plan.go and estimate.go (what is built how, and what it takes), build.go,
// attempt.go (what happens if that was wrong), library.go (what is kept),
// fast.go (the way to package matrix, the fast solver).
package retro
