package engine

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// ErrPDN is wrapped by errors about the text of a game.
var ErrPDN = errors.New("bad PDN")

// A PDNGame is a game as read from PDN: its tags and the text of its moves.
type PDNGame struct {
	Tags  map[string]string
	Moves []string
}

// FEN returns the position that the game starts from, "" for the first of all.
func (g *PDNGame) FEN() string { return g.Tags["FEN"] }

// GameType returns the number of the game's rules, 0 if it is not told.
func (g *PDNGame) GameType() int {
	number, _, _ := strings.Cut(g.Tags["GameType"], ",")
	n, err := strconv.Atoi(strings.TrimSpace(number))
	if err != nil {
		return 0
	}
	return n
}

// ParsePDN reads one game. Comments, variations, glyphs, move numbers and the
// result are passed over; the moves are not checked.
func ParsePDN(text string) (PDNGame, error) {
	r := pdnReader{text: text, game: PDNGame{Tags: map[string]string{}}}
	for r.skipSpace(); r.at < len(r.text); r.skipSpace() {
		if err := r.token(); err != nil {
			return PDNGame{}, fmt.Errorf("%w: %w", ErrPDN, err)
		}
	}
	return r.game, nil
}

type pdnReader struct {
	text string
	at   int
	game PDNGame
	// ended tells that the result has been read: it ends the game.
	ended bool
}

func (r *pdnReader) skipSpace() {
	for r.at < len(r.text) && strings.IndexByte(" \t\r\n\ufeff", r.text[r.at]) >= 0 {
		r.at++
	}
}

func (r *pdnReader) token() error {
	switch r.text[r.at] {
	case '[':
		return r.tag()
	case '{':
		return r.skipTo("}")
	case ';', '%':
		if err := r.skipTo("\n"); err != nil {
			r.at = len(r.text)
		}
		return nil
	case '(':
		return r.variation()
	}
	end := r.at
	for end < len(r.text) && strings.IndexByte(" \t\r\n{(;[", r.text[end]) < 0 {
		end++
	}
	if end == r.at {
		return fmt.Errorf("%q at character %d is out of place", r.text[r.at], r.at+1)
	}
	word := r.text[r.at:end]
	if r.ended {
		return fmt.Errorf("%q at character %d comes after the result: want one game", word, r.at+1)
	}
	r.at = end
	r.word(word)
	return nil
}

var tagPair = regexp.MustCompile(`^\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]`)

// tag reads [Name "value"].
func (r *pdnReader) tag() error {
	m := tagPair.FindStringSubmatch(r.text[r.at:])
	if m == nil {
		return fmt.Errorf("tag at character %d: want [Name \"value\"]", r.at+1)
	}
	if _, twice := r.game.Tags[m[1]]; twice {
		return fmt.Errorf("tag %s a second time at character %d", m[1], r.at+1)
	}
	if len(r.game.Moves) > 0 || r.ended {
		return fmt.Errorf("tag %s at character %d comes after moves: want one game", m[1], r.at+1)
	}
	r.game.Tags[m[1]] = m[2]
	r.at += len(m[0])
	return nil
}

func (r *pdnReader) skipTo(end string) error {
	i := strings.Index(r.text[r.at:], end)
	if i < 0 {
		return fmt.Errorf("no %q after character %d", end, r.at+1)
	}
	r.at += i + len(end)
	return nil
}

// variation passes over brackets, which may hold others.
func (r *pdnReader) variation() error {
	start, depth := r.at, 0
	for ; r.at < len(r.text); r.at++ {
		switch r.text[r.at] {
		case '{':
			if err := r.skipTo("}"); err != nil {
				return err
			}
			r.at-- // the loop goes on behind the comment
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				r.at++
				return nil
			}
		}
	}
	return fmt.Errorf("no \")\" for the variation at character %d", start+1)
}

// results are the words that end a game.
var results = []string{"1-0", "0-1", "2-0", "0-2", "1-1", "0-0", "1/2-1/2", "*"}

// word takes in a move, perhaps behind its number, or passes over a move
// number, a glyph or a result.
func (r *pdnReader) word(word string) {
	if digits := strings.TrimLeft(word, "0123456789"); strings.HasPrefix(digits, ".") {
		word = strings.TrimLeft(digits, ".")
	}
	for _, result := range results {
		if word == result {
			r.ended = true
			return
		}
	}
	word = strings.TrimRight(word, "!?")
	if word != "" && word[0] != '$' {
		r.game.Moves = append(r.game.Moves, word)
	}
}
