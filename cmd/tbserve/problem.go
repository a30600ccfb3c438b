package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"

	"dambase/engine"
	"dambase/probe"
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

// statusOf maps an error to its HTTP status, the one place that does.
func statusOf(err error) int {
	var withStatus statusError
	switch {
	case errors.As(err, &withStatus):
		return withStatus.status
	case errors.Is(err, engine.ErrFEN), errors.Is(err, engine.ErrMove), errors.Is(err, engine.ErrPDN),
		errors.Is(err, probe.ErrCounters), errors.Is(err, probe.ErrGame):
		return http.StatusBadRequest
	}
	return http.StatusInternalServerError // a damaged table, as a rule
}

// retryAfter is what a client that came too early is told, in seconds.
const retryAfter = "1"

// writeProblem answers with an error.
func writeProblem(w http.ResponseWriter, log *slog.Logger, err error) {
	status := statusOf(err)
	h := w.Header()
	h.Set("Content-Type", "application/problem+json")
	h.Set("Cache-Control", "no-store")
	h.Del("ETag")
	if status == http.StatusServiceUnavailable || status == http.StatusTooManyRequests {
		h.Set("Retry-After", retryAfter)
	}
	if status == http.StatusInternalServerError {
		log.Error("request failed", "error", err)
	}
	w.WriteHeader(status)
	body, err := json.Marshal(problem{"about:blank", http.StatusText(status), status, err.Error()})
	if err == nil {
		_, err = w.Write(append(body, '\n'))
	}
	if err != nil {
		log.Debug("writing a problem", "error", err)
	}
}
