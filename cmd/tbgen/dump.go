package main

import (
	"errors"
	"fmt"

	"dambase/cmd/internal/cli"
	"dambase/engine"
	"dambase/index"
	"dambase/probe"
	"dambase/storage"

	"github.com/spf13/cobra"
)

func (a *app) dumpCommand() *cobra.Command {
	var slice string
	cmd := &cobra.Command{
		Use:   "dump --variant V --slice S",
		Short: "Print every position of a slice",
		Long: "dump prints every position of a slice in the order of the tables, White to move, as\n" +
			"five fields with tabs between them: fen wld dtw category dtz.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.dump(cmd, slice) },
	}
	cmd.Flags().StringVar(&slice, "slice", "", "the slice, as in 2110")
	return cmd
}

// dumpLine is a position in JSON.
type dumpLine struct {
	FEN      string         `json:"fen"`
	WLD      probe.WLD      `json:"wld"`
	DTW      probe.Distance `json:"dtw"`
	Category probe.Category `json:"category"`
	DTZ      probe.Distance `json:"dtz"`
}

func (a *app) dump(cmd *cobra.Command, text string) error {
	tables, closeTables, err := a.openTables()
	if err != nil {
		return err
	}
	defer closeTables()
	slice, err := index.ParseSlice(text)
	if err != nil {
		return cli.Usage(err)
	}
	if _, err := tables.Statistics(slice); errors.Is(err, storage.ErrNoTable) {
		return cli.Usage(err)
	} else if err != nil {
		return err
	}
	n, err := index.NewNumbering(tables.Rules(), slice)
	if err != nil {
		return err
	}
	it := n.From(0)
	for range n.Size() {
		if err := cmd.Context().Err(); err != nil {
			return err
		}
		p := *it.Position()
		r, err := tables.Probe(p, engine.Counters{})
		if err != nil {
			return err
		}
		line := dumpLine{tables.Rules().FormatFEN(&p), r.WLD, r.DTW, r.Category, r.DTZ}
		if a.json {
			err = a.printJSON(line)
		} else {
			_, err = fmt.Fprintf(a.out, "%s\t%s\t%s\t%s\t%s\n", line.FEN, line.WLD, orNull(line.DTW), line.Category, orNull(line.DTZ))
		}
		if err != nil {
			return err
		}
		it.Next()
	}
	return nil
}

func orNull(d probe.Distance) string {
	if _, ok := d.Plies(); !ok {
		return "null"
	}
	return d.String()
}
