package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"dambase/engine"
	"dambase/index"
	"dambase/internal/storetest"
)

// fileOf returns the file of a table.
func fileOf(t testing.TB, dir, variant, slice, metric string) string {
	t.Helper()
	v, ok := engine.Builtin(variant)
	if !ok {
		t.Fatal(variant)
	}
	return filepath.Join(dir, "store", variant+"-"+v.Hash()[:16]+"-"+slice+"-"+metric+".sst")
}

// damages are what can happen to the dtw table of english 0101.
var damages = map[string]func(t *testing.T, dir string){
	"gone": func(t *testing.T, dir string) {
		if err := os.Remove(fileOf(t, dir, "english", "0101", "dtw")); err != nil {
			t.Fatal(err)
		}
	},
	"cut": func(t *testing.T, dir string) {
		if err := os.Truncate(fileOf(t, dir, "english", "0101", "dtw"), 100); err != nil {
			t.Fatal(err)
		}
	},
	"another table": func(t *testing.T, dir string) {
		text, err := os.ReadFile(fileOf(t, dir, "russian", "1010", "dtw"))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(fileOf(t, dir, "english", "0101", "dtw"), text, 0o666); err != nil {
			t.Fatal(err)
		}
	},
	"a bit": func(t *testing.T, dir string) {
		name := fileOf(t, dir, "english", "0101", "dtw")
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text[600] ^= 1
		if err := os.WriteFile(name, text, 0o666); err != nil {
			t.Fatal(err)
		}
	},
}

// TestDamageIsIsolated damages one table: every route says so where it needs
// the table, and serves all else, other positions of the same request too.
func TestDamageIsIsolated(t *testing.T) {
	sound := t.TempDir()
	build(t, sound, "english", 2)
	build(t, sound, "russian", 2)
	const damaged, other = "W:WK1:BK32", "W:W21:B5"
	for name, damage := range damages {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(sound)); err != nil {
				t.Fatal(err)
			}
			damage(t, dir)
			server, _ := start(t, dir)
			for _, path := range []string{"?fen=" + damaged, "/mainline?fen=" + damaged, "/slices/0101"} {
				response, body := send(t, "GET", server.URL+"/v1/english"+path)
				checkProblem(t, response, body, 500, "damaged table english 0101 dtw")
				if strings.Contains(body, dir) || !strings.Contains(body, "tbgen build") {
					t.Errorf("%s: %s", path, body)
				}
			}
			// The damage is met in the middle of the game.
			response, body := post(t, server.URL+"/v1/english/game", "application/json", `{"fen":"W:WK22,K32:BK14","moves":["22-18","14x23","32-28"]}`)
			checkProblem(t, response, body, 500, "damaged table english 0101 dtw")
			if _, body := send(t, "GET", server.URL+"/v1/english/slices"); strings.Count(body, `"error":`) != 1 {
				t.Errorf("slices: %s", body)
			}
			for _, path := range []string{"english?fen=" + other, "russian?fen=W:WKb8:BKg1", "english/slices", "english/slices/1010", "variants"} {
				if response, body := send(t, "GET", server.URL+"/v1/"+path); response.StatusCode != 200 {
					t.Errorf("%s: status %d: %s", path, response.StatusCode, body)
				}
			}
			_, body = post(t, server.URL+"/v1/english/batch", "application/json", `{"positions":[{"fen":"`+damaged+`"},{"fen":"`+other+`"}]}`)
			if !strings.HasPrefix(body, `{"results":[{"fen":"W:WK1:BK32","status":500,"error":"damaged table english 0101 dtw`) || !strings.Contains(body, `{"variant":"english","fen":"W:W21:B5"`) {
				t.Errorf("batch: %s", body)
			}
		})
	}
}

// TestLostCatalogue is damage: nothing is called unknown that had a table.
func TestLostCatalogue(t *testing.T) {
	dir := t.TempDir()
	build(t, dir, "english", 2)
	if err := os.Remove(filepath.Join(dir, "catalogue.json")); err != nil {
		t.Fatal(err)
	}
	server, _ := start(t, dir)
	response, body := send(t, "GET", server.URL+"/v1/english?fen=W:WK1:BK32")
	checkProblem(t, response, body, 500, "catalogue.json does not list it")
	response, body = send(t, "GET", server.URL+"/v1/english/mainline?fen=W:WK1:BK32")
	checkProblem(t, response, body, 500, "catalogue.json does not list it")
}

// TestForeignRules has tables of other rules under a variant's name: that
// variant is refused with the reason, the others are served.
func TestForeignRules(t *testing.T) {
	dir := t.TempDir()
	v, _ := engine.Builtin("english")
	v.MenCapture = "forward-backward"
	storetest.Build(t, dir, v, 2, index.MetricWLD, index.MetricDTW)
	build(t, dir, "russian", 2)
	server, _ := start(t, dir)
	const reason = "variant english was built with men_capture = forward-backward, not forward"
	for _, path := range []string{"?fen=W:WK1:BK32", "/slices", "/mainline?fen=W:WK1:BK32"} {
		response, body := send(t, "GET", server.URL+"/v1/english"+path)
		checkProblem(t, response, body, 500, reason)
	}
	if response, body := send(t, "GET", server.URL+"/v1/russian?fen=W:WKb8:BKg1"); response.StatusCode != 200 {
		t.Errorf("russian: status %d: %s", response.StatusCode, body)
	}
	_, body := send(t, "GET", server.URL+"/v1/variants")
	if strings.Count(body, `"error":`) != 1 || !strings.Contains(body, reason) {
		t.Errorf("variants: %s", body)
	}
}

// TestOneVerdictByEveryRoute asks for a position that a search of its moves
// decides, a piece above the tables.
func TestOneVerdictByEveryRoute(t *testing.T) {
	dir := t.TempDir()
	build(t, dir, "english", 4)
	server, _ := start(t, dir)
	const fen = "W:WK29,11,K6,22:BK14"
	address := server.URL + "/v1/english"
	verdict := func(body string) string {
		t.Helper()
		var a struct {
			Category, WLD string
			DTW           *int
			Winner        *string
			Results       []json.RawMessage
			Plies         []struct{ Before struct{ Category string } }
		}
		if err := json.Unmarshal([]byte(body), &a); err != nil {
			t.Fatalf("%v: %s", err, body)
		}
		switch {
		case len(a.Results) > 0:
			if err := json.Unmarshal(a.Results[0], &a); err != nil {
				t.Fatal(err)
			}
		case a.Winner != nil:
			return map[string]string{"white": "win", "black": "loss"}[*a.Winner]
		case len(a.Plies) > 0:
			return a.Plies[0].Before.Category
		}
		return a.Category
	}
	_, get := send(t, "GET", address+"?fen="+fen)
	_, line := send(t, "GET", address+"/mainline?fen="+fen)
	_, plain := post(t, address+"/batch", "application/json", `{"positions":[{"fen":"`+fen+`"}]}`)
	_, moves := post(t, address+"/batch", "application/json", `{"positions":[{"fen":"`+fen+`"}],"moves":true}`)
	_, game := post(t, address+"/game", "application/json", `{"fen":"`+fen+`","moves":["22-17"]}`)
	for route, body := range map[string]string{"position": get, "main line": line, "batch": plain, "batch with moves": moves, "game": game} {
		if got := verdict(body); got != "win" {
			t.Errorf("%s: %s: %.200s", route, got, body)
		}
	}
}

// TestErrorsAreShort: what was sent is not sent back at length, and a fault of
// one position says which.
func TestErrorsAreShort(t *testing.T) {
	server, _ := start(t, t.TempDir())
	address := server.URL + "/v1/russian"
	long := strings.Repeat("Q", 900_000)
	for _, c := range []struct{ path, body string }{
		{"/batch", `{"positions":[{"fen":"` + long + `"}]}`},
		{"/batch", `{"` + long + `":1}`},
		{"/batch", `{"positions":[{"fen":"W:WKa1:BKh8","` + long + `":1}]}`},
		{"/batch", `{"positions":"` + long + `"}`},
		{"/game", `{"moves":["` + long + `"]}`},
		{"/game", `{"fen":"` + long + `","moves":[]}`},
		{"/game", `{"flag":"` + long + `"}`},
		{"/game", "1. " + long},
		{"/game", "[" + long},
		{"/game", "[FEN \"" + long + "\"] 1. c3-d4"},
		{"/game", "{" + long},
	} {
		response, body := post(t, address+c.path, "", c.body)
		if response.StatusCode != 400 && c.path == "/game" || len(body) > 1500 {
			t.Errorf("%s %.30s: status %d, %d bytes: %.300s", c.path, c.body, response.StatusCode, len(body), body)
		}
	}
	for _, query := range []string{"?fen=" + long[:12000], "?" + long[:12000] + "=1", "?fen=W:WKa1:BKh8&kingmoves=" + long[:12000]} {
		response, body := send(t, "GET", address+query)
		if response.StatusCode != 400 || len(body) > 1000 {
			t.Errorf("%.30s: status %d, %d bytes: %.300s", query, response.StatusCode, len(body), body)
		}
	}
}

// TestParametersOfEveryRoute: one that a route does not have is refused.
func TestParametersOfEveryRoute(t *testing.T) {
	server, _ := start(t, t.TempDir())
	for _, path := range []string{"/v1/variants", "/v1/english", "/v1/english/mainline", "/v1/english/slices", "/v1/english/slices/0101", "/-/healthy", "/-/ready"} {
		response, body := send(t, "GET", server.URL+path+"?nonsense=1")
		checkProblem(t, response, body, 400, `unknown parameter "nonsense"`)
	}
	for _, path := range []string{"/v1/english/batch", "/v1/english/game"} {
		response, body := post(t, server.URL+path+"?nonsense=1", "application/json", "{}")
		checkProblem(t, response, body, 400, `unknown parameter "nonsense"`)
	}
}

// TestGameOfSeveral chooses one of several games by its number.
func TestGameOfSeveral(t *testing.T) {
	server, _ := start(t, t.TempDir())
	const text = "\ufeff[Event \"one\"]\r\n1. c3-d4 b6-a5 2-0\r\n\r\n[Event \"two\"]\r\n1. c3 - b4 ½-½\r\n"
	for query, plies := range map[string]int{"?game=1": 2, "?game=2": 1} {
		response, body := post(t, server.URL+"/v1/russian/game"+query, "", text)
		var game struct{ Plies []any }
		if err := json.Unmarshal([]byte(body), &game); err != nil || response.StatusCode != 200 || len(game.Plies) != plies {
			t.Errorf("%s: status %d: %.300s", query, response.StatusCode, body)
		}
	}
	for query, want := range map[string]string{"": "2 games: choose one", "?game=0": "not from 1 to 2", "?game=3": "not from 1 to 2", "?game=x": "not a number"} {
		response, body := post(t, server.URL+"/v1/russian/game"+query, "", text)
		checkProblem(t, response, body, 400, want)
	}
}

// TestHangup: a server that is told so by SIGHUP looks for new tables and goes on.
func TestHangup(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	read, write := io.Pipe()
	status := make(chan int, 1)
	go func() {
		status <- run(ctx, []string{"--db", dir, "--addr", "127.0.0.1:0", "--log-format", "json"}, io.Discard, write)
		write.Close()
	}()
	var lines sync.WaitGroup
	address, changed := make(chan string, 1), make(chan bool, 1)
	lines.Go(func() {
		d := json.NewDecoder(read)
		for {
			var line struct{ Msg, Address string }
			if d.Decode(&line) != nil {
				return
			}
			switch line.Msg {
			case "serving":
				address <- line.Address
			case "tables changed":
				changed <- true
			}
		}
	})
	base := <-address
	build(t, dir, "english", 2)
	if err := syscall.Kill(os.Getpid(), syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	select {
	case <-changed:
	case <-time.After(10 * time.Second):
		t.Error("the tables were not looked for")
	}
	response, body := send(t, "GET", base+"/v1/english?fen="+url.QueryEscape("W:WK1:BK32"))
	if response.StatusCode != http.StatusOK || !strings.Contains(body, `"category":"draw"`) {
		t.Errorf("after a hang-up: status %d: %s", response.StatusCode, body)
	}
	cancel()
	if got := <-status; got != 0 {
		t.Errorf("exit status %d", got)
	}
	lines.Wait()
}

// TestVersion names the program, its revision and its formats.
func TestVersion(t *testing.T) {
	var out bytes.Buffer
	if status := run(t.Context(), []string{"--version"}, &out, io.Discard); status != 0 || !strings.Contains(out.String(), "revision") || !strings.Contains(out.String(), "format 2") {
		t.Errorf("status %d: %s", status, out.String())
	}
}
