package engine

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A fenReader reads a position from left to right.
type fenReader struct {
	r       *Rules
	text    string // all of what was written
	at, end int    // what of it is still to be read
}

// fail is an error about what stands at a byte of the text; the user counts
// characters.
func (f *fenReader) fail(at int, format string, args ...any) error {
	return fmt.Errorf(format+" at character %d", append(args, utf8.RuneCountInString(f.text[:at])+1)...)
}

// rest returns what is still to be read; space before it is passed over.
func (f *fenReader) rest() string {
	f.at += spaceLength(f.text[f.at:f.end])
	return f.text[f.at:f.end]
}

// take passes over one of some characters, if it comes next.
func (f *fenReader) take(chars string) bool {
	rest := f.rest()
	if rest == "" || strings.IndexByte(chars, rest[0]) < 0 {
		return false
	}
	f.at++
	return true
}

// word takes what comes up to space or a sign.
func (f *fenReader) word() string {
	rest := f.rest()
	n := strings.IndexFunc(rest, func(c rune) bool { return isSpace(c) || strings.ContainsRune(`,:."`, c) || signs[c] == dash })
	if n < 0 {
		n = len(rest)
	}
	f.at += n
	return rest[:n]
}

// read reads the position without what may stand around it.
func (f *fenReader) read() (FEN, error) {
	if err := f.unwrap(); err != nil {
		return FEN{}, err
	}
	turn, err := f.side()
	if err != nil {
		return FEN{}, err
	}
	fen := FEN{Position: Position{Turn: turn}}
	if strings.Contains(f.text[f.at:f.end], ":") {
		err = f.fields(&fen)
	} else {
		err = f.hub(&fen.Position)
	}
	return fen, err
}

// unwrap takes off space, the brackets of the tag, and quotes.
func (f *fenReader) unwrap() error {
	rest := strings.TrimRightFunc(f.rest(), isSpace)
	f.end = f.at + len(rest)
	if f.take("[") {
		const tag = "FEN"
		if rest = f.rest(); len(rest) < len(tag) || !strings.EqualFold(rest[:len(tag)], tag) {
			return f.fail(f.at, "want the tag FEN")
		}
		f.at += len(tag)
		if !strings.HasSuffix(rest, "]") {
			return f.fail(f.end, "want \"]\"")
		}
		f.end -= len("]")
		rest = strings.TrimRightFunc(f.rest(), isSpace)
		if f.end = f.at + len(rest); !strings.HasPrefix(rest, `"`) {
			return f.fail(f.at, "want a quote")
		}
	}
	if f.take(`"`) {
		if rest = f.rest(); !strings.HasSuffix(rest, `"`) {
			return f.fail(f.end, "want a quote")
		}
		rest = strings.TrimRightFunc(rest[:len(rest)-1], isSpace)
		f.end = f.at + len(rest)
	}
	return nil
}

// side reads the letter of a side.
func (f *fenReader) side() (Color, error) {
	switch {
	case f.take("Ww"):
		return White, nil
	case f.take("Bb"):
		return Black, nil
	}
	return White, f.fail(f.at, "want the side letter W or B")
}

// fields reads ":" list ":" list [":H" plies] [":F" move] ["."].
func (f *fenReader) fields(fen *FEN) error {
	if !f.take(":") {
		return f.fail(f.at, "want \":\" after the side to move")
	}
	var seen [2]bool
	for i := range 2 {
		if i > 0 && !f.take(":") {
			if rest := f.rest(); rest != "" && rest != "." {
				return f.fail(f.at, "want \",\" or \":\" before %s", quote(rest))
			}
			return f.fail(f.at, "want the pieces of both sides, as in W:W31:BK1, or W:W31:B if one has none")
		}
		f.rest()
		start := f.at
		c, err := f.side()
		if err != nil {
			return err
		}
		if seen[c] {
			return f.fail(start, "the %s pieces a second time", c)
		}
		seen[c] = true
		if err := f.pieces(&fen.Position, c); err != nil {
			return err
		}
	}
	return f.suffix(fen)
}

// suffix reads what lidraughts adds, the half-move counter and the number of
// the move, and the dot that may end it all.
func (f *fenReader) suffix(fen *FEN) error {
	for _, letter := range []string{"Hh", "Ff"} {
		field := f.at
		if !f.take(":") || !f.take(letter) {
			f.at = field
			continue
		}
		number := f.word()
		n, err := strconv.ParseUint(number, 10, 31)
		if err != nil || digitsLength(number) != len(number) {
			return f.fail(field, "%s: want a number after %s", quote(f.text[field:f.at]), letter[:1])
		}
		if letter == "Hh" {
			plies := Plies(n)
			fen.Halfmoves = &plies
		}
	}
	f.take(".")
	if rest := f.rest(); rest != "" {
		return f.fail(f.at, "%s after the pieces: want :H and a number of plies, then :F and a move number", quote(rest))
	}
	return nil
}

// pieces reads a comma list of squares and ranges, K before kings.
func (f *fenReader) pieces(p *Position, c Color) error {
	if rest := f.rest(); rest == "" || rest[0] == ':' || rest[0] == '.' {
		return nil
	}
	for more := true; more; more = f.take(",") {
		f.rest()
		start := f.at
		if rest := f.rest(); len(rest) > 1 && rest[0] == 'G' && rest[1] >= '0' && rest[1] <= '9' {
			return f.fail(start, "%w: a ghost piece", ErrPosition) // taken, and not yet off the board
		}
		set, crown := &p.Men[c], f.r.crown[c]
		if f.take(f.kingLetters()) {
			set, crown = &p.Kings[c], 0
		}
		squares, err := f.squares(start)
		if err != nil {
			return err
		}
		for _, s := range squares {
			if p.Occupied().Has(s) {
				return f.fail(start, "square %s named twice", f.r.SquareName(s))
			}
			if crown.Has(s) {
				return f.fail(start, "%w: a %s man on %s, its crowning row", ErrPosition, c, f.r.SquareName(s))
			}
			*set |= s.Bit()
		}
	}
	return nil
}

// kingLetters returns what stands before a king. On a board wide enough a
// small k is a file.
func (f *fenReader) kingLetters() string {
	if f.r.geometry.columns > 'k'-'a' {
		return "K"
	}
	return "Kk"
}

// squares reads a square or a range of numbers; start is where its item begins.
func (f *fenReader) squares(start int) ([]Square, error) {
	first, from, err := f.square(start)
	if err != nil {
		return nil, err
	}
	kind, length := scanGap(f.rest(), true)
	if kind != dash {
		return []Square{from}, nil
	}
	f.at += length
	last, to, err := f.square(start)
	if err != nil {
		return nil, err
	}
	if isLetter(first[0]) || isLetter(last[0]) {
		return nil, f.fail(start, "range %s: only numbers form a range", quote(first+"-"+last))
	}
	low, high := f.r.number(from), f.r.number(to)
	if low > high {
		return nil, f.fail(start, "range %d-%d runs backwards", low, high)
	}
	var out []Square
	for s := range Square(f.r.Squares()) {
		if n := f.r.number(s); n >= low && n <= high {
			out = append(out, s)
		}
	}
	return out, nil
}

// square reads the name of a square.
func (f *fenReader) square(start int) (string, Square, error) {
	name := f.word()
	if name == "" {
		return name, NoSquare, f.fail(start, "want a square")
	}
	s, err := f.r.ParseSquare(name)
	if err != nil {
		return name, s, f.fail(start, "%w", err)
	}
	return name, s, nil
}
