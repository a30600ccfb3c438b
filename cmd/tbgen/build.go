package main

import (
	"context"
	"errors"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"dambase/cmd/internal/cli"
	"dambase/engine"
	"dambase/index"
	"dambase/retro"
	"dambase/storage"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// buildFlags say what to build, for build and plan.
type buildFlags struct {
	pieces  int
	slices  string
	metrics string
	workers int
	memory  cli.Bytes
	repair  bool
}

func (b *buildFlags) add(f *pflag.FlagSet) {
	b.memory = 4 << 30
	f.IntVar(&b.pieces, "pieces", 0, "build every slice of 2 to so many pieces")
	f.StringVar(&b.slices, "slices", "", "build these slices and what they depend on, as in 2110,1111")
	f.StringVar(&b.metrics, "metrics", defaultMetrics, "tables to build: wld, dtw (needs wld), dtz (needs dtw); default stands for wld,dtw, and dtz where the variant has an automatic draw counter")
	f.IntVar(&b.workers, "workers", runtime.GOMAXPROCS(0), "goroutines that compute")
	f.Var(&b.memory, "memory", "bound of the memory used")
}

const defaultMetrics = "default"

// maxPieces is the most pieces that --pieces takes; larger tables would not
// fit on any disk.
const maxPieces = 9

// wanted returns the slices that the flags name.
func (b *buildFlags) wanted() ([]index.Slice, error) {
	if b.workers < 1 {
		return nil, cli.Usagef("--workers %d: want at least 1", b.workers)
	}
	if (b.pieces == 0) == (b.slices == "") {
		return nil, cli.Usagef("want either --pieces N or --slices S,…")
	}
	if b.slices != "" {
		return parseSlices(b.slices)
	}
	if b.pieces < 2 || b.pieces > maxPieces {
		return nil, cli.Usagef("--pieces %d: want 2 to %d", b.pieces, maxPieces)
	}
	var out []index.Slice
	for _, pair := range index.UpTo(b.pieces) {
		out = append(out, pair.Slices()...)
	}
	return out, nil
}

// metricList returns the metrics to build for a variant.
func (b *buildFlags) metricList(r *engine.Rules) ([]index.Metric, error) {
	var out []index.Metric
	if b.metrics == defaultMetrics {
		out = []index.Metric{index.MetricWLD, index.MetricDTW}
		if r.HasCounters() {
			out = append(out, index.MetricDTZ)
		}
		return out, checkRuled(r, out)
	}
	for name := range strings.SplitSeq(b.metrics, ",") {
		m, err := index.ParseMetric(name)
		if err != nil {
			return nil, cli.Usage(err)
		}
		out = append(out, m)
	}
	if err := retro.CheckMetrics(out); err != nil {
		return nil, cli.Usage(err)
	}
	return out, checkRuled(r, out)
}

// checkRuled refuses draw rules that cannot be solved exactly.
func checkRuled(r *engine.Rules, metrics []index.Metric) error {
	if !slices.Contains(metrics, index.MetricDTZ) {
		return nil
	}
	if err := retro.CheckRuled(r); err != nil {
		return cli.Usagef("%s: %w; --metrics wld,dtw builds the tables without draw rules", r.Variant().Name, err)
	}
	return nil
}

func (a *app) buildCommand() *cobra.Command {
	var flags buildFlags
	cmd := &cobra.Command{
		Use:   "build --variant V (--pieces N | --slices S,…)",
		Short: "Build the missing tables of slices and of all that they depend on",
		Long: "build builds every missing table of the wanted slices and of those that they\n" +
			"depend on, in order. Finished tables are skipped. It can be stopped at any\n" +
			"moment and goes on where it stopped when started again.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := untilSignal(cmd.Context())
			defer stop()
			return a.build(ctx, &flags)
		},
	}
	flags.add(cmd.Flags())
	cmd.Flags().BoolVar(&flags.repair, "repair", false, "first check the contents of every table and leave damaged ones out")
	return cmd
}

func (a *app) build(ctx context.Context, flags *buildFlags) error {
	list, err := a.rulesList()
	if err != nil {
		return err
	}
	wanted, err := flags.wanted()
	if err != nil {
		return err
	}
	for _, r := range list {
		if _, err := flags.metricList(r); err != nil {
			return err
		}
	}
	// The heap is a few large arrays without pointers: collecting often is cheap,
	// and keeps close to what Plan predicts.
	debug.SetGCPercent(25)
	debug.SetMemoryLimit(int64(flags.memory))
	b, err := storage.OpenBuilder(a.db, storage.BuilderOptions{Repair: flags.repair, Logger: a.log})
	if err != nil {
		return err
	}
	for _, r := range list {
		if err = a.buildVariant(ctx, b, r, wanted, flags); err != nil {
			break
		}
	}
	if errors.Is(err, context.Canceled) {
		err = errors.New("stopped; the same command goes on from here")
	}
	return errors.Join(err, b.Close())
}

func (a *app) buildVariant(ctx context.Context, b *storage.Builder, r *engine.Rules, wanted []index.Slice, flags *buildFlags) error {
	if err := b.CheckRules(r.Variant()); err != nil {
		return err
	}
	metrics, err := flags.metricList(r)
	if err != nil {
		return err
	}
	store := b.Variant(r.Variant(), flags.workers)
	task := retro.BuildTask{
		Rules: r, Wanted: wanted, Metrics: metrics, Workers: flags.workers,
		Memory: retro.Bytes(flags.memory), Reader: store, Writer: store,
	}
	steps, err := retro.Plan(r, wanted, metrics, flags.workers, store)
	if err != nil {
		return cli.Usage(err)
	}
	progress := a.newProgress(r.Variant().Name, steps)
	task.Events = progress
	err = retro.Build(ctx, task)
	progress.close(err)
	return err
}
