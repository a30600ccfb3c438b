package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"dambase/probe"
)

// post sends a body to a route.
func post(t testing.TB, address, contentType, body string) (*http.Response, string) {
	t.Helper()
	response, err := http.Post(address, contentType, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response, string(text)
}

// TestWorkedCases plays the lines of engine/testdata/counters.txt, the worked
// cases of the counting model, through the game route.
func TestWorkedCases(t *testing.T) {
	server, _ := start(t, t.TempDir())
	text, err := os.ReadFile("../../engine/testdata/counters.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for line := range strings.Lines(string(text)) {
		field := strings.Split(line, "|")
		if len(field) != 3 || line[0] == '#' {
			continue
		}
		lines++
		request := probe.GameRequest{FEN: strings.TrimSpace(field[1])}
		var want []string
		for i, word := range strings.Fields(field[2]) {
			if i%2 == 0 {
				request.Moves = append(request.Moves, word)
			} else {
				want = append(want, word)
			}
		}
		body, err := json.Marshal(request)
		if err != nil {
			t.Fatal(err)
		}
		variant := strings.TrimSpace(field[0])
		response, answer := post(t, server.URL+"/v1/"+variant+"/game", "application/json", string(body))
		var game struct {
			Plies []struct {
				Clocks *struct {
					KingMoves, Situation int
					Rule                 string
				}
			}
		}
		if err := json.Unmarshal([]byte(answer), &game); err != nil || response.StatusCode != 200 || len(game.Plies) != len(want) {
			t.Fatalf("%s: status %d, %v: %s", line, response.StatusCode, err, answer)
		}
		for i, ply := range game.Plies {
			if ply.Clocks == nil {
				if variant != "english" {
					t.Errorf("%s: no clocks", line)
				}
				continue
			}
			if got := fmt.Sprintf("%d/%d/%s", ply.Clocks.Situation, ply.Clocks.KingMoves, ply.Clocks.Rule); got != want[i] {
				t.Errorf("%s: ply %d has %s, want %s", line, i+1, got, want[i])
			}
		}
	}
	if lines < 8 {
		t.Errorf("only %d lines", lines)
	}
}

// TestWorkedCaseAtTheLimit: a win on the ply that reaches a limit stands.
func TestWorkedCaseAtTheLimit(t *testing.T) {
	server, _ := start(t, t.TempDir())
	for _, c := range []struct{ path, want string }{
		// The 40th king ply takes the last piece.
		{"/v1/draughts64?fen=W:WKa1,Kc1,Ke1:BKc3:H0&ply=299", `"category":"win"`},
		{"/v1/draughts64?fen=W:WKa1,Kc1,a3,a5:BKc3:H39", `"category":"win","wld":"win","dtw":1,"dtz":1`},
		{"/v1/draughts64?fen=W:WKa1,Kc1,a3,a5:BKc3:H40", `"category":"cursed-win","wld":"win","dtw":1,"dtz":null`},
		// The 300th ply takes the last piece or blocks the opponent.
		{"/v1/draughts64?fen=W:WKa1,Kc1,a3,a5:BKc3&ply=299", `"category":"win"`},
		{"/v1/draughts64?fen=W:WKa1,Kc1,a3,a5:BKc3&ply=300", `"category":"cursed-win"`},
	} {
		response, body := send(t, "GET", server.URL+c.path)
		if response.StatusCode != 200 || !strings.Contains(body, c.want) {
			t.Errorf("%s: status %d, %.300s", c.path, response.StatusCode, body)
		}
	}
}

func TestGameRoute(t *testing.T) {
	dir := t.TempDir()
	build(t, dir, "russian", 2)
	server, _ := start(t, dir)
	address := server.URL + "/v1/russian/game"
	response, body := post(t, address, "text/plain", "[FEN \"W:Wc3:Bd4\"]\n1. c3:e5 2-0\n")
	const want = `{"variant":"russian","plies":[{"ply":1,"move":"c3:e5","fen":"B:We5:B","clocks":{"kingmoves":0,"kingmoves_limit":30,"situation":0,"rule":null,"situation_limit":null},` +
		`"repetitions":1,"claims":[],"before":{"category":"win","dtw":1},"after":{"category":"win","dtw":0},"exact":true}],"result":"white","reason":"no-pieces","exact":true,"ended_at":1}`
	if response.StatusCode != 200 || strings.TrimSpace(body) != want {
		t.Errorf("status %d: %s", response.StatusCode, body)
	}
	for _, c := range []struct {
		contentType, body string
		status            int
		detail            string
	}{
		{"application/json", `{"moves":["c3-d4","c3-d4"]}`, 400, "ply 2"},
		{"application/json", `{"move":[]}`, 400, `unknown field "move"`},
		{"application/json", `{"moves":[]} {}`, 400, "something stands behind"},
		{"application/json", `{"moves":[]}}`, 400, "something stands behind"},
		{"application/json", `{"Moves":[]}`, 400, `unknown field "Moves"`},
		{"application/json", `{"moves":[],"moves":[]}`, 400, "field moves is given twice"},
		{"application/json", `{"moves":[]`, 400, "ends early"},
		{"text/plain", `{"moves":["c3-d4","c3-d4"]}`, 400, "ply 2"}, // a browser's default type
		{"text/plain", ``, 400, "want a game"},
		{"text/plain", "1. c3-d4 2-0 1. c3-b4 0-2", 400, "2 games: choose one"},
		{"application/json", `{`, 400, "body"},
		{"application/json", `{"flag":"x"}`, 400, "want white or black"},
		{"text/plain", `1. {`, 400, "bad PDN"},
		{"application/json", ``, 400, "want a JSON object"},
		{"application/json", `null`, 400, "want a JSON object"},
		{"", `{"moves":"c3-d4"}`, 400, "field moves: a string does not fit"},
		{"text/plain", "[GameType \"20\"] 1. c3-d4", 400, "GameType 20 is not that of russian, 25"},
		{"application/json", `{"moves":["` + strings.Repeat("x", maxBody) + `"]}`, 413, "too large"},
		{"application/json", `{"moves":[` + strings.Repeat(`"",`, maxPlies) + `""]}`, 400, "at most"},
	} {
		response, body := post(t, address, c.contentType, c.body)
		checkProblem(t, response, body, c.status, c.detail)
	}
	response, body = send(t, "GET", address)
	checkProblem(t, response, body, 405, "want POST")
}

func TestMainline(t *testing.T) {
	dir := t.TempDir()
	build(t, dir, "english", 3)
	server, _ := start(t, dir)
	_, body := send(t, "GET", server.URL+"/v1/english/mainline?fen=W:WK30,22:BK5&max=2")
	if !strings.HasPrefix(body, `{"winner":"white","moves":[{"move":"22-18","fen":"B:W18,K30:BK5","category":"loss","dtw":-24},`) || !strings.Contains(body, `"pdn":"[GameType \"21\"]\n[SetUp \"1\"]\n[FEN \"W:W22,K30:BK5\"]\n\n1... 22-18 2. `) {
		t.Errorf("main line %s", body)
	}
	_, body = send(t, "GET", server.URL+"/v1/english/mainline?fen=W:WK1:BK32")
	if strings.TrimSpace(body) != `{"winner":null,"moves":[],"pdn":""}` {
		t.Errorf("of a draw %s", body)
	}
	response, body := send(t, "GET", server.URL+"/v1/english/mainline?fen=W:WK1,K2,K3:BK32")
	checkProblem(t, response, body, 404, "a table of slice 0301 is missing")
	response, body = send(t, "GET", server.URL+"/v1/english/mainline?fen=W:WK1:BK32&max=0")
	checkProblem(t, response, body, 400, "not from 1 to")
}

func TestBatch(t *testing.T) {
	dir := t.TempDir()
	build(t, dir, "english", 2)
	server, _ := start(t, dir)
	address := server.URL + "/v1/english/batch"
	response, body := post(t, address, "application/json", `{"positions":[{"fen":"W:WK1:BK32"},{"fen":"W:WK1:BK99"},{"fen":"B:WK1:BK32","kingmoves":3,"ply":4}]}`)
	var answer struct {
		Results []struct {
			FEN, Error, WLD string
			Moves           []any
		}
	}
	if err := json.Unmarshal([]byte(body), &answer); err != nil || response.StatusCode != 200 || len(answer.Results) != 3 {
		t.Fatalf("status %d, %v: %s", response.StatusCode, err, body)
	}
	first, second := answer.Results[0], answer.Results[1]
	if first.WLD != "draw" || first.Moves != nil || second.FEN != "W:WK1:BK99" || !strings.Contains(second.Error, "square 99") {
		t.Errorf("answer %s", body)
	}
	_, body = post(t, address, "application/json", `{"positions":[{"fen":"W:WK1:BK32"}],"moves":true}`)
	if !strings.Contains(body, `"moves":[{"move":"1-`) {
		t.Errorf("with moves %s", body)
	}
	for _, c := range []struct {
		contentType, body string
		status            int
		detail            string
	}{
		{"application/json", `{"positions":[` + strings.Repeat(`{},`, maxBatch) + `{}]}`, 400, "at most 1000"},
		{"application/json", `{"position":[]}`, 400, "unknown field"},
		{"text/plain", `W:WK1:BK32`, 400, "want a JSON object"},
	} {
		response, body := post(t, address, c.contentType, c.body)
		checkProblem(t, response, body, c.status, c.detail)
	}
}

func TestSlices(t *testing.T) {
	dir := t.TempDir()
	build(t, dir, "english", 2)
	server, _ := start(t, dir)
	_, body := send(t, "GET", server.URL+"/v1/english/slices")
	if !strings.HasPrefix(body, `{"variant":"english","slices":[{"slice":"0101","pieces":2,"positions":992,"metrics":["wld","dtw"],"bytes":`) {
		t.Errorf("slices %s", body)
	}
	_, body = send(t, "GET", server.URL+"/v1/english/slices/0101")
	if !strings.HasPrefix(body, `{"variant":"english","slice":"0101","positions":992,"wins":230,"draws":654,"losses":108,`) {
		t.Errorf("slice %s", body)
	}
	response, body := send(t, "GET", server.URL+"/v1/english/slices/0301")
	checkProblem(t, response, body, 404, "no tables of slice 0301")
	response, body = send(t, "GET", server.URL+"/v1/english/slices/12")
	checkProblem(t, response, body, 400, "want four digits")
	_, body = send(t, "GET", server.URL+"/v1/thai/slices")
	if strings.TrimSpace(body) != `{"variant":"thai","slices":[]}` {
		t.Errorf("without tables %s", body)
	}
}

// TestMainlineReplays sends a main line back as a game.
func TestMainlineReplays(t *testing.T) {
	dir := t.TempDir()
	build(t, dir, "english", 3)
	server, _ := start(t, dir)
	_, body := send(t, "GET", server.URL+"/v1/english/mainline?fen=B:WK30,22:BK5")
	var line struct {
		PDN   string
		Moves []any
	}
	if err := json.Unmarshal([]byte(body), &line); err != nil {
		t.Fatal(err)
	}
	response, body := post(t, server.URL+"/v1/english/game", "text/plain", line.PDN)
	var game struct {
		Plies  []any
		Result string
	}
	if err := json.Unmarshal([]byte(body), &game); err != nil || response.StatusCode != 200 || len(game.Plies) != len(line.Moves) || game.Result != "white" {
		t.Errorf("status %d, %d plies of %d, result %s: %.200s", response.StatusCode, len(game.Plies), len(line.Moves), game.Result, body)
	}
}
