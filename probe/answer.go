package probe

import (
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
	Reason   *string      `json:"reason,omitempty"` // why something is unknown
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

// Answer judges a position, and lists its moves if wanted. The error is one of
// Query.Check, a *storage.CorruptError, or engine.ErrBudget where the moves
// wanted are too many or the request as a whole asks too much.
func (t *Tables) Answer(w *Work, q Query, moves bool) (*Answer, error) {
	if err := q.Check(t.rules); err != nil {
		return nil, err
	}
	want := withDistance
	if moves {
		want = withMoves
	}
	root, list, err := t.judge(w, &q, want)
	if err != nil {
		return nil, err
	}
	p := &q.Position
	a := &Answer{
		Variant: t.rules.Variant().Name, FEN: t.rules.FormatFEN(p),
		Slice: sliceOf(t.rules, *p).String(), Pieces: p.Pieces(),
		Category: root.Category, WLD: root.WLD, DTW: root.DTW, DTZ: root.DTZ,
		Clocks: t.clocks(p, q.Counters), Exact: !root.Inexact, GameOver: root.GameOver,
	}
	if root.Missing != (index.Slice{}) {
		missing := root.Missing.String()
		a.Missing = &missing
	}
	if reason := root.Reason(); reason != "" {
		a.Reason = &reason
	}
	if !moves {
		return a, nil
	}
	ways := make([]engine.Way, len(list))
	for i := range list {
		ways[i] = list[i].Way
		if err := w.spent(answerUnits + pieceUnits*a.Pieces + squareUnits*len(ways[i].Taken)); err != nil {
			return nil, err
		}
	}
	a.Moves = make([]MoveAnswer, len(list))
	for i, text := range DescribeMoves(t.rules, ways) {
		a.Moves[i] = t.moveAnswer(text, &list[i])
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

// DescribeMoves writes all legal moves of a position, in any order.
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
