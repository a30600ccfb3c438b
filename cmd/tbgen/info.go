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

// infoLine is a table in JSON; of one that cannot be read the error alone.
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
	Error        string  `json:"error,omitempty"`
}

func newInfoLine(t *storage.Table) (infoLine, error) {
	id := t.ID()
	line := infoLine{Variant: id.Variant, Slice: id.Slice.String(), Metric: string(id.Metric), Pieces: id.Slice.Pieces()}
	x, err := t.Listing()
	if err != nil {
		return line, err
	}
	f, err := t.Footer()
	if err != nil {
		return line, err
	}
	line.Positions, line.Bytes, line.Bits = x.Positions, x.Bytes, 8*float64(x.Bytes)/float64(x.Positions)
	line.Wins, line.Draws, line.Losses = f.Statistics.Wins, f.Statistics.Draws, f.Statistics.Losses
	line.SHA256, line.ValuesSHA256, line.RulesHash, line.Format = x.SHA256, x.ValuesSHA256, f.RulesHash, x.Format
	return line, nil
}

func (a *app) info() error {
	reader, err := a.openReader()
	if err != nil {
		return err
	}
	defer reader.Close()
	tables, err := a.chosen(reader, "")
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	if !a.json {
		fmt.Fprintln(w, "variant\tslice\tmetric\tpositions\tbytes\tbits/position\tsha256")
	}
	var positions, bytes uint64
	unreadable := 0
	for _, t := range tables {
		line, err := newInfoLine(t)
		if err != nil {
			unreadable++
			line.Error = err.Error()
		}
		positions += line.Positions
		bytes += line.Bytes
		switch {
		case a.json:
			if err := a.printJSON(line); err != nil {
				return err
			}
		case err != nil:
			a.log.Error("a table cannot be read", "error", err)
		default:
			fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d\t%.2f\t%.16s…\n", line.Variant, line.Slice, line.Metric, line.Positions, line.Bytes, line.Bits, line.SHA256)
		}
	}
	if !a.json {
		fmt.Fprintf(w, "%d tables\t\t\t%d\t%d\t\t\n", len(tables)-unreadable, positions, bytes)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if unreadable > 0 {
		return fmt.Errorf("%d tables cannot be read", unreadable)
	}
	return nil
}
