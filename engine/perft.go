package engine

// Perft counts the lines of play of the given depth from p.
func (r *Rules) Perft(p *Position, depth int) uint64 {
	if depth == 0 {
		return 1
	}
	var buffer [64]Move
	moves := r.Moves(buffer[:0], p)
	if depth == 1 {
		return uint64(len(moves))
	}
	var n uint64
	for _, m := range moves {
		q := r.Play(p, m)
		n += r.Perft(&q, depth-1)
	}
	return n
}
