package probe

import (
	"errors"
	"strings"
	"testing"

	"dambase/engine"
)

// repeat returns moves n times over.
func repeat(n int, moves ...string) []string {
	var out []string
	for range n {
		out = append(out, moves...)
	}
	return out
}

func TestGame(t *testing.T) {
	for _, c := range []struct {
		name, variant string
		request       GameRequest
		result        string // and reason
		plies         int
		repetitions   int    // after the last ply
		claims        string // after the last ply
		exact         bool
	}{
		{"goes on", "russian", GameRequest{Moves: []string{"c3-d4", "f6-g5"}}, "", 2, 1, "", true},
		{"last piece taken", "russian", GameRequest{FEN: "W:Wc3:Bd4", Moves: []string{"c3:e5"}}, "white no-pieces", 1, 1, "", true},
		{"no move left", "english", GameRequest{FEN: "W:WK30,26:B21", Moves: []string{"26-22"}}, "", 1, 1, "", true},
		{"blocked", "english", GameRequest{FEN: "B:W29:B21,22", Moves: []string{"22-25"}}, "", 1, 1, "", true},
		{"40 king plies", "draughts64", GameRequest{FEN: "W:WKa1,Kc1,Ke1:BKh2:H38", Moves: []string{"a1-b2", "h2-b8"}}, "draw king-moves", 2, 1, "", true},
		{"situation A", "draughts64", GameRequest{FEN: "W:WKe3,Kc7:BKh2:H9", Moves: []string{"e3-d2"}}, "draw situation A", 1, 1, "", true},
		{"the last ply wins", "draughts64", GameRequest{FEN: "W:WKa1:BKc3:H9", Moves: []string{"a1xh8"}}, "white no-pieces", 1, 1, "", true},
		{"flag", "russian", GameRequest{Moves: []string{"c3-d4"}, Flag: "black"}, "white flag", 1, 1, "", true},
		{"claim", "english", GameRequest{FEN: "W:WK1,K2:BK32,K31", Moves: repeat(2, "1-5", "32-28", "5-1", "28-32")}, "", 8, 3, "repetition", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			tables := open(t, c.variant, 3)
			g, err := tables.Game(newWork(), c.request)
			if err != nil {
				t.Fatal(err)
			}
			result := ""
			if g.Result != nil {
				result = *g.Result + " " + *g.Reason
			}
			if result != c.result || len(g.Plies) != c.plies || g.Exact != c.exact {
				t.Errorf("result %q, %d plies, exact %v; want %q, %d, %v", result, len(g.Plies), g.Exact, c.result, c.plies, c.exact)
			}
			if c.plies > 0 {
				last := g.Plies[c.plies-1]
				if last.Repetitions != c.repetitions || strings.Join(last.Claims, " ") != c.claims {
					t.Errorf("after the last ply %d repetitions, claims %v", last.Repetitions, last.Claims)
				}
			}
		})
	}
}

// TestGameRepetition shuffles until the rules of each variant end it.
func TestGameRepetition(t *testing.T) {
	shuffle := repeat(10, "c1-d2", "f8-e7", "d2-c1", "e7-f8")
	const fen = "W:WKc1,a1,g1:BKf8,h8,b8" // six pieces: no situation
	for _, c := range []struct {
		variant string
		ply     int // of the draw
		reason  string
	}{{"draughts64", 16, "repetition"}, {"russian", 30, "king-moves"}} {
		tables := open(t, c.variant, 3)
		g, err := tables.Game(newWork(), GameRequest{FEN: fen, Moves: shuffle[:c.ply]})
		if err != nil {
			t.Fatal(err)
		}
		if g.Result == nil || *g.Result != "draw" || *g.Reason != c.reason {
			t.Errorf("%s: result %v after %d plies", c.variant, g.Result, c.ply)
		}
		// People play on after a draw that nobody saw.
		longer, err := tables.Game(newWork(), GameRequest{FEN: fen, Moves: shuffle[:c.ply+3], Flag: "white"})
		if err != nil {
			t.Fatal(err)
		}
		if *longer.Result != "draw" || *longer.Reason != c.reason || *longer.EndedAt != c.ply || len(longer.Plies) != c.ply+3 {
			t.Errorf("%s: moves after the end: result %v at %v, %d plies", c.variant, longer.Result, longer.EndedAt, len(longer.Plies))
		}
		before, err := tables.Game(newWork(), GameRequest{FEN: fen, Moves: shuffle[:8], Flag: "white"})
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]string{"draughts64": "draw repetition", "russian": "black flag"}[c.variant]
		if got := *before.Result + " " + *before.Reason; got != want {
			t.Errorf("%s: the flag falls while a threefold repetition stands: %s, want %s", c.variant, got, want)
		}
	}
	italian := open(t, "italian", 3)
	g, err := italian.Game(newWork(), GameRequest{FEN: "W:WK32,K31:BK1", Moves: repeat(2, "31-27", "1-5", "27-31", "5-1")})
	if err != nil {
		t.Fatal(err)
	}
	if g.Result == nil || *g.Reason != "repetition" {
		t.Errorf("italian: result %v after a threefold repetition", g.Result)
	}
	if g.Exact {
		t.Error("a won position that has occurred twice is called certain")
	}
	if first := g.Plies[0]; first.Before == nil || first.Before.Category != CategoryWin || !first.Exact {
		t.Errorf("first ply %+v", first)
	}
}

// TestGameVerdicts checks before and after against probes.
func TestGameVerdicts(t *testing.T) {
	tables := open(t, "draughts64", 3)
	g, err := tables.Game(newWork(), GameRequest{FEN: "W:WKe3,Kc7:BKh2:H5", Moves: []string{"c7-d8", "h2-b8"}})
	if err != nil {
		t.Fatal(err)
	}
	first, second := g.Plies[0], g.Plies[1]
	if first.Before.Category != CategoryWin || first.After.Category != CategoryDraw || second.Before.Category != CategoryDraw {
		t.Errorf("plies %+v %+v", first, second)
	}
	if first.Clocks.Situation != 6 || second.Clocks.KingMoves != 7 {
		t.Errorf("clocks %+v, %+v", first.Clocks, second.Clocks)
	}
	won, err := tables.Game(newWork(), GameRequest{FEN: "W:WKe3,Kc7:BKh2:H5", Moves: []string{"c7-b8"}})
	if err != nil {
		t.Fatal(err)
	}
	if v := won.Plies[0].After; v.Category != CategoryWin || v.DTW.String() != "4" {
		t.Errorf("after the winning move %+v", v)
	}
}

func TestGameErrors(t *testing.T) {
	tables := open(t, "russian", 3)
	for _, c := range []struct {
		request GameRequest
		want    string
	}{
		{GameRequest{Moves: []string{"c3-d4", "c3-d4"}}, `ply 2: bad move "c3-d4": not legal`},
		{GameRequest{Moves: []string{"?"}}, "ply 1"},
		{GameRequest{FEN: "W:W"}, "bad FEN"},
		{GameRequest{Flag: "both"}, "want white or black"},
		{GameRequest{FEN: "W:WKa1:BKh8:H11"}, "above the limit"},
	} {
		if _, err := tables.Game(newWork(), c.request); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want %q", c.request, err, c.want)
		}
	}
}

func TestPDN(t *testing.T) {
	game, err := engine.ParsePDN("[Event \"Club [A] (x)\"]\n[FEN \"W:WKe3,Kc7:BKh2\"]\n\n1. c7-b8 {good; (really)} h2-g1 $3 (1... h2-g3 (x) {18-23) no} 2. e3-f4) 2.b8-a7! ; rest\n2... g1xb6 1/2-1/2")
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(game.Moves, " "); got != "c7-b8 h2-g1 b8-a7 g1xb6" || game.Tags["FEN"] != "W:WKe3,Kc7:BKh2" {
		t.Errorf("moves %s, tags %v", got, game.Tags)
	}
	for _, text := range []string{"{", "(", "[FEN x]", "[FEN", "1. a1-b2 [Event \"second\"]", "[FEN \"a\"][FEN \"b\"]", "1. a1-b2 2-0 b2-c3", "2-0 0-2"} {
		if _, err := engine.ParsePDN(text); !errors.Is(err, engine.ErrPDN) {
			t.Errorf("%q: error %v", text, err)
		}
	}
}

// TestExactWhereNothingComesBack: a position that has occurred before does not
// make a verdict doubtful where no earlier position can come back any more.
func TestExactWhereNothingComesBack(t *testing.T) {
	tables := open(t, "international", 2)
	g, err := tables.Game(newWork(), GameRequest{FEN: "B:WK1:BK45", Moves: []string{"45-50", "1-6", "50-45", "6-1", "45-7", "1x12"}})
	if err != nil {
		t.Fatal(err)
	}
	if !g.Exact || g.Result == nil || *g.Result != "white" || *g.EndedAt != 6 {
		t.Errorf("a forced capture, then the end: exact %v, result %v", g.Exact, g.Result)
	}
	for _, ply := range g.Plies {
		if !ply.Exact {
			t.Errorf("ply %d is called uncertain", ply.Ply)
		}
	}
}

// TestCapturesInOrder lists the pieces taken as the path takes them, whatever
// the numbers of their squares, and their squares between those of the path.
func TestCapturesInOrder(t *testing.T) {
	for _, c := range []struct{ variant, fen, move, captures, path string }{
		{"english", "W:W23:B19,11,10", "23x7", "19 11", "23 16 7"},
		{"english", "B:W9,10,17,18:BK22,K1", "22x22", "18 10 9 17", "22 15 6 13 22"},
		{"international", "W:WK41,49:B9,10,12,19,38", "41x43", "19 9 12 38", ""},
		{"turkish", "W:WKa1:Ba5,d8,h4", "a1xh1", "a5 d8 h4", ""},
	} {
		tables, err := New(nil, engine.MustCompile(builtin(t, c.variant)))
		if err != nil {
			t.Fatal(err)
		}
		a, err := tables.Answer(newWork(), Query{Position: position(t, tables.rules, c.fen)}, true)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, m := range a.Moves {
			if strings.Join(m.Captures, " ") == c.captures && (c.path == "" || strings.Join(m.Path, " ") == c.path) {
				found = true
			}
		}
		if !found {
			t.Errorf("%s %s: moves %+v, want one that takes %s", c.variant, c.fen, a.Moves, c.captures)
		}
	}
}
