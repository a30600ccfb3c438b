package engine

import (
	"errors"
	"strings"
	"testing"
)

// TestFEN runs testdata/fen.txt.
func TestFEN(t *testing.T) {
	for _, line := range dataLines(t, "fen.txt") {
		field := strings.SplitN(line, "|", 3)
		r, text, want := builtin(t, strings.TrimSpace(field[0])), field[1], strings.TrimSpace(field[2])
		text = strings.TrimPrefix(strings.TrimSuffix(text, " "), " ")
		fen, err := r.ParseFEN(text)
		if part, fails := strings.CutPrefix(want, "! "); fails {
			if !errors.Is(err, ErrFEN) || !strings.Contains(err.Error(), part) {
				t.Errorf("%q: error %v, want %q", text, err, part)
			}
		} else if err != nil {
			t.Errorf("%q: %v", text, err)
		} else if got := r.FormatFEN(&fen.Position); got != want {
			t.Errorf("%q read as %s, want %s", text, got, want)
		}
	}
}

func TestFENHalfmoves(t *testing.T) {
	fen, err := builtin(t, "draughts64").ParseFEN("W:WKe3,Kc7:BKh2:H6:F40")
	if err != nil || fen.Halfmoves == nil || *fen.Halfmoves != 6 {
		t.Errorf("halfmoves %v, error %v, want 6", fen.Halfmoves, err)
	}
}

// FuzzFEN looks for a text that panics, or is read as an illegal position, or
// does not survive being printed.
func FuzzFEN(f *testing.F) {
	for _, line := range dataLines(f, "fen.txt") {
		f.Add(strings.TrimSpace(strings.SplitN(line, "|", 3)[1]))
	}
	rules := []*Rules{builtin(f, "english"), builtin(f, "russian"), builtin(f, "spanish"), builtin(f, "international")}
	f.Fuzz(func(t *testing.T, text string) {
		for _, r := range rules {
			p, err := r.ParsePosition(text)
			if err != nil {
				continue
			}
			if err := r.Check(&p); err != nil {
				t.Fatalf("%q accepted: %v", text, err)
			}
			if q, err := r.ParsePosition(r.FormatFEN(&p)); err != nil || q != p {
				t.Fatalf("%q printed as %s, read as %v (%v)", text, r.FormatFEN(&p), q, err)
			}
		}
	})
}

// FuzzMove looks for a text that panics or is read as an illegal move.
func FuzzMove(f *testing.F) {
	for _, text := range []string{"a3-b4", "a3:c5", "1x2x3", "", "-", "x", ":::", "a1-", "33-29", "a3xb4-c5"} {
		f.Add(text)
	}
	r := builtin(f, "russian")
	var positions []Position
	for _, fen := range []string{"W:WKa1,Kh4:Bb6,d4,f6,e7", "W:Wa3,c3:Bb4,d4", "B:WKh2:BKa7,b6"} {
		p, err := r.ParsePosition(fen)
		if err != nil {
			f.Fatal(err)
		}
		positions = append(positions, p)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, p := range positions {
			m, err := r.ParseMove(&p, text)
			if err != nil {
				if !errors.Is(err, ErrMove) {
					t.Fatalf("%q: %v", text, err)
				}
				continue
			}
			legal := false
			for _, l := range r.Moves(nil, &p) {
				legal = legal || l == m
			}
			if !legal {
				t.Fatalf("%q read as %s", text, describe(m))
			}
		}
	})
}
