package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"dambase/cmd/internal/cli"
	"dambase/index"
	"dambase/internal/storetest"
	"dambase/retro"
	"dambase/storage"
)

// forger changes one entry of one table before it is sealed.
type forger struct {
	retro.TableWriter
	slice  index.Slice
	metric index.Metric
	entry  uint64
}

func (f *forger) Write(ctx context.Context, c *index.Contents) error {
	if c.Slice == f.slice && c.Metric == f.metric {
		honest := c.Narrow
		c.Narrow = func(first uint64, entries []uint8) {
			honest(first, entries)
			if f.entry >= first && f.entry < first+uint64(len(entries)) {
				entries[f.entry-first] = (entries[f.entry-first] + 1) % 3
			}
		}
	}
	return f.TableWriter.Write(ctx, c)
}

// TestVerifyFindsForgery seals tables with one wrong value, hashes and all:
// verify names the table and a position.
func TestVerifyFindsForgery(t *testing.T) {
	rules, err := cli.Compile("brazilian")
	if err != nil {
		t.Fatal(err)
	}
	slice := index.NewSlice(1, 1, 0, 1)
	n, err := index.NewNumbering(rules, slice)
	if err != nil {
		t.Fatal(err)
	}
	quietEntry := n.Size() / 3
	for p := n.Position(quietEntry); rules.HasCapture(&p); p = n.Position(quietEntry) {
		quietEntry++
	}
	for _, metric := range []index.Metric{index.MetricWLD, index.MetricDTW} {
		dir := t.TempDir()
		b, err := storage.OpenBuilder(dir, storage.BuilderOptions{Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		store := b.Variant(rules.Variant(), 2)
		task := retro.BuildTask{
			Rules: rules, Wanted: []index.Slice{slice}, Metrics: []index.Metric{index.MetricWLD, index.MetricDTW},
			Workers: 2, Memory: 1 << 30, Reader: store, Writer: &forger{store, slice, metric, quietEntry},
		}
		if err := errors.Join(retro.Build(context.Background(), task), b.Close()); err != nil {
			t.Fatal(err)
		}
		storetest.Check(t, dir)
		var out, errOut bytes.Buffer
		if status := run(context.Background(), []string{"verify", "--db", dir}, nil, &out, &errOut); status != cli.StatusFailed {
			t.Fatalf("%s: exit status %d: %s", metric, status, errOut.String())
		}
		message := errOut.String()
		if !strings.Contains(message, fmt.Sprintf("brazilian: slice 1101, metric %s at W:", metric)) && !strings.Contains(message, "brazilian: slice 0111") {
			t.Errorf("%s: message %s", metric, message)
		}
	}
}
