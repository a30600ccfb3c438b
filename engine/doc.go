// Package engine holds the rules of draughts: board geometry, variants as
// data, positions, their text forms, legal moves, and draw counters.
//
// A Variant is plain data (built in, or read from a rule file). Compile turns
// it into Rules: lookup tables that one generator works from, with no branch
// on a name. Positions are bitboards over at most 64 playing squares, numbered
// row by row from the top left as White sees the board; bit 0 is square 1.
//
// Data flows one way: Variant → Compile → Rules; text → ParseFEN → Position;
// Position → Rules.Moves → Move → Rules.Play → Position; Counters advance
// beside it by Rules.Advance. Rules are immutable and safe for concurrent use.
package engine
