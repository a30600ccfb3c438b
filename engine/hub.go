package engine

import "unicode/utf8"

// hub reads the characters of a Hub string, one a square.
func (f *fenReader) hub(p *Position) error {
	squares := f.text[f.at:f.end]
	if got, want := utf8.RuneCountInString(squares), f.r.Squares(); got != want {
		return f.fail(f.end, "no \":\", and %d characters after the side letter instead of the %d of a Hub string", got, want)
	}
	var s Square
	for i, char := range squares {
		bit := s.Bit()
		switch char {
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
			return f.fail(f.at+i, "%q is none of w W b B e", char)
		}
		for c := White; c <= Black; c++ {
			if p.Men[c]&f.r.crown[c]&bit != 0 {
				return f.fail(f.at+i, "%w: a %s man on %s, its crowning row", ErrPosition, c, f.r.SquareName(s))
			}
		}
		s++
	}
	return nil
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
