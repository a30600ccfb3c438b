package engine

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// describe writes a move with its captured set, in top-left numbers.
func describe(m Move) string {
	sign, taken, mark := "-", "", ""
	if m.Captured != 0 {
		var list []string
		for b := m.Captured; b != 0; b &= b - 1 {
			list = append(list, fmt.Sprint(b.First()+1))
		}
		sign, taken = "x", "{"+strings.Join(list, ",")+"}"
	}
	if m.Promotes {
		mark = "=K"
	}
	return fmt.Sprintf("%d%s%d%s%s", m.From+1, sign, m.To+1, taken, mark)
}

// TestPositions runs testdata/positions.txt: the tricky rules.
func TestPositions(t *testing.T) {
	for _, line := range dataLines(t, "positions.txt") {
		field := strings.Split(line, "|")
		for name := range strings.FieldsSeq(field[0]) {
			r := topLeft(t, name)
			p, err := r.ParsePosition(field[1])
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, m := range r.Moves(nil, &p) {
				got = append(got, describe(m))
			}
			want := strings.Fields(field[2])
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("%s %s: moves %v, want %v", name, strings.TrimSpace(field[1]), got, want)
			}
		}
	}
}

// randomPosition places up to six pieces, or now and then up to half the board.
func randomPosition(r *Rules, random *rand.Rand) Position {
	for {
		p := Position{Turn: Color(random.IntN(2))}
		most := 6
		if random.IntN(4) == 0 {
			most = r.Squares() / 2
		}
		for range 1 + random.IntN(most) {
			s := Square(random.IntN(r.Squares()))
			if p.Occupied().Has(s) {
				continue
			}
			c := Color(random.IntN(2))
			if random.IntN(2) == 0 && r.MenSquares(c).Has(s) {
				p.Men[c] |= s.Bit()
			} else {
				p.Kings[c] |= s.Bit()
			}
		}
		if r.Check(&p) == nil {
			return p
		}
	}
}

// TestMovesOfRandomPositions checks what must hold of every position: moves
// are unique, symmetric under a turn of the board, consistent with HasMove and
// HasCapture, and survive their text; so does the position itself.
func TestMovesOfRandomPositions(t *testing.T) {
	for _, v := range BuiltinVariants() {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			r := builtin(t, v.Name)
			random := rand.New(rand.NewPCG(1, 2))
			for range 3000 {
				p := randomPosition(r, random)
				checkMoves(t, r, &p)
				for _, text := range []string{r.FormatFEN(&p), r.FormatHub(&p), r.FormatFEN(&p) + ".", r.FormatFEN(&p) + ":H0:F1"} {
					if q, err := r.ParsePosition(text); err != nil || q != p {
						t.Fatalf("%s read as %v (%v), want %v", text, q, err, p)
					}
				}
			}
		})
	}
}

func checkMoves(t *testing.T, r *Rules, p *Position) {
	t.Helper()
	fen := r.FormatFEN(p)
	moves := r.Moves(nil, p)
	captures := r.Captures(nil, p)
	if r.HasMove(p) != (len(moves) > 0) || r.HasCapture(p) != (len(captures) > 0) {
		t.Fatalf("%s: HasMove %v, HasCapture %v, but %d moves and %d captures", fen, r.HasMove(p), r.HasCapture(p), len(moves), len(captures))
	}
	flipped := r.Flip(*p)
	if r.Flip(flipped) != *p || len(r.Moves(nil, &flipped)) != len(moves) {
		t.Fatalf("%s: %d moves, turned %d", fen, len(moves), len(r.Moves(nil, &flipped)))
	}
	for i, m := range moves {
		if slices.Contains(moves[:i], m) {
			t.Fatalf("%s: %s twice", fen, describe(m))
		}
		text := r.FormatMove(p, m)
		if got, err := r.ParseMove(p, text); err != nil || got != m {
			t.Fatalf("%s: %s is written %s and read as %s (%v)", fen, describe(m), text, describe(got), err)
		}
		q := r.Play(p, m)
		if q.Occupied() != 0 && r.Check(&q) != nil {
			t.Fatalf("%s: %s leads to an illegal position", fen, text)
		}
		if r.After(p, m) != r.Flip(q) {
			t.Fatalf("%s: the position after %s is not what the opponent sees", fen, text)
		}
	}
	checkWays(t, r, p, moves)
}

// checkWays checks that the ways of a position are its moves, and that each
// takes its pieces one after the other on the lines between its squares.
func checkWays(t *testing.T, r *Rules, p *Position, moves []Move) {
	t.Helper()
	fen := r.FormatFEN(p)
	ways, err := r.Ways(nil, p)
	if err != nil || len(ways) != len(moves) {
		t.Fatalf("%s: %d ways of %d moves (%v)", fen, len(ways), len(moves), err)
	}
	texts := r.FormatWays(ways)
	for i, w := range ways {
		if w.Move != moves[i] || texts[i] != r.FormatMove(p, w.Move) {
			t.Fatalf("%s: way %d is of %s, written %s", fen, i, describe(w.Move), texts[i])
		}
		last := len(w.Squares) - 1
		if w.Squares[0] != w.From || w.Squares[last] != w.To || w.Captured != 0 && len(w.Taken) != last || w.Captured.Count() != len(w.Taken) {
			t.Fatalf("%s: %s visits %v and takes %v", fen, texts[i], w.Squares, w.Taken)
		}
		for k, victim := range w.Taken {
			if !w.Captured.Has(victim) || !between(r, w.Squares[k], victim, w.Squares[k+1]) {
				t.Fatalf("%s: %s visits %v and takes %v", fen, texts[i], w.Squares, w.Taken)
			}
		}
	}
}

// between reports whether b lies on a line from a to c.
func between(r *Rules, a, b, c Square) bool {
	for d := range Direction(directions) {
		if r.geometry.ray[d][a].Has(b) && r.geometry.ray[d][b].Has(c) {
			return true
		}
	}
	return false
}

// TestSingleJumpBesideLongerOne reads back the short text of a single jump
// whose squares a longer capture shares.
func TestSingleJumpBesideLongerOne(t *testing.T) {
	r := topLeft(t, "english")
	p, err := r.ParsePosition("W:W17,K19,K22,30:BK2,7,8,9,11,K14,15,16,23,24,25")
	if err != nil {
		t.Fatal(err)
	}
	checkMoves(t, r, &p)
}

// TestLongestCapture takes more pieces in one move than a side has in a game.
func TestLongestCapture(t *testing.T) {
	r := builtin(t, "turkish")
	p, err := r.ParsePosition("W:WKb1:Ba2,b2,c2,e2,g2,c3,e3,f3,g3,h3,a4,b4,d4,e4,g4,c5,e5,f5,g5,c6,f6,a7,b7,c7,d7,e7,f7,g7,h7,c8,e8,g8")
	if err != nil {
		t.Fatal(err)
	}
	moves := r.Moves(nil, &p)
	if len(moves) != 1 || moves[0].Captured.Count() != 32 {
		t.Errorf("%d moves, the first takes %d", len(moves), moves[0].Captured.Count())
	}
}
