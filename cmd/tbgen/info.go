package main

import (
	"fmt"
	"text/tabwriter"

	"dambase/storage"

	"github.com/spf13/cobra"
)

func (a *app) infoCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "info [--variant V]",
		Short: "List the tables present",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return a.info() },
	}
}

// infoLine is a table in JSON.
type infoLine struct {
	Variant      string  `json:"variant"`
	Slice        string  `json:"slice"`
	Metric       string  `json:"metric"`
	Pieces       int     `json:"pieces"`
	Positions    uint64  `json:"positions"`
	Wins         uint64  `json:"wins"`
	Draws        uint64  `json:"draws"`
	Losses       uint64  `json:"losses"`
	Bytes        uint64  `json:"bytes"`
	Bits         float64 `json:"bits_per_position"`
	SHA256       string  `json:"sha256"`
	ValuesSHA256 string  `json:"values_sha256"`
	RulesHash    string  `json:"rules_hash"`
	Format       int     `json:"format"`
}

func newInfoLine(e *storage.Entry) infoLine {
	id := e.ID()
	return infoLine{
		Variant: id.Variant, Slice: e.Slice, Metric: string(e.Metric), Pieces: id.Slice.Pieces(), Positions: e.Positions,
		Wins: e.Statistics.Wins, Draws: e.Statistics.Draws, Losses: e.Statistics.Losses,
		Bytes: e.Bytes, Bits: 8 * float64(e.Bytes) / float64(e.Positions),
		SHA256: e.SHA256, ValuesSHA256: e.ValuesSHA256, RulesHash: e.RulesHash, Format: e.Format,
	}
}

func (a *app) info() error {
	reader, err := a.openReader()
	if err != nil {
		return err
	}
	defer reader.Close()
	entries, err := a.chosen(reader, "")
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	if !a.json {
		fmt.Fprintln(w, "variant\tslice\tmetric\tpositions\tbytes\tbits/position\tsha256")
	}
	var positions, bytes uint64
	for _, e := range entries {
		line := newInfoLine(e)
		positions += line.Positions
		bytes += line.Bytes
		if a.json {
			if err := a.printJSON(line); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d\t%.2f\t%.16s…\n", line.Variant, line.Slice, line.Metric, line.Positions, line.Bytes, line.Bits, line.SHA256)
	}
	if a.json {
		return nil
	}
	fmt.Fprintf(w, "%d tables\t\t\t%d\t%d\t\t\n", len(entries), positions, bytes)
	return w.Flush()
}
