package main

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"dambase/engine"
	"dambase/probe"
)

var errNoRoute = notFound("no such route; docs/http.md lists them: /v1/variants, /v1/{variant}?fen=…")

func (s *server) nothing(*request) (any, error) { return nil, errNoRoute }

func (s *server) healthy(*request) (any, error) { return plainText("healthy"), nil }

func (s *server) ready(r *request) (any, error) {
	if r.snapshot.count() == 0 {
		return nil, statusError{http.StatusServiceUnavailable, errors.New("no tables yet")}
	}
	return plainText("ready"), nil
}

// variantInfo describes a variant that is served.
type variantInfo struct {
	Name      string            `json:"name"`
	Board     string            `json:"board"`
	Rows      int               `json:"rows"`
	Columns   int               `json:"columns"`
	Squares   string            `json:"squares"`
	Notation  string            `json:"notation"`
	Numbering string            `json:"numbering"`
	First     string            `json:"first"`
	GameType  int               `json:"game_type"`
	Start     string            `json:"start"`
	Draws     []engine.DrawRule `json:"draw_rules"`
	MaxPieces int               `json:"max_pieces"` // 0 without tables
	RulesHash string            `json:"rules_hash"`
	Error     string            `json:"error,omitempty"` // why its tables are not served
}

func newVariantInfo(r *engine.Rules) variantInfo {
	v := r.Variant()
	start := r.Start()
	return variantInfo{
		Name: v.Name, Board: fmt.Sprintf("%dx%d", v.Rows, v.Columns), Rows: v.Rows, Columns: v.Columns, Squares: v.Squares,
		Notation: v.Notation, Numbering: v.Numbering, First: v.First, GameType: v.GameType,
		Start: r.FormatFEN(&start), Draws: v.Draws, RulesHash: v.Hash(),
	}
}

func (s *server) variants(r *request) (any, error) {
	list := []variantInfo{}
	for _, rules := range s.tables.variants {
		info := newVariantInfo(rules)
		if t, err := r.snapshot.tablesOf(rules.Variant().Name); err != nil {
			info.Error = detailOf(err)
		} else {
			info.MaxPieces = t.Largest()
		}
		list = append(list, info)
	}
	return struct {
		Variants []variantInfo `json:"variants"`
	}{list}, nil
}

// variantTables returns the tables that the path names.
func (s *server) variantTables(r *request) (*probe.Tables, error) {
	name := r.PathValue("variant")
	t, err := r.snapshot.tablesOf(name)
	if t != nil || err != nil {
		return t, err
	}
	var names []string
	for _, rules := range s.tables.variants {
		names = append(names, rules.Variant().Name)
	}
	return nil, notFound("no variant %.40q; there are %s", name, strings.Join(names, ", "))
}

func (s *server) probe(r *request) (any, error) {
	t, err := s.variantTables(r)
	if err != nil {
		return nil, err
	}
	q, err := r.position(t.Rules())
	if err != nil {
		return nil, err
	}
	return t.Answer(r.work, q, true)
}

// Main lines have at most so many moves, and by default.
const (
	maxLine     = 1000
	defaultLine = 300
)

func (s *server) mainline(r *request) (any, error) {
	t, err := s.variantTables(r)
	if err != nil {
		return nil, err
	}
	q, err := r.position(t.Rules())
	if err != nil {
		return nil, err
	}
	most := engine.Plies(defaultLine)
	if r.query.Has("max") {
		if most, err = r.number("max"); err != nil {
			return nil, err
		}
		if most < 1 || most > maxLine {
			return nil, badRequest("parameter max: %d is not from 1 to %d", most, maxLine)
		}
	}
	return t.Line(r.work, q, int(most))
}
