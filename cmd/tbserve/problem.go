package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"dambase/engine"
	"dambase/probe"
	"dambase/storage"
)

// A problem is the body of every error (RFC 9457).
type problem struct {
	Type   string `json:"type"`
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail"`
}

// A statusError is an error with the HTTP status that it stands for.
type statusError struct {
	status int
	error
}

func (e statusError) Unwrap() error { return e.error }

func badRequest(format string, args ...any) error {
	return statusError{http.StatusBadRequest, fmt.Errorf(format, args...)}
}

func notFound(format string, args ...any) error {
	return statusError{http.StatusNotFound, fmt.Errorf(format, args...)}
}

// errBusy tells a client to come back later.
var errBusy = statusError{http.StatusServiceUnavailable, errors.New("too many requests at once")}

// statusClientGone is logged for a request whose client did not wait for the
// answer; nobody sees it.
const statusClientGone = 499

// statusOf maps an error to its HTTP status, the one place that does.
func statusOf(err error) int {
	var withStatus statusError
	switch {
	case errors.As(err, &withStatus):
		return withStatus.status
	case errors.Is(err, context.Canceled):
		return statusClientGone
	case errors.As(err, new(*storage.CorruptError)):
		return http.StatusInternalServerError
	case errors.Is(err, storage.ErrResources), errors.Is(err, context.DeadlineExceeded):
		return http.StatusServiceUnavailable
	case errors.Is(err, engine.ErrBudget):
		return http.StatusUnprocessableEntity
	case errors.Is(err, engine.ErrFEN), errors.Is(err, engine.ErrPosition), errors.Is(err, engine.ErrMove), errors.Is(err, engine.ErrPDN),
		errors.Is(err, probe.ErrCounters), errors.Is(err, probe.ErrGame):
		return http.StatusBadRequest
	case errors.Is(err, probe.ErrUnknown), errors.Is(err, storage.ErrNoTable):
		return http.StatusNotFound
	}
	return http.StatusInternalServerError
}

// detailOf returns what a client is told of an error. Of those that are the
// server's own fault only what concerns a table.
func detailOf(err error) string {
	if statusOf(err) == http.StatusInternalServerError && !errors.As(err, new(*storage.CorruptError)) &&
		!errors.Is(err, storage.ErrRules) && !errors.Is(err, storage.ErrFormat) {
		return "internal error"
	}
	return shortened(err.Error(), 500)
}

// shortened cuts a text that is too long to be repeated.
func shortened(text string, most int) string {
	if len(text) <= most {
		return text
	}
	end := most
	for end > 0 && text[end]&0xC0 == 0x80 { // not in the middle of a character
		end--
	}
	return text[:end] + "…"
}

// retryAfter is what a client that came too early is told, in seconds.
const retryAfter = "1"

// problem answers with an error.
func (s *server) problem(w http.ResponseWriter, err error) {
	status := statusOf(err)
	h := w.Header()
	h.Set("Content-Type", "application/problem+json")
	h.Set("Cache-Control", "no-store")
	h.Del("ETag")
	switch status {
	case http.StatusServiceUnavailable, http.StatusTooManyRequests:
		h.Set("Retry-After", retryAfter)
	case http.StatusRequestTimeout:
		h.Set("Connection", "close")
	case http.StatusInternalServerError:
		s.log.Error("request failed", "error", err)
	}
	w.WriteHeader(status)
	body, err := json.Marshal(problem{"about:blank", http.StatusText(status), status, detailOf(err)})
	if err == nil {
		_, err = w.Write(append(body, '\n'))
	}
	if err != nil {
		s.log.Debug("writing a problem", "error", err)
	}
}
