package main

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"

	"dambase/cmd/internal/cli"
	"dambase/index"
	"dambase/probe"
	"dambase/storage"

	"github.com/spf13/cobra"
)

func (a *app) statsCommand() *cobra.Command {
	var slice string
	cmd := &cobra.Command{
		Use:   "stats --variant V [--slice S]",
		Short: "Print wins, draws, losses and the longest wins of each slice",
		Long: "stats prints the results of each slice, White to move, without draw rules, with the\n" +
			"longest win and loss in plies and a position where it occurs; cursed wins and blessed\n" +
			"losses are those that the draw rules turn into draws, counters at 0.",
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return a.stats(slice) },
	}
	cmd.Flags().StringVar(&slice, "slice", "", "print this slice alone")
	return cmd
}

func (a *app) stats(slice string) error {
	tables, closeTables, err := a.openTables()
	if err != nil {
		return err
	}
	defer closeTables()
	list := tables.Slices()
	if slice != "" {
		if list, err = parseSlices(slice); err != nil {
			return err
		}
	}
	if len(list) == 0 {
		return fmt.Errorf("no tables of %s in %s", a.variant, a.db)
	}
	var all []*probe.SliceStatistics
	for _, s := range list {
		stats, err := tables.Statistics(s)
		if errors.Is(err, storage.ErrNoTable) {
			return cli.Usage(err)
		} else if err != nil {
			return err
		}
		all = append(all, stats)
	}
	if a.json {
		for _, s := range all {
			if err := a.printJSON(s); err != nil {
				return err
			}
		}
		return nil
	}
	return a.printStats(list, all, slice == "")
}

// statsTotal sums the slices of one number of pieces up.
type statsTotal struct {
	positions, wins, draws, losses uint64
	cursed, blessed                uint64
	longest                        int
}

func (t *statsTotal) add(s *probe.SliceStatistics) {
	t.positions += s.Positions
	t.wins += s.Wins
	t.draws += s.Draws
	t.losses += s.Losses
	if s.CursedWins != nil {
		t.cursed += *s.CursedWins
		t.blessed += *s.BlessedLosses
	}
	if s.LongestWin != nil {
		t.longest = max(t.longest, int(s.LongestWin.DTW))
	}
}

func (a *app) printStats(list []index.Slice, all []*probe.SliceStatistics, totals bool) error {
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "slice\tpositions\twins\tdraws\tlosses\tcursed\tblessed\tlongest win\tlongest loss\tlongest ruled win")
	var byPieces [10]statsTotal
	var sum statsTotal
	for i, s := range all {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%s\t%s\t%s\t%s\t%s\n", s.Slice, s.Positions, s.Wins, s.Draws, s.Losses,
			countText(s.CursedWins), countText(s.BlessedLosses), longestText(s.LongestWin), longestText(s.LongestLoss), ruledText(s))
		byPieces[min(list[i].Pieces(), 9)].add(s)
		sum.add(s)
	}
	for pieces, t := range byPieces {
		if totals && t.positions > 0 {
			t.print(w, fmt.Sprintf("%d pieces", pieces))
		}
	}
	if totals {
		sum.print(w, "all")
	}
	return w.Flush()
}

func (t *statsTotal) print(w io.Writer, name string) {
	fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t\t\n", name, t.positions, t.wins, t.draws, t.losses, t.cursed, t.blessed, t.longest)
}

func countText(n *uint64) string {
	if n == nil {
		return "-"
	}
	return strconv.FormatUint(*n, 10)
}

func ruledText(s *probe.SliceStatistics) string {
	if s.Ruled == nil || s.Ruled.LongestWin == nil {
		return "-"
	}
	return fmt.Sprintf("%d %s", s.Ruled.LongestWin.DTZ, s.Ruled.LongestWin.FEN)
}

func longestText(l *probe.Longest) string {
	if l == nil {
		return "-"
	}
	return fmt.Sprintf("%d %s", l.DTW, l.FEN)
}
