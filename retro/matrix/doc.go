// Package matrix is the fast solver. With the men fixed, a position is a cell
// of a matrix whose rows are the placements of the mover's kings and whose
// columns are those of the opponent's: a king move changes the row alone, and a
// step of the breadth-first search is an operation on rows of bits, 64 columns
// at a time. docs/architecture.md explains it with a worked block.
//
// Everything is seen by the side to move, which moves up the board.
package matrix
