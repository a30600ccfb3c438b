package engine

import (
	"fmt"
	"strings"
)

// pieceCount is how many kings and men a side has in a draw rule's condition.
type pieceCount struct {
	men, kings int
	more       bool // kings or more of them
}

var loneKing = pieceCount{kings: 1}

func (n pieceCount) matches(p *Position, c Color) bool {
	kings := p.Kings[c].Count()
	return p.Men[c].Count() == n.men && (kings == n.kings || n.more && kings > n.kings)
}

// overlaps reports whether some material matches both.
func (n pieceCount) overlaps(o pieceCount) bool {
	if n.men != o.men {
		return false
	}
	return n.kings == o.kings || n.more && o.kings > n.kings || o.more && n.kings > o.kings
}

// confrontation is a condition on the material of both sides, either colour
// being the strong one.
type confrontation struct {
	strong, weak pieceCount
}

func (c confrontation) overlaps(o confrontation) bool {
	return c.strong.overlaps(o.strong) && c.weak.overlaps(o.weak) ||
		c.strong.overlaps(o.weak) && c.weak.overlaps(o.strong)
}

func parseConfrontation(text string) (confrontation, error) {
	strong, weak, ok := strings.Cut(text, " v ")
	if !ok {
		return confrontation{}, fmt.Errorf("material %q: want two sides, as in \"KKM v K\"", text)
	}
	var c confrontation
	var err error
	if c.strong, err = parsePieceCount(strong); err == nil {
		c.weak, err = parsePieceCount(weak)
	}
	if err != nil {
		return confrontation{}, fmt.Errorf("material %q: %w", text, err)
	}
	return c, nil
}

func parsePieceCount(text string) (pieceCount, error) {
	var n pieceCount
	rest := text
	for strings.HasPrefix(rest, "K") {
		n.kings++
		rest = rest[1:]
	}
	if strings.HasPrefix(rest, "+") {
		n.more = true
		rest = rest[1:]
	}
	for strings.HasPrefix(rest, "M") {
		n.men++
		rest = rest[1:]
	}
	if rest != "" || n.more && n.kings == 0 || n.men+n.kings == 0 {
		return n, fmt.Errorf("side %q: want kings K, then men M, as in K, KKM or KKK+", text)
	}
	return n, nil
}
