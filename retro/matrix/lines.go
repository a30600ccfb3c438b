package matrix

import "dambase/engine"

// lines works out the king moves of a side against men alone: the opponent
// never answers inside the block, so nothing has to be searched. The
// values after the moves are laid out by the square of the moving king and the
// number of the other kings; what a king can reach along a line is then a
// running maximum of whole rows.
type lines struct {
	pitch  int    // bytes of a square's row
	after  []byte // by square: what a king that arrives there gives
	best   []byte // by square: the best that a king there can reach
	run    []byte // the same along one direction
	vacant []byte // 0xFF where none of the other kings is on the square
	gives  *translation
	orders [engine.Directions][][2]uint8 // squares and their neighbours, neighbours first
	lines  [][]uint8                     // of two squares or more
}

func (l *lines) open(d *side) {
	l.pitch = (d.rest.n + 7) &^ 7
	size := l.pitch * d.squares
	l.after, l.best, l.run, l.vacant = make([]byte, size), make([]byte, size), make([]byte, size), make([]byte, size)
	for i, set := range d.rest.set {
		for s := range d.squares {
			if !set.Has(engine.Square(s)) {
				l.vacant[s*l.pitch+i] = 0xFF
			}
		}
	}
	l.gives = d.scale.theory()
	if d.scale.ruled {
		l.gives = d.scale.kept()
	}
	l.lines = d.allLines()
	for way := range d.next {
		for _, s := range d.outermostFirst(way) {
			if t := d.next[way][s]; t < off {
				l.orders[way] = append(l.orders[way], [2]uint8{s, t})
			}
		}
	}
}

// kingMoves takes in the king moves of a side whose opponent, with values
// after, has no king.
func (d *side) kingMoves(after []byte) {
	l := &d.lines
	if d.own.k == 1 {
		d.kingMovesOfOne(after)
		return
	}
	clear(l.after)
	clear(l.best)
	men := d.ownMen | d.oppMen
	for r, set := range d.own.set {
		if r%lookRows == 0 && d.stop.Up() {
			return
		}
		if set&men != 0 {
			continue
		}
		x := l.gives[after[r]]
		for todo := set; todo != 0; todo &= todo - 1 {
			s := int(todo.First())
			l.after[s*l.pitch+d.own.less(r, s)] = x
		}
	}
	for way := range l.orders {
		for _, pair := range l.orders[way] {
			if l.pitch > lookRows && d.stop.Up() {
				return
			}
			to, from := int(pair[0])*l.pitch, int(pair[1])*l.pitch
			run, best := l.run[to:][:l.pitch], l.best[to:][:l.pitch]
			if men.Has(engine.Square(pair[1])) {
				clear(run)
				continue
			}
			after, beyond, vacant := l.after[from:][:l.pitch], l.run[from:][:l.pitch], l.vacant[from:][:l.pitch]
			if !d.flying || d.next[way][pair[1]] == off {
				copy(run, after)
				for i := 0; i+8 <= len(best); i += 8 {
					store(best[i:], max8(load(best[i:]), load(after[i:])))
				}
				continue
			}
			for i := 0; i+8 <= len(run); i += 8 {
				x := max8(load(after[i:]), load(beyond[i:])&load(vacant[i:]))
				store(run[i:], x)
				store(best[i:], max8(load(best[i:]), x))
			}
		}
	}
	for r, set := range d.own.set {
		if r%lookRows == 0 && d.stop.Up() {
			return
		}
		if set&men != 0 || d.captures[r] != 0 && !d.optional {
			continue
		}
		x := d.scores[r]
		for todo := set; todo != 0; todo &= todo - 1 {
			s := int(todo.First())
			x = better(x, l.best[s*l.pitch+d.own.less(r, s)])
		}
		d.scores[r] = x
	}
}

// kingMovesOfOne is kingMoves of a single king, whose set is its square.
func (d *side) kingMovesOfOne(after []byte) {
	l := &d.lines
	men := d.ownMen | d.oppMen
	// No branches in the loops: where men stand cannot be foretold.
	var gives, best, vacant [off]score
	for s := range min(len(after), off) {
		gives[s] = l.gives[after[s]] // of a square with a man: nothing, for it is invalid
		vacant[s] = 0xFF
	}
	if !d.flying {
		vacant = [off]score{}
	}
	for todo := men; todo != 0; todo &= todo - 1 {
		vacant[todo.First()&63] = 0
	}
	for _, line := range l.lines {
		run := noMove
		for _, s := range line {
			best[s&63] = better(best[s&63], run)
			run = better(gives[s&63], run&vacant[s&63])
		}
		run = noMove
		for i := len(line) - 1; i >= 0; i-- {
			s := line[i] & 63
			best[s] = better(best[s], run)
			run = better(gives[s], run&vacant[s])
		}
	}
	for s, x := range d.scores[:min(len(d.scores), off)] {
		if d.captures[s] == 0 || d.optional {
			d.scores[s] = better(x, best[s])
		}
	}
}
