package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"

	"dambase/engine"
	"dambase/probe"
)

// maxBody bounds the body of a request, in bytes; maxPlies the moves of a game.
const (
	maxBody  = 1 << 20
	maxPlies = 5000
)

// game answers POST /v1/{variant}/game: JSON, or PDN as text/plain.
func (s *server) game(w http.ResponseWriter, r *http.Request, n *snapshot) error {
	t, err := s.variantTables(r, n)
	if err != nil {
		return err
	}
	request, err := gameRequest(w, r)
	if err != nil {
		return err
	}
	if len(request.Moves) > maxPlies {
		return badRequest("%d moves: at most %d are taken", len(request.Moves), maxPlies)
	}
	game, err := t.Game(request)
	if err != nil {
		return err
	}
	return writeJSON(w, r, n, game)
}

// readBody reads the body of a request, up to its bound.
func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return nil, statusError{http.StatusRequestEntityTooLarge, err}
	} else if err != nil {
		return nil, badRequest("body: %w", err)
	}
	return body, nil
}

// gameRequest reads the body of a request: PDN if it says text/plain, else JSON.
func gameRequest(w http.ResponseWriter, r *http.Request) (probe.GameRequest, error) {
	var request probe.GameRequest
	body, err := readBody(w, r)
	if err != nil {
		return request, err
	}
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err == nil && media == "text/plain" {
		game, err := engine.ParsePDN(string(body))
		return probe.GameRequest{FEN: game.FEN(), GameType: game.GameType(), Moves: game.Moves}, err
	}
	return request, decodeStrict(body, &request)
}

// decodeStrict decodes one JSON object without unknown fields.
func decodeStrict(body []byte, v any) error {
	if trimmed := bytes.TrimSpace(body); len(trimmed) == 0 || trimmed[0] != '{' {
		return badRequest("body: want a JSON object")
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(v)
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrong):
		return badRequest("body: field %s: a %s does not fit", wrong.Field, wrong.Value)
	case err != nil:
		return badRequest("body: %w", err)
	case decoder.More():
		return badRequest("body: more than one JSON value")
	}
	return nil
}
