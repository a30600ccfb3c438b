package engine

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestMalformedText damages well-formed positions and moves in a thousand
// ways; each is refused, or still means something legal, and nothing panics.
func TestMalformedText(t *testing.T) {
	const alphabet = "WBKwbe:,-.xHF0123456789 abchz\x00é"
	random := rand.New(rand.NewPCG(3, 4))
	letters := []rune(alphabet)
	refused := 0
	for _, name := range []string{"english", "russian", "spanish", "international"} {
		r := builtin(t, name)
		for range 1000 {
			p := randomPosition(r, random)
			text := []rune(r.FormatFEN(&p))
			for range 1 + random.IntN(3) {
				i, c := random.IntN(len(text)), letters[random.IntN(len(letters))]
				switch random.IntN(3) {
				case 0:
					text[i] = c
				case 1:
					text = append(text[:i], text[i+1:]...)
				case 2:
					text = append(text[:i], append([]rune{c}, text[i:]...)...)
				}
				if len(text) == 0 {
					text = []rune{c}
				}
			}
			q, err := r.ParsePosition(string(text))
			if err != nil {
				refused++
				if strings.TrimSpace(err.Error()) == "" {
					t.Fatalf("%q: empty error", string(text))
				}
			} else if err := r.Check(&q); err != nil {
				t.Fatalf("%q accepted: %v", string(text), err)
			}
			if _, err := r.ParseMove(&p, string(text)); err == nil {
				t.Fatalf("%q accepted as a move", string(text))
			}
		}
	}
	if refused < 1000 {
		t.Errorf("only %d of the texts were refused", refused)
	}
}
