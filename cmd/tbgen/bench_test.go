package main

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"dambase/cmd/internal/cli"
	"dambase/index"
	"dambase/retro"
	"dambase/storage"
)

// stopwatch tells the time of storing from the rest.
type stopwatch struct {
	retro.TableWriter
	stored time.Duration
}

func (s *stopwatch) Write(ctx context.Context, c *index.Contents) error {
	start := time.Now()
	defer func() { s.stored += time.Since(start) }()
	return s.TableWriter.Write(ctx, c)
}

// BenchmarkBuild builds all tables of up to 4 pieces on one core, with either
// solver, and reports seconds a build: solving with what belongs to it,
// compressing, and hashing and writing, and positions a second of the whole.
func BenchmarkBuild(b *testing.B) {
	for _, variant := range []string{"english", "brazilian"} {
		for _, reference := range []bool{false, true} {
			name := variant + "/fast"
			if reference {
				name = variant + "/reference"
			}
			b.Run(name, func(b *testing.B) { benchmarkBuild(b, variant, reference) })
		}
	}
}

func benchmarkBuild(b *testing.B, variant string, reference bool) {
	rules, err := cli.Compile(variant)
	if err != nil {
		b.Fatal(err)
	}
	flags := buildFlags{pieces: 4, metrics: defaultMetrics, workers: 1}
	wanted, err := flags.wanted()
	if err != nil {
		b.Fatal(err)
	}
	metrics, err := flags.metricList(rules)
	if err != nil {
		b.Fatal(err)
	}
	steps, err := retro.Plan(rules, wanted, metrics, 1, nil)
	if err != nil {
		b.Fatal(err)
	}
	positions := uint64(0)
	for _, s := range steps {
		positions += s.Positions
	}
	var solve, compress, write time.Duration
	for range b.N {
		store, err := storage.OpenBuilder(b.TempDir(), storage.BuilderOptions{Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			b.Fatal(err)
		}
		tables := store.Variant(rules.Variant(), 1)
		watch := &stopwatch{TableWriter: tables}
		start := time.Now()
		err = retro.Build(b.Context(), retro.BuildTask{
			Rules: rules, Wanted: wanted, Metrics: metrics, Workers: 1, Memory: 1 << 30,
			Reader: tables, Writer: watch, Reference: reference,
		})
		solve += time.Since(start) - watch.stored
		compress += store.Times().Compress
		write += store.Times().Write
		if err := errors.Join(err, store.Close()); err != nil {
			b.Fatal(err)
		}
	}
	n := float64(b.N)
	b.ReportMetric(float64(positions)*n/b.Elapsed().Seconds()/1e6, "Mpos/s")
	b.ReportMetric(solve.Seconds()/n, "solve-s")
	b.ReportMetric(compress.Seconds()/n, "compress-s")
	b.ReportMetric(write.Seconds()/n, "write-s")
}
