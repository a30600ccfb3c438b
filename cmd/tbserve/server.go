package main

import (
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// server answers the routes of docs/http.md. It is safe for concurrent use.
type server struct {
	tables  *tableSet
	log     *slog.Logger
	metrics *metrics
	slots   chan struct{} // one for each request under way
}

// A handler answers a request from a snapshot of the tables, or returns an
// error to be sent as a problem.
type handler func(w http.ResponseWriter, r *http.Request, n *snapshot) error

func newServer(tables *tableSet, inFlight int, log *slog.Logger) http.Handler {
	s := &server{tables: tables, log: log, metrics: newMetrics(tables), slots: make(chan struct{}, inFlight)}
	mux := http.NewServeMux()
	s.route(mux, "/v1/variants", s.variants, http.MethodGet)
	s.route(mux, "/v1/{variant}", s.probe, http.MethodGet)
	s.route(mux, "/v1/{variant}/batch", s.batch, http.MethodPost)
	s.route(mux, "/v1/{variant}/slices", s.slices, http.MethodGet)
	s.route(mux, "/v1/{variant}/slices/{slice}", s.slice, http.MethodGet)
	s.route(mux, "/v1/{variant}/game", s.game, http.MethodPost)
	s.route(mux, "/v1/{variant}/mainline", s.mainline, http.MethodGet)
	s.route(mux, "/-/healthy", s.healthy, http.MethodGet)
	s.route(mux, "/-/ready", s.ready, http.MethodGet)
	mux.Handle("/metrics", s.metrics.handler())
	s.route(mux, "/", func(http.ResponseWriter, *http.Request, *snapshot) error {
		return notFound("no such route; docs/http.md lists them: /v1/variants, /v1/{variant}?fen=…")
	}, http.MethodGet)
	return mux
}

// route registers a handler with all that surrounds it: methods, CORS, the
// limit of requests, metrics, and errors as problems.
func (s *server) route(mux *http.ServeMux, pattern string, h handler, methods ...string) {
	allowed := append(slices.Clone(methods), http.MethodOptions)
	if slices.Contains(methods, http.MethodGet) {
		allowed = append(allowed, http.MethodHead)
	}
	mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		recorder := &statusRecorder{ResponseWriter: w, status: http.StatusOK}
		s.respond(recorder, r, h, allowed)
		s.metrics.observe(pattern, recorder.status, time.Since(start))
	})
}

func (s *server) respond(w http.ResponseWriter, r *http.Request, h handler, allowed []string) {
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("panic", "value", p, "stack", string(debug.Stack()))
			writeProblem(w, s.log, errors.New("internal error"))
		}
	}()
	header := w.Header()
	header.Set("Access-Control-Allow-Origin", "*")
	if !slices.Contains(allowed, r.Method) {
		header.Set("Allow", strings.Join(allowed, ", "))
		writeProblem(w, s.log, statusError{http.StatusMethodNotAllowed, errors.New("want " + strings.Join(allowed, ", "))})
		return
	}
	if r.Method == http.MethodOptions {
		header.Set("Access-Control-Allow-Methods", strings.Join(allowed, ", "))
		header.Set("Access-Control-Allow-Headers", "Content-Type, If-None-Match")
		header.Set("Access-Control-Max-Age", "86400")
		w.WriteHeader(http.StatusNoContent)
		return
	}
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	default:
		if strings.HasPrefix(r.URL.Path, "/-/") {
			break // a busy server is alive all the same
		}
		writeProblem(w, s.log, statusError{http.StatusServiceUnavailable, errors.New("too many requests at once")})
		return
	}
	n := s.tables.acquire()
	defer s.tables.release(n)
	if err := h(w, r, n); err != nil {
		writeProblem(w, s.log, err)
	}
}

// statusRecorder remembers the status of an answer.
type statusRecorder struct {
	http.ResponseWriter
	status int
}

func (r *statusRecorder) WriteHeader(status int) {
	r.status = status
	r.ResponseWriter.WriteHeader(status)
}

// cacheControl lets caches keep an answer for a minute: new tables may turn
// an unknown into a verdict.
const cacheControl = "public, max-age=60"

// writeJSON answers with a value that depends on the tables and the URL alone.
func writeJSON(w http.ResponseWriter, r *http.Request, n *snapshot, v any) error {
	h := w.Header()
	if r.Method != http.MethodPost {
		h.Set("ETag", n.etag)
		h.Set("Cache-Control", cacheControl)
	}
	if r.Method != http.MethodPost && matches(r.Header.Get("If-None-Match"), n.etag) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	h.Set("Content-Type", "application/json")
	_, _ = w.Write(append(body, '\n')) // an error means that the client is gone
	return nil
}

// matches reports whether a list of If-None-Match names the tag.
func matches(list, etag string) bool {
	for item := range strings.SplitSeq(list, ",") {
		item = strings.TrimPrefix(strings.TrimSpace(item), "W/")
		if item == etag || item == "*" {
			return true
		}
	}
	return false
}
