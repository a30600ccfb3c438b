package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrMove is wrapped by every error about the text of a move.
var ErrMove = errors.New("bad move")

// A MoveError says why the text of a move was not taken.
type MoveError struct {
	Ply    int    // of a game, from 1; 0 outside a game
	Text   string // as it was written
	Reason string
	// Legal are the moves that could have been meant: those that an ambiguous
	// text fits, with all their squares, or the legal ones from the square that
	// an illegal one starts from, or all if there is none. Of many the first,
	// and then "…".
	Legal []string
}

func (e *MoveError) Error() string {
	var out strings.Builder
	if e.Ply > 0 {
		fmt.Fprintf(&out, "ply %d: ", e.Ply)
	}
	fmt.Fprintf(&out, "%v %s: %s", ErrMove, quote(e.Text), e.Reason)
	if len(e.Legal) > 0 {
		fmt.Fprintf(&out, ": %s", strings.Join(e.Legal, ", "))
	}
	return out.String()
}

// Unwrap makes errors.Is find ErrMove.
func (e *MoveError) Unwrap() error { return ErrMove }

// ambiguous is the error of a text that fits several moves.
func (r *Rules) ambiguous(text string, ways []Way) error {
	e := &MoveError{Text: text, Reason: fmt.Sprintf("fits %d moves; write one of", len(ways))}
	for i := range ways {
		if !addText(&e.Legal, r.squareNames(ways[i].Squares, r.signOf(&ways[i].Move))) {
			break
		}
	}
	return e
}

// illegal is the error of a text that fits no legal move of any position it
// could belong to; of a game there may be several. Its search for what is
// legal is within the budget, whose error it returns instead.
func (r *Rules) illegal(b *Budget, t *moveText, positions []Position) error {
	var from, all []string
	for i := range positions {
		ways, err := r.Ways(b, &positions[i])
		if err != nil {
			return err
		}
		for k, text := range r.FormatWays(ways) {
			addText(&all, text)
			if ways[k].From == t.squares[0] {
				addText(&from, text)
			}
		}
	}
	e := &MoveError{Text: t.text, Reason: "not legal in " + r.FormatFEN(&positions[0])}
	if len(positions) > 1 {
		e.Reason = fmt.Sprintf("not legal in any of the %d positions that the moves before it can lead to", len(positions))
	}
	switch {
	case len(from) > 0:
		e.Reason += "; legal from " + r.SquareName(t.squares[0])
		e.Legal = from
	case len(all) > 0:
		e.Reason += "; legal"
		e.Legal = all
	default:
		e.Reason += ", which has no legal move"
	}
	return e
}

// addText adds a text to a list that keeps each once, and of many only the
// first. It returns false once the list is full.
func addText(list *[]string, text string) bool {
	const most = 20
	switch {
	case slices.Contains(*list, text):
	case len(*list) < most:
		*list = append(*list, text)
	case len(*list) == most:
		*list = append(*list, "…")
	}
	return len(*list) <= most
}
