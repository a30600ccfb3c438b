package probe

import (
	"math/rand/v2"
	"testing"

	"dambase/engine"
)

// TestRuledRoot checks at random counters that a position's category is the
// minimax of its moves' and a probe without moves says the same, captures and
// both sides to move included.
func TestRuledRoot(t *testing.T) {
	for _, c := range []struct {
		name   string
		pieces int
		step   uint64
	}{{"draughts64", 4, 211}, {"russian", 3, 5}, {"italian", 3, 5}, {"brazilian-optional", 3, 5}} {
		tables := open(t, c.name, c.pieces)
		r := tables.Rules()
		random := rand.New(rand.NewPCG(7, 8))
		cursedWins := 0
		eachPosition(t, r, c.pieces, c.step, func(p engine.Position) {
			counters := randomCounters(r, &p, random)
			root, moves := searched(t, tables, &Query{Position: p, Counters: counters})
			alone, err := tables.Probe(p, counters)
			if err != nil || alone != root {
				t.Fatalf("%s %s %+v: %+v with moves, %+v without (%v)", c.name, r.FormatFEN(&p), counters, root, alone, err)
			}
			if root.Category == CategoryCursedWin {
				cursedWins++
			}
			if root.GameOver {
				return
			}
			want := map[Category]Category{
				CategoryLoss: CategoryWin, CategoryBlessedLoss: CategoryCursedWin, CategoryDraw: CategoryDraw,
				CategoryCursedWin: CategoryBlessedLoss, CategoryWin: CategoryLoss,
			}[moves[0].Result.Category]
			if root.Category != want {
				t.Fatalf("%s %s %+v: %s, but its best move leaves %s", c.name, r.FormatFEN(&p), counters, root.Category, moves[0].Result.Category)
			}
		})
		if cursedWins < 10 {
			t.Errorf("%s: only %d cursed wins met", c.name, cursedWins)
		}
	}
}

// randomCounters returns counters that p can have.
func randomCounters(r *engine.Rules, p *engine.Position, random *rand.Rand) engine.Counters {
	c := engine.Counters{KingMoves: engine.Plies(random.IntN(int(r.KingMovesLimit()) + 1))}
	if s := r.Situation(p); s != nil {
		c.Situation = engine.Plies(random.IntN(int(s.Limit) + 1))
		if !s.DependsOnSquare {
			c.KingMoves = engine.Plies(random.IntN(int(c.Situation) + 1))
		}
	}
	return c
}

// TestFirstMoveKeepsTheResult plays won positions out: the winner follows the
// first move, the defender tries everything. No counter saves it.
func TestFirstMoveKeepsTheResult(t *testing.T) {
	tables := open(t, "draughts64", 4)
	r := tables.Rules()
	random := rand.New(rand.NewPCG(9, 10))
	played := 0
	for _, fen := range []string{
		"W:WKe3,Kc7:BKh2", "W:WKa1,Kc1,Ke1:BKh6", "W:Wc3,Kg1:BKa7", "B:Wa3:BKd8,b6", "W:WKa1,Kb2,c3:BKh8",
	} {
		p := position(t, r, fen)
		for range 20 {
			c := randomCounters(r, &p, random)
			root, err := tables.Probe(p, c)
			if err != nil {
				t.Fatal(err)
			}
			if root.Category == CategoryWin {
				played++
				d := defence{t: t, tables: tables, seen: map[defenceState]bool{}}
				d.win(p, c, 0)
			}
		}
	}
	if played < 10 {
		t.Errorf("only %d won positions were played out", played)
	}
}

// A defence plays every defence against the winner's first moves.
type defence struct {
	t      *testing.T
	tables *Tables
	seen   map[defenceState]bool
}

type defenceState struct {
	p engine.Position
	c engine.Counters
}

const maxDefence = 400

// win plays on from a position that the side to move must win.
func (d *defence) win(p engine.Position, c engine.Counters, ply int) {
	d.t.Helper()
	if d.seen[defenceState{p, c}] {
		return
	}
	d.seen[defenceState{p, c}] = true
	_, moves := searched(d.t, d.tables, &Query{Position: p, Counters: c})
	if len(moves) == 0 || ply > maxDefence {
		d.t.Fatalf("%s %+v: %d moves after %d plies", d.tables.rules.FormatFEN(&p), c, len(moves), ply)
	}
	first := moves[0]
	if first.Result.Category != CategoryLoss {
		d.t.Fatalf("%s %+v: the first move leaves %s", d.tables.rules.FormatFEN(&p), c, first.Result.Category)
	}
	_, replies := searched(d.t, d.tables, &Query{Position: first.Position, Counters: first.Counters})
	for _, reply := range replies {
		d.win(reply.Position, reply.Counters, ply+2)
	}
}

func TestGameLength(t *testing.T) {
	tables := open(t, "draughts64", 3)
	p := position(t, tables.Rules(), "W:WKe3,Kc7:BKh2") // wins in 5
	for _, c := range []struct {
		ply      engine.Plies
		counters engine.Counters
		category Category
		exact    bool
		over     bool
	}{
		{295, engine.Counters{}, CategoryWin, true, false},
		{296, engine.Counters{}, CategoryCursedWin, true, false},
		{299, engine.Counters{}, CategoryCursedWin, true, false},
		{300, engine.Counters{}, CategoryCursedWin, true, true},
		{10, engine.Counters{Situation: 6}, CategoryCursedWin, true, false},
	} {
		a, err := tables.Answer(newWork(), Query{p, c.counters, &c.ply}, true)
		if err != nil || a.Category != c.category || a.Exact != c.exact || a.GameOver != c.over {
			t.Errorf("ply %d %+v: %s, exact %v, over %v (%v)", c.ply, c.counters, a.Category, a.Exact, a.GameOver, err)
		}
	}
	if _, err := tables.Answer(newWork(), Query{Position: p, Ply: new(engine.Plies(-1))}, true); err == nil {
		t.Error("ply -1 accepted")
	}
	// A long win in time for the counters as they are set back, but not for a
	// straight count: nobody knows whether the longer way fits.
	tried := 0
	eachPosition(t, tables.Rules(), 3, 1, func(p engine.Position) {
		r, err := tables.Probe(p, engine.Counters{})
		if err != nil {
			t.Fatal(err)
		}
		if n, known := r.DTW.Plies(); known && n > 11 && r.Category == CategoryWin && tried < 5 {
			tried++
			a, err := tables.Answer(newWork(), Query{Position: p, Ply: new(300 - n)}, false)
			if err != nil || a.Category != CategoryWin || a.Exact {
				t.Errorf("%s: %s, exact %v (%v)", tables.Rules().FormatFEN(&p), a.Category, a.Exact, err)
			}
		}
	})
	if tried == 0 {
		t.Error("no long win found")
	}
}
