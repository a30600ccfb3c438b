package matrix

import (
	"math/bits"

	"dambase/engine"
	"dambase/internal/halt"
)

// kingSets numbers the placements of k kings on an otherwise empty board, in
// colexicographic order. A side's kings are always numbered on the board as
// that side sees it.
type kingSets struct {
	k, n    int
	words   int // of a bitset of all sets
	squares int
	set     []engine.Bits
	// turned[i] is the number of set i on a board turned by 180 degrees.
	turned []uint32
	// has[w*squares+s] are those of the sets 64w to 64w+63 that have a king on s.
	has []uint64
	// without[(w*squares+s)*64+i] is the number of set 64w+i less its king on s
	// among the sets of k-1; it means nothing where there is none.
	without []uint32
	// with[i*squares+s] is the number of set i and a king on s, where there is
	// none yet, among the sets of k+1.
	with []uint32
	// steps are the quiet king moves of each set, ray by ray; first tells where
	// those of a set begin.
	steps []step
	first []uint32
}

// A step is the arrival of a king on a square: the number of the set then
// (setBits), the square (6) and how many more steps its ray has (4: a board has
// at most 16 rows and columns).
type step uint32

func newStep(set, square int) step { return step(set<<10 | square<<4) }

func (s step) set() int    { return int(s >> 10) }
func (s step) square() int { return int(s>>4) & 63 }
func (s step) left() int   { return int(s & 15) }

// binomial[n][k] is n over k.
var binomial = func() (c [65][maxKings + 2]int) {
	for n := range c {
		c[n][0] = 1
		for k := 1; k <= min(n, maxKings+1); k++ {
			c[n][k] = c[n-1][k-1] + c[n-1][k]
		}
	}
	return c
}()

func rank(set engine.Bits) int {
	n := 0
	for k := 1; set != 0; k++ {
		n += binomial[set.First()][k]
		set &= set - 1
	}
	return n
}

func newKingSets(k, squares int) *kingSets {
	t := &kingSets{k: k, n: binomial[squares][k], squares: squares}
	t.words = (t.n + 63) / 64
	t.set, t.turned = make([]engine.Bits, t.n), make([]uint32, t.n)
	t.has = make([]uint64, t.words*squares)
	set := engine.Bits(1)<<k - 1
	for i := range t.n {
		t.set[i] = set
		t.turned[i] = uint32(rank(engine.Bits(bits.Reverse64(uint64(set)) >> (64 - squares))))
		for todo := set; todo != 0; todo &= todo - 1 {
			t.has[i/64*squares+int(todo.First())] |= 1 << (i % 64)
		}
		if set != 0 { // the next larger number with as many bits
			low := set & -set
			ripple := set + low
			set = ripple | (set^ripple)>>2/low
		}
	}
	return t
}

// valid returns which bits of a word are sets.
func (t *kingSets) valid(word int) uint64 {
	if rest := t.n - 64*word; rest < 64 {
		return 1<<rest - 1
	}
	return ^uint64(0)
}

// each calls f with every set until the flag is up.
func (t *kingSets) each(stop *halt.Flag, f func(i int, set engine.Bits)) error {
	for i, set := range t.set {
		if i%lookRows == 0 && stop.Up() {
			return stop.Err()
		}
		f(i, set)
	}
	return nil
}

func (t *kingSets) makeWithout(stop *halt.Flag) error {
	without := make([]uint32, t.words*t.squares*64)
	err := t.each(stop, func(i int, set engine.Bits) {
		for todo := set; todo != 0; todo &= todo - 1 {
			s := todo.First()
			without[(i/64*t.squares+int(s))*64+i%64] = uint32(rank(set &^ s.Bit()))
		}
	})
	if err == nil {
		t.without = without
	}
	return err
}

func (t *kingSets) less(i int, s int) int {
	return int(t.without[(i>>6*t.squares+s)*64+i&63])
}

func (t *kingSets) makeWith(stop *halt.Flag) error {
	with := make([]uint32, t.n*t.squares)
	err := t.each(stop, func(i int, set engine.Bits) {
		row := with[i*t.squares:][:t.squares]
		for s := range row {
			if !set.Has(engine.Square(s)) {
				row[s] = uint32(rank(set | engine.Square(s).Bit()))
			}
		}
	})
	if err == nil {
		t.with = with
	}
	return err
}

// makeSteps lists the quiet moves; rest are the sets of one king less.
func (t *kingSets) makeSteps(stop *halt.Flag, b *board, rest *kingSets) error {
	first := make([]uint32, 1, t.n+1)
	steps := make([]step, 0, int(float64(t.n*t.k)*b.kingReach()))
	err := t.each(stop, func(i int, set engine.Bits) {
		for todo := set; todo != 0; todo &= todo - 1 {
			from := todo.First()
			others := set &^ from.Bit()
			row := rest.with[t.less(i, int(from))*t.squares:][:t.squares]
			for d := range b.next {
				start := len(steps)
				for s := b.next[d][from]; s < off && !others.Has(engine.Square(s)); s = b.next[d][s] {
					steps = append(steps, newStep(int(row[s]), int(s)))
					if !b.flying {
						break
					}
				}
				for j := start; j < len(steps); j++ {
					steps[j] |= step(len(steps) - 1 - j)
				}
			}
		}
		first = append(first, uint32(len(steps)))
	})
	if err == nil {
		t.steps, t.first = steps, first
	}
	return err
}

// menSets numbers the placements of k men on the squares where a side's men
// can stand: as their owner sees them, all but the first row. Square s of the
// board is square s-shift of the embedded tables.
type menSets struct {
	*kingSets
	shift int
	// byAdvance lists the sets by the rows that their men have made.
	byAdvance [][]uint32
	// moves are the quiet moves to squares where men can stand, as numbers of
	// sets; first tells where those of a set begin. crowning are the moves to
	// the last row.
	moves         []uint32
	firstMove     []uint32
	crowning      []crowning
	firstCrowning []uint32
}

// A crowning is a man's move to the last row.
type crowning struct{ from, to uint8 }

func newMenSets(stop *halt.Flag, b *board, k int) (*menSets, error) {
	t := &menSets{shift: b.crown.Count()}
	t.kingSets = newKingSets(k, b.squares-t.shift)
	t.firstMove, t.firstCrowning = make([]uint32, 1, t.n+1), make([]uint32, 1, t.n+1)
	last := b.rules.Variant().Rows - 1
	return t, t.each(stop, func(i int, _ engine.Bits) {
		set := t.on(i)
		advance := 0
		for todo := set; todo != 0; todo &= todo - 1 {
			from := todo.First()
			advance += last - b.rules.Row(from)
			for _, way := range b.manSteps {
				to := engine.Square(b.next[way][from])
				switch {
				case to == off || set.Has(to):
				case b.crown.Has(to):
					t.crowning = append(t.crowning, crowning{uint8(from), uint8(to)})
				default:
					t.moves = append(t.moves, uint32(t.rank(set&^from.Bit()|to.Bit())))
				}
			}
		}
		t.firstMove = append(t.firstMove, uint32(len(t.moves)))
		t.firstCrowning = append(t.firstCrowning, uint32(len(t.crowning)))
		for len(t.byAdvance) <= advance {
			t.byAdvance = append(t.byAdvance, nil)
		}
		t.byAdvance[advance] = append(t.byAdvance[advance], uint32(i))
	})
}

// on returns set i on the board as its owner sees it.
func (t *menSets) on(i int) engine.Bits { return t.set[i] << t.shift }

// rank returns the number of a set of men on the board.
func (t *menSets) rank(men engine.Bits) int { return rank(men >> t.shift) }

func firstBit(x uint64) int { return bits.TrailingZeros64(x) }
