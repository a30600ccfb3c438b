package probe

import (
	"fmt"
	"strings"

	"dambase/engine"
)

// A Line is the main line of a decided position: the winner takes the quickest
// way under the draw rules, the loser the slowest.
type Line struct {
	Winner *string    `json:"winner"` // white, black; null if nobody wins under the rules, or nobody knows
	Moves  []LineMove `json:"moves"`
	PDN    string     `json:"pdn"` // a game that starts from the position; empty without moves
}

// A LineMove is a move of a Line and the position after it.
type LineMove struct {
	Move     string   `json:"move"`
	FEN      string   `json:"fen"`
	Category Category `json:"category"`
	DTW      Distance `json:"dtw"`
}

// Line returns the main line of p, at most max moves of it. A drawn or unknown
// position has none.
func (t *Tables) Line(p engine.Position, c engine.Counters, max int) (*Line, error) {
	if err := CheckCounters(t.rules, &p, c); err != nil {
		return nil, err
	}
	root, err := t.probe(&p, c, gameLength{})
	if err != nil {
		return nil, err
	}
	line := &Line{Moves: []LineMove{}}
	switch root.Category {
	case CategoryWin:
		winner := p.Turn.String()
		line.Winner = &winner
	case CategoryLoss:
		winner := p.Turn.Opponent().String()
		line.Winner = &winner
	default:
		return line, nil
	}
	var text strings.Builder
	if gameType := t.rules.Variant().GameType; gameType > 0 {
		fmt.Fprintf(&text, "[GameType \"%d\"]\n", gameType)
	}
	fmt.Fprintf(&text, "[SetUp \"1\"]\n[FEN \"%s\"]\n\n", t.rules.FormatFEN(&p))
	for i := range max {
		_, moves, err := t.withMoves(&p, c, gameLength{})
		if err != nil {
			return nil, err
		}
		if len(moves) == 0 {
			break
		}
		best := &moves[0]
		line.add(t.rules, &text, i, &p, best)
		p, c = best.Position, best.Counters
	}
	line.PDN = text.String() + "*"
	return line, nil
}

// add appends a move and its PDN text. Moves are numbered from 1, by the side
// that begins a game; a line that starts with the other side's has dots.
func (l *Line) add(r *engine.Rules, text *strings.Builder, i int, p *engine.Position, m *MoveResult) {
	move := r.FormatMove(p, m.Move)
	l.Moves = append(l.Moves, LineMove{move, r.FormatFEN(&m.Position), m.Result.Category, m.Result.DTW})
	if p.Turn == r.Start().Turn {
		fmt.Fprintf(text, "%d. ", (i+1)/2+1)
	} else if i == 0 {
		text.WriteString("1... ")
	}
	text.WriteString(move + " ")
}
