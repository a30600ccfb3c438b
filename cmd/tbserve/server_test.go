package main

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dambase/engine"
	"dambase/index"
	"dambase/internal/storetest"
)

var quiet = slog.New(slog.DiscardHandler)

// build builds the tables of a variant up to some pieces, without draw rules.
func build(t testing.TB, dir, name string, pieces int) {
	t.Helper()
	buildWith(t, dir, name, pieces, index.MetricWLD, index.MetricDTW)
}

func buildWith(t testing.TB, dir, name string, pieces int, metrics ...index.Metric) {
	t.Helper()
	v, ok := engine.Builtin(name)
	if !ok {
		t.Fatal(name)
	}
	storetest.Build(t, dir, v, pieces, metrics...)
}

var testLimits = limits{requests: 100, memory: 64 << 20}

// start serves a directory.
func start(t testing.TB, dir string) (*httptest.Server, *tableSet) {
	t.Helper()
	tables, err := openTableSet(dir, engine.BuiltinVariants(), 1<<20, quiet)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(newServer(tables, testLimits, quiet).handler)
	t.Cleanup(func() {
		server.Close()
		if err := tables.close(); err != nil {
			t.Error(err)
		}
	})
	return server, tables
}

// emptyTables are the tables of a directory without any.
func emptyTables(t testing.TB) *tableSet {
	t.Helper()
	tables, err := openTableSet(t.TempDir(), engine.BuiltinVariants(), 1<<20, quiet)
	if err != nil {
		t.Fatal(err)
	}
	return tables
}

// logTo returns a logger that writes to w.
func logTo(w io.Writer) *slog.Logger { return slog.New(slog.NewTextHandler(w, nil)) }

// send sends a request and returns the answer and its body.
func send(t testing.TB, method, address string, header ...string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequest(method, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response, string(body)
}

// checkProblem checks that an answer is a problem document.
func checkProblem(t testing.TB, response *http.Response, body string, status int, detail string) {
	t.Helper()
	var p problem
	if err := json.Unmarshal([]byte(body), &p); err != nil {
		t.Fatalf("%q: %v", body, err)
	}
	if response.StatusCode != status || p.Status != status || p.Title != http.StatusText(status) || p.Type == "" ||
		response.Header.Get("Content-Type") != "application/problem+json" || !strings.Contains(p.Detail, detail) {
		t.Errorf("%s: status %d, problem %+v; want %d, %q", response.Request.URL, response.StatusCode, p, status, detail)
	}
}

func TestProbe(t *testing.T) {
	dir := t.TempDir()
	build(t, dir, "english", 3)
	server, _ := start(t, dir)
	response, body := send(t, "GET", server.URL+"/v1/english?fen=W:WK30,22:BK5")
	if response.StatusCode != 200 || response.Header.Get("Content-Type") != "application/json" ||
		response.Header.Get("Access-Control-Allow-Origin") != "*" || !strings.HasPrefix(response.Header.Get("Cache-Control"), "public") {
		t.Errorf("status %d, header %v", response.StatusCode, response.Header)
	}
	const want = `{"variant":"english","fen":"W:W22,K30:BK5","slice":"1101","pieces":3,"category":"win","wld":"win","dtw":25,"dtz":null,"clocks":null,"exact":true,"game_over":false,"missing":null,"moves":[` +
		`{"move":"22-18","from":"22","to":"18","path":["22","18"],"captures":[],"promotion":false,"conversion":true,"only":false,"fen":"B:W18,K30:BK5","category":"loss","wld":"loss","dtw":-24,"dtz":null,"game_over":false},`
	if !strings.HasPrefix(body, want) {
		t.Errorf("answer %s", body)
	}
	tag := response.Header.Get("ETag")
	if response, _ := send(t, "GET", server.URL+"/v1/english?fen=W:WK30,22:BK5", "If-None-Match", tag); response.StatusCode != http.StatusNotModified || !strings.HasPrefix(tag, `"`) {
		t.Errorf("with its own tag %s: status %d", tag, response.StatusCode)
	}
	_, body = send(t, "GET", server.URL+"/v1/english?fen=W:WK1,K2,K3:BK32")
	if !strings.Contains(body, `"category":"unknown","wld":"unknown","dtw":null,"dtz":null`) || !strings.Contains(body, `"missing":"0301"`) {
		t.Errorf("outside the tables: %s", body)
	}
	_, body = send(t, "GET", server.URL+"/v1/draughts64?fen=W:WKe3,Kc7:BKh2&kingmoves=6&situation=6")
	if !strings.Contains(body, `"clocks":{"kingmoves":6,"kingmoves_limit":40,"situation":6,"rule":"A","situation_limit":10}`) {
		t.Errorf("clocks: %s", body)
	}
	_, body = send(t, "GET", server.URL+"/v1/draughts64?fen=W:WKe3,Kc7:BKh2:H10")
	if !strings.Contains(body, `"situation":10`) || !strings.Contains(body, `"game_over":true`) || !strings.Contains(body, `"moves":[]`) {
		t.Errorf("drawn by H: %s", body)
	}
}

func TestOtherRoutes(t *testing.T) {
	dir := t.TempDir()
	server, tables := start(t, dir)
	if response, _ := send(t, "GET", server.URL+"/-/healthy"); response.StatusCode != 200 {
		t.Errorf("healthy: %d", response.StatusCode)
	}
	response, body := send(t, "GET", server.URL+"/-/ready")
	checkProblem(t, response, body, 503, "no tables yet")
	if response.Header.Get("Retry-After") == "" {
		t.Error("503 without Retry-After")
	}
	before, _ := send(t, "GET", server.URL+"/v1/variants")

	// Tables that a builder adds are served without a restart.
	build(t, dir, "russian", 2)
	if err := tables.reload(false); err != nil {
		t.Fatal(err)
	}
	if response, _ := send(t, "GET", server.URL+"/-/ready"); response.StatusCode != 200 {
		t.Errorf("ready: %d", response.StatusCode)
	}
	after, body := send(t, "GET", server.URL+"/v1/variants")
	if before.Header.Get("ETag") == after.Header.Get("ETag") {
		t.Error("the tag is the same with other tables")
	}
	var list struct{ Variants []variantInfo }
	if err := json.Unmarshal([]byte(body), &list); err != nil || len(list.Variants) != len(engine.BuiltinVariants()) {
		t.Fatalf("%d variants, error %v", len(list.Variants), err)
	}
	for _, v := range list.Variants {
		if v.MaxPieces != map[bool]int{true: 2, false: 0}[v.Name == "russian"] || v.Board == "" || v.RulesHash == "" {
			t.Errorf("variant %+v", v)
		}
	}
	_, body = send(t, "GET", server.URL+"/metrics")
	for _, want := range []string{`tbserve_requests_total{route="/v1/variants",status="200"} 2`, "tbserve_tables 8", "go_goroutines"} {
		if !strings.Contains(body, want) {
			t.Errorf("metrics without %s", want)
		}
	}
	response, _ = send(t, "OPTIONS", server.URL+"/v1/english")
	if response.StatusCode != 204 || response.Header.Get("Access-Control-Allow-Origin") != "*" || !strings.Contains(response.Header.Get("Access-Control-Allow-Methods"), "GET") {
		t.Errorf("preflight: %d %v", response.StatusCode, response.Header)
	}
}

func TestErrors(t *testing.T) {
	dir := t.TempDir()
	build(t, dir, "english", 2)
	server, _ := start(t, dir)
	for _, c := range []struct {
		method, path string
		status       int
		detail       string
	}{
		{"GET", "/nothing", 404, "no such route"},
		{"GET", "/v1/chess?fen=x", 404, `no variant "chess"; there are english, international`},
		{"GET", "/v1/english", 400, "parameter fen is missing"},
		{"GET", "/v1/english?fen=W:WK1:B99", 400, "square 99 is out of range 1 to 32 at character 8"},
		{"GET", "/v1/english?fen=W:WK1:BK5&king_moves=3", 400, `unknown parameter "king_moves"`},
		{"GET", "/v1/english?fen=W:WK1:BK5&fen=x", 400, "given 2 times"},
		{"GET", "/v1/english?fen=W:WK1:BK5&kingmoves=x", 400, `"x" is not a number`},
		{"GET", "/v1/english?fen=%zz", 400, "query"},
		{"GET", "/v1/russian?fen=W:WKa1:BKh8&kingmoves=-1", 400, "cannot be negative"},
		{"GET", "/v1/russian?fen=W:WKa1:BKh8&situation=11", 400, "above the limit 10 of 1v2"},
		{"GET", "/v1/russian?fen=W:WKa1:BKh8&kingmoves=2&situation=1", 400, "kingmoves 2 is above situation 1"},
		{"GET", "/v1/russian?fen=W:WKa1:BKh8:H3&situation=1", 400, "given twice"},
		{"POST", "/v1/english?fen=W:WK1:BK5", 405, "want GET"},
	} {
		response, body := send(t, c.method, server.URL+c.path)
		checkProblem(t, response, body, c.status, c.detail)
	}
}

// TestMalformedRequests sends damaged FENs and queries: each gets an answer or
// a problem of the 400s.
func TestMalformedRequests(t *testing.T) {
	dir := t.TempDir()
	build(t, dir, "english", 2)
	server, _ := start(t, dir)
	const alphabet = "WBKwb:,-.xHF0123456789&=%+ \x00é"
	letters := []rune(alphabet)
	random := rand.New(rand.NewPCG(5, 6))
	refused := 0
	for range 1000 {
		text := []rune("W:WK1,21:BK32,5")
		for range 1 + random.IntN(4) {
			text[random.IntN(len(text))] = letters[random.IntN(len(letters))]
		}
		query := "?fen=" + url.QueryEscape(string(text))
		if random.IntN(4) == 0 {
			query = "?" + url.PathEscape(string(text)) + "=" + url.QueryEscape(string(text))
		}
		response, body := send(t, "GET", server.URL+"/v1/english"+query)
		switch response.StatusCode {
		case 200:
		case 400:
			refused++
			checkProblem(t, response, body, 400, "")
		default:
			t.Fatalf("%s: status %d", query, response.StatusCode)
		}
	}
	if refused < 500 {
		t.Errorf("only %d requests were refused", refused)
	}
}

// TestDamagedTable answers 500, not a wrong value.
func TestDamagedTable(t *testing.T) {
	dir := t.TempDir()
	build(t, dir, "english", 2)
	files, err := filepath.Glob(filepath.Join(dir, "store", "*.sst"))
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text[20] ^= 1
		if err := os.WriteFile(name, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	server, _ := start(t, dir)
	response, body := send(t, "GET", server.URL+"/v1/english?fen=W:WK1:BK32")
	checkProblem(t, response, body, 500, "damaged table english 0101")
}

// TestServeStops runs the command and stops it.
func TestServeStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	status := make(chan int, 1)
	go func() {
		status <- run(ctx, []string{"--db", t.TempDir(), "--addr", "127.0.0.1:0", "--quiet"}, io.Discard, io.Discard)
	}()
	time.Sleep(50 * time.Millisecond)
	cancel()
	select {
	case got := <-status:
		if got != 0 {
			t.Errorf("exit status %d", got)
		}
	case <-time.After(10 * time.Second):
		t.Error("did not stop")
	}
	if got := run(context.Background(), []string{"--cache", "x"}, io.Discard, io.Discard); got != 2 {
		t.Errorf("a bad flag: exit status %d", got)
	}
	if got := run(context.Background(), []string{"extra"}, io.Discard, io.Discard); got != 2 {
		t.Errorf("an argument: exit status %d", got)
	}
}
