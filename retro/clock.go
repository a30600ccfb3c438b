package retro

import (
	"errors"
	"fmt"

	"dambase/engine"
	"dambase/index"
)

// A clock is how draw counters bear on the positions of a slice. Without rules
// it never runs out.
//
// One counter binds: that of the situation which all positions of the slice
// are in, else king-moves. Only a situation that depends on a square has both:
// there a position is solved once for each value of the situation's counter,
// its planes, and the distance is in king moves. A position of such a slice
// outside the situation uses plane 0 alone.
type clock struct {
	rules  *engine.Rules
	ruled  bool
	limit  engine.Plies // the longest distance that counts
	planes int
	// situation is the one that the slice has the material of, nil if none;
	// square tells that it depends on one.
	situation *engine.Situation
	square    bool
}

// longestDistance is what an index.Ruled can hold.
const longestDistance = 32000

// theoryClock measures distances up to the largest that an entry can hold.
func theoryClock(r *engine.Rules, largest index.Value) clock {
	return clock{rules: r, limit: min(largest.Distance(), longestDistance), planes: 1}
}

// ruledClock is the clock of a slice under the automatic counters.
func ruledClock(r *engine.Rules, n *index.Numbering) clock {
	c := clock{rules: r, ruled: true, limit: r.KingMovesLimit(), planes: 1}
	p := n.Position(0)
	if c.situation = r.MaterialSituation(&p); c.situation == nil {
		return c
	}
	if c.square = c.situation.DependsOnSquare; c.square {
		c.planes = int(c.situation.Limit)
	} else {
		c.limit = c.situation.Limit
	}
	return c
}

// entryBytes returns how many bytes an entry of a DTZ table takes.
func (c *clock) entryBytes() int {
	if index.RuledWin(c.limit) > 0xFF {
		return 2
	}
	return 1
}

// inside reports whether a position has planes of its own, one for each value
// of the situation's counter.
func (c *clock) inside(p *engine.Position) bool {
	return c.square && c.situation.Holds(p)
}

// planesOf returns how many planes of a position mean something.
func (c *clock) planesOf(p *engine.Position) int {
	if c.inside(p) {
		return c.planes
	}
	return 1
}

// step returns the plane that a quiet king move leads to from a plane of a
// position; over tells that the situation's counter reaches its limit.
func (c *clock) step(inside bool, plane int, toInside bool) (next int, over bool) {
	if !inside || !toInside {
		return 0, false
	}
	return plane + 1, plane+1 == c.planes
}

// CheckRuled refuses rules whose counters cannot be solved exactly, with the reason.
func CheckRuled(r *engine.Rules) error {
	if !r.HasCounters() {
		return errors.New("metric dtz: the variant has no automatic draw counter")
	}
	limit := r.KingMovesLimit()
	if limit > 0 && r.MenMoveSideways() {
		return errors.New("metric dtz: a king-moves counter where men have reversible moves cannot be solved exactly")
	}
	dependent := 0
	for _, s := range r.Situations() {
		switch {
		case limit == 0:
			return fmt.Errorf("metric dtz: situation %s without a king-moves rule cannot be solved exactly", s.Name)
		case s.Limit > limit:
			return fmt.Errorf("metric dtz: the limit of situation %s, %d, is above that of king-moves, %d", s.Name, s.Limit, limit)
		case s.DependsOnSquare && r.Turn(s.Squares()) != s.Squares():
			return fmt.Errorf("metric dtz: the squares of situation %s are not the same after a turn of the board by 180 degrees", s.Name)
		case s.DependsOnSquare:
			dependent++
		}
	}
	if dependent > 1 {
		return errors.New("metric dtz: at most one situation may depend on a square")
	}
	return nil
}
