package matrix

import (
	"errors"

	"dambase/engine"
)

// off is a square off the board.
const off = 64

// board is the compiled rules as the side to move sees them, which moves up.
type board struct {
	rules   *engine.Rules
	squares int
	all     engine.Bits
	next    [engine.Directions][off]uint8 // off at the edge
	crown   engine.Bits

	manSteps, manCaptures []int

	flying, optional bool
	lifts            bool // captured pieces leave at once
	passing          bool // a man is crowned in passing
	menTakeKings     bool
	landing          engine.Landing
	choice           []engine.Criterion
}

func newBoard(r *engine.Rules) *board {
	b := &board{
		rules: r, squares: r.Squares(), all: r.All(), crown: r.Crown(engine.White),
		flying: r.Flying(), optional: r.Optional(), lifts: r.LiftsAtOnce(), passing: r.PromotesInPassing(),
		menTakeKings: r.MenTakeKings(), landing: r.Landing(), choice: r.Choice(),
	}
	for d := range b.next {
		for s := range b.next[d] {
			b.next[d][s] = off
			if s < b.squares {
				if t := r.Next(engine.Square(s), engine.Direction(d)); t != engine.NoSquare {
					b.next[d][s] = uint8(t)
				}
			}
		}
	}
	for _, d := range r.ManStepDirections(engine.White) {
		b.manSteps = append(b.manSteps, int(d))
	}
	for _, d := range r.ManCaptureDirections(engine.White) {
		b.manCaptures = append(b.manCaptures, int(d))
	}
	return b
}

// turned returns a square as the opponent sees it.
func (b *board) turned(s int) int { return b.squares - 1 - s }

// allLines returns the lines of the board.
func (b *board) allLines() (out [][]uint8) {
	for way := range 2 {
		for s := range uint8(b.squares) {
			if b.next[way^2][s] != off {
				continue
			}
			line := []uint8{s}
			for t := b.next[way][s]; t != off; t = b.next[way][t] {
				line = append(line, t)
			}
			if len(line) > 1 {
				out = append(out, line)
			}
		}
	}
	return out
}

// outermostFirst lists the squares so that each follows its neighbour in a direction.
func (b *board) outermostFirst(way int) []uint8 {
	var out []uint8
	done := [off + 1]bool{off: true}
	for len(out) < b.squares {
		for s := range uint8(b.squares) {
			if !done[s] && done[b.next[way][s]] {
				done[s] = true
				out = append(out, s)
			}
		}
	}
	return out
}

// Fits returns nil if slices of the rules can be solved here, else the reason.
func Fits(r *engine.Rules) error {
	switch {
	case r.MenMoveSideways():
		return errors.New("men have reversible moves")
	case !r.TurnsBack():
		return errors.New("a capture may not turn back")
	case r.LiftsAtOnce() && r.PromotesInPassing():
		return errors.New("men are crowned in passing where captured pieces leave at once")
	}
	return nil
}

// kingReach returns the moves of a king on an empty board, over all squares.
func (b *board) kingReach() float64 {
	total := 0
	for s := range b.squares {
		total += b.rules.KingSteps(engine.Square(s), 0).Count()
	}
	return float64(total) / float64(b.squares)
}
