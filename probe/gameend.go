package probe

import "dambase/engine"

// claims lists the draws that can be claimed now.
func (g *game) claims() []string {
	out := []string{}
	for _, d := range g.rules.Variant().Draws {
		if !d.Claim {
			continue
		}
		var value engine.Plies
		switch d.Kind {
		case engine.KingMoves:
			value = g.counters.KingMoves
		case engine.GameLength:
			value = g.ply
		case engine.Repetition:
			value = engine.Plies(g.seen[g.position])
		}
		if value >= d.Limit {
			out = append(out, string(d.Kind))
		}
	}
	return out
}

// end gives the game its result if the position after a ply ends it by itself.
func (g *game) end(ply int) {
	if g.out.Result != nil {
		return
	}
	g.findEnd()
	if g.out.Result != nil {
		g.out.EndedAt = &ply
	}
}

func (g *game) findEnd() {
	p := &g.position
	switch {
	case p.Side(p.Turn) == 0:
		g.finish(p.Turn.Opponent().String(), "no-pieces")
		return
	case !g.rules.HasMove(p):
		g.finish(p.Turn.Opponent().String(), "no-moves")
		return
	}
	if name := g.rules.Drawn(p, g.counters); name == string(engine.KingMoves) {
		g.finish("draw", name)
		return
	} else if name != "" {
		g.finish("draw", "situation "+name)
		return
	}
	if limit := g.rules.GameLengthLimit(); limit > 0 && g.ply >= limit {
		g.finish("draw", string(engine.GameLength))
		return
	}
	for _, d := range g.rules.Variant().Draws {
		if d.Kind == engine.Repetition && !d.Claim && g.seen[*p] >= int(d.Limit) {
			g.finish("draw", string(engine.Repetition))
			return
		}
	}
}

func (g *game) finish(result, reason string) {
	g.out.Result, g.out.Reason = &result, &reason
}

// fallFlag ends a game whose player to move, or the other one, ran out of time.
func (g *game) fallFlag(flag string) {
	if flag == "" || g.out.Result != nil {
		return
	}
	ply := len(g.out.Plies)
	g.out.EndedAt = &ply
	for _, d := range g.rules.Variant().Draws {
		if d.FlagDraw && g.seen[g.position] >= int(d.Limit) {
			g.finish("draw", string(engine.Repetition))
			return
		}
	}
	winner := engine.White
	if flag == "white" {
		winner = engine.Black
	}
	g.finish(winner.String(), "flag")
}
