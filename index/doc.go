// Package index numbers positions: slices (material classes), their
// dependencies and order, and the dense numbering of a slice's positions.
//
// Only positions with White to move are numbered; Black to move is the same
// position with the board turned and the colours exchanged, in the mirrored
// slice. A Numbering maps the positions of one slice one to one onto
// 0 … Size()-1. Values holds one table entry for each.
package index
