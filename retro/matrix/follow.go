package matrix

import (
	"dambase/engine"
)

// follow walks all captures that begin with a jump that goes on.
func (j *jumps) follow(f *jump) {
	j.arm()
	// The start square counts as empty.
	var from uint64
	grouped := f.king && j.byRow
	if grouped {
		for i, s := range j.approaches[f.from].from {
			j.own[s] &^= j.approaches[f.from].cells[i]
		}
	} else {
		from = j.own[f.from]
		j.own[f.from] = 0
	}
	j.capture = capture{from: int(f.from), king: f.king}
	j.order, j.table = 0, nil
	if f.king && !j.lifts {
		j.table = j.king
		if size := j.squares * engine.Directions; !j.byRow {
			j.table = j.king[j.side.own.less(j.row, int(f.from))*size:][:size]
		}
	}
	j.push(int(f.over))
	j.goOn(int(f.to), f.king || j.passing && j.crown.Has(engine.Square(f.to)), f.on)
	if grouped {
		for i, s := range j.approaches[f.from].from {
			j.own[s] |= j.approaches[f.from].cells[i]
		}
	} else {
		j.own[f.from] = from
	}
}

func (j *jumps) push(over int) {
	j.count++
	if s := engine.Square(over); j.oppMen.Has(s) {
		j.men |= s.Bit()
	} else {
		j.kings |= s.Bit()
		j.kingsN++
		j.order |= 1 << (maxOrder - j.count)
	}
}

func (j *jumps) pop(over int) {
	if s := engine.Square(over); j.men.Has(s) {
		j.men &^= s.Bit()
	} else {
		j.kings &^= s.Bit()
		j.kingsN--
		j.order &^= 1 << (maxOrder - j.count)
	}
	j.count--
}

// goOn follows a capture from a landing square and returns the positions in
// which there is another jump.
func (j *jumps) goOn(at int, king bool, cells uint64) (on uint64) {
	d := j.side
	flies := king && d.flying
	// The table takes pieces for targets that are taken already, so it only
	// tells where there is nothing. Where rows are the bits it also takes the
	// start square for occupied, which matters from the third jump on.
	table := j.table
	if j.byRow && j.count > 1 {
		table = nil
	}
	for _, way := range j.waysOf(king) {
		v := cells
		if table != nil {
			if v &= table[at*engine.Directions+way]; v == 0 {
				continue
			}
		}
		for s := d.next[way][at]; s < off; s = d.next[way][s] {
			if (j.men | j.kings).Has(engine.Square(s)) {
				if d.lifts && flies {
					continue
				}
				break
			}
			if v &^= j.own[s]; v == 0 {
				break
			}
			if hit := v & j.opp[s]; hit != 0 && (king || d.menTakeKings || d.oppMen.Has(engine.Square(s))) {
				on |= j.take(int(s), way, king, hit)
			}
			if v &^= j.opp[s]; v == 0 || !flies {
				break
			}
		}
	}
	return on
}

// take makes a further jump and returns the positions in which there is a
// square to land on.
func (j *jumps) take(over, way int, king bool, hit uint64) (can uint64) {
	d := j.side
	var landings [16]struct {
		to    uint8
		stops uint64
	}
	n, on := 0, uint64(0)
	j.push(over)
	for to := d.next[way][over]; to < off; to = d.next[way][to] {
		if !(j.men | j.kings).Has(engine.Square(to)) {
			hit &^= j.own[to] | j.opp[to]
		} else if !d.lifts {
			break
		}
		if hit == 0 {
			break
		}
		if n == 0 {
			can = hit
		}
		c := j.goOn(int(to), king || d.passing && d.crown.Has(engine.Square(to)), hit)
		on |= c
		landings[n].to, landings[n].stops = to, hit&^c
		n++
		if !king || !d.flying || d.landing == engine.LandBehind {
			break
		}
	}
	for i, l := range landings[:n] {
		if d.landing == engine.LandGoOn {
			l.stops &^= on
		}
		if i > 0 && d.landing == engine.LandBehindKing && !d.oppMen.Has(engine.Square(over)) {
			break
		}
		if l.stops != 0 {
			j.leaf(int(l.to), king, l.stops)
		}
	}
	j.pop(over)
	return can
}

// leaf takes in a complete capture.
func (j *jumps) leaf(to int, king bool, cells uint64) {
	c := &j.done
	*c = j.capture
	c.to, c.cells = to, cells
	c.promotes = !c.king && (king || j.crown.Has(engine.Square(to)))
	if j.choosing == freely || j.choosing == kingsFirst {
		j.deliver(c, cells)
		return
	}
	c.rank = j.rankOf(c, j.order)
	j.leaves = append(j.leaves, *c)
}
