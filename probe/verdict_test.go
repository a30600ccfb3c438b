package probe

import (
	"errors"
	"math/rand/v2"
	"testing"

	"dambase/engine"
	"dambase/index"
)

// randomPosition places between two and so many pieces.
func randomPosition(r *engine.Rules, random *rand.Rand, most int) engine.Position {
	for {
		p := engine.Position{Turn: engine.Color(random.IntN(2))}
		for range 2 + random.IntN(most-1) {
			s, c := engine.Square(random.IntN(r.Squares())), engine.Color(random.IntN(2))
			switch {
			case p.Occupied().Has(s):
			case random.IntN(2) == 0 && r.MenSquares(c).Has(s):
				p.Men[c] |= s.Bit()
			default:
				p.Kings[c] |= s.Bit()
			}
		}
		if r.Check(&p) == nil {
			return p
		}
	}
}

// TestOneVerdict asks for positions in and beyond the tables in every way there
// is, in every variant: one position has one verdict.
func TestOneVerdict(t *testing.T) {
	for _, v := range engine.BuiltinVariants() {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			tables := open(t, v.Name, 2)
			random := rand.New(rand.NewPCG(3, 4))
			searched := 0
			for range 1500 {
				p := randomPosition(tables.rules, random, 4)
				if checkOneVerdict(t, tables, p) {
					searched++
				}
			}
			for range 40 {
				checkOneVerdict(t, tables, randomPosition(tables.rules, random, tables.rules.Squares()/2))
			}
			if searched < 20 {
				t.Errorf("only %d positions were decided by a search of their moves", searched)
			}
		})
	}
}

// TestDrawnByEveryMove: where every move ends the game in a draw by the rules
// the position is drawn, though nobody knows its result without them.
func TestDrawnByEveryMove(t *testing.T) {
	for _, c := range []struct {
		variant, fen string
		counters     engine.Counters
		ply          *engine.Plies
	}{
		{"brazilian", "W:WKh2,Kf8:BKa7,Kc1", engine.Counters{KingMoves: 9, Situation: 9}, nil},
		{"draughts64-optional", "W:Wa3:BKc7,Kh8,Ke5", engine.Counters{}, new(engine.Plies(299))},
		{"russian-optional", "B:Wc1,Kg1,Kd2,Kh4:BKg7", engine.Counters{KingMoves: 29}, nil},
	} {
		tables := open(t, c.variant, 2)
		q := Query{position(t, tables.rules, c.fen), c.counters, c.ply}
		for _, list := range []bool{false, true} {
			a, err := tables.Answer(newWork(), q, list)
			if err != nil || a.Category != CategoryDraw || a.WLD != Unknown || a.Missing == nil || a.Reason == nil {
				t.Errorf("%s %s, with moves %v: %+v, error %v", c.variant, c.fen, list, a, err)
			}
		}
		if line, err := tables.Line(newWork(), q, 10); err != nil || line.Winner != nil {
			t.Errorf("%s %s: main line %+v, error %v", c.variant, c.fen, line, err)
		}
	}
}

// checkOneVerdict reports whether the tables alone did not tell the verdict.
func checkOneVerdict(t *testing.T, tables *Tables, p engine.Position) bool {
	t.Helper()
	fen := tables.rules.FormatFEN(&p)
	want, err := tables.Probe(p, engine.Counters{})
	if err != nil {
		t.Fatalf("%s: %v", fen, err)
	}
	q := Query{Position: p}
	for _, list := range []bool{false, true} {
		a, err := tables.Answer(newWork(), q, list)
		if list && errors.Is(err, engine.ErrBudget) {
			continue
		}
		if err != nil || a.Category != want.Category || a.WLD != want.WLD || a.DTW != want.DTW || a.DTZ != want.DTZ || (a.Reason == nil) != (want.Reason() == "") {
			t.Fatalf("%s, with moves %v: %+v, a probe %+v (%v)", fen, list, a, want, err)
		}
		if want.Category == CategoryUnknown && want.Reason() == "" || want.OverBudget && want.Missing != (index.Slice{}) {
			t.Fatalf("%s: unknown for no one reason: %+v", fen, want)
		}
	}
	line, err := tables.Line(newWork(), q, 1)
	unknown := want.Category == CategoryUnknown
	if tooMany := errors.Is(err, engine.ErrBudget); !tooMany && (errors.Is(err, ErrUnknown) != unknown || err != nil && !unknown) {
		t.Fatalf("%s: main line %+v, error %v; a probe %+v", fen, line, err, want)
	}
	moves := tables.rules.Moves(nil, &p)
	if len(moves) > 0 && len(moves) < 100 {
		m := moves[len(moves)/2]
		g, err := tables.Game(newWork(), GameRequest{FEN: fen, Moves: []string{tables.rules.FormatMove(&p, m)}})
		if err != nil {
			t.Fatalf("%s: %v", fen, err)
		}
		after, err := tables.Probe(tables.rules.Play(&p, m), engine.Counters{KingMoves: engine.Plies(clock(g, false)), Situation: engine.Plies(clock(g, true))})
		if err != nil {
			t.Fatalf("%s: %v", fen, err)
		}
		sameVerdict(t, fen, g.Plies[0].Before, want, false)
		sameVerdict(t, fen, g.Plies[0].After, after, true)
	}
	v, err := tables.value(probing(t, &p), &p, 0)
	return err == nil && v.wld == Unknown && want.WLD != Unknown
}

// probing returns the work for one position.
func probing(t *testing.T, p *engine.Position) *Work {
	w := newWork()
	if err := w.ask(p); err != nil {
		t.Fatal(err)
	}
	return w
}

func clock(g *Game, situation bool) engine.Plies {
	c := g.Plies[0].Clocks
	switch {
	case c == nil:
		return 0
	case situation:
		return c.Situation
	}
	return c.KingMoves
}

// sameVerdict compares a verdict in a game with a probe.
func sameVerdict(t *testing.T, fen string, v *Verdict, want Result, other bool) {
	t.Helper()
	if (v == nil) != (want.Category == CategoryUnknown) || v != nil && *v != *verdict(want, other) {
		t.Fatalf("%s: in a game %+v, alone %+v", fen, v, want)
	}
}
