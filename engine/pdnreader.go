package engine

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// A pdnReader reads games from left to right and looks at no byte more than a
// few times.
type pdnReader struct {
	text  string
	at    int
	games []PDNGame
	game  *PDNGame // that is being read; nil before its first tag, move or result
}

// fail is an error about what stands at a byte of the text.
func (r *pdnReader) fail(at int, format string, args ...any) error {
	before := r.text[:at]
	line := strings.Count(before, "\n") + 1
	char := utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1
	return fmt.Errorf(format+" at line %d, character %d", append(args, line, char)...)
}

func (r *pdnReader) skipSpace() { r.at += spaceLength(r.text[r.at:]) }

// token reads what comes next, which is no space.
func (r *pdnReader) token() error {
	rest := r.text[r.at:]
	switch c := rest[0]; {
	case c == '[':
		return r.tag()
	case c == '{':
		return r.skipTo("}")
	case c == ';', c == '%':
		r.skipLine()
		return nil
	case c == '(':
		return r.variation()
	case c == '/':
		return r.fail(r.at, "a new position in mid-game is not read, \"/\"")
	case c == '$' && digitsLength(rest[1:]) > 0:
		r.at += 1 + digitsLength(rest[1:])
		return nil
	case strings.IndexByte("!?+#", c) >= 0:
		r.at++
		return nil
	}
	if n := max(dotsLength(rest), numberLength(rest)); n > 0 {
		r.at += n
		return nil
	}
	if result, n := scanResult(rest); n > 0 {
		return r.result(result, n)
	}
	return r.move()
}

// open returns the game that a tag or a move belongs to, and begins a new one
// where the last has ended.
func (r *pdnReader) open(ended bool) (*PDNGame, error) {
	if r.game != nil && ended {
		if err := r.closeGame(); err != nil {
			return nil, err
		}
	}
	if r.game == nil {
		r.game = &PDNGame{Tags: map[string]string{}}
	}
	return r.game, nil
}

// closeGame takes in the game that has been read.
func (r *pdnReader) closeGame() error {
	if r.game == nil {
		return nil
	}
	setUp, fen := r.game.Tags["SetUp"], r.game.FEN()
	if setUp == "1" && fen == "" || setUp == "0" && fen != "" {
		return r.fail(r.at, "SetUp %q contradicts FEN %s in the game that ends", setUp, quote(fen))
	}
	if len(r.games) == maxGames {
		return r.fail(r.at, "more than %d games in one text", maxGames)
	}
	r.games, r.game = append(r.games, *r.game), nil
	return nil
}

// tag reads [Name "value"].
func (r *pdnReader) tag() error {
	start := r.at
	r.at++
	r.skipSpace()
	name := r.text[r.at:]
	name = name[:len(name)-len(strings.TrimLeftFunc(name, isTagChar))]
	r.at += len(name)
	r.skipSpace()
	value, length, ok := scanValue(r.text[r.at:])
	if name == "" || !ok {
		return r.fail(start, "want [Name \"value\"] in one line, not %s", quote(r.text[start:]))
	}
	r.at += length
	game, err := r.open(r.game != nil && (len(r.game.Moves) > 0 || r.game.Result != ""))
	if err != nil {
		return err
	}
	if _, twice := game.Tags[name]; twice {
		return r.fail(start, "tag %s a second time", quote(name))
	}
	game.Tags[name] = value
	return nil
}

func isTagChar(c rune) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-'
}

// scanValue reads a tag's value between quotes, and the bracket that closes the
// tag. A backslash stands before a quote or another backslash; a quote that no
// bracket follows belongs to the value.
func scanValue(text string) (value string, length int, ok bool) {
	if !strings.HasPrefix(text, `"`) {
		return "", 0, false
	}
	var out strings.Builder
	for i := 1; i < len(text) && text[i] != '\n' && text[i] != '\r'; i++ {
		c := text[i]
		if c == '"' {
			end := i + 1 + spaceLength(text[i+1:])
			if strings.HasPrefix(text[end:], "]") {
				return out.String(), end + 1, true
			}
		}
		if c == '\\' && i+1 < len(text) && (text[i+1] == '"' || text[i+1] == '\\') {
			i++
			c = text[i]
		}
		out.WriteByte(c)
	}
	return "", 0, false
}

func (r *pdnReader) skipTo(end string) error {
	i := strings.Index(r.text[r.at:], end)
	if i < 0 {
		return r.fail(r.at, "no %q after the %q", end, r.text[r.at])
	}
	r.at += i + len(end)
	return nil
}

// skipLine passes over a comment that ends with its line.
func (r *pdnReader) skipLine() {
	i := strings.IndexAny(r.text[r.at:], "\r\n")
	if i < 0 {
		i = len(r.text) - r.at
	}
	r.at += i
}

// variation passes over brackets, which may hold others.
func (r *pdnReader) variation() error {
	start, depth := r.at, 0
	for ; r.at < len(r.text); r.at++ {
		switch c := r.text[r.at]; {
		case c == '{':
			if err := r.skipTo("}"); err != nil {
				return err
			}
			r.at-- // the loop goes on behind the comment
		case c == ';', c == '%' && strings.IndexByte("\r\n", r.text[r.at-1]) >= 0:
			r.skipLine()
			r.at--
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth == 0 {
				r.at++
				return nil
			}
		}
	}
	return r.fail(start, "no \")\" for the variation")
}

// results are the pairs of points that end a game.
var results = map[string]bool{"1-0": true, "0-1": true, "2-0": true, "0-2": true, "1-1": true, "0-0": true, "1/2-1/2": true}

// scanResult reads a result at the start of text, with any dash or a colon; a
// length of 0 says that there is none. None of them can be a move: nothing
// moves to the square it stands on, or to a square 0.
func scanResult(text string) (result string, length int) {
	if text[0] == '*' {
		return "*", 1
	}
	left, n := scanPoints(text)
	kind, gap := scanGap(text[n:], false)
	if left == "" || kind == noSign || kind == cross && !strings.Contains(text[n:n+gap], ":") {
		return "", 0
	}
	right, m := scanPoints(text[n+gap:])
	length = n + gap + m
	if result = left + "-" + right; !results[result] || !endsWord(text[length:]) {
		return "", 0
	}
	return result, length
}

// scanPoints reads the points of one side.
func scanPoints(text string) (points string, length int) {
	for _, p := range [...]struct{ written, points string }{{"½", "1/2"}, {"1/2", "1/2"}, {"0", "0"}, {"1", "1"}, {"2", "2"}} {
		if strings.HasPrefix(text, p.written) {
			return p.points, len(p.written)
		}
	}
	return "", 0
}

// endsWord reports whether what follows a move or a result is no part of it.
func endsWord(rest string) bool {
	return rest == "" || spaceLength(rest) > 0 || dotsLength(rest) > 0 || strings.IndexByte("{}()[];$!?+#*", rest[0]) >= 0
}

// result ends a game. A star that follows a result only parts two games.
func (r *pdnReader) result(result string, length int) error {
	ended := r.game != nil && r.game.Result != ""
	if !ended || result != "*" {
		game, err := r.open(ended)
		if err != nil {
			return err
		}
		game.Result = result
	}
	r.at += length
	return nil
}

// move takes in a move. A star that touches it is a mark.
func (r *pdnReader) move() error {
	names, _, length := scanMove(r.text[r.at:], false)
	rest := r.text[r.at+length:]
	if len(names) < 2 || !endsWord(rest) {
		word := r.text[r.at:]
		if end := strings.IndexFunc(word, isSpace); end >= 0 {
			word = word[:end]
		}
		ply := 1
		if r.game != nil && r.game.Result == "" {
			ply = len(r.game.Moves) + 1
		}
		return r.fail(r.at, "ply %d: %s is not a move", ply, quote(word))
	}
	game, err := r.open(r.game != nil && r.game.Result != "")
	if err != nil {
		return err
	}
	game.Moves = append(game.Moves, compact(r.text[r.at:r.at+length]))
	r.at += length
	if strings.HasPrefix(rest, "*") {
		r.at++
	}
	return nil
}

// compact takes the space out of a move that has signs, and leaves one where
// it stands for the sign.
func compact(move string) string {
	if !strings.ContainsFunc(move, isSpace) {
		return move
	}
	fields := strings.FieldsFunc(move, isSpace)
	if strings.ContainsFunc(move, func(c rune) bool { return signs[c] != noSign }) {
		return strings.Join(fields, "")
	}
	return strings.Join(fields, " ")
}
