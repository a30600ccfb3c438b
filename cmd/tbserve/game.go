package main

import (
	"bytes"
	"encoding/json"
	"mime"

	"dambase/engine"
	"dambase/probe"
)

// maxPlies bounds the moves of a game.
const maxPlies = 5000

// game answers POST /v1/{variant}/game: JSON or PDN, whatever it says it is.
func (s *server) game(r *request) (any, error) {
	t, err := s.variantTables(r)
	if err != nil {
		return nil, err
	}
	request, err := r.game()
	if err != nil {
		return nil, err
	}
	if len(request.Moves) > maxPlies {
		return nil, badRequest("%d moves: at most %d are taken", len(request.Moves), maxPlies)
	}
	return t.Game(r.work, request)
}

// moveTexts is the list of the moves of a game. It is not read beyond its bound.
type moveTexts []string

// UnmarshalJSON implements json.Unmarshaler.
func (m *moveTexts) UnmarshalJSON(text []byte) error {
	return decodeList(text, "moves", maxPlies, func(d *json.Decoder) error {
		var move string
		err := d.Decode(&move)
		*m = append(*m, move)
		return err
	})
}

// game reads a game from the body.
func (r *request) game() (probe.GameRequest, error) {
	r.body = bytes.TrimPrefix(r.body, []byte("\ufeff"))
	if looksLikeJSON(r.body) {
		if r.query.Has("game") {
			return probe.GameRequest{}, badRequest("parameter game: of JSON there is one game")
		}
		var out probe.GameRequest
		return out, decodeObject(r.body, map[string]any{"fen": &out.FEN, "moves": (*moveTexts)(&out.Moves), "flag": &out.Flag})
	}
	game, err := r.chosenGame()
	media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")) // a wrong one says nothing
	if err != nil && media == "application/json" {
		err = badRequest("body: want a JSON object, or PDN: %w", err)
	}
	return probe.GameRequest{FEN: game.FEN(), GameType: game.GameType(), Moves: game.Moves}, err
}

// chosenGame reads the PDN of the body: its one game, or the one that the
// parameter game numbers, from 1.
func (r *request) chosenGame() (engine.PDNGame, error) {
	if len(bytes.TrimSpace(r.body)) == 0 {
		return engine.PDNGame{}, badRequest("body: want a game, as JSON or PDN")
	}
	games, err := engine.ParsePDNGames(string(r.body))
	if err != nil {
		return engine.PDNGame{}, err
	}
	if len(games) == 0 {
		return engine.PDNGame{}, badRequest("body: neither a game nor a JSON object")
	}
	if !r.query.Has("game") {
		if len(games) != 1 {
			return engine.PDNGame{}, badRequest("body: %d games: choose one with the parameter game, from 1 to %d", len(games), len(games))
		}
		return games[0], nil
	}
	n, err := r.number("game")
	if err != nil {
		return engine.PDNGame{}, err
	}
	if n < 1 || int(n) > len(games) {
		return engine.PDNGame{}, badRequest("parameter game: %d is not from 1 to %d", n, len(games))
	}
	return games[n-1], nil
}
