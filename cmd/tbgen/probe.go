package main

import (
	"context"
	"fmt"
	"text/tabwriter"

	"dambase/engine"
	"dambase/probe"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// explicitCounters are the flags that give counters beside the FEN.
type explicitCounters struct {
	kingMoves, situation int
	flags                *pflag.FlagSet // nil where the command has none
}

func (c *explicitCounters) add(f *pflag.FlagSet) {
	c.flags = f
	f.IntVar(&c.kingMoves, "kingmoves", 0, "king moves since the last capture or man's move, in plies")
	f.IntVar(&c.situation, "situation", 0, "plies that the draw rule's situation has lasted")
}

func (c *explicitCounters) given() bool {
	return c.flags != nil && (c.flags.Changed("kingmoves") || c.flags.Changed("situation"))
}

// query combines a FEN with the counters given.
func (c *explicitCounters) query(fen string) probe.QueryText {
	q := probe.QueryText{FEN: fen}
	if c.flags != nil && c.flags.Changed("kingmoves") {
		q.KingMoves = new(engine.Plies(c.kingMoves))
	}
	if c.flags != nil && c.flags.Changed("situation") {
		q.Situation = new(engine.Plies(c.situation))
	}
	return q
}

func (a *app) probeCommand() *cobra.Command {
	var noMoves bool
	var counters explicitCounters
	cmd := &cobra.Command{
		Use:   "probe --variant V (FEN… | -)",
		Short: "Print the verdict on positions and on each of their moves",
		Long: "probe prints what the tables know of each position and of the position after every\n" +
			"legal move, best first. With - it reads one FEN a line from standard input, which may\n" +
			"go on with kingmoves=N situation=N.",
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.probe(cmd.Context(), args, counters, !noMoves) },
	}
	cmd.Flags().BoolVar(&noMoves, "no-moves", false, "the position alone")
	counters.add(cmd.Flags())
	return cmd
}

func (a *app) probe(ctx context.Context, args []string, explicit explicitCounters, moves bool) error {
	tables, closeTables, err := a.openTables()
	if err != nil {
		return err
	}
	defer closeTables()
	return a.eachPosition(tables.Rules(), args, explicit, func(q probe.Query) error {
		answer, err := tables.Answer(probe.NewPatientWork(ctx), q, moves)
		if err != nil {
			return err
		}
		if a.json {
			return a.printJSON(answer)
		}
		return a.printAnswer(answer)
	})
}

func (a *app) printAnswer(x *probe.Answer) error {
	fmt.Fprintf(a.out, "%s %s: %s", x.Variant, x.FEN, x.Category)
	if x.Category.String() != x.WLD.String() {
		fmt.Fprintf(a.out, " (%s without draw rules)", x.WLD)
	}
	fmt.Fprintf(a.out, ", dtw %s, dtz %s", x.DTW, x.DTZ)
	if x.GameOver {
		fmt.Fprint(a.out, ", game over")
	}
	if x.Reason != nil {
		fmt.Fprintf(a.out, ", %s", *x.Reason)
	}
	fmt.Fprintln(a.out)
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	for _, m := range x.Moves {
		note := ""
		if m.Only {
			note = "only move"
		}
		fmt.Fprintf(w, "  %s\tleaves %s\tdtw %s\tdtz %s\t%s\n", m.Move, m.Category, m.DTW, m.DTZ, note)
	}
	return w.Flush()
}
