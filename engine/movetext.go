package engine

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A sign stands between the squares of a move. It says of what kind the move
// is, but people mix them up: see matchMoves.
type sign uint8

const (
	noSign sign = iota
	dash        // of a quiet move
	cross       // of a capture
)

// signs are all the characters that are used as one; the last crosses are the
// letter that looks like an x on a Russian keyboard.
var signs = map[rune]sign{
	'-': dash, '‐': dash, '‑': dash, '‒': dash, '–': dash, '—': dash, '−': dash,
	'x': cross, 'X': cross, '×': cross, ':': cross, '*': cross, 'х': cross, 'Х': cross,
}

// A moveText is a move as it was written.
type moveText struct {
	text    string
	squares []Square // at least two
	sign    sign     // noSign also where dashes and crosses are mixed
}

// readMove reads the text of a move. It knows the board, but not the position.
func (r *Rules) readMove(text string) (*moveText, error) {
	body := trimMarks(text)
	names, sign, length := scanMove(body, true)
	if length < len(body) || len(names) < 2 {
		return nil, &MoveError{Text: text, Reason: "want two squares or more, and a sign between them"}
	}
	t := &moveText{text: text, sign: sign}
	for _, name := range names {
		s, err := r.ParseSquare(name)
		if err != nil {
			return nil, &MoveError{Text: text, Reason: err.Error()}
		}
		t.squares = append(t.squares, s)
	}
	return t, nil
}

// mostSquares bounds the squares of a move: no capture has more, even with
// what is taken written between where the piece lands.
const mostSquares = 2 * (maxCaptures + 1)

// scanMove splits a move at the start of text into the names of its squares;
// length is how much of the text it takes. It has signs between all squares or
// between none: then they are apart by space, or tell where they begin
// (a3b4), or are two numbers of two digits (1115). Where the move is not alone,
// text may go on with others: then only two squares are joined by space.
func scanMove(text string, alone bool) (names []string, kind sign, length int) {
	signed := false
	for at := 0; ; {
		n := squareLength(text[at:])
		if n == 0 || len(names) == mostSquares {
			break
		}
		names, length = append(names, text[at:at+n]), at+n
		if len(names) == 1 && digitsLength(text) == 4 {
			return []string{text[:2], text[2:4]}, noSign, length
		}
		s, gap := scanGap(text[length:], alone)
		at = length + gap
		if squareLength(text[at:]) == 0 {
			break
		}
		if first := len(names) == 1; first {
			signed, kind = s != noSign, s
		} else if signed != (s != noSign) {
			break
		} else if s != kind {
			kind = noSign
		}
		if spaced := gap > 0 && s == noSign; spaced && !alone && (len(names) > 1 || numberLength(text[at:]) > 0) {
			break
		}
	}
	return names, kind, length
}

// scanGap reads what stands between two squares: a sign, if there is one, and
// space around it. In a game a star between spaces is no sign but a result.
func scanGap(text string, alone bool) (kind sign, length int) {
	space := spaceLength(text)
	c, size := utf8.DecodeRuneInString(text[space:])
	if signs[c] == noSign {
		return noSign, space
	}
	length = space + size
	after := spaceLength(text[length:])
	if c == '*' && !alone && space+after > 0 {
		return noSign, space
	}
	return signs[c], length + after
}

// squareLength returns how much of text its first square takes, 0 if it starts
// with none: perhaps the letter of a file, and digits. The board is not asked.
func squareLength(text string) int {
	n := 0
	if text != "" && isLetter(text[0]) {
		n++
	}
	digits := digitsLength(text[n:])
	if digits == 0 {
		return 0
	}
	return n + digits
}

// isLetter reports whether c names a file of the widest board, in either case.
func isLetter(c byte) bool { return c >= 'a' && c <= 'p' || c >= 'A' && c <= 'P' }

func digitsLength(text string) int {
	n := 0
	for n < len(text) && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	return n
}

// numberLength returns how much of text the number of a move takes, digits and
// dots, 0 if it starts with none.
func numberLength(text string) int {
	digits := digitsLength(text)
	if dots := dotsLength(text[digits:]); digits > 0 && dots > 0 {
		return digits + dots
	}
	return 0
}

func dotsLength(text string) int { return len(text) - len(strings.TrimLeft(text, ".…")) }

// spaceLength returns how much of text is space; the mark of a file's byte
// order counts as such.
func spaceLength(text string) int { return len(text) - len(strings.TrimLeftFunc(text, isSpace)) }

func isSpace(c rune) bool { return unicode.IsSpace(c) || c == '\ufeff' }

// trimMarks cuts off space and what judges the move: marks such as !?, perhaps in
// brackets, glyphs such as $3, a dot.
func trimMarks(text string) string {
	text = strings.TrimLeftFunc(text, isSpace)
	for {
		short := strings.TrimRight(strings.TrimRightFunc(text, isSpace), "!?+#*.…")
		if inner, ok := strings.CutSuffix(short, ")"); ok {
			if outer, ok := strings.CutSuffix(strings.TrimRight(inner, "!?"), "("); ok {
				short = outer
			}
		} else if glyph := strings.TrimRight(short, "0123456789"); glyph != short && strings.HasSuffix(glyph, "$") {
			short = glyph[:len(glyph)-1]
		}
		if short == text {
			return text
		}
		text = short
	}
}
