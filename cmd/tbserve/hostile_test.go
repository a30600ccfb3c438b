package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"testing"

	"dambase/engine"
	"dambase/probe"
)

// hostileFile holds requests that cost as much as could be found, one a line,
// as hostile_recipe_test.go reads them. TestHostileSearch writes it.
const hostileFile = "testdata/hostile.txt"

// A hostileServer answers requests without a network and tells what they cost.
type hostileServer struct {
	http.Handler
	log watchedLog
}

// newHostileServer serves all variants, some of them with small tables.
func newHostileServer(t testing.TB) *hostileServer {
	t.Helper()
	dir := t.TempDir()
	for _, v := range []struct {
		name   string
		pieces int
	}{{"english", 3}, {"russian", 3}, {"draughts64", 3}, {"international", 2}, {"turkish", 2}, {"pool-optional", 2}} {
		build(t, dir, v.name, v.pieces)
	}
	s := &hostileServer{}
	tables, err := openTableSet(dir, engine.BuiltinVariants(), 1<<20, quiet)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := tables.close(); err != nil {
			t.Error(err)
		}
	})
	s.Handler = newServer(tables, testLimits, slog.New(&s.log)).handler
	return s
}

// An outcome is the answer to a request and what it took.
type outcome struct {
	status int
	size   int
	parts  [][]byte // of the body
	units  int
	faults []string // errors that were logged: panics, damage
}

// send answers a request.
func (s *hostileServer) send(r *http.Request) outcome {
	s.log = watchedLog{}
	w := keptAnswer{header: http.Header{}, status: http.StatusOK}
	s.ServeHTTP(&w, r)
	return outcome{w.status, w.size, w.parts, s.log.units, s.log.errors}
}

// keptAnswer is a ResponseWriter that copies as little as it can.
type keptAnswer struct {
	header http.Header
	status int
	size   int
	parts  [][]byte
}

func (w *keptAnswer) Header() http.Header    { return w.header }
func (w *keptAnswer) WriteHeader(status int) { w.status = status }

func (w *keptAnswer) Write(p []byte) (int, error) {
	w.size += len(p)
	w.parts = append(w.parts, p) // the server does not write in it again
	return len(p), nil
}

// watchedLog remembers the units of the last request, and errors.
type watchedLog struct {
	units  int
	errors []string
}

func (*watchedLog) Enabled(context.Context, slog.Level) bool { return true }
func (l *watchedLog) WithAttrs([]slog.Attr) slog.Handler     { return l }
func (l *watchedLog) WithGroup(string) slog.Handler          { return l }

func (l *watchedLog) Handle(_ context.Context, r slog.Record) error {
	if r.Level >= slog.LevelError {
		l.errors = append(l.errors, r.Message)
	}
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "units" {
			l.units = int(a.Value.Int64())
		}
		return true
	})
	return nil
}

// readHostile reads the corpus.
func readHostile(t testing.TB) []string {
	t.Helper()
	file, err := os.Open(hostileFile)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var lines []string
	scanner := bufio.NewScanner(file)
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		if line := scanner.Text(); line != "" && line[0] != '#' {
			lines = append(lines, line)
		}
	}
	if err := scanner.Err(); err != nil {
		t.Fatal(err)
	}
	return lines
}

// TestHostile sends requests that were made to be costly: each is answered, in
// its bounds, or refused for a reason. The benchmark sends all of them.
func TestHostile(t *testing.T) {
	lines := readHostile(t)
	if len(lines) != 1000 {
		t.Errorf("%d requests, want 1000", len(lines))
	}
	step := 4 // BenchmarkHostile sends them all
	if testing.Short() {
		step = 25
	}
	server := newHostileServer(t)
	for i := 0; i < len(lines); i += step {
		o := server.send(hostileRequest(t, lines[i]))
		if err := o.check(); err != "" {
			t.Errorf("line %d, %.200s: %s: status %d, %.300s", i+1, lines[i], err, o.status, bytes.Join(o.parts, nil))
		}
	}
}

// TestOrdinaryRequests: what people ask for is answered in full.
func TestOrdinaryRequests(t *testing.T) {
	server := newHostileServer(t)
	for _, line := range []string{
		"POST /v1/turkish/batch batch 1000 true W:WKa1,Kc1:BKb8,Kh8", // 33 moves each
		"POST /v1/international/batch batch 1000 true W:WK1,K2:BK50,K46",
		"POST /v1/draughts64/batch batch 1000 true W:WKa1,Kc1,Ke1:BKh8",
		"POST /v1/russian/batch batch 1000 true W:WKa1,c1,e1:BKh8 B:WKa1,b2:BKg7,h8",
		"POST /v1/international/game walk json 300 any 1 -",
		"POST /v1/turkish-optional/game walk json 300 any 2 -",
		"POST /v1/english/game walk pdn 300 king 3 W:WK1,K2:BK32",
	} {
		o := server.send(hostileRequest(t, line))
		body := string(bytes.Join(o.parts, nil))
		if fault := o.check(); fault != "" || o.status != http.StatusOK || strings.Contains(body, `"error"`) {
			t.Errorf("%s: %s: status %d, %d units, %.300s", line, fault, o.status, o.units, body)
		}
	}
}

// maxAnswer bounds every answer.
const maxAnswer = 16 << 20

// check says what is wrong with an answer, "" if nothing is.
func (o *outcome) check() string {
	body := bytes.Join(o.parts, nil)
	switch {
	case len(o.faults) > 0:
		return "logged " + strings.Join(o.faults, ", ")
	case o.status != http.StatusOK && o.status != http.StatusNoContent && o.status/100 != 4 && !(o.status == 503 && o.units == 0):
		return "status"
	case o.size > maxAnswer:
		return "too long"
	case o.units >= probe.MaxUnits:
		return "too much work"
	case len(body) > 0 && body[0] == '{' && !json.Valid(body):
		return "no JSON"
	case o.status/100 == 4 && o.status != 404 && o.size == 0:
		return "no detail"
	}
	return o.checkUnknown(body)
}

// checkUnknown says whether something is unknown for no reason.
func (o *outcome) checkUnknown(body []byte) string {
	type answer struct {
		Category string
		Missing  *string
		Reason   *string
	}
	var all struct {
		answer
		Results []answer
		Detail  string
		Status  int
	}
	if len(body) == 0 || body[0] != '{' {
		return ""
	}
	if err := json.Unmarshal(body, &all); err != nil {
		return err.Error()
	}
	if o.status != http.StatusOK && (all.Status != o.status || all.Detail == "") {
		return "no problem document"
	}
	for _, a := range append(all.Results, all.answer) {
		if a.Category == "unknown" && a.Reason == nil {
			return "unknown for no reason"
		}
	}
	return ""
}
