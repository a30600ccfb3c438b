package retro

import (
	"context"
	"runtime"
	"testing"

	"dambase/engine"
	"dambase/index"

	"golang.org/x/sync/errgroup"
)

// A brute solves positions together with their counters, every state by
// itself: it knows the rules of counting from the engine and nothing of
// binding counters, planes or distances. A king's quiet move counts one more,
// a man's move advances, so no state can recur; states are decided from the
// most advanced men and the highest king-moves counter down.
type brute struct {
	rules  *engine.Rules
	slices map[index.Slice]*bruteSlice
	list   []*bruteSlice
	limit  int // of king-moves
	states []index.WLD
}

// bruteSlice is a slice: the number of each position's first state, and the
// situation that it is in, 1 + its number among the rules', 0 for none.
type bruteSlice struct {
	n         *index.Numbering
	place     uint8 // in the list, 1 being the first
	first     []uint32
	situation []uint8
}

// bruteMove is a move as seen from its position.
type bruteMove struct {
	position uint32
	slice    uint8 // its place in the list, 1 being the first; 0: the opponent has no piece left
	quiet    bool  // a quiet king move
}

func newBrute(t testing.TB, r *engine.Rules) *brute {
	t.Helper()
	return &brute{rules: r, slices: map[index.Slice]*bruteSlice{}, limit: int(r.KingMovesLimit())}
}

// situationLimit is the limit of a situation by its number, 0 for none.
func (b *brute) situationLimit(number uint8) int {
	if number == 0 {
		return 0
	}
	return int(b.rules.Situations()[number-1].Limit)
}

// fixed reports whether a situation is entered by captures and promotions
// alone, so that its counter is never below king-moves.
func (b *brute) fixed(number uint8) bool {
	return number != 0 && !b.rules.Situations()[number-1].DependsOnSquare
}

// state returns a state of a position.
func (b *brute) state(s *bruteSlice, position uint32, kingMoves, situation int) *index.WLD {
	first := int(s.first[position])
	if b.fixed(s.situation[position]) {
		return &b.states[first+situation*(situation+1)/2+kingMoves]
	}
	return &b.states[first+situation*(b.limit+1)+kingMoves]
}

func (b *brute) add(t testing.TB, slice index.Slice) {
	t.Helper()
	n, err := index.NewNumbering(b.rules, slice)
	if err != nil {
		t.Fatal(err)
	}
	s := &bruteSlice{n: n, place: uint8(len(b.list) + 1)}
	b.slices[slice] = s
	b.list = append(b.list, s)
	next := len(b.states)
	for i := range n.Size() {
		p := n.Position(i)
		number := uint8(0)
		for k := range b.rules.Situations() {
			if b.rules.Situations()[k].Holds(&p) {
				number = uint8(k + 1)
			}
		}
		s.first = append(s.first, uint32(next))
		s.situation = append(s.situation, number)
		if limit := b.situationLimit(number); b.fixed(number) {
			next += (limit + 1) * (limit + 2) / 2
		} else {
			next += (limit + 1) * (b.limit + 1)
		}
	}
	b.states = append(b.states, make([]index.WLD, next-len(b.states))...)
}

// moves lists the moves of a position.
func (b *brute) moves(p *engine.Position) []bruteMove {
	var out []bruteMove
	for _, m := range b.rules.Moves(nil, p) {
		q := b.rules.Flip(b.rules.Play(p, m))
		if q.Side(engine.White) == 0 {
			out = append(out, bruteMove{})
			continue
		}
		s := b.slices[index.SliceOf(&q)]
		out = append(out, bruteMove{uint32(s.n.Index(&q)), s.place, m.Captured == 0 && p.Kings[engine.White].Has(m.From)})
	}
	return out
}

// solve decides all states of a pair whose smaller slices are solved.
func (b *brute) solve(t testing.TB, pair index.Pair) {
	t.Helper()
	type place struct {
		slice    *bruteSlice
		position uint32
		moves    []bruteMove
	}
	byAdvance := map[int][]place{}
	farthest := 0
	for _, slice := range pair.Slices() {
		b.add(t, slice)
	}
	for _, slice := range pair.Slices() {
		s := b.slices[slice]
		for i := range s.n.Size() {
			p := s.n.Position(i)
			rows := 0
			for men := p.Men[engine.White]; men != 0; men &= men - 1 {
				rows += b.rules.Variant().Rows - 1 - b.rules.Row(men.First())
			}
			for men := p.Men[engine.Black]; men != 0; men &= men - 1 {
				rows += b.rules.Row(men.First())
			}
			byAdvance[rows] = append(byAdvance[rows], place{s, uint32(i), b.moves(&p)})
			farthest = max(farthest, rows)
		}
	}
	for rows := farthest; rows >= 0; rows-- {
		places := byAdvance[rows]
		for kingMoves := b.limit; kingMoves >= 0; kingMoves-- {
			var g errgroup.Group
			const stretch = 4096
			for start := 0; start < len(places); start += stretch {
				g.Go(func() error {
					for _, x := range places[start:min(start+stretch, len(places))] {
						number := x.slice.situation[x.position]
						for situation := b.situationLimit(number); situation >= 0; situation-- {
							if b.fixed(number) && kingMoves > situation {
								break
							}
							*b.state(x.slice, x.position, kingMoves, situation) = b.decide(x.slice, x.position, x.moves, kingMoves, situation)
						}
					}
					return nil
				})
			}
			if err := g.Wait(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// decide returns the result of one state.
func (b *brute) decide(s *bruteSlice, position uint32, moves []bruteMove, kingMoves, situation int) index.WLD {
	if len(moves) == 0 {
		return index.Loss
	}
	number := s.situation[position]
	if kingMoves == b.limit || number != 0 && situation == b.situationLimit(number) {
		return index.Draw
	}
	best := index.Loss
	for _, m := range moves {
		child := index.Loss
		if m.slice != 0 {
			to := b.list[m.slice-1]
			nextKing, nextSituation := 0, 0
			if m.quiet {
				nextKing = kingMoves + 1
			}
			if number != 0 && to.situation[m.position] == number {
				nextSituation = situation + 1
			}
			child = *b.state(to, m.position, nextKing, nextSituation)
		}
		switch child {
		case index.Loss:
			return index.Win
		case index.Draw:
			best = index.Draw
		}
	}
	return best
}

// compare checks every state of a slice that counters can name against ruled values.
func (b *brute) compare(t *testing.T, slice index.Slice, ruled *index.Values) {
	t.Helper()
	s := b.slices[slice]
	for i := range s.n.Size() {
		p := s.n.Position(i)
		number := s.situation[i]
		fixed := b.fixed(number)
		for situation := range b.situationLimit(number) + 1 {
			for kingMoves := range b.limit + 1 {
				if fixed && kingMoves > situation {
					break
				}
				want := *b.state(s, uint32(i), kingMoves, situation)
				got := b.fromTable(s, i, &p, ruled, kingMoves, situation)
				if got != want {
					t.Fatalf("%s %s kingmoves %d situation %d: %s, want %s", slice, b.rules.FormatFEN(&p), kingMoves, situation, got, want)
				}
			}
		}
	}
}

// fromTable reads a result as docs/format.md says.
func (b *brute) fromTable(s *bruteSlice, i uint64, p *engine.Position, ruled *index.Values, kingMoves, situation int) index.WLD {
	plane, counter, limit := 0, kingMoves, b.limit
	if number := s.situation[i]; b.fixed(number) {
		counter, limit = situation, b.situationLimit(number)
	} else if number != 0 {
		plane = situation
		if plane == b.situationLimit(number) && b.rules.HasMove(p) {
			return index.Draw
		} else if plane == b.situationLimit(number) {
			return index.Loss
		}
	}
	entry := index.Ruled(ruled.At(uint64(plane)*s.n.Size() + i))
	if entry == index.RuledDraw || counter+int(entry.Distance()) > limit {
		return index.Draw
	}
	return entry.WLD()
}

// TestRuledEqualsBruteForce compares the ruled solver with the brute one on
// every position and every value of the counters.
func TestRuledEqualsBruteForce(t *testing.T) {
	lone := func(strong ...string) []string {
		var out []string
		for _, s := range strong {
			out = append(out, s+"01", s+"10")
		}
		return out
	}
	for _, c := range []struct {
		variant string
		pieces  int
		more    []string
	}{
		{"draughts64", 3, lone("03", "12", "21", "30")},
		{"draughts64-optional", 3, nil},
		{"italian", 3, nil},
		{"russian", 3, []string{"0301"}},
		{"brazilian", 3, nil},
		{"international", 3, nil},
	} {
		t.Run(c.variant, func(t *testing.T) {
			t.Parallel()
			if testing.Short() { // for the race detector
				c.pieces, c.more = 2, nil
			}
			compareBruteForce(t, rules(t, c.variant), c.pieces, c.more)
		})
	}
}

// TestRuledShortSituation has a situation that depends on a square and lasts
// one ply, so that a position has a single plane.
func TestRuledShortSituation(t *testing.T) {
	v := rules(t, "brazilian").Variant()
	v.Draws = []engine.DrawRule{
		{Kind: engine.KingMoves, Limit: 12},
		{
			Kind: engine.SituationRule, Name: "X", Limit: 1, When: []string{"KK v K", "K v K"},
			LoneKingOn: []string{"a1", "b2", "c3", "d4", "e5", "f6", "g7", "h8"},
		},
	}
	compareBruteForce(t, engine.MustCompile(v), 3, nil)
}

// TestRuledThreeKings is three kings against one under the counters of
// international draughts, 32 plies: by brute force on 8x8, and on 10x10, where
// the states would take a gigabyte and minutes, by the forward proof under
// explicit counters.
func TestRuledThreeKings(t *testing.T) {
	t.Parallel() // brute force works on one core
	international := rules(t, "international")
	slice := index.NewSlice(0, 3, 0, 1)
	store := newMapStore()
	task := BuildTask{
		Rules: international, Wanted: []index.Slice{slice}, Metrics: index.Metrics, Workers: runtime.NumCPU(),
		Memory: 1 << 30, Reader: store, Writer: store,
	}
	if err := Build(context.Background(), task); err != nil {
		t.Fatal(err)
	}
	sample := 100
	if testing.Short() {
		sample = 10
	}
	for _, s := range index.PairOf(slice).Slices() {
		verify := VerifyTask{Rules: international, Reader: store, Workers: task.Workers, Sample: sample}
		if verdict, err := Verify(context.Background(), verify, s, index.Metrics...); err != nil || verdict.Positions < 4000*uint64(sample) {
			t.Errorf("%s: verdict %+v, error %v", s, verdict, err)
		}
	}
	if testing.Short() {
		return
	}
	small := rules(t, "brazilian").Variant()
	small.Draws = international.Variant().Draws
	compareBruteForce(t, engine.MustCompile(small), 2, []string{slice.String()})
}

func compareBruteForce(t *testing.T, r *engine.Rules, pieces int, more []string) {
	b := newBrute(t, r)
	ruled := map[index.Slice]*index.Values{}
	for _, pair := range index.UpTo(pieces) {
		solveBoth(t, b, pair, ruled)
	}
	var wanted []index.Slice
	for _, text := range more {
		s, err := index.ParseSlice(text)
		if err != nil {
			t.Fatal(err)
		}
		wanted = append(wanted, s)
	}
	for _, pair := range index.Closure(wanted) {
		if pair[0].Pieces() > pieces {
			solveBoth(t, b, pair, ruled)
		}
	}
}

// solveBoth solves a pair both ways and compares.
func solveBoth(t *testing.T, b *brute, pair index.Pair, ruled map[index.Slice]*index.Values) {
	t.Helper()
	b.solve(t, pair)
	task := Task{Rules: b.rules, Pair: pair, Finished: ruled, Ruled: true, Workers: runtime.NumCPU()}
	solution, err := Solve(context.Background(), task)
	if err != nil {
		t.Fatal(err)
	}
	for i, slice := range pair.Slices() {
		ruled[slice] = solution[i]
		b.compare(t, slice, solution[i])
	}
}
