package probe

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"dambase/engine"
	"dambase/index"
	"dambase/internal/storetest"
	"dambase/storage"
)

var quiet = slog.New(slog.DiscardHandler)

// built remembers the directories of tables that tests have built.
var built = struct {
	sync.Mutex
	dirs map[string]string
}{dirs: map[string]string{}}

func TestMain(m *testing.M) {
	status := m.Run()
	for _, dir := range built.dirs {
		os.RemoveAll(dir)
	}
	os.Exit(status)
}

// variantDir returns a directory with the tables of a variant up to some
// pieces, which tests share and must not change.
func variantDir(t testing.TB, v engine.Variant, pieces int, metrics ...index.Metric) string {
	t.Helper()
	key := v.Hash() + v.Name + string(rune('0'+pieces))
	for _, m := range metrics {
		key += string(m)
	}
	built.Lock()
	defer built.Unlock()
	if dir, ok := built.dirs[key]; ok {
		return dir
	}
	dir, err := os.MkdirTemp("", "dambase-probe-")
	if err != nil {
		t.Fatal(err)
	}
	built.dirs[key] = dir
	storetest.Build(t, dir, v, pieces, metrics...)
	return dir
}

func newWork() *Work { return NewWork(context.Background()) }

func builtin(t testing.TB, name string) engine.Variant {
	t.Helper()
	v, ok := engine.Builtin(name)
	if !ok {
		t.Fatalf("no variant %s", name)
	}
	return v
}

// open opens the tables of a built-in variant up to some pieces.
func open(t testing.TB, name string, pieces int, metrics ...index.Metric) *Tables {
	t.Helper()
	v := builtin(t, name)
	if len(metrics) == 0 {
		metrics = []index.Metric{index.MetricWLD, index.MetricDTW}
		if engine.MustCompile(v).HasCounters() {
			metrics = index.Metrics
		}
	}
	tables, err := Open(variantDir(t, v, pieces, metrics...), Options{Variant: v, Logger: quiet})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := tables.Close(); err != nil {
			t.Error(err)
		}
	})
	return tables
}

func position(t testing.TB, r *engine.Rules, fen string) engine.Position {
	t.Helper()
	p, err := r.ParsePosition(fen)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// eachPosition calls f with every position of up to some pieces, both sides to
// move, every step-th of them.
func eachPosition(t testing.TB, r *engine.Rules, pieces int, step uint64, f func(p engine.Position)) {
	t.Helper()
	for _, pair := range index.UpTo(pieces) {
		for _, s := range pair.Slices() {
			n, err := index.NewNumbering(r, s)
			if err != nil {
				t.Fatal(err)
			}
			for i := uint64(0); i < n.Size(); i += step {
				p := n.Position(i)
				f(p)
				f(r.Flip(p))
			}
		}
	}
}

// TestRootAgreesWithMoves checks on whole slices, captures and both sides to
// move included, that a position's verdict is the minimax of its moves', that a
// probe without moves says the same, and the parity of distances.
func TestRootAgreesWithMoves(t *testing.T) {
	for _, name := range []string{"english", "russian", "italian", "thai", "turkish", "draughts64", "czech-optional"} {
		tables := open(t, name, 3)
		r := tables.Rules()
		eachPosition(t, r, 3, 7, func(p engine.Position) {
			root, moves := searched(t, tables, &Query{Position: p})
			alone, err := tables.Probe(p, engine.Counters{})
			if err != nil || alone.WLD != root.WLD || alone.DTW != root.DTW || alone.DTZ != root.DTZ || alone.Category != root.Category {
				t.Fatalf("%s %s: %+v with moves, %+v without (%v)", name, r.FormatFEN(&p), root, alone, err)
			}
			checkMinimax(t, r, &p, root, moves)
		})
	}
}

// searched judges a position by its moves alone.
func searched(t testing.TB, tables *Tables, q *Query) (Result, []MoveResult) {
	t.Helper()
	w := newWork()
	if err := w.ask(&q.Position); err != nil {
		t.Fatal(err)
	}
	root, moves, err := tables.search(w, q, true)
	if err != nil {
		t.Fatal(err)
	}
	return root, moves
}

// checkMinimax recomputes a root from its moves in the plainest way.
func checkMinimax(t *testing.T, r *engine.Rules, p *engine.Position, root Result, moves []MoveResult) {
	t.Helper()
	wld, dtw := Loss, engine.Plies(0)
	for i, m := range moves {
		d, known := m.Result.DTW.Plies()
		if (m.Result.WLD == Win || m.Result.WLD == Loss) != known || m.Result.WLD == Unknown {
			t.Fatalf("%s: after %s %+v", r.FormatFEN(p), r.FormatMove(p, m.Move), m.Result)
		}
		switch {
		case m.Result.WLD == Loss && (wld != Win || -d+1 < dtw):
			wld, dtw = Win, -d+1
		case m.Result.WLD == Draw && wld == Loss:
			wld, dtw = Draw, 0
		case m.Result.WLD == Win && wld == Loss:
			dtw = min(dtw, -d-1)
		}
		if i > 0 && compareMoves(&moves[i-1].Result, &m.Result) > 0 {
			t.Fatalf("%s: moves out of order", r.FormatFEN(p))
		}
	}
	got, known := root.DTW.Plies()
	if root.WLD != wld || got != dtw || known != (wld != Draw) {
		t.Fatalf("%s: %s %s, its moves give %s %d", r.FormatFEN(p), root.WLD, root.DTW, wld, dtw)
	}
	if wld == Win && got%2 == 0 || wld == Loss && got%2 != 0 {
		t.Fatalf("%s: a %s in %d", r.FormatFEN(p), wld, got)
	}
	if root.GameOver != (len(moves) == 0) {
		t.Fatalf("%s: %d moves, game over %v", r.FormatFEN(p), len(moves), root.GameOver)
	}
}

// TestProbe runs single positions.
func TestProbe(t *testing.T) {
	for _, c := range []struct {
		variant, fen string
		wld          WLD
		dtw          string
		missing      string
	}{
		{"english", "W:WK1:BK32", Draw, "-", ""},
		{"english", "W:WK1:B", Win, "1", ""},
		{"english", "W:W:BK32", Loss, "0", ""},
		{"english", "B:WK1:B", Loss, "0", ""},
		{"english", "W:W32:BK1,K2,K3", Unknown, "-", "1003"},
		{"english", "B:W32:BK1,K2,K3", Unknown, "-", "0310"},
		{"english", "W:W32:BK27,K23,K28", Loss, "0", ""}, // blocked
		{"english", "W:W21:B17,14,1", Loss, "0", ""},
		// Four pieces, but a forced capture leads to three.
		{"english", "W:W22:B18,1,2", Loss, "-4", ""},
		{"english", "B:W22,30,31:B18", Loss, "-2", ""},
	} {
		tables := open(t, c.variant, 3)
		p := position(t, tables.Rules(), c.fen)
		r, err := tables.Probe(p, engine.Counters{})
		if err != nil {
			t.Fatal(err)
		}
		missing := ""
		if r.Missing != (index.Slice{}) {
			missing = r.Missing.String()
		}
		if r.WLD != c.wld || r.DTW.String() != c.dtw || missing != c.missing {
			t.Errorf("%s %s: %s %s, missing %q; want %s %s, %q", c.variant, c.fen, r.WLD, r.DTW, missing, c.wld, c.dtw, c.missing)
		}
	}
}

// TestCaptureOutsideTables probes positions of four pieces with only three in
// the tables: where a capture is forced, they are known all the same.
func TestCaptureOutsideTables(t *testing.T) {
	three, four := open(t, "russian", 3), open(t, "russian", 4)
	r := three.Rules()
	known, unknown := 0, 0
	eachPosition(t, r, 4, 1009, func(p engine.Position) {
		got, err := three.Probe(p, engine.Counters{})
		if err != nil {
			t.Fatal(err)
		}
		want, err := four.Probe(p, engine.Counters{})
		if err != nil {
			t.Fatal(err)
		}
		if got.WLD == Unknown {
			unknown++
			if got.Missing.Pieces() != 4 || r.HasCapture(&p) {
				t.Fatalf("%s: unknown, missing %s", r.FormatFEN(&p), got.Missing)
			}
			return
		}
		known++
		// A win is known if one move wins, its distance if all moves are known.
		if got.WLD != want.WLD || got.DTW.known && got.DTW != want.DTW || !got.DTW.known && got.WLD == Loss {
			t.Fatalf("%s: %s %s with three pieces, %s %s with four", r.FormatFEN(&p), got.WLD, got.DTW, want.WLD, want.DTW)
		}
	})
	if known < 1000 || unknown < 1000 {
		t.Errorf("%d known, %d unknown", known, unknown)
	}
}

// TestWithoutDistances probes wld tables alone.
func TestWithoutDistances(t *testing.T) {
	results, distances := open(t, "english", 3, index.MetricWLD), open(t, "english", 3)
	eachPosition(t, results.Rules(), 3, 11, func(p engine.Position) {
		got, err := results.Probe(p, engine.Counters{})
		if err != nil {
			t.Fatal(err)
		}
		want, err := distances.Probe(p, engine.Counters{})
		if err != nil {
			t.Fatal(err)
		}
		if got.WLD != want.WLD || got.Category != want.Category {
			t.Fatalf("%s: %s, want %s", results.Rules().FormatFEN(&p), got.WLD, want.WLD)
		}
		if d, known := got.DTW.Plies(); known && got.DTW != want.DTW {
			t.Fatalf("%s: dtw %d from wld tables, want %s", results.Rules().FormatFEN(&p), d, want.DTW)
		}
	})
}

// TestManyExchanges probes positions whose exchanges would take for ever to
// search: the answer is unknown, and soon.
func TestManyExchanges(t *testing.T) {
	tables := open(t, "turkish", 2)
	p := position(t, tables.Rules(), "W:Wb2,f2,b3,f3,b4,f4,b5,f5,b6,f6,b7,f7:Bc2,g2,c3,g3,c4,g4,c5,g5,c6,g6,c7,g7")
	a, err := tables.Answer(newWork(), Query{Position: p}, true)
	if err != nil || a.Category != CategoryUnknown || len(a.Moves) == 0 {
		t.Errorf("%+v, error %v", a, err)
	}
}

// TestOnlyAmongUnknown must not call a move the only one while others are unknown.
func TestOnlyAmongUnknown(t *testing.T) {
	tables := open(t, "russian", 3)
	p := position(t, tables.Rules(), "B:Wd6:Bh8,f6,f8")
	a, err := tables.Answer(newWork(), Query{Position: p}, true)
	if err != nil || a.Category != CategoryWin {
		t.Fatalf("%+v, error %v", a, err)
	}
	for _, m := range a.Moves {
		if m.Only {
			t.Errorf("%s is called the only move", m.Move)
		}
	}
}

// TestSituationWithoutKingMoves has a rule that no table treats: what no
// counter can touch is known all the same.
func TestSituationWithoutKingMoves(t *testing.T) {
	v := builtin(t, "brazilian")
	v.Draws = []engine.DrawRule{{Kind: engine.SituationRule, Name: "X", Limit: 9, When: []string{"KK v K"}}}
	tables, err := New(nil, engine.MustCompile(v))
	if err != nil {
		t.Fatal(err)
	}
	for _, fen := range []string{"W:WKa1:B", "W:WKa1:Bc3"} {
		if r, err := tables.Probe(position(t, tables.Rules(), fen), engine.Counters{}); err != nil || r.Category != CategoryWin {
			t.Errorf("%s: %+v, error %v", fen, r, err)
		}
	}
}

func TestNoAllocation(t *testing.T) {
	tables := open(t, "brazilian", 3)
	quietPosition := position(t, tables.Rules(), "W:Wa1,Kc1:BKh8")
	capture := position(t, tables.Rules(), "W:Wc3,Kc1:Bd4")
	for _, p := range []engine.Position{quietPosition, capture} {
		if n := testing.AllocsPerRun(100, func() {
			if _, err := tables.Probe(p, engine.Counters{}); err != nil {
				t.Fatal(err)
			}
		}); n != 0 {
			t.Errorf("%s: a cached probe allocates %v times", tables.Rules().FormatFEN(&p), n)
		}
	}
}

// TestDamage damages the sstables: a probe is right or a CorruptError.
func TestDamage(t *testing.T) {
	v := builtin(t, "english")
	from := variantDir(t, v, 2, index.MetricWLD, index.MetricDTW)
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "store", "*.sst"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text[20] ^= 16
		if err := os.WriteFile(name, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	tables, err := Open(dir, Options{Variant: v, Logger: quiet})
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	p := position(t, tables.Rules(), "W:WK1:BK32")
	var damage *storage.CorruptError
	if _, err := tables.Probe(p, engine.Counters{}); !errors.As(err, &damage) {
		t.Errorf("error %v", err)
	}
}

func TestLine(t *testing.T) {
	tables := open(t, "english", 3)
	r := tables.Rules()
	for _, fen := range []string{"W:WK30,22:BK5", "B:WK30,22:BK5", "B:WK1,K2:BK32"} {
		p := position(t, r, fen)
		root, err := tables.Probe(p, engine.Counters{})
		if err != nil {
			t.Fatal(err)
		}
		line, err := tables.Line(newWork(), Query{Position: p}, 300)
		if err != nil {
			t.Fatal(err)
		}
		if line.Winner == nil || *line.Winner != "white" || len(line.Moves) != int(root.DTW.abs()) {
			t.Errorf("%s: %d moves, winner %v, dtw %s", fen, len(line.Moves), line.Winner, root.DTW)
		}
	}
	if line, err := tables.Line(newWork(), Query{Position: position(t, r, "W:WK1:BK32")}, 300); err != nil || line.Winner != nil || len(line.Moves) != 0 {
		t.Errorf("a draw: line %+v, error %v", line, err)
	}
}

func TestOtherRules(t *testing.T) {
	v := builtin(t, "english")
	dir := variantDir(t, v, 2, index.MetricWLD, index.MetricDTW)
	v.MenCapture = "forward-backward"
	if _, err := Open(dir, Options{Variant: v, Logger: quiet}); !errors.Is(err, storage.ErrRules) {
		t.Errorf("error %v", err)
	}
}

func BenchmarkProbe(b *testing.B) {
	for _, name := range []string{"english", "brazilian"} {
		tables := open(b, name, 4)
		var positions []engine.Position
		eachPosition(b, tables.Rules(), 4, 997, func(p engine.Position) { positions = append(positions, p) })
		b.Run(name, func(b *testing.B) {
			for i := range b.N {
				if _, err := tables.Probe(positions[i%len(positions)], engine.Counters{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
