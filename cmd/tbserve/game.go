package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
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

var errWantJSON = errors.New("want application/json")

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

// mediaType returns the kind of a request's body, "" if it is not readable.
func mediaType(r *http.Request) string {
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		return ""
	}
	return media
}

// gameRequest reads the body of a request.
func gameRequest(w http.ResponseWriter, r *http.Request) (probe.GameRequest, error) {
	var request probe.GameRequest
	body, err := readBody(w, r)
	if err != nil {
		return request, err
	}
	switch mediaType(r) {
	case "text/plain":
		game, err := engine.ParsePDN(string(body))
		return probe.GameRequest{FEN: game.Tags["FEN"], Moves: game.Moves}, err
	case "application/json":
		return request, decodeStrict(body, &request)
	}
	return request, statusError{http.StatusUnsupportedMediaType, fmt.Errorf("%w, or PDN as text/plain", errWantJSON)}
}

// decodeStrict decodes one JSON value without unknown fields.
func decodeStrict(body []byte, v any) error {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(v); err != nil {
		return badRequest("body: %w", err)
	}
	if decoder.More() {
		return badRequest("body: more than one JSON value")
	}
	return nil
}
