package main

import (
	"context"
	"fmt"

	"dambase/cmd/internal/cli"
	"dambase/probe"

	"github.com/spf13/cobra"
)

func (a *app) lineCommand() *cobra.Command {
	var counters explicitCounters
	var most int
	cmd := &cobra.Command{
		Use:   "line --variant V FEN",
		Short: "Print the main line of a won or lost position, as PDN",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.line(cmd.Context(), args[0], counters, most)
		},
	}
	cmd.Flags().IntVar(&most, "max", 500, "at most so many moves")
	counters.add(cmd.Flags())
	return cmd
}

func (a *app) line(ctx context.Context, fen string, explicit explicitCounters, most int) error {
	if most < 1 {
		return cli.Usagef("--max %d: want at least 1", most)
	}
	tables, closeTables, err := a.openTables()
	if err != nil {
		return err
	}
	defer closeTables()
	q, err := explicit.query(fen).Read(tables.Rules())
	if err != nil {
		return cli.Usage(err)
	}
	line, err := tables.Line(probe.NewPatientWork(ctx), q, most)
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(line)
	}
	if line.Winner == nil {
		root, err := tables.Probe(q.Position, q.Counters)
		a.log.Info("only wins and losses have a main line", "category", root.Category.String())
		return err
	}
	_, err = fmt.Fprintln(a.out, line.PDN)
	return err
}
