package main

import (
	"net/http"

	"dambase/engine"
	"dambase/probe"
)

// maxBatch is how many positions a batch may have.
const maxBatch = 1000

// batchRequest is the body of POST /v1/{variant}/batch.
type batchRequest struct {
	Positions []batchPosition `json:"positions"`
	Moves     bool            `json:"moves"`
}

// batchPosition is a position of a batch; its numbers may be left out.
type batchPosition struct {
	FEN       string        `json:"fen"`
	KingMoves *engine.Plies `json:"kingmoves"`
	Situation *engine.Plies `json:"situation"`
	Ply       *engine.Plies `json:"ply"`
}

// batchError stands in the place of the answer to a bad position.
type batchError struct {
	FEN   string `json:"fen"`
	Error string `json:"error"`
}

// batch answers POST /v1/{variant}/batch: many positions, in their order.
func (s *server) batch(w http.ResponseWriter, r *http.Request, n *snapshot) error {
	t, err := s.variantTables(r, n)
	if err != nil {
		return err
	}
	body, err := readBody(w, r)
	if err != nil {
		return err
	}
	var request batchRequest
	if err := decodeStrict(body, &request); err != nil {
		return err
	}
	if len(request.Positions) > maxBatch {
		return badRequest("%d positions: at most %d are taken", len(request.Positions), maxBatch)
	}
	results := make([]any, len(request.Positions))
	for i, item := range request.Positions {
		if err := r.Context().Err(); err != nil {
			return err
		}
		answer, err := item.answer(t, request.Moves)
		switch {
		case err == nil:
			results[i] = answer
		case statusOf(err) == http.StatusBadRequest:
			results[i] = batchError{item.FEN, err.Error()}
		default:
			return err
		}
	}
	return writeJSON(w, r, n, struct {
		Results []any `json:"results"`
	}{results})
}

// answer probes one position of a batch.
func (b *batchPosition) answer(t *probe.Tables, moves bool) (*probe.Answer, error) {
	fen, err := t.Rules().ParseFEN(b.FEN)
	if err != nil {
		return nil, err
	}
	var c engine.Counters
	switch {
	case fen.Halfmoves != nil && (b.KingMoves != nil || b.Situation != nil):
		return nil, errCountersTwice
	case fen.Halfmoves != nil:
		c = probe.FENCounters(t.Rules(), &fen)
	}
	if b.KingMoves != nil {
		c.KingMoves = *b.KingMoves
	}
	if b.Situation != nil {
		c.Situation = *b.Situation
	}
	if b.Ply != nil {
		return t.AnswerAt(fen.Position, c, *b.Ply, moves)
	}
	return t.Answer(fen.Position, c, moves)
}
