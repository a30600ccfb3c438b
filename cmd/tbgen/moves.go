package main

import (
	"fmt"
	"strings"

	"dambase/probe"

	"github.com/spf13/cobra"
)

func (a *app) movesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "moves --variant V (FEN… | -)",
		Short: "Print the legal moves of positions",
		Args:  cobra.MinimumNArgs(1),
		RunE:  func(_ *cobra.Command, args []string) error { return a.moves(args) },
	}
}

// movesLine is the legal moves of a position in JSON.
type movesLine struct {
	FEN   string           `json:"fen"`
	Moves []probe.MoveText `json:"moves"`
}

func (a *app) moves(args []string) error {
	r, err := a.rules()
	if err != nil {
		return err
	}
	return a.eachPosition(r, args, explicitCounters{}, func(q probe.Query) error {
		ways, err := r.Ways(nil, &q.Position)
		if err != nil {
			return err
		}
		line := movesLine{FEN: r.FormatFEN(&q.Position), Moves: probe.DescribeMoves(r, ways)}
		if a.json {
			return a.printJSON(line)
		}
		var names []string
		for _, m := range line.Moves {
			names = append(names, m.Move)
		}
		_, err = fmt.Fprintf(a.out, "%s %s\n", line.FEN, strings.Join(names, " "))
		return err
	})
}
