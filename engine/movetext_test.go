package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// fields splits a line of testdata; one space belongs to each bar.
func fields(line string, n int) []string {
	out := strings.SplitN(line, "|", n)
	for i, f := range out {
		out[i] = strings.TrimPrefix(strings.TrimSuffix(f, " "), " ")
	}
	return out
}

// positionOf reads a position of testdata in the variant's notation.
func positionOf(t testing.TB, r *Rules, text string) Position {
	t.Helper()
	if text = strings.TrimSpace(text); text == "start" {
		return r.Start()
	}
	p, err := r.ParsePosition(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// checkText compares what a text was read as with a line of testdata: the
// text that is expected, or ! and a part of the error.
func checkText(t *testing.T, line, got string, err, kind error, want string) {
	t.Helper()
	if part, fails := strings.CutPrefix(want, "! "); fails {
		if !errors.Is(err, kind) || !strings.Contains(err.Error(), part) {
			t.Errorf("%s\nread as %q, error %v", line, got, err)
		}
	} else if err != nil || got != want {
		t.Errorf("%s\nread as %q, error %v", line, got, err)
	}
}

// TestMoveText runs testdata/moves.txt.
func TestMoveText(t *testing.T) {
	for _, line := range dataLines(t, "moves.txt") {
		field := fields(line, 4)
		r := builtin(t, field[0])
		p := positionOf(t, r, field[1])
		m, err := r.ParseMove(&p, field[2])
		got := ""
		if err == nil {
			got = r.FormatMove(&p, m)
		}
		checkText(t, line, got, err, ErrMove, field[3])
	}
}

// TestGameMoves runs testdata/gamemoves.txt.
func TestGameMoves(t *testing.T) {
	for _, line := range dataLines(t, "gamemoves.txt") {
		field := fields(line, 4)
		r := builtin(t, field[0])
		p := positionOf(t, r, field[1])
		ways, err := r.ParseMoves(nil, p, strings.Split(field[2], ";"))
		var texts []string
		for _, w := range ways {
			texts = append(texts, r.FormatMove(&p, w.Move))
			p = r.Play(&p, w.Move)
		}
		checkText(t, line, strings.Join(texts, " "), err, ErrMove, field[3])
	}
}

// TestMoveErrorFields: a program finds in the error what a reader finds in its text.
func TestMoveErrorFields(t *testing.T) {
	r := builtin(t, "english")
	_, err := r.ParseMoves(nil, r.Start(), []string{"11-15", "21-16"})
	var e *MoveError
	if !errors.As(err, &e) || e.Ply != 2 || e.Text != "21-16" || !slices.Equal(e.Legal, []string{"21-17"}) {
		t.Errorf("error %#v", err)
	}
	p := positionOf(t, builtin(t, "international"), "W:WK28,K23,K40:B1")
	_, err = builtin(t, "international").ParseMove(&p, "1-7")
	if !errors.As(err, &e) || e.Ply != 0 || len(e.Legal) != 21 || e.Legal[20] != "…" {
		t.Errorf("error %#v", err)
	}
}

// TestEndlessTexts: no text of a move or a position takes long to refuse, or
// fills a screen.
func TestEndlessTexts(t *testing.T) {
	r := builtin(t, "russian")
	p := r.Start()
	for _, part := range []string{
		"1", "1-", "a1", "a1:", " ", "-", "!", "$1", "(!)", "(", ")", "x", "\xff", "\u202e", "½", "K", "1 ", ".", "\x00", "畵", "𝄞",
		":", ",", "W:", "W", "w", "e", "K1,", "1-1,", "31,", `"`, "[", "]", ":H1", ":H", "0", "\ufeff",
	} {
		text := strings.Repeat(part, 1<<18/len(part))
		start := time.Now()
		for _, text := range []string{text, "c3-d4" + text + "z", text + "c3-d4"} {
			if _, err := r.ParseMove(&p, text); err != nil && len(err.Error()) > 600 {
				t.Errorf("%.10q…: an error of %d bytes", text, len(err.Error()))
			}
		}
		for _, text := range []string{text, "W" + text, "W:W" + text, "W:WK" + text, "W:Wa1-" + text, "W:Wa1:B" + text, "W:Wa1:Bb8:H" + text, `[FEN "W:Wa1` + text, `"W:Wa1:Bb8` + text + `"`} {
			if _, err := r.ParsePosition(text); err != nil && len(err.Error()) > 300 {
				t.Errorf("%.10q…: an error of %d bytes: %v", text, len(err.Error()), err)
			}
		}
		if took := time.Since(start); took > 2*time.Second {
			t.Errorf("%.10q… took %v", part, took)
		}
	}
}

// TestLongGame reads more moves than any game has.
func TestLongGame(t *testing.T) {
	r := builtin(t, "russian")
	var texts []string
	for range 1250 {
		texts = append(texts, "a1-b2", "b8-a7", "b2-a1", "a7-b8")
	}
	start := time.Now()
	ways, err := r.ParseMoves(nil, positionOf(t, r, "W:WKa1:BKb8"), texts)
	if took := time.Since(start); err != nil || len(ways) != len(texts) || took > 2*time.Second {
		t.Errorf("%d moves after %v, error %v", len(ways), took, err)
	}
}

// TestManyReadings: a game is refused, not followed for ever, if one of its
// texts fits very many moves, or one after the other fits two. Readings that
// come to the same position stay two games.
func TestManyReadings(t *testing.T) {
	free := builtin(t, "turkish").Variant()
	free.Choice = nil
	again := []string{"c1h6", "a7b8", "h6c1", "b8a7"} // a king's step, or three pieces taken
	for len(again) < 2000 {
		again = append(again, again[:4]...)
	}
	for _, c := range []struct {
		r     *Rules
		fen   string
		texts []string
		want  string
	}{
		{MustCompile(free), crowded[0].fen, []string{"b3xa8", "c1-c2"}, `ply 1: bad move "b3xa8": fits 1441 moves; write one of: `},
		{builtin(t, "brazilian-optional"), "W:WKc1:Bb2,b4,g7,Ka7", again, `ply 1: bad move "c1h6": fits 2 moves`},
		{builtin(t, "brazilian-optional"), "W:WKc1:Bb2,b4,g7,Ka7", append(slices.Clip(again[:1001]), "b4-a3"), "<nil>"},
	} {
		start := time.Now()
		_, err := c.r.ParseMoves(nil, positionOf(t, c.r, c.fen), c.texts)
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%s took %v", c.fen, took)
		}
		if got := fmt.Sprint(err); !strings.HasPrefix(got, c.want) || len(got) > 2000 {
			t.Errorf("%s: error %s", c.fen, got)
		}
	}
}

// TestReadingWithinBudget: what a text costs is bounded.
func TestReadingWithinBudget(t *testing.T) {
	r := builtin(t, crowded[0].variant)
	p := positionOf(t, r, crowded[0].fen)
	for _, text := range []string{"b3xa8", "a1-a2"} {
		if ways, err := r.MatchMoves(NewBudget(context.Background(), 500), &p, text); !errors.Is(err, ErrBudget) || len(ways) > 0 {
			t.Errorf("%s: %d moves, error %v", text, len(ways), err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := r.ParseMoves(NewBudget(ctx, 1000), p, []string{"b3xa8"}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
