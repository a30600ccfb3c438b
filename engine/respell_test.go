package engine

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// A speller writes moves as people and programs do.
type speller struct {
	r      *Rules
	random *rand.Rand
}

func (s *speller) oneOf(texts ...string) string { return texts[s.random.IntN(len(texts))] }

// square writes a square by number or by file and rank, in either case.
func (s *speller) square(square Square) string {
	number := s.r.number(square)
	name := s.r.geometry.algebraic(square)
	decimal := []byte{byte('0' + number/10), byte('0' + number%10)}
	if number < 10 && s.random.IntN(2) == 0 {
		decimal = decimal[1:]
	}
	return s.oneOf(string(decimal), name, strings.ToUpper(name))
}

// spell writes squares with signs of a kind and space around them.
func (s *speller) spell(kind sign, squares ...Square) string {
	var out strings.Builder
	for i, square := range squares {
		if i > 0 {
			sign := s.oneOf("-", "–", "—", "−", "‑")
			if kind == cross {
				sign = s.oneOf("x", "X", "×", ":", "*")
			}
			out.WriteString(s.oneOf("", "", " ") + sign + s.oneOf("", "", " "))
		}
		out.WriteString(s.square(square))
	}
	return out.String() + s.oneOf("", "", "!", " ?!", "$5", ".")
}

// glued writes squares by file and rank without any sign.
func (s *speller) glued(squares []Square) string {
	var out strings.Builder
	for _, square := range squares {
		out.WriteString(s.r.geometry.algebraic(square))
	}
	return out.String()
}

// TestRespelling writes every legal move of random positions of all variants
// in every way that is read, and reads it back.
func TestRespelling(t *testing.T) {
	for _, v := range BuiltinVariants() {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(5, 6))
			c := respelling{t, &speller{builtin(t, v.Name), random}}
			for range 800 {
				p := randomPosition(c.r, random)
				if random.IntN(2) == 0 && !c.r.HasCapture(&p) {
					p.Turn = p.Turn.Opponent() // captures are what is hard to spell
				}
				c.position(&p)
			}
		})
	}
}

type respelling struct {
	t *testing.T
	*speller
}

// only fails unless a text is read as one move.
func (c *respelling) only(p *Position, text string, m Move) {
	c.t.Helper()
	ways, err := c.r.MatchMoves(nil, p, text)
	if err != nil || len(ways) != 1 || ways[0].Move != m {
		c.t.Fatalf("%s: %q, %s, read as %v (%v)", c.r.FormatFEN(p), text, describe(m), ways, err)
	}
}

// among fails unless a text fits a move, others perhaps too: those that have
// its ends, or that it tells more of.
func (c *respelling) among(p *Position, text string, squares []Square, m Move) {
	c.t.Helper()
	ways, err := c.r.MatchMoves(nil, p, text)
	if slices.ContainsFunc(ways, func(w Way) bool { return w.Move == m }) {
		return
	}
	for i := range ways {
		if f := c.r.fit(squares, &ways[i]); f <= passes {
			c.t.Fatalf("%s: %q, %s, read as %v (%v)", c.r.FormatFEN(p), text, describe(m), ways, err)
		}
	}
	if err != nil {
		c.t.Fatalf("%s: %q, %s: %v", c.r.FormatFEN(p), text, describe(m), err)
	}
}

func (c *respelling) position(p *Position) {
	c.t.Helper()
	ways, err := c.r.Ways(nil, p)
	if err != nil {
		c.t.Fatal(err)
	}
	quietEnds := map[[2]Square]bool{}
	twins := map[Move]int{} // moves that agree in all but promotion
	for i := range ways {
		m := ways[i].Move
		quietEnds[[2]Square{m.From, m.To}] = quietEnds[[2]Square{m.From, m.To}] || m.Captured == 0
		m.Promotes = false
		twins[m]++
	}
	for i, text := range c.r.FormatWays(ways) {
		w := &ways[i]
		c.only(p, text, w.Move)
		twin := w.Move
		twin.Promotes = false
		switch {
		case w.Captured == 0:
			c.only(p, c.spell(dash, w.Squares...), w.Move)
			c.among(p, c.spell(cross, w.Squares...), w.Squares, w.Move)
		case twins[twin] == 1:
			c.taken(p, w)
		}
		if w.Captured == 0 || !quietEnds[[2]Square{w.From, w.To}] {
			c.among(p, c.glued([]Square{w.From, w.To}), []Square{w.From, w.To}, w.Move)
		}
	}
	c.paths(p, quietEnds)
}

// taken spells a capture by what it takes.
func (c *respelling) taken(p *Position, w *Way) {
	c.t.Helper()
	hub := append([]Square{w.From, w.To}, w.Taken...)
	c.random.Shuffle(len(w.Taken), func(i, k int) { hub[i+2], hub[k+2] = hub[k+2], hub[i+2] })
	turkish := append(append([]Square{w.From}, w.Taken...), w.To)
	for _, squares := range [][]Square{hub, turkish} {
		for _, kind := range []sign{dash, cross} {
			c.only(p, c.spell(kind, squares...), w.Move)
		}
		c.only(p, c.glued(squares), w.Move)
	}
}

// paths spells captures by all the squares of every way to make them, and by
// some of these.
func (c *respelling) paths(p *Position, quietEnds map[[2]Square]bool) {
	c.t.Helper()
	all, err := c.r.searchWays(nil, p, func(*Way, bool) bool { return true })
	if err != nil {
		c.t.Fatal(err)
	}
	for range min(len(all), 40) {
		w := &all[c.random.IntN(len(all))]
		c.only(p, c.spell(cross, w.Squares...), w.Move)
		if len(w.Squares) > 2 || !quietEnds[[2]Square{w.From, w.To}] {
			c.only(p, c.glued(w.Squares), w.Move)
			c.only(p, c.spell(dash, w.Squares...), w.Move)
		}
		for _, between := range [][]Square{w.Squares[1 : len(w.Squares)-1], c.r.track(w)} {
			some := []Square{w.From}
			for _, square := range between {
				if c.random.IntN(2) == 0 {
					some = append(some, square)
				}
			}
			some = append(some, w.To)
			c.among(p, c.spell(cross, some...), some, w.Move)
		}
	}
}
