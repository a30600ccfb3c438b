package main

import (
	"fmt"

	"dambase/cmd/internal/cli"
	"dambase/probe"

	"github.com/spf13/cobra"
)

func (a *app) lineCommand() *cobra.Command {
	var counters counterFlags
	var most int
	cmd := &cobra.Command{
		Use:   "line --variant V FEN",
		Short: "Print the main line of a won or lost position, as PDN",
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return a.line(args[0], counters.explicit(), most)
		},
	}
	cmd.Flags().IntVar(&most, "max", 500, "at most so many moves")
	counters.add(cmd.Flags())
	return cmd
}

func (a *app) line(fen string, explicit explicitCounters, most int) error {
	tables, closeTables, err := a.openTables()
	if err != nil {
		return err
	}
	defer closeTables()
	q, err := parseQuery(tables.Rules(), fen, explicit)
	if err != nil {
		return cli.Usage(err)
	}
	line, err := tables.Line(q.position, q.counters, most)
	if err != nil {
		return err
	}
	if line.Winner == nil {
		root, err := tables.Probe(q.position, q.counters)
		if err != nil {
			return err
		}
		if root.Category == probe.CategoryUnknown {
			return fmt.Errorf("the position is outside the tables: a table of slice %s is missing", root.Missing)
		}
		if !a.json {
			a.log.Info("only wins and losses have a main line", "category", root.Category.String())
			return nil
		}
	}
	if a.json {
		return a.printJSON(line)
	}
	_, err = fmt.Fprintln(a.out, line.PDN)
	return err
}
