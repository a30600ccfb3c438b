package main

import (
	"fmt"
	"strconv"

	"dambase/cmd/internal/cli"

	"github.com/spf13/cobra"
)

func (a *app) perftCommand() *cobra.Command {
	var fen string
	cmd := &cobra.Command{
		Use:   "perft --variant V [--fen FEN] DEPTH",
		Short: "Count the lines of play of each depth",
		Args:  cobra.ExactArgs(1),
		RunE:  func(cmd *cobra.Command, args []string) error { return a.perft(fen, args[0]) },
	}
	cmd.Flags().StringVar(&fen, "fen", "", "start from this position instead of the first of a game")
	return cmd
}

func (a *app) perft(fen, depthText string) error {
	r, err := a.rules()
	if err != nil {
		return err
	}
	depth, err := strconv.Atoi(depthText)
	if err != nil || depth < 1 || depth > 30 {
		return cli.Usagef("depth %q: want a number from 1 to 30", depthText)
	}
	p := r.Start()
	if fen != "" {
		if p, err = r.ParsePosition(fen); err != nil {
			return cli.Usage(err)
		}
	}
	for d := 1; d <= depth; d++ {
		count := r.Perft(&p, d)
		if a.json {
			err = a.printJSON(struct {
				Depth int    `json:"depth"`
				Count uint64 `json:"count"`
			}{d, count})
		} else {
			_, err = fmt.Fprintln(a.out, d, count)
		}
		if err != nil {
			return err
		}
		if err := a.out.Flush(); err != nil {
			return err
		}
	}
	return nil
}
