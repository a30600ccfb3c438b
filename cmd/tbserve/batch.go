package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"dambase/engine"
	"dambase/probe"
)

// maxBatch is how many positions a batch may have.
const maxBatch = 1000

// batchPosition is a position of a batch; its numbers may be left out.
type batchPosition struct {
	probe.QueryText
	wrong error // what is wrong with its text, or nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (b *batchPosition) UnmarshalJSON(text []byte) error {
	return decodeObject(text, map[string]any{"fen": &b.FEN, "kingmoves": &b.KingMoves, "situation": &b.Situation, "ply": &b.Ply})
}

// positions is the list of a batch. It is not read beyond its bound.
type positions []batchPosition

// UnmarshalJSON implements json.Unmarshaler.
func (p *positions) UnmarshalJSON(text []byte) error {
	return decodeList(text, "positions", maxBatch, func(d *json.Decoder) error {
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return err
		}
		var position batchPosition
		position.wrong = position.UnmarshalJSON(raw)
		*p = append(*p, position)
		return nil
	})
}

// batchError stands in the place of an answer that cannot be given.
type batchError struct {
	FEN    string `json:"fen"`
	Status int    `json:"status"` // what it would be for the position alone; 422 if the batch asks too much
	Error  string `json:"error"`
}

// batch answers POST /v1/{variant}/batch: many positions, in their order. What
// is wrong with one of them, its text or its table, concerns no other.
func (s *server) batch(r *request) (any, error) {
	t, err := s.variantTables(r)
	if err != nil {
		return nil, err
	}
	var list positions
	var moves bool
	if err := decodeObject(r.body, map[string]any{"positions": &list, "moves": &moves}); err != nil {
		return nil, err
	}
	out := parts{[]byte(`{"results":[`)}
	for i := range list {
		if i > 0 {
			out = append(out, comma)
		}
		var result any
		if result, err = batchAnswer(t, r.work, &list[i], moves); errors.Is(err, context.Canceled) {
			return nil, err
		} else if err != nil {
			if statusOf(err) == http.StatusInternalServerError {
				s.log.Error("a position of a batch", "error", err)
			}
			result = batchError{shortened(list[i].FEN, 300), statusOf(err), detailOf(err)}
		}
		text, err := json.Marshal(result)
		if err != nil {
			return nil, err
		}
		out = append(out, text)
	}
	return append(out, []byte("]}")), nil
}

var comma = []byte(",")

// batchAnswer probes one position of a batch.
func batchAnswer(t *probe.Tables, w *probe.Work, text *batchPosition, moves bool) (*probe.Answer, error) {
	if text.wrong != nil {
		return nil, text.wrong
	}
	q, err := text.Read(t.Rules())
	if err != nil {
		return nil, err
	}
	answer, err := t.Answer(w, q, moves)
	if errors.Is(err, engine.ErrBudget) && w.Err() != nil {
		return nil, statusError{http.StatusUnprocessableEntity, errors.New("the batch asks too much at once: send this position again with fewer others")}
	}
	return answer, err
}
