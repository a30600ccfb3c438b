package engine

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ErrPDN is wrapped by errors about the text of a game. The error says what is
// wrong and at which line and character, the first being 1.
var ErrPDN = errors.New("bad PDN")

// ErrSeveralGames is wrapped by the error of ParsePDN about a text of more
// than one game: the caller has to choose.
var ErrSeveralGames = errors.New("several games in one text")

// A PDNGame is a game as read from PDN: its tags, the text of its moves, and
// its result.
type PDNGame struct {
	Tags   map[string]string
	Moves  []string
	Result string // with a hyphen, or *; "" if the text ends or goes on without
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

// ParsePDN reads a text of one game. Comments, variations, glyphs and move
// numbers are passed over; the moves are not checked. A text of several games
// is an error that wraps ErrSeveralGames, one of none a game without moves.
func ParsePDN(text string) (PDNGame, error) {
	games, err := ParsePDNGames(text)
	switch {
	case err != nil:
		return PDNGame{}, err
	case len(games) > 1:
		return PDNGame{}, fmt.Errorf("%w: %w: choose one of %d", ErrPDN, ErrSeveralGames, len(games))
	case len(games) == 0:
		return PDNGame{Tags: map[string]string{}}, nil
	}
	return games[0], nil
}

// maxGames bounds the games of one text.
const maxGames = 10_000

// ParsePDNGames reads all games of a text as ParsePDN reads one. A game ends
// with its result, or where the tags of another one begin. More than ten
// thousand are an error.
func ParsePDNGames(text string) ([]PDNGame, error) {
	r := pdnReader{text: text}
	for r.skipSpace(); r.at < len(text); r.skipSpace() {
		if err := r.token(); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrPDN, err)
		}
	}
	if err := r.closeGame(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrPDN, err)
	}
	return r.games, nil
}
