//go:build unix

package main

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"dambase/engine"
)

var (
	searchTime    = flag.Duration("search", 0, "how long TestHostileSearch looks for costly requests")
	searchRewrite = flag.Bool("rewrite", false, "TestHostileSearch writes what it has found to "+hostileFile)
)

// corpusSize is how many requests the corpus has.
const corpusSize = 1000

// TestHostileSearch looks for requests that cost much. In every variant it
// climbs from crowded boards to ones that cost more, each time in another
// sense, and sends what it has found to every route; the rest are the handmade
// requests of hostile_handmade_test.go.
//
//	go test ./cmd/tbserve -run TestHostileSearch -search 5m -rewrite
func TestHostileSearch(t *testing.T) {
	if *searchTime == 0 {
		return // the corpus stands; it is searched for anew with -search
	}
	server := newHostileServer(t)
	variants := engine.BuiltinVariants()
	each := *searchTime / time.Duration(len(variants)*len(objectives))
	var rounds [][]string // of each climb, what was found
	for i, v := range variants {
		for k, o := range objectives {
			c := climber{
				t: t, server: server, rules: engine.MustCompile(v), objective: o,
				random: rand.New(rand.NewPCG(uint64(i), uint64(k))),
			}
			c.climb(each)
			t.Logf("%s, %s: %.3g after %d steps: %s", v.Name, o.name, c.value, c.steps, c.fen())
			rounds = append(rounds, c.requests())
		}
	}
	lines := handmade()
	seen := map[string]bool{}
	for depth := 0; len(lines) < corpusSize && depth < 10; depth++ {
		for _, found := range rounds {
			if depth < len(found) && !seen[found[depth]] && len(lines) < corpusSize {
				seen[found[depth]] = true
				lines = append(lines, found[depth])
			}
		}
	}
	if *searchRewrite {
		text := "# Costly requests, found by TestHostileSearch: see hostile_recipe_test.go.\n" + strings.Join(lines, "\n") + "\n"
		if err := os.WriteFile(hostileFile, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// An objective is a sense in which a request can cost much: a request, in which
// %[1]s is the variant and %[2]s the position, and what is climbed.
type objective struct {
	name, line string
	value      func(c *cost) float64
}

func cpuSeconds(c *cost) float64 { return c.cpu.Seconds() }

// perUnit is the time behind each unit of work that is charged, in ns.
func perUnit(c *cost) float64 { return float64(c.cpu.Nanoseconds()) / float64(max(c.units, 20_000)) }

var objectives = []objective{
	{"time", "GET /v1/%[1]s?fen=%[2]s", cpuSeconds},
	{"bytes", "GET /v1/%[1]s?fen=%[2]s", func(c *cost) float64 { return float64(c.size) }},
	{"just answered", "GET /v1/%[1]s?fen=%[2]s", func(c *cost) float64 {
		if c.status != 200 {
			return 0
		}
		return float64(c.units)
	}},
	{"memory", "GET /v1/%[1]s?fen=%[2]s", func(c *cost) float64 { return float64(c.alloc) }},
	{"work of a unit, moves", "POST /v1/%[1]s/batch batch 10 true %[2]s", perUnit},
	{"work of a unit", "POST /v1/%[1]s/batch batch 20 false %[2]s", perUnit},
	{"batch", "POST /v1/%[1]s/batch batch 1000 false %[2]s", cpuSeconds},
	{"main line", "GET /v1/%[1]s/mainline?max=1000&fen=%[2]s", cpuSeconds},
	{"readings", "POST /v1/%[1]s/game walk json 400 tangle 2 %[2]s", func(c *cost) float64 { return float64(c.alloc) }},
	{"work of a unit, game", "POST /v1/%[1]s/game walk json 100 tangle 1 %[2]s", perUnit},
	{"game", "POST /v1/%[1]s/game walk json 1000 tangle 1 %[2]s", cpuSeconds},
}

// A climber looks for the position that costs most.
type climber struct {
	t         *testing.T
	server    *hostileServer
	rules     *engine.Rules
	objective objective
	random    *rand.Rand

	best  engine.Position
	value float64
	steps int
}

// climb starts from some patterns and changes the best position as long as
// there is time.
func (c *climber) climb(time_ time.Duration) {
	end := time.Now().Add(time_)
	for _, p := range patterns(c.rules, c.random) {
		c.try(p)
		if time.Now().After(end) {
			return
		}
	}
	for time.Now().Before(end) {
		p := c.best
		for range 1 + c.random.IntN(4) {
			c.mutate(&p)
		}
		c.try(p)
	}
}

func (c *climber) try(p engine.Position) {
	if c.rules.Check(&p) != nil {
		return
	}
	c.steps++
	line := fmt.Sprintf(c.objective.line, c.rules.Variant().Name, c.rules.FormatFEN(&p))
	value := math.Inf(1)
	for range 3 { // chance must not decide
		o := c.server.measure(c.t, hostileRequest(c.t, line))
		last := c.objective.value(&o)
		if value = min(last, value); last < c.value {
			return
		}
	}
	if c.best.Occupied() == 0 || value >= c.value {
		c.best, c.value = p, value
	}
}

// mutate adds, moves, removes or changes a piece, or the side to move.
func (c *climber) mutate(p *engine.Position) {
	s := engine.Square(c.random.IntN(c.rules.Squares()))
	switch c.random.IntN(10) {
	case 0:
		p.Turn = p.Turn.Opponent()
		return
	case 1, 2:
		lift(p, s)
		return
	case 3, 4, 5: // to another square
		if occupied := p.Occupied(); occupied != 0 {
			from := pick(occupied, c.random)
			for k := range 2 {
				if p.Men[k].Has(from) || p.Kings[k].Has(from) {
					king := p.Kings[k].Has(from)
					lift(p, from)
					lift(p, s)
					put(c.rules, p, s, engine.Color(k), king)
				}
			}
		}
		return
	}
	lift(p, s)
	put(c.rules, p, s, engine.Color(c.random.IntN(2)), c.random.IntN(2) == 0)
}

func pick(set engine.Bits, random *rand.Rand) engine.Square {
	for n := random.IntN(set.Count()); n > 0; n-- {
		set &= set - 1
	}
	return set.First()
}

func lift(p *engine.Position, s engine.Square) {
	for c := range 2 {
		p.Men[c] &^= s.Bit()
		p.Kings[c] &^= s.Bit()
	}
}

// put places a piece on a free square; a man on its crowning row is a king.
func put(r *engine.Rules, p *engine.Position, s engine.Square, c engine.Color, king bool) {
	if king || !r.MenSquares(c).Has(s) {
		p.Kings[c] |= s.Bit()
	} else {
		p.Men[c] |= s.Bit()
	}
}

func (c *climber) fen() string { return c.rules.FormatFEN(&c.best) }

// requests sends the best position to every route.
func (c *climber) requests() []string {
	name, fen := c.rules.Variant().Name, c.fen()
	own := fmt.Sprintf(strings.NewReplacer("batch 10 ", "batch 1000 ", "batch 20 ", "batch 1000 ", " 1000 tangle", " 5000 tangle", " 400 tangle", " 5000 tangle", " 100 tangle", " 5000 tangle").Replace(c.objective.line), name, fen)
	lines := []string{own}
	for _, form := range []string{
		"POST /v1/%s/batch batch 1000 false %s", "POST /v1/%s/batch batch 1000 true %s", "GET /v1/%s?fen=%s",
		"POST /v1/%s/game walk json 5000 tangle 7 %s", "GET /v1/%s/mainline?max=1000&fen=%s",
		"POST /v1/%s/game walk pdn 5000 king 3 %s",
	} {
		if line := fmt.Sprintf(form, name, fen); line != own {
			lines = append(lines, line)
		}
	}
	return lines
}
