package main

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"dambase/cmd/internal/cli"
	"dambase/engine"
	"dambase/index"
	"dambase/retro"
	"dambase/storage"

	"github.com/spf13/cobra"
)

type verifyFlags struct {
	slices  string
	sample  int
	workers int
}

func (a *app) verifyCommand() *cobra.Command {
	var flags verifyFlags
	cmd := &cobra.Command{
		Use:   "verify [--variant V] [--slices S,…] [--sample N]",
		Short: "Recompute stored values from their successors, and check hashes",
		Long: "verify recomputes the values of every table from those of its successors by forward\n" +
			"move generation, and checks the hashes and counts of the catalogue. With --sample it\n" +
			"recomputes N blocks of 4096 positions of each table, the same ones every time. It\n" +
			"stops at the first table that fails, with exit status 1.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.verify(cmd.Context(), &flags) },
	}
	f := cmd.Flags()
	f.StringVar(&flags.slices, "slices", "", "check these slices alone")
	f.IntVar(&flags.sample, "sample", 0, "recompute so many blocks of each table instead of the whole")
	f.IntVar(&flags.workers, "workers", runtime.GOMAXPROCS(0), "goroutines that compute")
	return cmd
}

// verifyLine is a table that passed.
type verifyLine struct {
	Variant   string `json:"variant"`
	Slice     string `json:"slice"`
	Metric    string `json:"metric"`
	Positions uint64 `json:"positions"` // recomputed
	Of        uint64 `json:"of"`
	Proved    bool   `json:"proved"`
}

func (a *app) verify(ctx context.Context, flags *verifyFlags) error {
	if flags.sample < 0 || flags.workers < 1 {
		return cli.Usagef("--sample and --workers cannot be negative or 0")
	}
	reader, err := a.openReader()
	if err != nil {
		return err
	}
	defer reader.Close()
	tables, err := a.chosen(reader, flags.slices)
	if err != nil {
		return err
	}
	rules := map[storage.RulesID]*engine.Rules{}
	for start := 0; start < len(tables); {
		end := start + 1
		for end < len(tables) && sameSlice(tables[start], tables[end]) {
			end++
		}
		if err := a.verifySlice(ctx, reader, rules, tables[start:end], flags); err != nil {
			return fmt.Errorf("%s: %w", tables[start].ID().Variant, err)
		}
		start = end
	}
	if !a.json {
		fmt.Fprintf(a.out, "%d tables passed\n", len(tables))
	}
	return nil
}

// chosen returns the tables that --variant and --slices name, all without them.
func (a *app) chosen(reader *storage.Reader, sliceList string) ([]*storage.Table, error) {
	tables := reader.Tables()
	if a.variant != "" {
		list, err := a.rulesList()
		if err != nil {
			return nil, err
		}
		tables = nil
		for _, r := range list {
			if err := reader.CheckRules(r.Variant()); err != nil {
				return nil, err
			}
			tables = append(tables, reader.TablesOf(r.Variant())...)
		}
	}
	if sliceList != "" {
		wanted, err := parseSlices(sliceList)
		if err != nil {
			return nil, err
		}
		tables = slices.DeleteFunc(slices.Clone(tables), func(t *storage.Table) bool { return !slices.Contains(wanted, t.ID().Slice) })
	}
	if len(tables) == 0 {
		return nil, fmt.Errorf("no such tables in %s", a.db)
	}
	return tables, nil
}

// sameSlice reports whether two tables are of one slice.
func sameSlice(a, b *storage.Table) bool {
	x, y := a.ID(), b.ID()
	x.Metric, y.Metric = "", ""
	return x == y
}

// verifySlice checks the tables of one slice, under the rules that they were built with.
func (a *app) verifySlice(ctx context.Context, reader *storage.Reader, known map[storage.RulesID]*engine.Rules, tables []*storage.Table, flags *verifyFlags) error {
	var metrics []index.Metric
	for _, t := range tables {
		if err := t.CheckHash(ctx); err != nil {
			return err
		}
		metrics = append(metrics, t.ID().Metric)
	}
	footer, err := tables[0].Footer()
	if err != nil {
		return err
	}
	id := tables[0].ID()
	r := known[id.Rules]
	if r == nil || r.Variant().Name != id.Variant {
		if r, err = engine.Compile(footer.Rules); err != nil {
			return err
		}
		known[id.Rules] = r
	}
	task := retro.VerifyTask{Rules: r, Reader: reader.Variant(r.Variant()), Workers: flags.workers, Sample: flags.sample}
	verdict, err := retro.Verify(ctx, task, id.Slice, metrics...)
	if err != nil {
		return err
	}
	for _, m := range metrics {
		line := verifyLine{id.Variant, id.Slice.String(), string(m), verdict.Positions, footer.Positions, verdict.Proved}
		if err := a.printVerified(line); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) printVerified(line verifyLine) error {
	if a.json {
		return a.printJSON(line)
	}
	word := "proved"
	switch {
	case !line.Proved:
		word = "consistent (only distances could prove it)"
	case line.Positions < line.Of:
		word = "passed a sample"
	}
	_, err := fmt.Fprintf(a.out, "%s %s %s: %d of %d positions, %s\n", line.Variant, line.Slice, line.Metric, line.Positions, line.Of, word)
	return err
}
