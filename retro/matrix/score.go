package matrix

import (
	"bytes"
	"encoding/binary"

	"dambase/engine"
	"dambase/index"
)

// A score is a value in one byte, the larger the better for the side to move;
// so the value of a position is a maximum. In theory a loss in 2k plies is k
// and a win in 2k+1 is 254-k. Under the rules, where parity tells nothing, a
// loss in n is n and a win in n is 254-n.
type score = byte

const (
	noMove     score = 0 // neutral: nothing gained by a move that is not there; also lost at once
	draw       score = 127
	slowestWin score = 128 // never used: its loss would be mistaken for a draw
	invalid    score = 255 // two pieces on a square
)

// A scale translates between distances and scores.
type scale struct {
	ruled bool
	limit engine.Plies // the longest distance that is accepted
}

// winIn1 is the score of taking the last piece.
func (c scale) winIn1() score { return c.win(1) }

func (c scale) win(d engine.Plies) score {
	if c.ruled {
		return score(254 - d)
	}
	return score(254 - d/2)
}

func (c scale) loss(d engine.Plies) score {
	if c.ruled {
		return score(d)
	}
	return score(d / 2)
}

func (c scale) winAt(ply int) score  { return c.win(engine.Plies(ply)) }
func (c scale) lossAt(ply int) score { return c.loss(engine.Plies(ply)) }

// distance returns the plies of a decisive score.
func (c scale) distance(s score) int {
	switch {
	case c.ruled && s > draw:
		return 254 - int(s)
	case c.ruled:
		return int(s)
	case s > draw:
		return 2*(254-int(s)) + 1
	}
	return 2 * int(s)
}

// longest is the largest distance that is accepted.
func (c scale) longest() int { return int(c.limit) }

// holds reports whether no score of finished cells is of a distance too long.
func (c scale) holds(cells []byte) bool {
	if c.ruled {
		return true
	}
	if c.limit == LongestDistance {
		return bytes.IndexByte(cells, slowestWin) < 0
	}
	// Such scores lie between the slowest loss and the slowest win.
	low := c.loss(c.limit)
	span := c.win(c.limit-1) - low
	for _, x := range cells {
		if x-low-1 < span-1 && x != draw {
			return false
		}
	}
	return true
}

// entry returns the index.Value of a score in theory, the index.Ruled under the rules.
func (c scale) entry(s score) index.Value {
	if s == draw {
		return 0
	}
	d := index.Value(c.distance(s))
	switch {
	case !c.ruled:
		return d + 1
	case s > draw:
		return 2*d + 2
	}
	return 2*d + 1
}

// entries returns the entry of each score that can occur, in one byte.
func (c scale) entries() (t [256]uint8) {
	for s := range t {
		if score(s) != invalid && score(s) != slowestWin {
			t[s] = uint8(c.entry(score(s)))
		}
	}
	return t
}

// scoreOf is the inverse of entry; ok is false if the entry has no score.
func (c scale) scoreOf(v index.Value) (s score, ok bool) {
	switch {
	case v == 0:
		return draw, true
	case c.ruled && (v-1)/2 > index.Value(LongestLimit), !c.ruled && v-1 > index.Value(c.limit):
		return 0, false
	case c.ruled && v&1 == 0:
		return c.win(engine.Plies(v-1) / 2), true
	case c.ruled:
		return c.loss(engine.Plies(v-1) / 2), true
	case v&1 == 0:
		return c.win(engine.Plies(v - 1)), true
	}
	return c.loss(engine.Plies(v - 1)), true
}

// A translation turns the score of a position after a move into what the move
// gives the mover; invalid becomes noMove.
type translation = [256]score

// theory adds a ply and changes sides.
func (c scale) theory() *translation {
	var t translation
	for s := range t {
		x := ^score(s)
		t[s] = x - x>>7
	}
	return &t
}

// fresh is the translation of a move that sets the counters back: one ply, whatever follows.
func (c scale) fresh() *translation {
	t := c.theory()
	for s, x := range t {
		switch {
		case x > draw:
			t[s] = c.win(1)
		case x < draw && x != noMove:
			t[s] = c.loss(1)
		}
	}
	return t
}

// kept is the translation of a move that lets the counter run on.
func (c scale) kept() *translation {
	t := c.theory()
	for s := range score(255) {
		if s == draw {
			continue
		}
		d := engine.Plies(c.distance(s)) + 1
		switch {
		case d > c.limit:
			t[s] = draw
		case s > draw:
			t[s] = c.loss(d)
		default:
			t[s] = c.win(d)
		}
	}
	return t
}

// Eight scores at a time, in the bytes of a word.

const (
	lows  = 0x0101010101010101
	highs = 0x8080808080808080
	draws = lows * uint64(draw)
)

func load(b []byte) uint64     { return binary.LittleEndian.Uint64(b) }
func store(b []byte, x uint64) { binary.LittleEndian.PutUint64(b, x) }

// better returns the larger score, without a branch: which one that is cannot
// be foretold, and there is no conditional move of bytes.
func better(a, b score) score {
	x, y := uint32(a), uint32(b)
	if y > x {
		x = y
	}
	return score(x)
}

// max8 returns the larger of each pair of bytes.
func max8(a, b uint64) uint64 {
	m := atLeast(a, b)
	return a&m | b&^m
}

// atLeast returns 0xFF in the bytes where a >= b.
func atLeast(a, b uint64) uint64 {
	d := (a | highs) - b&^uint64(highs)
	ge := (a&^b | ^(a^b)&d) & highs
	return ge | (ge - ge>>7)
}

// opposed8 is scale.theory of eight scores.
func opposed8(s uint64) uint64 {
	x := ^s
	return x - x>>7&lows
}

// fresh8 makes of scores seen by the mover what scale.fresh does.
func fresh8(x, win, loss uint64) uint64 {
	won := x & highs
	won |= won - won>>7
	// Bytes below 128: 127 is a draw, 0 no move.
	y := x &^ won
	drawn := (y + lows) & highs
	drawn |= drawn - drawn>>7
	some := (y + draws) & highs
	some |= some - some>>7
	return won&win | drawn&draws | some&^drawn&loss
}

// highBits gathers the highest bit of each byte.
func highBits(x uint64) uint64 { return (x >> 7 & lows) * 0x0102040810204080 >> 56 }

// drawBits tells which bytes are draws.
func drawBits(x uint64) uint64 {
	y := x ^ draws
	return highBits(^((y&^highs + ^uint64(highs)) | y | ^uint64(highs)))
}

// spread[b] has 0xFF in the bytes that are the bits of b.
var spread = func() (t [256]uint64) {
	for b := range t {
		for i := range 8 {
			if b>>i&1 != 0 {
				t[b] |= 0xFF << (8 * i)
			}
		}
	}
	return t
}()

// transpose writes rows r to end of the matrix src of rows x cols bytes turned
// over into dst.
func transpose(dst, src []byte, rows, cols, r, end int) {
	if rows == 1 || cols == 1 {
		copy(dst[r*cols:end*cols], src[r*cols:])
		return
	}
	for ; r+8 <= end; r += 8 {
		c := 0
		for ; c+8 <= cols; c += 8 {
			transpose8(dst[c*rows+r:], src[r*cols+c:], rows, cols)
		}
		for ; c < cols; c++ {
			for i := range 8 {
				dst[c*rows+r+i] = src[(r+i)*cols+c]
			}
		}
	}
	for ; r < end; r++ {
		for c := range cols {
			dst[c*rows+r] = src[r*cols+c]
		}
	}
}

// transpose8 turns over a tile of 8 x 8 bytes (Warren, "Hacker's Delight", 7-3).
func transpose8(dst, src []byte, rows, cols int) {
	var x [8]uint64
	for i := range x {
		x[i] = load(src[i*cols:])
	}
	for i := 0; i < 4; i++ {
		a, b := x[i], x[i+4]
		t := (a>>32 ^ b) & 0x00000000FFFFFFFF
		x[i], x[i+4] = a^t<<32, b^t
	}
	for _, i := range [4]int{0, 1, 4, 5} {
		a, b := x[i], x[i+2]
		t := (a>>16 ^ b) & 0x0000FFFF0000FFFF
		x[i], x[i+2] = a^t<<16, b^t
	}
	for i := 0; i < 8; i += 2 {
		a, b := x[i], x[i+1]
		t := (a>>8 ^ b) & 0x00FF00FF00FF00FF
		x[i], x[i+1] = a^t<<8, b^t
	}
	for i := range x {
		store(dst[i*rows:], x[i])
	}
}
