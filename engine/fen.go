package engine

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// ErrFEN is wrapped by every error about the text of a position. The error
// says what is wrong and at which character, the first being 1.
var ErrFEN = errors.New("bad FEN")

// A FEN is a position as read from text.
type FEN struct {
	Position Position
	// Halfmoves is the counter of a lidraughts suffix :H, nil without one. It
	// belongs to the situation that holds, else to king-moves.
	Halfmoves *Plies
}

// ParseFEN reads a position in any form: PDN FEN with numbers or algebraic
// squares, with a lidraughts suffix :H:F, or a Hub string. It refuses
// positions that cannot occur.
func (r *Rules) ParseFEN(text string) (FEN, error) {
	f := fenReader{r: r, text: strings.TrimSpace(text)}
	f.start = strings.Index(text, f.text)
	var fen FEN
	var err error
	if strings.Contains(f.text, ":") {
		fen, err = f.read()
	} else {
		fen.Position, err = f.readHub()
	}
	if err == nil {
		err = r.Check(&fen.Position)
	}
	if err != nil {
		return FEN{}, fmt.Errorf("%w: %w", ErrFEN, err)
	}
	return fen, nil
}

// ParsePosition reads a position as ParseFEN does and drops its counter.
func (r *Rules) ParsePosition(text string) (Position, error) {
	fen, err := r.ParseFEN(text)
	return fen.Position, err
}

type fenReader struct {
	r     *Rules
	text  string
	start int // of text in what the user wrote
}

func (f *fenReader) fail(offset int, format string, args ...any) error {
	return fmt.Errorf("%s at character %d", fmt.Sprintf(format, args...), f.start+offset+1)
}

func (f *fenReader) side(offset int) (Color, error) {
	switch {
	case offset < len(f.text) && f.text[offset] == 'W':
		return White, nil
	case offset < len(f.text) && f.text[offset] == 'B':
		return Black, nil
	}
	return White, f.fail(offset, "want the side letter W or B")
}

// read reads side ":" list ":" list [":H" plies] [":F" move] ["."].
func (f *fenReader) read() (FEN, error) {
	var fen FEN
	p := &fen.Position
	fields := strings.Split(strings.TrimSuffix(f.text, "."), ":")
	turn, err := f.side(0)
	if err != nil {
		return fen, err
	}
	if len(fields[0]) != 1 {
		return fen, f.fail(1, "want \":\" after the side to move")
	}
	p.Turn = turn
	offset := 2
	if len(fields) < 3 {
		return fen, f.fail(len(f.text), "want the pieces of both sides, as in W:W31:BK1")
	}
	var seen [2]bool
	for _, field := range fields[1:3] {
		c, err := f.side(offset)
		if err != nil {
			return fen, err
		}
		if seen[c] {
			return fen, f.fail(offset, "the %s pieces a second time", c)
		}
		seen[c] = true
		if err := f.pieces(p, c, field[1:], offset+1); err != nil {
			return fen, err
		}
		offset += len(field) + 1
	}
	err = f.suffix(&fen, fields[3:], offset)
	return fen, err
}

// suffix reads the fields that lidraughts adds: the half-move counter and the
// number of the move.
func (f *fenReader) suffix(fen *FEN, fields []string, offset int) error {
	const letters = "HF"
	next := 0
	for _, field := range fields {
		at := -1
		if field != "" {
			at = strings.IndexByte(letters[next:], field[0])
		}
		if at < 0 {
			return f.fail(offset, "%q after the pieces: want :H and a number of plies, then :F and a move number", field)
		}
		n, err := strconv.ParseUint(field[1:], 10, 31)
		if err != nil || field[1] == '+' {
			return f.fail(offset+1, "%q is not a number", field[1:])
		}
		if field[0] == 'H' {
			plies := Plies(n)
			fen.Halfmoves = &plies
		}
		next += at + 1
		offset += len(field) + 1
	}
	return nil
}

// pieces reads a comma list of squares and ranges, K before kings.
func (f *fenReader) pieces(p *Position, c Color, list string, offset int) error {
	if list == "" {
		return nil
	}
	for item := range strings.SplitSeq(list, ",") {
		set := &p.Men[c]
		name := item
		if strings.HasPrefix(item, "K") {
			set = &p.Kings[c]
			name = item[1:]
		}
		squares, err := f.squares(name)
		if err != nil {
			return f.fail(offset, "%v", err)
		}
		for _, s := range squares {
			if p.Occupied().Has(s) {
				return f.fail(offset, "square %s named twice", f.r.SquareName(s))
			}
			*set |= s.Bit()
		}
		offset += len(item) + 1
	}
	return nil
}

// squares reads a square or a range of numbers.
func (f *fenReader) squares(text string) ([]Square, error) {
	first, last, isRange := strings.Cut(text, "-")
	from, err := f.r.ParseSquare(first)
	if err != nil || !isRange {
		return []Square{from}, err
	}
	to, err := f.r.ParseSquare(last)
	if err != nil {
		return nil, err
	}
	if first[0] > '9' || last[0] > '9' {
		return nil, fmt.Errorf("range %q: only numbers form a range", text)
	}
	low, high := f.r.number(from), f.r.number(to)
	if low > high {
		return nil, fmt.Errorf("range %q runs backwards", text)
	}
	var out []Square
	for s := range Square(f.r.Squares()) {
		if n := f.r.number(s); n >= low && n <= high {
			out = append(out, s)
		}
	}
	return out, nil
}

// readHub reads a Hub string: the side letter and a character per square.
func (f *fenReader) readHub() (Position, error) {
	var p Position
	turn, err := f.side(0)
	if err != nil {
		return p, err
	}
	p.Turn = turn
	if got, want := len(f.text)-1, f.r.Squares(); got != want {
		return p, f.fail(len(f.text), "no \":\", and %d characters after the side letter instead of the %d of a Hub string", got, want)
	}
	for i, c := range []byte(f.text[1:]) {
		bit := Square(i).Bit()
		switch c {
		case 'w':
			p.Men[White] |= bit
		case 'W':
			p.Kings[White] |= bit
		case 'b':
			p.Men[Black] |= bit
		case 'B':
			p.Kings[Black] |= bit
		case 'e':
		default:
			return p, f.fail(i+1, "%q is none of w W b B e", rune(c))
		}
	}
	return p, nil
}

// FormatFEN writes a position in the variant's notation: White's pieces, then
// Black's, in the order of their numbers, or rank by rank where squares are
// written algebraically.
func (r *Rules) FormatFEN(p *Position) string {
	letter := [2]byte{'W', 'B'}
	out := []byte{letter[p.Turn]}
	for c := White; c <= Black; c++ {
		out = append(out, ':', letter[c])
		for i, s := range r.printOrder(p.Side(c)) {
			if i > 0 {
				out = append(out, ',')
			}
			if p.Kings[c].Has(s) {
				out = append(out, 'K')
			}
			out = append(out, r.SquareName(s)...)
		}
	}
	return string(out)
}

func (r *Rules) printOrder(set Bits) []Square {
	squares := make([]Square, 0, 64)
	for ; set != 0; set &= set - 1 {
		squares = append(squares, set.First())
	}
	key := func(s Square) int {
		if r.variant.Notation == "algebraic" {
			return (r.variant.Rows-r.Row(s))*r.variant.Columns + r.Column(s)
		}
		return r.number(s)
	}
	slices.SortFunc(squares, func(a, b Square) int { return key(a) - key(b) })
	return squares
}

// FormatHub writes a position as a Hub string.
func (r *Rules) FormatHub(p *Position) string {
	out := make([]byte, 1, 1+r.Squares())
	out[0] = "WB"[p.Turn]
	for s := range Square(r.Squares()) {
		c := byte('e')
		switch {
		case p.Men[White].Has(s):
			c = 'w'
		case p.Kings[White].Has(s):
			c = 'W'
		case p.Men[Black].Has(s):
			c = 'b'
		case p.Kings[Black].Has(s):
			c = 'B'
		}
		out = append(out, c)
	}
	return string(out)
}
