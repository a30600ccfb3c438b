package engine

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// TestCounters plays the lines of testdata/counters.txt.
func TestCounters(t *testing.T) {
	for _, line := range dataLines(t, "counters.txt") {
		field := strings.Split(line, "|")
		r := topLeft(t, strings.TrimSpace(field[0]))
		p, err := r.ParsePosition(field[1])
		if err != nil {
			t.Fatal(err)
		}
		var c Counters
		words := strings.Fields(field[2])
		for i := 0; i < len(words); i += 2 {
			m, err := r.ParseMove(&p, words[i])
			if err != nil {
				t.Fatal(err)
			}
			q := r.Play(&p, m)
			c = r.Advance(c, &p, m, &q)
			name := ""
			if s := r.Situation(&q); s != nil {
				name = s.Name
			}
			if got := fmt.Sprintf("%d/%d/%s", c.Situation, c.KingMoves, name); got != words[i+1] {
				t.Errorf("%s %s: after %s %s, want %s", field[0], field[1], words[i], got, words[i+1])
			}
			p = q
		}
	}
}

func TestDrawn(t *testing.T) {
	for _, c := range []struct {
		variant, fen string
		counters     Counters
		want         string
	}{
		{"draughts64", "W:WK29,K30,K31:BK28", Counters{KingMoves: 39}, ""},
		{"draughts64", "W:WK29,K30,K31:BK28", Counters{KingMoves: 40}, "king-moves"},
		{"draughts64", "W:WK2,K30,K31:BK18", Counters{KingMoves: 20, Situation: 9}, ""},
		{"draughts64", "W:WK2,K30,K31:BK18", Counters{KingMoves: 20, Situation: 10}, "C"},
		// The 40th king ply took the last piece, or left the opponent no move: a win.
		{"draughts64", "W:W:BK28", Counters{KingMoves: 40}, ""},
		{"draughts64", "W:W21:BK17,14", Counters{KingMoves: 40}, ""},
		// A pending capture does not stop the draw.
		{"draughts64", "W:WK29:BK22", Counters{KingMoves: 10, Situation: 10}, "A"},
		{"international", "B:WK46,K1:BK45", Counters{Situation: 10}, "1v2"},
		{"english", "W:WK29:BK4", Counters{KingMoves: 500}, ""},
	} {
		r := topLeft(t, c.variant)
		p, err := r.ParsePosition(c.fen)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Drawn(&p, c.counters); got != c.want {
			t.Errorf("%s %s %+v: drawn by %q, want %q", c.variant, c.fen, c.counters, got, c.want)
		}
	}
}

// TestCompileRefuses changes one parameter of a good variant at a time.
func TestCompileRefuses(t *testing.T) {
	for _, c := range []struct {
		key, reason string
		change      func(*Variant)
	}{
		{"name", "lower-case", func(v *Variant) { v.Name = "My Game" }},
		{"rows", "even number", func(v *Variant) { v.Rows = 7 }},
		{"squares", "at most 64", func(v *Variant) { v.Rows, v.Columns = 12, 12 }},
		{"squares", "none of", func(v *Variant) { v.Squares = "light" }},
		{"lines", "need squares", func(v *Variant) { v.Lines = "orthogonal" }},
		{"men_move", "orthogonal", func(v *Variant) { v.MenMove = "forward-sideways" }},
		{"men_capture", "orthogonal", func(v *Variant) { v.MenCapture = "all" }},
		{"landing", "short king", func(v *Variant) { v.King = "short" }},
		{"choice", "none of", func(v *Variant) { v.Choice = []string{"most"} }},
		{"choice", "twice", func(v *Variant) { v.Choice = []string{"most-kings", "most-kings"} }},
		{"start_rows", "do not fit", func(v *Variant) { v.StartRows = 5 }},
		{"draw.kind", "none of", func(v *Variant) { v.Draws = []DrawRule{{Kind: "time", Limit: 5}} }},
		{"draw.limit", "want 1 to", func(v *Variant) { v.Draws = []DrawRule{{Kind: KingMoves}} }},
		{"draw.kind", "second", func(v *Variant) {
			v.Draws = []DrawRule{{Kind: KingMoves, Limit: 5}, {Kind: KingMoves, Limit: 6}}
		}},
		{"draw.when", "can hold at once", func(v *Variant) {
			v.Draws = []DrawRule{situationA, {Kind: SituationRule, Name: "X", Limit: 5, When: []string{"K v K+"}}}
		}},
		{"draw.when", "want two sides", func(v *Variant) {
			v.Draws = []DrawRule{{Kind: SituationRule, Name: "X", Limit: 5, When: []string{"KvK"}}}
		}},
		{"draw.lone_king_on", "not a playing square", func(v *Variant) {
			v.Draws = []DrawRule{{Kind: SituationRule, Name: "X", Limit: 5, When: []string{"KK v K"}, LoneKingOn: []string{"a2"}}}
		}},
		{"draw.lone_king_on", "by file and rank", func(v *Variant) {
			v.Draws = []DrawRule{{Kind: SituationRule, Name: "X", Limit: 5, When: []string{"KK v K"}, LoneKingOn: []string{"1"}}}
		}},
		{"draw.when", "can hold at once", func(v *Variant) {
			v.Draws = []DrawRule{
				{Kind: SituationRule, Name: "X", Limit: 5, When: []string{"K v K"}, LoneKingOn: []string{"a1"}},
				{Kind: SituationRule, Name: "Y", Limit: 5, When: []string{"K v K"}, LoneKingOn: []string{"c1"}},
			}
		}},
		{"draw.when", "twice", func(v *Variant) {
			v.Draws = []DrawRule{{Kind: SituationRule, Name: "X", Limit: 5, When: []string{"KK v K", "KK v K"}}}
		}},
		{"game_type", "want 0 to", func(v *Variant) { v.GameType = -5 }},
		{"draw.lone_king_on", "no lone king", func(v *Variant) {
			v.Draws = []DrawRule{{Kind: SituationRule, Name: "X", Limit: 5, When: []string{"K v KK"}, LoneKingOn: []string{"a1"}}}
		}},
	} {
		v := builtin(t, "brazilian").Variant()
		c.change(&v)
		_, err := Compile(v)
		var parameter *ParameterError
		if !errors.As(err, &parameter) || !errors.Is(err, ErrVariant) || parameter.Key != c.key || !strings.Contains(parameter.Reason, c.reason) {
			t.Errorf("%s %s: error %v", c.key, c.reason, err)
		}
	}
}

// TestHash tells rules apart, not names.
func TestHash(t *testing.T) {
	if builtin(t, "spanish").Variant().Hash() != builtin(t, "portuguese").Variant().Hash() {
		t.Error("spanish and portuguese have the same rules and different hashes")
	}
	if builtin(t, "brazilian").Variant().Hash() == builtin(t, "draughts64").Variant().Hash() {
		t.Error("brazilian and draughts64 have different draw rules and one hash")
	}
}
