package main

import (
	"math/rand/v2"

	"dambase/engine"
)

// turkishCrowd is a position whose captures took minutes to be found.
const turkishCrowd = "W:WKb3:BKc1,Kf1,b2,d2,c3,f3,a4,b4,e4,g4,h4,d5,c6,f6,d7,c8"

// patterns are boards to start a search from: pieces with gaps between them
// that kings can jump, and crowds.
func patterns(r *engine.Rules, random *rand.Rand) []engine.Position {
	var out []engine.Position
	if p, err := r.ParsePosition(turkishCrowd); err == nil && r.Squares() == 64 {
		out = append(out, p)
	}
	middle := engine.Square(r.Squares() / 2)
	for _, period := range []int{2, 3} {
		for _, rows := range []int{1, 2} {
			for _, kings := range []bool{false, true} { // the opponent's pieces with gaps, and a king of ours
				p := engine.Position{}
				for s := range engine.Square(r.Squares()) {
					if r.Row(s)%2 == 1 && r.Row(s)%rows == 0 && r.Column(s)/rows%period != 0 {
						put(r, &p, s, engine.Black, kings)
					}
				}
				lift(&p, middle)
				put(r, &p, middle, engine.White, true)
				out = append(out, p)
			}
		}
	}
	for _, mix := range []struct{ ours, theirs, kings float64 }{
		{1, 0.05, 1},
		{0.2, 0.02, 1},
		{0.35, 0, 1},
		{0.02, 0.3, 0},
		{0.02, 0.3, 1},
		{0.2, 0.2, 1},
		{0.3, 0.3, 0.5},
		{0.1, 0.1, 1},
		{0.1, 0.4, 0.2},
		{0.45, 0.45, 1},
		{0.9, 0.09, 0},
		{0.04, 0.04, 1},
		{0.15, 0.15, 0},
	} {
		for range 2 {
			p := engine.Position{Turn: engine.Color(random.IntN(2))}
			for s := range engine.Square(r.Squares()) {
				switch x, king := random.Float64(), random.Float64() < mix.kings; {
				case x < mix.ours:
					put(r, &p, s, p.Turn, king)
				case x < mix.ours+mix.theirs:
					put(r, &p, s, p.Turn.Opponent(), king)
				}
			}
			out = append(out, p)
		}
	}
	return out
}
