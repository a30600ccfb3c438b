// Package probe answers what a user asks of the tables: the value of any legal
// position and of each of its moves, under the draw counters, the main line,
// and the course of a game.
//
// Open gives the tables of one variant. Probe looks a position up: a quiet one
// costs one table entry; where the side to move must capture, the captures are
// searched to their ends, and where the tables do not tell, the moves are. Answer
// adds the moves, best first. What is done for one request is bounded by a Work.
package probe
