package main

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"

	"dambase/engine"
	"dambase/probe"
)

// A request is what a handler works on.
type request struct {
	*http.Request
	server   *server
	query    url.Values
	body     []byte
	snapshot *snapshot // the tables as they were when it was taken up
	work     *probe.Work
	held     int64 // bytes taken from the ledger
}

// Bodies have a bound. What is small is not accounted for: the number of
// connections bounds it.
const (
	maxBody    = 1 << 20
	smallBytes = 64 << 10
)

// hold takes the memory of a body or an answer of so many bytes from the
// ledger, until the request is over.
func (r *request) hold(size int) error {
	if size <= smallBytes {
		return nil
	}
	if !r.server.ledger.TryAcquire(int64(size)) {
		return errBusy
	}
	r.held += int64(size)
	return nil
}

func (r *request) release() { r.server.ledger.Release(r.held) }

// readBody reads the body of a request, up to its bound.
func (r *request) readBody(w http.ResponseWriter) ([]byte, error) {
	limited := http.MaxBytesReader(w, r.Body, maxBody)
	body := make([]byte, 0, 4<<10)
	for {
		if len(body) == cap(body) {
			if err := r.hold(len(body)); err != nil {
				return nil, err
			}
			body = slices.Grow(body, len(body)) // as much again as there is
		}
		n, err := limited.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		var tooLarge *http.MaxBytesError
		switch {
		case err == io.EOF:
			return body, nil
		case errors.As(err, &tooLarge):
			return nil, statusError{http.StatusRequestEntityTooLarge, errors.New("the body is too large: at most 1 MiB is taken")}
		case errors.Is(err, os.ErrDeadlineExceeded):
			return nil, statusError{http.StatusRequestTimeout, errors.New("the body did not come in time")}
		case err != nil && r.Context().Err() != nil:
			return nil, r.Context().Err()
		case err != nil:
			return nil, badRequest("the body ends early")
		}
	}
}

// positionParams are the parameters that name a position, and further ones.
func positionParams(further ...string) []string {
	return append([]string{"fen", "kingmoves", "situation"}, further...)
}

// position reads the position and its counters from the query parameters.
func (r *request) position(rules *engine.Rules) (probe.Query, error) {
	if !r.query.Has("fen") {
		return probe.Query{}, badRequest("parameter fen is missing")
	}
	text := probe.QueryText{FEN: r.query.Get("fen")}
	for _, counter := range []struct {
		name   string
		target **engine.Plies
	}{{"kingmoves", &text.KingMoves}, {"situation", &text.Situation}, {"ply", &text.Ply}} {
		if !r.query.Has(counter.name) {
			continue
		}
		n, err := r.number(counter.name)
		if err != nil {
			return probe.Query{}, err
		}
		*counter.target = &n
	}
	return text.Read(rules)
}

// number reads a parameter that is a number of plies.
func (r *request) number(name string) (engine.Plies, error) {
	v, err := strconv.Atoi(r.query.Get(name))
	if err != nil {
		return 0, badRequest("parameter %s: %.40q is not a number", name, r.query.Get(name))
	}
	return engine.Plies(v), nil
}
