package engine

import (
	"errors"
	"fmt"
)

// A reading is a position that the moves of a game can lead to, as far as they
// have been read: more than one where a text fits several moves.
type reading struct {
	position Position
	from     []step // all that lead to it
	alive    bool   // whether the end of the game can be reached from it
}

// A step is a move from one reading to another.
type step struct {
	before *reading
	way    Way
}

// maxReadings bounds how many readings of a game are followed at a time. Where
// there are more it is called ambiguous: its next moves will hardly decide.
const maxReadings = 256

// readingUnits is what following a reading by a ply costs of a budget, for its
// memory too.
const readingUnits = 40

// ParseMoves reads the moves of a game that starts from p. Where a text fits
// several moves those that follow decide, if they do. The error is a
// *MoveError that names the ply, or that of the budget, which may be nil.
func (r *Rules) ParseMoves(b *Budget, p Position, texts []string) ([]Way, error) {
	levels := [][]*reading{{{position: p}}}
	for i, text := range texts {
		next, err := r.readOn(b, levels[i], text)
		if err != nil {
			return nil, atPly(err, i+1)
		}
		if levels = append(levels, next); len(next) > maxReadings {
			break
		}
	}
	return r.onlyGame(levels, texts)
}

// readOn makes the moves that a text fits in every reading of a game. Two that
// lead to the same position become one reading: nothing tells them apart later.
func (r *Rules) readOn(b *Budget, readings []*reading, text string) ([]*reading, error) {
	t, err := r.readMove(text)
	if err != nil {
		return nil, err
	}
	var next []*reading
	known := map[Position]*reading{}
	for _, before := range readings {
		b.Spend(readingUnits) // matchMoves looks whether it is there
		ways, err := r.matchMoves(b, &before.position, t)
		if err != nil {
			return nil, err
		}
		for _, way := range ways {
			after := r.Play(&before.position, way.Move)
			if known[after] == nil {
				known[after] = &reading{position: after}
				next = append(next, known[after])
			}
			known[after].from = append(known[after].from, step{before, way})
		}
	}
	if len(next) > 0 {
		return next, nil
	}
	positions := make([]Position, len(readings))
	for i, before := range readings {
		positions[i] = before.position
	}
	return nil, r.illegal(b, t, positions)
}

// onlyGame walks back from the last readings and returns the moves if they are
// the only ones that lead there. Else the first ply that is left open is the
// error.
func (r *Rules) onlyGame(levels [][]*reading, texts []string) ([]Way, error) {
	last := len(levels) - 1
	for _, end := range levels[last] {
		end.alive = true
	}
	steps := make([][]Way, last) // by ply, those that lead to the end
	for i := last - 1; i >= 0; i-- {
		for _, after := range levels[i+1] {
			if !after.alive {
				continue
			}
			for _, s := range after.from {
				s.before.alive = true
				steps[i] = append(steps[i], s.way)
			}
		}
	}
	game := make([]Way, last)
	for i, ways := range steps {
		if len(ways) > 1 {
			return nil, atPly(r.ambiguous(texts[i], ways), i+1)
		}
		game[i] = ways[0]
	}
	return game, nil
}

// atPly tells an error about a move its ply.
func atPly(err error, ply int) error {
	var move *MoveError
	if errors.As(err, &move) {
		move.Ply = ply
		return move
	}
	return fmt.Errorf("ply %d: %w", ply, err)
}
