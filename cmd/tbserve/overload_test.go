package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"dambase/engine"
	"dambase/storage"
)

// startLimited serves a directory without tables within limits.
func startLimited(t *testing.T, l limits, change func(*http.Server)) (*httptest.Server, *server) {
	t.Helper()
	tables := emptyTables(t)
	s := newServer(tables, l, quiet)
	h := httptest.NewUnstartedServer(s.handler)
	if change != nil {
		change(h.Config)
	}
	h.Start()
	t.Cleanup(func() {
		h.Close()
		if err := tables.close(); err != nil {
			t.Error(err)
		}
	})
	return h, s
}

// dial opens a connection and sends what is given.
func dial(t *testing.T, h *httptest.Server, text string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", h.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if _, err := io.WriteString(c, text); err != nil {
		t.Fatal(err)
	}
	return c
}

// TestSlowBodies: clients that send a header and no body shut nobody out.
func TestSlowBodies(t *testing.T) {
	h, _ := startLimited(t, limits{requests: 2, memory: 1 << 20}, nil)
	for range 260 {
		dial(t, h, "POST /v1/english/batch HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{")
	}
	for range 5 {
		if response, body := send(t, "GET", h.URL+"/v1/english?fen=W:WK1:BK5"); response.StatusCode != 200 {
			t.Errorf("status %d: %s", response.StatusCode, body)
		}
	}
}

// largeBatch asks for an answer of more than a megabyte.
func largeBatch() string {
	const start = `{"fen":"W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"},`
	return `{"moves":true,"positions":[` + strings.TrimSuffix(strings.Repeat(start, 600), ",") + `]}`
}

// TestClientsThatDoNotRead hold no more memory than the ledger has, and no
// slot: others are answered meanwhile, and at the end all is given back.
func TestClientsThatDoNotRead(t *testing.T) {
	const memory = 4 << 20
	h, s := startLimited(t, limits{requests: 2, memory: memory}, func(s *http.Server) {
		s.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
			_ = c.(*net.TCPConn).SetWriteBuffer(4 << 10) // or the system takes the whole answer
			return ctx
		}
	})
	body := largeBatch()
	answered := 0
	var readers []net.Conn
	for range 16 {
		c := dial(t, h, "")
		_ = c.(*net.TCPConn).SetReadBuffer(4 << 10)
		fmt.Fprintf(c, "POST /v1/english/batch HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
		line, err := bufio.NewReaderSize(c, 16).ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case strings.Contains(line, "200"):
			answered++
			readers = append(readers, c)
		case !strings.Contains(line, "503"):
			t.Fatalf("answer %q", line)
		}
	}
	if answered == 0 || answered == 16 {
		t.Errorf("%d of 16 large answers were given to clients that do not read", answered)
	}
	if response, body := send(t, "GET", h.URL+"/v1/english?fen=W:WK1:BK5"); response.StatusCode != 200 {
		t.Errorf("a small request beside them: status %d: %s", response.StatusCode, body)
	}
	for _, c := range readers {
		c.Close()
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if err := s.ledger.Acquire(ctx, memory); err != nil {
		t.Errorf("memory was not given back: %v", err)
	}
}

// TestBusy: more requests than slots are told to come back; the routes for
// supervisors are answered even then.
func TestBusy(t *testing.T) {
	h, s := startLimited(t, limits{requests: 1, memory: 1 << 20}, nil)
	s.slots <- struct{}{}
	response, body := send(t, "GET", h.URL+"/v1/english?fen=W:WK1:BK5")
	checkProblem(t, response, body, 503, "too many requests at once")
	if response.Header.Get("Retry-After") == "" {
		t.Error("503 without Retry-After")
	}
	if response, _ := send(t, "GET", h.URL+"/-/healthy"); response.StatusCode != 200 {
		t.Errorf("healthy: status %d", response.StatusCode)
	}
	<-s.slots
	if response, _ := send(t, "GET", h.URL+"/v1/english?fen=W:WK1:BK5"); response.StatusCode != 200 {
		t.Errorf("afterwards: status %d", response.StatusCode)
	}
}

// TestBodyThatDoesNotCome is the client's fault, and says nothing of addresses.
func TestBodyThatDoesNotCome(t *testing.T) {
	h, _ := startLimited(t, testLimits, func(s *http.Server) { s.ReadTimeout = 100 * time.Millisecond })
	c := dial(t, h, "POST /v1/english/game HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{")
	response, err := http.ReadResponse(bufio.NewReader(c), httptest.NewRequest("POST", h.URL, nil))
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(response.Body)
	checkProblem(t, response, string(body), 408, "did not come in time")
	if strings.Contains(string(body), "127.0.0.1") {
		t.Errorf("the answer tells addresses: %s", body)
	}
	half := dial(t, h, "POST /v1/english/game HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{")
	if err := half.(*net.TCPConn).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	if response, err = http.ReadResponse(bufio.NewReader(half), httptest.NewRequest("POST", h.URL, nil)); err == nil && response.StatusCode/100 != 4 {
		t.Errorf("a body that ends early: status %d", response.StatusCode)
	}
}

// TestAbortedRequest: a request whose client has gone is no failure of the
// server, neither in the log nor in the metrics, and its work ends.
func TestAbortedRequest(t *testing.T) {
	var log bytes.Buffer
	s := newServer(emptyTables(t), testLimits, logTo(&log))
	ctx, cancel := context.WithCancel(t.Context())
	rt := route{pattern: "/slow", method: http.MethodGet, handler: func(r *request) (any, error) {
		cancel()
		<-r.Context().Done()
		return nil, fmt.Errorf("probing: %w", r.Context().Err())
	}}
	mux := http.NewServeMux()
	s.route(mux, rt)
	mux.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/slow", nil).WithContext(ctx))
	w := httptest.NewRecorder()
	s.metrics.handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	if !strings.Contains(w.Body.String(), `tbserve_requests_total{route="/slow",status="499"} 1`) || log.Len() > 0 {
		t.Errorf("log %q, metrics %s", log.String(), w.Body.String())
	}
}

// TestFaultsOfTheServer: what clients are told of them, and with which status.
func TestFaultsOfTheServer(t *testing.T) {
	damage := &storage.CorruptError{Table: storage.TableID{Variant: "english"}, Block: 7, Reason: "checksum mismatch"}
	for _, c := range []struct {
		err    error
		status int
		detail string
	}{
		{fmt.Errorf("open /secret/path: %w", io.ErrClosedPipe), 500, "internal error"},
		{fmt.Errorf("reading: %w", damage), 500, "block 7: checksum mismatch"},
		{fmt.Errorf("table x: %w: too many open files", storage.ErrResources), 503, "out of resources"},
		{fmt.Errorf("%w: variant english was built with king = flying, not short", storage.ErrRules), 500, "king = flying"},
		{engine.ErrBudget, 422, "budget"},
	} {
		var log bytes.Buffer
		s := newServer(emptyTables(t), testLimits, logTo(&log))
		mux := http.NewServeMux()
		s.route(mux, route{pattern: "/x", method: http.MethodGet, handler: func(*request) (any, error) { return nil, c.err }})
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, httptest.NewRequest("GET", "/x", nil))
		var p problem
		if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || w.Code != c.status || !strings.Contains(p.Detail, c.detail) || strings.Contains(p.Detail, "/secret") {
			t.Errorf("%v: status %d, %s; want %d, %q", c.err, w.Code, w.Body, c.status, c.detail)
		}
		if logged := strings.Contains(log.String(), c.err.Error()); logged != (c.status == 500) && c.status != 503 {
			t.Errorf("%v: log %q", c.err, log.String())
		}
	}
}

// TestLimitsWithinDescriptors: one client cannot take all that may be opened.
func TestLimitsWithinDescriptors(t *testing.T) {
	for _, c := range []struct {
		given       connLimits
		descriptors uint64
		want        connLimits
	}{
		{connLimits{4096, 1024}, 1 << 20, connLimits{4096, 1024}},
		{connLimits{4096, 1024}, 1024, connLimits{736, 552}},
		{connLimits{0, 0}, 1024, connLimits{736, 0}},
		{connLimits{4096, 1024}, 64, connLimits{16, 12}},
		{connLimits{4096, 1024}, 10, connLimits{8, 6}},
	} {
		if got := c.given.within(c.descriptors); got != c.want {
			t.Errorf("%+v with %d descriptors: %+v, want %+v", c.given, c.descriptors, got, c.want)
		}
	}
}

// TestConnectionLimits turns away what is beyond them, and takes new
// connections when old ones are closed.
func TestConnectionLimits(t *testing.T) {
	for _, c := range []struct {
		limits connLimits
		taken  int
	}{{connLimits{all: 3}, 3}, {connLimits{all: 10, perClient: 2}, 2}, {connLimits{}, 6}} {
		inner, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		l := limitListener(inner, c.limits)
		var wg sync.WaitGroup
		accepted := make(chan net.Conn, 100)
		wg.Go(func() {
			for {
				conn, err := l.Accept()
				if err != nil {
					return
				}
				accepted <- conn
			}
		})
		open := func() (net.Conn, bool) {
			conn, err := net.Dial("tcp", inner.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { conn.Close() })
			_ = conn.SetReadDeadline(time.Now().Add(200 * time.Millisecond))
			answer, _ := io.ReadAll(conn)
			return conn, !strings.Contains(string(answer), "503 Service Unavailable")
		}
		taken := 0
		for range 6 {
			if _, ok := open(); ok {
				taken++
			}
		}
		if taken != c.taken {
			t.Errorf("%+v: %d of 6 connections are taken, want %d", c.limits, taken, c.taken)
		}
		conn := <-accepted
		_ = conn.Close()
		_ = conn.Close() // gives its place back once
		if _, ok := open(); !ok {
			t.Errorf("%+v: a place that became free is not given away", c.limits)
		}
		if _, ok := open(); ok && c.limits != (connLimits{}) {
			t.Errorf("%+v: a place is given away twice", c.limits)
		}
		inner.Close()
		wg.Wait()
	}
}
