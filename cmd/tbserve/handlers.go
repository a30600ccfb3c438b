package main

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"dambase/engine"
	"dambase/probe"
)

func (s *server) healthy(w http.ResponseWriter, _ *http.Request, _ *snapshot) error {
	fmt.Fprintln(w, "healthy")
	return nil
}

func (s *server) ready(w http.ResponseWriter, _ *http.Request, n *snapshot) error {
	if n.reader == nil || len(n.reader.Entries()) == 0 {
		return statusError{http.StatusServiceUnavailable, fmt.Errorf("no tables yet")}
	}
	fmt.Fprintln(w, "ready")
	return nil
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
}

func newVariantInfo(t *probe.Tables) variantInfo {
	v := t.Rules().Variant()
	start := t.Rules().Start()
	return variantInfo{
		Name: v.Name, Board: fmt.Sprintf("%dx%d", v.Rows, v.Columns), Rows: v.Rows, Columns: v.Columns, Squares: v.Squares,
		Notation: v.Notation, Numbering: v.Numbering, First: v.First, GameType: v.GameType,
		Start: t.Rules().FormatFEN(&start), Draws: v.Draws, MaxPieces: t.Largest(), RulesHash: v.Hash(),
	}
}

func (s *server) variants(w http.ResponseWriter, r *http.Request, n *snapshot) error {
	list := []variantInfo{}
	for _, rules := range s.tables.variants {
		list = append(list, newVariantInfo(n.tables[rules.Variant().Name]))
	}
	return writeJSON(w, r, n, struct {
		Variants []variantInfo `json:"variants"`
	}{list})
}

// variantTables returns the tables that the path names.
func (s *server) variantTables(r *http.Request, n *snapshot) (*probe.Tables, error) {
	name := r.PathValue("variant")
	if t := n.tables[name]; t != nil {
		return t, nil
	}
	var names []string
	for _, rules := range s.tables.variants {
		names = append(names, rules.Variant().Name)
	}
	return nil, notFound("no variant %q; there are %s", name, strings.Join(names, ", "))
}

func (s *server) probe(w http.ResponseWriter, r *http.Request, n *snapshot) error {
	t, query, p, c, err := s.asked(r, n, "ply")
	if err != nil {
		return err
	}
	if !query.Has("ply") {
		answer, err := t.Answer(p, c, true)
		if err != nil {
			return err
		}
		return writeJSON(w, r, n, answer)
	}
	ply, err := number(query, "ply")
	if err != nil {
		return err
	}
	answer, err := t.AnswerAt(p, c, ply, true)
	if err != nil {
		return err
	}
	return writeJSON(w, r, n, answer)
}

// Main lines have at most so many moves, and by default.
const (
	maxLine     = 1000
	defaultLine = 300
)

func (s *server) mainline(w http.ResponseWriter, r *http.Request, n *snapshot) error {
	t, query, p, c, err := s.asked(r, n, "max")
	if err != nil {
		return err
	}
	most := engine.Plies(defaultLine)
	if query.Has("max") {
		if most, err = number(query, "max"); err != nil {
			return err
		}
		if most < 1 || most > maxLine {
			return badRequest("parameter max: %d is not from 1 to %d", most, maxLine)
		}
	}
	root, err := t.Probe(p, c)
	if err != nil {
		return err
	}
	if root.Category == probe.CategoryUnknown {
		return notFound("the position is outside the tables: a table of slice %s is missing", root.Missing)
	}
	line, err := t.Line(p, c, int(most))
	if err != nil {
		return err
	}
	return writeJSON(w, r, n, line)
}

// asked returns what a request asks about: the variant's tables, the position
// and its counters. It may have further parameters.
func (s *server) asked(r *http.Request, n *snapshot, further ...string) (t *probe.Tables, query url.Values, p engine.Position, c engine.Counters, err error) {
	if t, err = s.variantTables(r, n); err != nil {
		return t, query, p, c, err
	}
	if query, err = parameters(r, append([]string{"fen", "kingmoves", "situation"}, further...)...); err != nil {
		return t, query, p, c, err
	}
	p, c, err = position(t.Rules(), query)
	return t, query, p, c, err
}

// parameters returns the query parameters. An unknown one, or one given twice,
// is refused: a mistyped counter must not be ignored.
func parameters(r *http.Request, known ...string) (url.Values, error) {
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, badRequest("query: %w", err)
	}
	for key, values := range query {
		if !slices.Contains(known, key) {
			return nil, badRequest("unknown parameter %q: want %s", key, strings.Join(known, ", "))
		}
		if len(values) > 1 {
			return nil, badRequest("parameter %s is given %d times", key, len(values))
		}
	}
	return query, nil
}

var errCountersTwice = badRequest("counters are given twice, by H in the FEN and explicitly")

// position reads the position and its counters from query parameters.
func position(rules *engine.Rules, query url.Values) (engine.Position, engine.Counters, error) {
	var c engine.Counters
	if !query.Has("fen") {
		return engine.Position{}, c, badRequest("parameter fen is missing")
	}
	fen, err := rules.ParseFEN(query.Get("fen"))
	if err != nil {
		return engine.Position{}, c, err
	}
	explicit := false
	for _, counter := range []struct {
		name   string
		target *engine.Plies
	}{{"kingmoves", &c.KingMoves}, {"situation", &c.Situation}} {
		if !query.Has(counter.name) {
			continue
		}
		explicit = true
		if *counter.target, err = number(query, counter.name); err != nil {
			return engine.Position{}, c, err
		}
	}
	if fen.Halfmoves != nil {
		if explicit {
			return engine.Position{}, c, errCountersTwice
		}
		c = probe.FENCounters(rules, &fen)
	}
	return fen.Position, c, nil
}

// number reads a parameter that is a number of plies.
func number(query url.Values, name string) (engine.Plies, error) {
	v, err := strconv.Atoi(query.Get(name))
	if err != nil {
		return 0, badRequest("parameter %s: %q is not a number", name, query.Get(name))
	}
	return engine.Plies(v), nil
}
