package main

import (
	"fmt"
	"strconv"
	"strings"

	"dambase/engine"
)

// handmade returns requests that are costly or strange by what they are made
// of, not by the position.
func handmade() []string {
	lines := handmadeTexts()
	for _, v := range engine.BuiltinVariants() {
		name := v.Name
		lines = append(lines,
			"GET /v1/"+name+"/slices", "GET /v1/"+name+"/slices/0101", "GET /v1/"+name+"/slices/9999",
			"POST /v1/"+name+"/game walk json 5000 any 1 -", "POST /v1/"+name+"/game walk pdn 5000 king 2 -",
			"POST /v1/"+name+"/game walk json 5000 tangle 3 -",
		)
	}
	// Kings that walk about in the tables: won positions, none twice for long.
	for _, g := range []struct{ variant, fen string }{
		{"english", "W:WK1,K2:BK32"},
		{"english", "B:WK5:BK28,K14"},
		{"russian", "W:WKa1,Kc1:BKh8"},
		{"draughts64", "W:WKa1:BKg3,Kh8"},
		{"international", "W:WK46:BK5"},
		{"turkish", "W:WKa1:BKh8"},
		{"pool-optional", "W:WK1:BK32"},
		{"thai", "W:WK1:BK32"},
	} {
		for _, kind := range []string{"king", "any"} {
			lines = append(lines, "POST /v1/"+g.variant+"/game walk json 5000 "+kind+" 5 "+g.fen)
		}
		lines = append(lines, "POST /v1/"+g.variant+"/batch batch 1000 true "+g.fen, "GET /v1/"+g.variant+"/mainline?max=1000&fen="+g.fen)
	}
	return lines
}

// handmadeTexts are bodies and queries that are long, deep or malformed.
func handmadeTexts() []string {
	fill := func(path, head, unit, tail string) string {
		return fmt.Sprintf("POST /v1/%s fill %d %s %s %s", path, maxBody, strconv.Quote(head), strconv.Quote(unit), strconv.Quote(tail))
	}
	var lines []string
	for _, f := range [][3]string{
		{`{"moves":[`, `"",`, `""]}`},
		{`{"moves":[`, `"1-1",`, `""]}`},
		{`{"moves":[`, `0,`, `0]}`},
		{`{"moves":`, `[`, ``},
		{`{"fen":`, `{"a":`, ``},
		{`{"moves":["`, `a`, `"]}`},
		{`{"moves":["`, `1-`, `1"]}`},
		{`{"moves":["`, `\u0031`, `"]}`},
		{`{"moves":["`, `!?)`, `"]}`},
		{`{"moves":["c3-d4`, `(!)`, `"]}`},
		{`{"moves":["c3-d4`, ` $1`, `"]}`},
		{`{"fen":"`, `x`, `"}`},
		{`{"fen":"W:W`, `1,`, `:B"}`},
		{`{"fen":"W:W`, ` `, `1:BK5"}`},
		{`{"fen":"W:W`, `\u00e9`, `1:BK5"}`},
		{`{"fen":"W:W1:BK5:H`, `0`, `1"}`},
		{`{"flag":`, `1`, `}`},
		{`{`, `"a":1,`, `"b":1}`},
		{`{`, ` `, `}`},
		{`{"moves":[],`, ` `, `}`},
		{`{"moves":[]}`, ` `, ``},
		{`{"moves":[]}`, `{}`, ``},
		{`{"moves":[`, `"\ud800",`, `""]}`},
		{``, `*`, ``},
		{``, `1-0 `, ``},
		{``, `1-0;` + "\n", ``},
		{``, `[a""]*`, ``},
		{``, `[a""]`, ``},
		{`[a "`, `\"`, `"]`},
		{`[a "`, `" `, `"]`},
		{``, `{`, ``},
		{``, `{}`, ``},
		{``, `(`, ``},
		{``, `()`, `)`},
		{`(`, `{}`, `)`},
		{``, `;`, "\n"},
		{``, "%\n", ``},
		{``, ` `, ``},
		{``, "\n", ``},
		{``, "\ufeff", ``},
		{``, `$1`, ``},
		{``, `1.`, ``},
		{``, `1. c3-d4 `, ``},
		{``, `c3d4 `, `*`},
		{``, `c3-`, `d4`},
		{``, `1-`, `1`},
		{``, `1 `, `1`},
		{``, `1`, ``},
		{`1`, `...`, ``},
		{`c3`, ` `, `-d4`},
		{`c3`, `x`, `d4`},
		{`[FEN "`, `W:`, `"]`},
		{`[FEN "W:W`, `1,`, `:B"]`},
		{`[FEN "W:W1:B2:H`, `1`, `"]`},
		{``, `½-½ `, ``},
		{``, `1/2`, ``},
		{``, `1:0 `, ``},
		{``, `"`, ``},
		{``, "\x00", ``},
		{``, "\xff", ``},
		{``, `!`, ``},
		{`[GameType "`, `25,`, `"]`},
		{``, `11 15 `, ``},
		{``, `[a""]1-1`, ``},
		{``, `a1b2 1-0 `, ``},
	} {
		lines = append(lines, fill("russian/game", f[0], f[1], f[2]))
	}
	count := func(path, head, unit, tail string) string {
		return strings.Replace(fill(path, head, unit, tail), " fill ", " count ", 1)
	}
	lines = append(lines,
		count("russian/game", ``, `[a#""]`, ``), count("russian/game", `{"moves":["`, `#-`, `1"]}`), count("russian/game", `{`, `"a#":0,`, `"b":0}`),
		count("english/batch", `{"positions":[{`, `"a#":0,`, `"b":0}]}`), count("russian/game", `{"moves":[`, `"a#",`, `""]}`), count("russian/game", ``, `#. c3-d4 `, ``),
	)
	lines = append(lines, fill("russian/game?game=2", ``, `1-0 `, ``), fill("russian/game?game=100000", ``, `[a""]*`, ``), fill("russian/game?game=-1", ``, `* `, ``))
	for _, f := range [][3]string{
		{`{"positions":[`, `{},`, `{}]}`},
		{`{"positions":[`, `0,`, `0]}`},
		{`{"positions":[`, `"",`, `""]}`},
		{`{"positions":`, `[`, ``},
		{`{"positions":[{"fen":"`, `W`, `"}]}`},
		{`{"positions":[{`, `"a":0,`, `"b":0}]}`},
		{`{"positions":[{"fen":"","kingmoves":`, `9`, `}]}`},
		{`{"positions":[{"fen":"","ply":1e`, `9`, `}]}`},
		{`{"moves":`, ` `, `true}`},
		{`{"positions":[],"positions":[`, `[],`, `[]]}`},
		{`{"positions":[{"fen":"W:W`, `1,`, `"}]}`},
		{`{"positions":[{"fen":"`, `\\`, `"}]}`},
		{`{"positions":[{"fen":"`, `<`, `"}]}`},
		{`[`, `[`, ``},
		{`{`, `"`, ``},
		{``, `{`, ``},
		{`{"positions":[{"fen":{`, `"a":0,`, `"b":0}}]}`},
	} {
		lines = append(lines, fill("english/batch", f[0], f[1], f[2]))
	}
	// 999 positions whose FENs are as long as the body allows.
	long := "W:WK1" + strings.Repeat(" ", 1040) + ":BK5"
	for _, fen := range []string{long, "W:W" + strings.Repeat("1-32,", 208), strings.Repeat("\\u0057", 173), strings.Repeat("<", 1040), "W:W" + strings.Repeat("é", 520)} {
		lines = append(lines, fill("english/batch", `{"positions":[{}`, `,{"fen":"`+fen+`"}`, `],"moves":true}`))
	}
	// Crowds that take all the work, and long texts that are read all the same.
	lines = append(lines, "POST /v1/turkish/batch batch 1000 true "+turkishCrowd+" W:WKa1:B"+strings.Repeat("a1-a2,", 330))
	for _, unit := range []string{"W", "1,", "W:", "K", "%20", "%00", "%C3%A9", "1-32,", "&fen=", "&a=", ";", "[", "%22", ":H1", "0"} {
		end := fmt.Sprintf(` fill 15000 "" %q ""`, unit)
		lines = append(lines, "GET /v1/english?fen="+end, "GET /v1/turkish/mainline?fen=W:WK1:B"+end)
	}
	return append(lines, handmadeOdd()...)
}

// handmadeOdd are requests that no route is made for.
func handmadeOdd() []string {
	return []string{
		"GET /", "GET /v1", "GET /v1/", "GET /v1/variants", "GET /v1/variants?x=1", "GET /v1/chess?fen=x", "GET /v1/english", "GET /v1/english?", "GET /v1/english?fen",
		"GET /v1/english?fen=%zz", "GET /v1/english/slices/1", "GET /v1/english/slices/%00", `GET /v1/english/slices/ fill 9000 "" "9" ""`, `GET /v1/ fill 9000 "" "x" ""`,
		`GET /v1/ fill 9000 "" "%2e%2e%2f" ""`, "HEAD /v1/english?fen=W:WK1:BK32", "OPTIONS /v1/english/batch", "PUT /v1/english", "DELETE /v1/english/game", "PATCH /v1/english/batch",
		"POST /v1/english", "GET /v1/english/batch", "GET /v1/english/game", "POST /v1/english/mainline", "POST /v1/variants", "GET /metrics", "GET /-/ready", "GET /-/healthy",
		"GET /v1/english/mainline?fen=W:WK1:BK32&max=99999999999999999999", "GET /v1/english/mainline?fen=W:WK1:BK32&max=-1", "GET /v1/english/mainline?fen=W:WK1:BK32&max=1001",
		"GET /v1/draughts64?fen=W:WKa1:BKc3&ply=99999999999999999999", "GET /v1/draughts64?fen=W:WKa1:BKc3&ply=9223372036854775807", "GET /v1/draughts64?fen=W:WKa1:BKc3&kingmoves=2147483648",
		"GET /v1/draughts64?fen=W:WKa1:BKc3&situation=-9223372036854775808", "GET /v1/english?fen=W:WK1:BK32:H2147483647", "GET /v1/russian?fen=W:WKa1:BKh8:H30:F99999999999",
		`POST /v1/english/batch text ""`, `POST /v1/english/batch text "null"`, `POST /v1/english/batch text "{}"`, `POST /v1/english/batch text "{\"positions\":null}"`,
		`POST /v1/english/batch text "{\"positions\":[null,null]}"`, `POST /v1/english/batch text "{\"positions\":[{\"fen\":null}],\"moves\":null}"`, `POST /v1/english/game text "{}"`,
		`POST /v1/english/game text "{\"moves\":null}"`, `POST /v1/english/game text "{\"moves\":[null]}"`, `POST /v1/english/game text "\xef\xbb\xbf"`, `POST /v1/english/game?game=1 text "{}"`,
		`POST /v1/english/game?game=0 text "*"`, `POST /v1/chess/batch text "{}"`, `POST /v1/chess/game text "*"`, `POST /v1/english/nothing text "*"`,
	}
}
