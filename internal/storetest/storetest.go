// Package storetest builds small tables for tests and checks whole directories
// of tables.
package storetest

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"dambase/engine"
	"dambase/index"
	"dambase/retro"
	"dambase/storage"
)

var quiet = slog.New(slog.DiscardHandler)

// Build builds the tables of a variant up to some pieces into a directory, and
// checks the directory.
func Build(t testing.TB, dir string, v engine.Variant, pieces int, metrics ...index.Metric) {
	t.Helper()
	b, err := storage.OpenBuilder(dir, storage.BuilderOptions{Logger: quiet})
	if err != nil {
		t.Fatal(err)
	}
	task := retro.BuildTask{
		Rules: engine.MustCompile(v), Metrics: metrics, Workers: 2,
		Memory: 1 << 30, Reader: b.Variant(v, 2), Writer: b.Variant(v, 2),
	}
	for _, pair := range index.UpTo(pieces) {
		task.Wanted = append(task.Wanted, pair.Slices()...)
	}
	if err := errors.Join(retro.Build(context.Background(), task), b.Close()); err != nil {
		t.Fatal(err)
	}
	Check(t, dir)
}

// Check reads every table of a directory and fails unless all are sound,
// listed, and nothing is left over.
func Check(t testing.TB, dir string) {
	t.Helper()
	r, err := storage.OpenReader(dir, storage.ReaderOptions{Logger: quiet})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, table := range r.Tables() {
		if err := table.CheckHash(context.Background()); err != nil {
			t.Error(err)
		}
	}
	if left, err := os.ReadDir(filepath.Join(dir, "unfinished")); err != nil || len(left) > 0 {
		t.Errorf("left over: %v (%v)", left, err)
	}
}
