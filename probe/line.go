package probe

import (
	"errors"
	"fmt"
	"strings"

	"dambase/engine"
)

// A Line is the main line of a decided position: the winner takes the quickest
// way under the draw rules, the loser the slowest.
type Line struct {
	Winner *string    `json:"winner"` // white, black; null if nobody wins under the rules, or nobody knows
	Moves  []LineMove `json:"moves"`
	PDN    string     `json:"pdn"` // a game that starts from the position, with its result if it is finished; empty if nobody wins
}

// A LineMove is a move of a Line and the position after it.
type LineMove struct {
	Move     string   `json:"move"`
	FEN      string   `json:"fen"`
	Category Category `json:"category"`
	DTW      Distance `json:"dtw"`
}

// ErrUnknown is wrapped by Line's error about a position that nobody knows the
// result of; the error says why.
var ErrUnknown = errors.New("the result is not known")

// Line returns the main line of a position, at most max moves of it. A drawn
// position has none.
func (t *Tables) Line(w *Work, q Query, max int) (*Line, error) {
	if err := q.Check(t.rules); err != nil {
		return nil, err
	}
	root, moves, err := t.judge(w, &q, withMoves)
	if err != nil {
		return nil, err
	}
	line := &Line{Moves: []LineMove{}}
	var winner engine.Color
	switch root.Category {
	case CategoryWin:
		winner = q.Position.Turn
	case CategoryLoss:
		winner = q.Position.Turn.Opponent()
	case CategoryUnknown:
		if root.OverBudget {
			return nil, fmt.Errorf("%w: %s", ErrUnknown, root.Reason())
		}
		return nil, fmt.Errorf("%w: the position is outside the tables: a table of slice %s is missing", ErrUnknown, root.Missing)
	default:
		return line, nil
	}
	name := winner.String()
	line.Winner = &name
	var text strings.Builder
	if gameType := t.rules.Variant().GameType; gameType > 0 {
		fmt.Fprintf(&text, "[GameType \"%d\"]\n", gameType)
	}
	fmt.Fprintf(&text, "[SetUp \"1\"]\n[FEN \"%s\"]\n\n", t.rules.FormatFEN(&q.Position))
	for i := 0; i < max && len(moves) > 0; i++ {
		line.add(t.rules, &text, i, &q.Position, moves)
		q.Position, q.Counters = moves[0].Position, moves[0].Counters
		if _, moves, err = t.judge(w, &q, withMoves); err != nil {
			return nil, err
		}
	}
	result := "*"
	if len(moves) == 0 {
		result = [...]string{engine.White: "1-0", engine.Black: "0-1"}[winner]
	}
	line.PDN = text.String() + result
	return line, nil
}

// add appends a move and its PDN text. Moves are numbered from 1, by the side
// that begins a game; a line that starts with the other side's has dots.
func (l *Line) add(r *engine.Rules, text *strings.Builder, i int, p *engine.Position, moves []MoveResult) {
	best := &moves[0]
	move := formatFirst(r, moves)
	l.Moves = append(l.Moves, LineMove{move, r.FormatFEN(&best.Position), best.Result.Category, best.Result.DTW})
	if p.Turn == r.Start().Turn {
		fmt.Fprintf(text, "%d. ", (i+1)/2+1)
	} else if i == 0 {
		text.WriteString("1... ")
	}
	text.WriteString(move + " ")
}

// formatFirst writes the first of all legal moves of a position.
func formatFirst(r *engine.Rules, moves []MoveResult) string {
	ways := make([]engine.Way, len(moves))
	for i := range moves {
		ways[i] = moves[i].Way
	}
	return r.FormatWays(ways)[0]
}
