package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"dambase/engine"
)

// hostileRequest makes the request of a line: a method, a path, and a recipe of
// its body, or with GET of the end of its query:
//
//	text "BODY"                       the body itself, in Go's quotes
//	fill SIZE "HEAD" "UNIT" "TAIL"    a unit as often as it fits
//	count SIZE "HEAD" "UNIT" "TAIL"   the same, with a new number for each #
//	batch COUNT MOVES FEN…            positions in turn, MOVES true or false
//	walk FORM PLIES KIND SEED FEN     a game, as json or pdn: see walk
func hostileRequest(t testing.TB, line string) *http.Request {
	t.Helper()
	fields := strings.SplitN(line, " ", 4)
	if len(fields) == 2 {
		fields = append(fields, "none", "")
	}
	body, err := hostileBody(fields[1], fields[2], fields[3])
	if err != nil {
		t.Fatalf("%.100s: %v", line, err)
	}
	if fields[0] == http.MethodGet { // the recipe is of the end of its query
		return httptest.NewRequest(fields[0], fields[1]+body, nil)
	}
	return httptest.NewRequest(fields[0], fields[1], strings.NewReader(body))
}

var errRecipe = errors.New("bad recipe")

// hostileBody follows a recipe.
func hostileBody(path, recipe, args string) (string, error) {
	switch recipe {
	case "none":
		return "", nil
	case "text":
		return strconv.Unquote(args)
	case "fill":
		return fillBody(args, false)
	case "count":
		return fillBody(args, true)
	case "batch":
		return batchBody(strings.Fields(args))
	case "walk":
		name, _, _ := strings.Cut(strings.TrimPrefix(path, "/v1/"), "/")
		v, ok := engine.Builtin(name)
		if !ok {
			return "", errRecipe
		}
		return walkBody(engine.MustCompile(v), strings.Fields(args))
	}
	return "", errRecipe
}

func fillBody(args string, count bool) (string, error) {
	number, rest, _ := strings.Cut(args, " ")
	size, err := strconv.Atoi(number)
	if err != nil {
		return "", err
	}
	var part [3]string // head, unit, tail
	for i := range part {
		quoted, err := strconv.QuotedPrefix(rest)
		if err != nil {
			return "", err
		}
		if part[i], err = strconv.Unquote(quoted); err != nil {
			return "", err
		}
		rest = strings.TrimSpace(rest[len(quoted):])
	}
	var out strings.Builder
	out.WriteString(part[0])
	for i := 100_000; ; i++ {
		unit := part[1]
		if count {
			unit = strings.ReplaceAll(unit, "#", strconv.Itoa(i))
		}
		if out.Len()+len(unit)+len(part[2]) > size {
			break
		}
		out.WriteString(unit)
	}
	return out.String() + part[2], nil
}

func batchBody(args []string) (string, error) {
	count, err := strconv.Atoi(args[0])
	if err != nil || len(args) < 3 {
		return "", errRecipe
	}
	var out strings.Builder
	out.WriteString(`{"positions":[`)
	for i := range count {
		if i > 0 {
			out.WriteByte(',')
		}
		fmt.Fprintf(&out, `{"fen":%q}`, args[2+i%(len(args)-2)])
	}
	fmt.Fprintf(&out, `],"moves":%s}`, args[1])
	return out.String(), nil
}

// walkBody plays a game and writes it. A FEN of - is the start of all games.
func walkBody(r *engine.Rules, args []string) (string, error) {
	if len(args) != 5 {
		return "", errRecipe
	}
	plies, err := strconv.Atoi(args[1])
	if err != nil {
		return "", err
	}
	seed, err := strconv.ParseUint(args[3], 10, 64)
	if err != nil {
		return "", err
	}
	p, fen := r.Start(), args[4]
	if fen != "-" {
		if p, err = r.ParsePosition(fen); err != nil {
			return "", err
		}
	}
	moves := walk(r, p, plies, args[2], rand.New(rand.NewPCG(seed, 1)))
	if args[0] == "pdn" {
		tag := ""
		if fen != "-" {
			tag = "[FEN \"" + fen + "\"]\n"
		}
		return tag + strings.Join(moves, " ") + " *", nil
	}
	game := map[string]any{"moves": moves}
	if fen != "-" {
		game["fen"] = fen
	}
	body, err := json.Marshal(game)
	return string(body), err
}

// walk plays legal moves and writes them by their ends alone, so that they may
// fit others too. The kind of a walk says which moves are preferred: any; king,
// quiet moves of kings; tangle, captures that share their ends with the most
// others, else quiet moves of kings.
func walk(r *engine.Rules, p engine.Position, plies int, kind string, random *rand.Rand) []string {
	texts := []string{}
	for range plies {
		moves, err := r.MovesWithin(engine.NewBudget(context.Background(), 300_000), nil, &p)
		if err != nil || len(moves) == 0 {
			break
		}
		m := chooseMove(&p, moves, kind, random)
		texts = append(texts, r.SquareName(m.From)+map[bool]string{true: "x", false: "-"}[m.Captured != 0]+r.SquareName(m.To))
		p = r.Play(&p, m)
	}
	return texts
}

func chooseMove(p *engine.Position, moves []engine.Move, kind string, random *rand.Rand) engine.Move {
	m := moves[random.IntN(len(moves))]
	if kind == "any" {
		return m
	}
	if kind == "tangle" {
		shared := map[[2]engine.Square]int{}
		most := 1
		for _, m := range moves {
			ends := [2]engine.Square{m.From, m.To}
			if shared[ends]++; m.Captured != 0 && shared[ends] > most {
				most = shared[ends]
			}
		}
		for _, m := range moves {
			if most > 1 && shared[[2]engine.Square{m.From, m.To}] == most {
				return m
			}
		}
	}
	for range 20 {
		if m := moves[random.IntN(len(moves))]; m.Captured == 0 && p.Kings[p.Turn].Has(m.From) {
			return m
		}
	}
	return m
}
