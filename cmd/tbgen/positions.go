package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"dambase/cmd/internal/cli"
	"dambase/engine"
	"dambase/probe"
)

// A query is a position that a command is asked about.
type query struct {
	position engine.Position
	counters engine.Counters
}

// queryError is an answer in the place of a line that could not be read.
type queryError struct {
	FEN   string `json:"fen"`
	Error string `json:"error"`
}

// explicitCounters are the counters that flags or a line give beside the FEN.
type explicitCounters struct {
	counters engine.Counters
	given    bool
}

// parseQuery reads a FEN and combines it with explicit counters.
func parseQuery(r *engine.Rules, text string, explicit explicitCounters) (query, error) {
	fen, err := r.ParseFEN(text)
	if err != nil {
		return query{}, err
	}
	q := query{position: fen.Position, counters: explicit.counters}
	if fen.Halfmoves != nil {
		if explicit.given {
			return query{}, errors.New("counters are given twice, by H in the FEN and explicitly")
		}
		q.counters = probe.FENCounters(r, &fen)
	}
	return q, probe.CheckCounters(r, &q.position, q.counters)
}

// parseLine reads a line of standard input: a FEN, then kingmoves=N and situation=N.
func parseLine(r *engine.Rules, line string) (query, error) {
	fields := strings.Fields(line)
	var explicit explicitCounters
	for _, field := range fields[1:] {
		key, value, _ := strings.Cut(field, "=")
		n, err := strconv.Atoi(value)
		if err != nil {
			return query{}, fmt.Errorf("%q: want kingmoves=N or situation=N", field)
		}
		if explicit.given && strings.Count(line, " "+key+"=") > 1 {
			return query{}, fmt.Errorf("%s is given twice", key)
		}
		explicit.given = true
		switch key {
		case "kingmoves":
			explicit.counters.KingMoves = engine.Plies(n)
		case "situation":
			explicit.counters.Situation = engine.Plies(n)
		default:
			return query{}, fmt.Errorf("%q: want kingmoves=N or situation=N", field)
		}
	}
	return parseQuery(r, fields[0], explicit)
}

// maxLine bounds a line of standard input, in bytes.
const maxLine = 1 << 16

// eachPosition answers the FENs of a command line, or with "-" those of
// standard input, one a line. A bad argument ends it; a bad line is answered
// by an error in its place, and makes the exit status 2 at the end.
func (a *app) eachPosition(r *engine.Rules, args []string, explicit explicitCounters, answer func(query) error) error {
	if len(args) != 1 || args[0] != "-" {
		for _, text := range args {
			q, err := parseQuery(r, text, explicit)
			if err != nil {
				return cli.Usage(err)
			}
			if err := answer(q); err != nil {
				return err
			}
		}
		return nil
	}
	if explicit.given {
		return cli.Usagef("with - the counters stand on each line, as in FEN kingmoves=3 situation=5")
	}
	lines := bufio.NewReaderSize(a.in, maxLine)
	bad := 0
	for {
		line, tooLong, err := readLine(lines)
		if err == io.EOF {
			break
		} else if err != nil {
			return fmt.Errorf("standard input: %w", err)
		}
		if line == "" {
			continue
		}
		var q query
		if tooLong {
			err = fmt.Errorf("a line of more than %d bytes", maxLine)
		} else if q, err = parseLine(r, line); err == nil {
			if err := errors.Join(answer(q), a.out.Flush()); err != nil {
				return err
			}
			continue
		}
		bad++
		if err := a.printBadLine(queryError{line, err.Error()}); err != nil {
			return err
		}
	}
	if bad > 0 {
		return cli.Usagef("%d bad lines on standard input", bad)
	}
	return nil
}

// readLine returns the next line without space around it; of one that is too
// long, the beginning.
func readLine(lines *bufio.Reader) (line string, tooLong bool, err error) {
	text, more, err := lines.ReadLine()
	if err != nil {
		return "", false, err
	}
	line = strings.TrimSpace(string(text))
	if more {
		line = line[:min(len(line), 100)] + "…"
	}
	for tooLong = more; more && err == nil; {
		_, more, err = lines.ReadLine()
	}
	return line, tooLong, nil
}

func (a *app) printBadLine(e queryError) error {
	if a.json {
		return a.printJSON(e)
	}
	_, err := fmt.Fprintf(a.out, "%s: %s\n", e.FEN, e.Error)
	return err
}
