package main

import (
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"dambase/probe"

	"golang.org/x/sync/semaphore"
)

// limits bound what requests may take together.
type limits struct {
	requests int    // answered at once; more are told to come back
	memory   uint64 // bytes of large bodies and answers
}

// server answers the routes of docs/http.md. It is safe for concurrent use.
//
// A request goes through four stages: its body is read, it takes a slot, it is
// answered on one of a few cores, and the answer is written. Slow clients are
// slow in the first and the last, where they hold no slot, and no more memory
// than the ledger grants.
type server struct {
	handler http.Handler
	tables  *tableSet
	log     *slog.Logger
	metrics *metrics
	slots   chan struct{}       // one for each request whose body is there
	cores   chan struct{}       // one for each that is being worked on
	ledger  *semaphore.Weighted // bytes of large bodies and answers
}

// A handler returns the answer to a request, to be written as JSON, or an
// error to be sent as a problem.
type handler func(r *request) (any, error)

// A route is what is answered at a path.
type route struct {
	pattern string
	method  string // and HEAD with GET
	params  []string
	handler handler
	// light routes need no slot: a busy server is alive all the same.
	light bool
}

func newServer(tables *tableSet, l limits, log *slog.Logger) *server {
	s := &server{
		tables: tables, log: log, metrics: newMetrics(tables),
		slots: make(chan struct{}, l.requests), cores: make(chan struct{}, 2*runtime.GOMAXPROCS(0)),
		ledger: semaphore.NewWeighted(int64(l.memory)),
	}
	mux := http.NewServeMux()
	for _, r := range []route{
		{"/v1/variants", http.MethodGet, nil, s.variants, false},
		{"/v1/{variant}", http.MethodGet, positionParams("ply"), s.probe, false},
		{"/v1/{variant}/batch", http.MethodPost, nil, s.batch, false},
		{"/v1/{variant}/slices", http.MethodGet, nil, s.slices, false},
		{"/v1/{variant}/slices/{slice}", http.MethodGet, nil, s.slice, false},
		{"/v1/{variant}/game", http.MethodPost, []string{"game"}, s.game, false},
		{"/v1/{variant}/mainline", http.MethodGet, positionParams("max"), s.mainline, false},
		{"/-/healthy", http.MethodGet, nil, s.healthy, true},
		{"/-/ready", http.MethodGet, nil, s.ready, true},
		{"/", http.MethodGet, nil, s.nothing, true},
	} {
		s.route(mux, r)
	}
	mux.Handle("/metrics", s.metrics.handler())
	s.handler = mux
	return s
}

// route registers a route with all that surrounds it: methods, CORS, limits,
// metrics, and errors as problems.
func (s *server) route(mux *http.ServeMux, rt route) {
	mux.HandleFunc(rt.pattern, func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		recorder := &statusRecorder{ResponseWriter: w, status: http.StatusOK}
		s.respond(recorder, r, &rt)
		s.metrics.observe(rt.pattern, recorder.status, time.Since(start))
	})
}

func (s *server) respond(w *statusRecorder, r *http.Request, rt *route) {
	header := w.Header()
	header.Set("Access-Control-Allow-Origin", "*")
	allowed := []string{rt.method, http.MethodOptions}
	if rt.method == http.MethodGet {
		allowed = append(allowed, http.MethodHead)
	}
	if rt.pattern == "/" && r.URL.Path != "/" {
		s.problem(w, errNoRoute)
		return
	}
	if r.Method == http.MethodOptions {
		header.Set("Access-Control-Allow-Methods", strings.Join(allowed, ", "))
		header.Set("Access-Control-Allow-Headers", "Content-Type, If-None-Match")
		header.Set("Access-Control-Max-Age", "86400")
		w.WriteHeader(http.StatusNoContent)
		return
	}
	if !slices.Contains(allowed, r.Method) {
		header.Set("Allow", strings.Join(allowed, ", "))
		s.problem(w, statusError{http.StatusMethodNotAllowed, errors.New("want " + strings.Join(allowed, ", "))})
		return
	}
	req := &request{Request: r, server: s}
	defer req.release()
	answer, err := s.answer(w, req, rt)
	if req.work != nil {
		s.log.Debug("worked", "route", rt.pattern, "units", req.work.Spent())
	}
	if err != nil {
		s.problem(w, err)
		return
	}
	writeAnswer(w, r, answer)
}

// answer reads a request and computes the bytes of its answer.
func (s *server) answer(w http.ResponseWriter, r *request, rt *route) (answer *encoded, err error) {
	if r.query, err = parameters(r.URL, rt.params); err != nil {
		return nil, err
	}
	if rt.method == http.MethodPost {
		if r.body, err = r.readBody(w); err != nil {
			return nil, err
		}
	}
	if !rt.light {
		leave, err := s.enter(r)
		if err != nil {
			return nil, err
		}
		defer leave()
	}
	return s.compute(r, rt.handler)
}

// enter waits for a core. Where too many wait already it returns an error.
func (s *server) enter(r *request) (leave func(), err error) {
	select {
	case s.slots <- struct{}{}:
	default:
		return nil, errBusy
	}
	select {
	case s.cores <- struct{}{}:
		return func() { <-s.cores; <-s.slots }, nil
	case <-r.Context().Done():
		<-s.slots
		return nil, r.Context().Err()
	}
}

// encoded is the answer to a request as it is written.
type encoded struct {
	body parts
	text bool   // plain text instead of JSON
	etag string // of what depends on the tables and the address alone
}

// compute calls a handler and encodes its answer.
func (s *server) compute(r *request, h handler) (answer *encoded, err error) {
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("panic", "value", p, "stack", string(debug.Stack()))
			err = errors.New("panic")
		}
	}()
	r.snapshot = s.tables.current.Load()
	r.work = probe.NewWork(r.Context())
	v, err := h(r)
	if err != nil {
		return nil, err
	}
	answer = &encoded{}
	switch v := v.(type) {
	case plainText:
		answer.body, answer.text = parts{[]byte(v)}, true
	case parts:
		answer.body = v
	default:
		text, err := json.Marshal(v)
		if err != nil {
			return nil, err
		}
		answer.body = parts{text}
	}
	answer.body = append(answer.body, []byte("\n"))
	if r.Method != http.MethodPost && !answer.text {
		answer.etag = r.snapshot.etag
	}
	return answer, r.hold(answer.body.size())
}

// parts are JSON that has been written piece by piece: a long list needs its
// memory once then.
type parts [][]byte

func (p parts) size() int {
	n := 0
	for _, part := range p {
		n += len(part)
	}
	return n
}

// plainText is an answer that is no JSON.
type plainText string

// parameters returns the query parameters. An unknown one, or one given twice,
// is refused: a mistyped counter must not be ignored.
func parameters(u *url.URL, known []string) (url.Values, error) {
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return nil, badRequest("query: %w", err)
	}
	for key, values := range query {
		switch {
		case len(known) == 0:
			return nil, badRequest("unknown parameter %.40q: this route has none", key)
		case !slices.Contains(known, key):
			return nil, badRequest("unknown parameter %.40q: want %s", key, strings.Join(known, ", "))
		case len(values) > 1:
			return nil, badRequest("parameter %s is given %d times", key, len(values))
		}
	}
	return query, nil
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

func writeAnswer(w http.ResponseWriter, r *http.Request, a *encoded) {
	h := w.Header()
	if a.etag != "" {
		h.Set("ETag", a.etag)
		h.Set("Cache-Control", cacheControl)
		if matches(r.Header.Get("If-None-Match"), a.etag) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	h.Set("Content-Type", "application/json")
	if a.text {
		h.Set("Content-Type", "text/plain; charset=utf-8")
	}
	for _, part := range a.body {
		if _, err := w.Write(part); err != nil {
			return // the client is gone
		}
	}
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
