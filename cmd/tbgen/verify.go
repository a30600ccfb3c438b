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
	entries, err := a.chosen(reader, flags.slices)
	if err != nil {
		return err
	}
	rules := map[string]*engine.Rules{}
	for start := 0; start < len(entries); {
		end := start + 1
		for end < len(entries) && sameSlice(entries[start], entries[end]) {
			end++
		}
		v := entries[start].Rules
		if rules[v.Name] == nil {
			if rules[v.Name], err = engine.Compile(v); err != nil {
				return err
			}
		}
		if err := a.verifySlice(ctx, reader, rules[v.Name], entries[start:end], flags); err != nil {
			return fmt.Errorf("%s: %w", v.Name, err)
		}
		start = end
	}
	if !a.json {
		fmt.Fprintf(a.out, "%d tables passed\n", len(entries))
	}
	return nil
}

// chosen returns the tables that --variant and --slices name, all without them.
func (a *app) chosen(reader *storage.Reader, sliceList string) ([]*storage.Entry, error) {
	entries := reader.Entries()
	if a.variant != "" {
		list, err := a.rulesList()
		if err != nil {
			return nil, err
		}
		var names []string
		for _, r := range list {
			if err := reader.CheckRules(r.Variant()); err != nil {
				return nil, err
			}
			names = append(names, r.Variant().Name)
		}
		entries = slices.DeleteFunc(slices.Clone(entries), func(e *storage.Entry) bool { return !slices.Contains(names, e.Rules.Name) })
	}
	if sliceList != "" {
		wanted, err := parseSlices(sliceList)
		if err != nil {
			return nil, err
		}
		entries = slices.DeleteFunc(slices.Clone(entries), func(e *storage.Entry) bool { return !slices.Contains(wanted, e.ID().Slice) })
	}
	if len(entries) == 0 {
		return nil, fmt.Errorf("no such tables in %s", a.db)
	}
	return entries, nil
}

func sameSlice(a, b *storage.Entry) bool { return a.Rules.Name == b.Rules.Name && a.Slice == b.Slice }

// verifySlice checks the tables of one slice.
func (a *app) verifySlice(ctx context.Context, reader *storage.Reader, r *engine.Rules, entries []*storage.Entry, flags *verifyFlags) error {
	var metrics []index.Metric
	for _, e := range entries {
		if err := reader.Table(e.ID()).CheckHash(ctx); err != nil {
			return err
		}
		metrics = append(metrics, e.Metric)
	}
	task := retro.VerifyTask{Rules: r, Reader: reader.Variant(r.Variant()), Workers: flags.workers, Sample: flags.sample}
	verdict, err := retro.Verify(ctx, task, entries[0].ID().Slice, metrics...)
	if err != nil {
		return err
	}
	for _, e := range entries {
		line := verifyLine{r.Variant().Name, e.Slice, string(e.Metric), verdict.Positions, e.Positions, verdict.Proved}
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
