package engine

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
)

// describeGames writes games as testdata/pdn.txt does.
func describeGames(games []PDNGame) string {
	var out []string
	for _, g := range games {
		var parts []string
		for _, name := range slices.Sorted(maps.Keys(g.Tags)) {
			parts = append(parts, fmt.Sprintf("[%s %s]", name, g.Tags[name]))
		}
		for _, part := range []string{strings.Join(g.Moves, ","), g.Result} {
			if part != "" {
				parts = append(parts, part)
			}
		}
		out = append(out, strings.Join(parts, " "))
	}
	return strings.Join(out, " / ")
}

// unescape turns the escapes of testdata/pdn.txt into what they stand for.
var unescape = strings.NewReplacer(`\n`, "\n", `\r`, "\r", `\ufeff`, "\ufeff")

// TestPDNGames runs testdata/pdn.txt.
func TestPDNGames(t *testing.T) {
	for _, line := range dataLines(t, "pdn.txt") {
		field := fields(line+" ", 2)
		games, err := ParsePDNGames(unescape.Replace(field[0]))
		checkText(t, line, describeGames(games), err, ErrPDN, strings.TrimSpace(field[1]))
	}
}

// TestOneGame: ParsePDN takes a text of one game alone.
func TestOneGame(t *testing.T) {
	g, err := ParsePDN("[GameType \"20,W,10,10,N2,0\"]\n[FEN \"W:W32:BK5\"]\n1. 32-28 2-0")
	if err != nil || g.GameType() != 20 || g.FEN() != "W:W32:BK5" || g.Result != "2-0" || len(g.Moves) != 1 {
		t.Errorf("game %+v, error %v", g, err)
	}
	if _, err := ParsePDN("1. 32-28 2-0 1. 32-28 *"); !errors.Is(err, ErrSeveralGames) || !errors.Is(err, ErrPDN) || !strings.Contains(err.Error(), "one of 2") {
		t.Errorf("two games: error %v", err)
	}
	if g, err := ParsePDN(" {nothing} "); err != nil || len(g.Moves) != 0 {
		t.Errorf("no game: %+v, error %v", g, err)
	}
}

// TestPDNInLinearTime reads a mebibyte of the worst.
func TestPDNInLinearTime(t *testing.T) {
	for _, part := range []string{
		"(", ")", "{", "}", "{}", "[", "]", `"`, `[a "`, `"]`, "1", "1 ", "1  -  ", "1.", "1-1 ", "1-", "32-28 ", "a1", "a1 ", "x", "*", "* ", ";", "%", ";\n", "%\n",
		"!", "$", "$1", "/", "\\", "½", "½-", ".", "…", "\n", "\r", " ", "\ufeff", "\xff", "(;", "({", "()", "(%\n", "1/2-", "1111 ", "-", "0 - 0 ",
	} {
		text := strings.Repeat(part, 1<<20/len(part))
		for _, text := range []string{text, "32-28 " + text, `[a "` + text, "(" + text, "{" + text} {
			start := time.Now()
			_, err := ParsePDN(text)
			if took := time.Since(start); took > 2*time.Second {
				t.Errorf("%.20q… took %v", text, took)
			}
			if err != nil && len(err.Error()) > 400 {
				t.Errorf("%.20q…: an error of %d bytes", text, len(err.Error()))
			}
		}
	}
	var tags strings.Builder
	for i := 0; tags.Len() < 1<<20; i++ {
		fmt.Fprintf(&tags, `[t%d ""]`, i)
	}
	start := time.Now()
	if _, err := ParsePDN(tags.String()); err != nil || time.Since(start) > 2*time.Second {
		t.Errorf("tags: error %v after %v", err, time.Since(start))
	}
}

// writePDN writes games as plainly as PDN can.
func writePDN(games []PDNGame) string {
	var out strings.Builder
	escape := strings.NewReplacer(`\`, `\\`, `"`, `\"`)
	for _, g := range games {
		for _, name := range slices.Sorted(maps.Keys(g.Tags)) {
			fmt.Fprintf(&out, "[%s \"%s\"]\n", name, escape.Replace(g.Tags[name]))
		}
		for _, text := range append(g.Moves, g.Result) {
			out.WriteString(text + "\n")
		}
	}
	return out.String()
}

// FuzzPDN looks for a text that panics, or whose games do not survive being
// written.
func FuzzPDN(f *testing.F) {
	for _, line := range dataLines(f, "pdn.txt") {
		f.Add(unescape.Replace(fields(line+" ", 2)[0]))
	}
	f.Fuzz(func(t *testing.T, text string) {
		games, err := ParsePDNGames(text)
		if err != nil {
			if !errors.Is(err, ErrPDN) {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		written := writePDN(games)
		again, err := ParsePDNGames(written)
		if err != nil || describeGames(again) != describeGames(games) {
			t.Fatalf("%q: %s, written %q and read as %s (%v)", text, describeGames(games), written, describeGames(again), err)
		}
	})
}

// TestTooManyGames: a text of results alone is not read to its end.
func TestTooManyGames(t *testing.T) {
	games, err := ParsePDNGames(strings.Repeat("1-0 ", maxGames))
	if err != nil || len(games) != maxGames {
		t.Errorf("%d games, error %v", len(games), err)
	}
	if _, err := ParsePDNGames(strings.Repeat("1-0 ", maxGames+1)); !errors.Is(err, ErrPDN) {
		t.Errorf("one more: error %v", err)
	}
}
