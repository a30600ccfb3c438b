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

// queryError is an answer in the place of a line that has none.
type queryError struct {
	FEN   string `json:"fen"`
	Error string `json:"error"`
}

// parseLine reads a line of standard input: a FEN, then kingmoves=N and situation=N.
func parseLine(line string) (probe.QueryText, error) {
	text := probe.QueryText{FEN: line}
	for {
		rest, field, _ := cutLastField(text.FEN)
		key, number, ok := strings.Cut(field, "=")
		if !ok {
			return text, nil
		}
		var target **engine.Plies
		switch key {
		case "kingmoves":
			target = &text.KingMoves
		case "situation":
			target = &text.Situation
		default:
			return text, fmt.Errorf("%.40q: want kingmoves=N or situation=N", field)
		}
		n, err := strconv.Atoi(number)
		if err != nil {
			return text, fmt.Errorf("%.40q: want kingmoves=N or situation=N", field)
		}
		if *target != nil {
			return text, fmt.Errorf("%s is given twice", key)
		}
		*target = new(engine.Plies(n))
		text.FEN = rest
	}
}

// cutLastField cuts a text before its last word.
func cutLastField(text string) (rest, field string, ok bool) {
	i := strings.LastIndexAny(text, " \t")
	if i < 0 {
		return "", text, false
	}
	return strings.TrimRight(text[:i], " \t"), text[i+1:], true
}

// maxLine bounds a line of standard input, in bytes.
const maxLine = 1 << 16

// eachPosition answers the FENs of a command line, or with "-" those of
// standard input, one a line. A bad argument ends it; a bad line is answered
// by an error in its place, and makes the exit status 2 at the end. So is a
// line that a damaged table has no answer to; the exit status is then 1.
func (a *app) eachPosition(r *engine.Rules, args []string, explicit explicitCounters, answer func(probe.Query) error) error {
	if len(args) != 1 || args[0] != "-" {
		for _, text := range args {
			q, err := explicit.query(text).Read(r)
			if err != nil {
				return cli.Usage(err)
			}
			if err := answer(q); err != nil {
				return err
			}
		}
		return nil
	}
	if explicit.given() {
		return cli.Usagef("with - the counters stand on each line, as in FEN kingmoves=3 situation=5")
	}
	lines := bufio.NewReaderSize(a.in, maxLine)
	bad, failed := 0, 0
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
		q, err := readQuery(r, line, tooLong)
		if err != nil {
			bad++
		} else if err = answer(q); err != nil {
			failed++
		}
		if err != nil {
			err = a.printBadLine(queryError{shortened(line), err.Error()})
		}
		if err = errors.Join(err, a.out.Flush()); err != nil {
			return err
		}
	}
	switch {
	case bad > 0:
		return cli.Usagef("%d bad lines on standard input", bad)
	case failed > 0:
		return fmt.Errorf("%d lines on standard input could not be answered", failed)
	}
	return nil
}

func readQuery(r *engine.Rules, line string, tooLong bool) (probe.Query, error) {
	if tooLong {
		return probe.Query{}, fmt.Errorf("a line of more than %d bytes", maxLine)
	}
	text, err := parseLine(line)
	if err != nil {
		return probe.Query{}, err
	}
	return text.Read(r)
}

// shortened cuts a line that is too long to be repeated.
func shortened(line string) string {
	if len(line) <= 300 {
		return line
	}
	return strings.ToValidUTF8(line[:300], "") + "…"
}

// readLine returns the next line without space around it; of one that is too
// long, the beginning.
func readLine(lines *bufio.Reader) (line string, tooLong bool, err error) {
	text, more, err := lines.ReadLine()
	if err != nil {
		return "", false, err
	}
	line = strings.TrimSpace(string(text))
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
