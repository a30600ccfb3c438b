package probe

import (
	"fmt"

	"dambase/engine"
	"dambase/index"
)

// An Answer is a probe as programs and people read it. Its JSON is documented
// in docs/http.md.
type Answer struct {
	Variant  string       `json:"variant"`
	FEN      string       `json:"fen"`
	Slice    string       `json:"slice"`
	Pieces   int          `json:"pieces"`
	Category Category     `json:"category"`
	WLD      WLD          `json:"wld"`
	DTW      Distance     `json:"dtw"`
	DTZ      Distance     `json:"dtz"`
	Clocks   *Clocks      `json:"clocks"`
	Exact    bool         `json:"exact"`
	GameOver bool         `json:"game_over"`
	Missing  *string      `json:"missing"`
	Moves    []MoveAnswer `json:"moves,omitzero"`
}

// A MoveAnswer is a move in an Answer. Category, WLD, DTW and DTZ are those of
// the position after it, for the side then to move.
type MoveAnswer struct {
	Move       string   `json:"move"`
	From       string   `json:"from"`
	To         string   `json:"to"`
	Path       []string `json:"path"`
	Captures   []string `json:"captures"`
	Promotion  bool     `json:"promotion"`
	Conversion bool     `json:"conversion"`
	Only       bool     `json:"only"`
	FEN        string   `json:"fen"`
	Category   Category `json:"category"`
	WLD        WLD      `json:"wld"`
	DTW        Distance `json:"dtw"`
	DTZ        Distance `json:"dtz"`
	GameOver   bool     `json:"game_over"`
}

// Answer probes a position, and all its moves if wanted.
func (t *Tables) Answer(p engine.Position, c engine.Counters, moves bool) (*Answer, error) {
	return t.answer(p, c, gameLength{}, moves)
}

// AnswerAt is Answer for a position that a game has reached after a number of
// plies: a rule on the length of the game bears on it.
func (t *Tables) AnswerAt(p engine.Position, c engine.Counters, ply engine.Plies, moves bool) (*Answer, error) {
	if ply < 0 {
		return nil, fmt.Errorf("%w: ply %d: a game cannot have lasted less than 0 plies", ErrCounters, ply)
	}
	return t.answer(p, c, gameLength{ply, true}, moves)
}

func (t *Tables) answer(p engine.Position, c engine.Counters, g gameLength, moves bool) (*Answer, error) {
	if err := CheckCounters(t.rules, &p, c); err != nil {
		return nil, err
	}
	var root Result
	var list []MoveResult
	var err error
	if moves {
		root, list, err = t.withMoves(&p, c, g)
	} else {
		root, err = t.probe(&p, c, g)
	}
	if err != nil {
		return nil, err
	}
	a := &Answer{
		Variant: t.rules.Variant().Name, FEN: t.rules.FormatFEN(&p),
		Slice: sliceOf(t.rules, p).String(), Pieces: p.Pieces(),
		Category: root.Category, WLD: root.WLD, DTW: root.DTW, DTZ: root.DTZ,
		Clocks: t.clocks(&p, c), Exact: !root.Inexact, GameOver: root.GameOver,
	}
	if root.Missing != (index.Slice{}) {
		missing := root.Missing.String()
		a.Missing = &missing
	}
	if moves {
		ways, err := t.rules.Ways(nil, &p)
		if err != nil {
			return nil, err
		}
		texts := map[engine.Move]MoveText{}
		for i, text := range DescribeMoves(t.rules, ways) {
			texts[ways[i].Move] = text
		}
		a.Moves = make([]MoveAnswer, len(list))
		for i := range list {
			a.Moves[i] = t.moveAnswer(texts[list[i].Move], &list[i])
		}
	}
	return a, nil
}

// sliceOf returns the slice of a position as its side to move sees it.
func sliceOf(r *engine.Rules, p engine.Position) index.Slice {
	if p.Turn == engine.Black {
		p = r.Flip(p)
	}
	return index.SliceOf(&p)
}

func (t *Tables) moveAnswer(text MoveText, m *MoveResult) MoveAnswer {
	return MoveAnswer{
		Move: text.Move, From: text.From, To: text.To, Path: text.Path, Captures: text.Captures, Promotion: text.Promotion,
		Conversion: m.Conversion, Only: m.Only, FEN: t.rules.FormatFEN(&m.Position),
		Category: m.Result.Category, WLD: m.Result.WLD, DTW: m.Result.DTW, DTZ: m.Result.DTZ, GameOver: m.Result.GameOver,
	}
}

// A MoveText is a legal move in the variant's notation.
type MoveText struct {
	Move      string   `json:"move"`
	From      string   `json:"from"`
	To        string   `json:"to"`
	Captures  []string `json:"captures"` // in the order of the path
	Path      []string `json:"path"`
	Promotion bool     `json:"promotion"`
}

// DescribeMoves writes the legal moves of a position, as Ways returns them.
func DescribeMoves(r *engine.Rules, ways []engine.Way) []MoveText {
	texts := r.FormatWays(ways)
	out := make([]MoveText, len(ways))
	for i := range ways {
		w := &ways[i]
		out[i] = MoveText{
			Move: texts[i], From: r.SquareName(w.From), To: r.SquareName(w.To),
			Captures: names(r, w.Taken), Path: names(r, w.Squares), Promotion: w.Promotes,
		}
	}
	return out
}

func names(r *engine.Rules, squares []engine.Square) []string {
	out := make([]string, len(squares))
	for i, s := range squares {
		out[i] = r.SquareName(s)
	}
	return out
}
