package storage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/objstorage/objstorageprovider"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"
)

const (
	storeName   = "store"
	pebbleLevel = 6 // ingested tables never overlap and land in the last level
	formatMajor = pebble.FormatColumnarBlocks
)

// locklessFS is a file system for readers: it takes no lock, so that a builder
// and other readers can have the directory too, and it needs no write permission.
type locklessFS struct{ vfs.FS }

func (locklessFS) Lock(string) (io.Closer, error) { return io.NopCloser(nil), nil }

// pebbleOptions are the options that readers and the builder share. Tables are
// compressed already, come by ingestion alone, and are never compacted.
func pebbleOptions(fs vfs.FS, log *slog.Logger) *pebble.Options {
	o := &pebble.Options{
		FS:                          fs,
		Logger:                      pebbleLogger{log},
		FormatMajorVersion:          formatMajor,
		DisableWAL:                  true,
		DisableAutomaticCompactions: true,
		MaxOpenFiles:                1000,
		// Without a listener Pebble ends the process when it meets damage; the
		// read that met it returns the error all the same.
		EventListener: &pebble.EventListener{
			DataCorruption: func(info pebble.DataCorruptionInfo) {
				log.Error("damage in the store", "path", info.Path, "details", firstLine(info.Details.Error()))
			},
		},
	}
	o.ApplyCompressionSettings(func() pebble.DBCompressionSettings { return pebble.DBCompressionNone })
	return o
}

// pebbleLogger passes Pebble's errors on and drops its chatter.
type pebbleLogger struct{ log *slog.Logger }

func (l pebbleLogger) Infof(format string, args ...any) {
	l.log.Debug("pebble: " + fmt.Sprintf(format, args...))
}

func (l pebbleLogger) Errorf(format string, args ...any) {
	l.log.Error("pebble: " + fmt.Sprintf(format, args...))
}

// Fatalf must not return: Pebble calls it when the store can no longer be
// trusted to be written. Tables that are ingested are safe.
func (l pebbleLogger) Fatalf(format string, args ...any) {
	l.log.Error("pebble: " + fmt.Sprintf(format, args...))
	os.Exit(1)
}

// newSSTable starts an sstable file that can be ingested.
func newSSTable(name string) (*sstable.Writer, error) {
	f, err := vfs.Default.Create(name, vfs.WriteCategoryUnspecified)
	if err != nil {
		return nil, err
	}
	return sstable.NewWriter(objstorageprovider.NewFileWritable(f), sstable.WriterOptions{
		TableFormat: formatMajor.MaxTableFormat(),
		Compression: sstable.NoCompression,
	}), nil
}

// openSSTable opens an sstable file for reading.
func openSSTable(name string) (*sstable.Reader, error) {
	f, err := vfs.Default.Open(name)
	if err != nil {
		return nil, err
	}
	readable, err := sstable.NewSimpleReadable(f)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	r, err := sstable.NewReader(context.Background(), readable, sstable.ReaderOptions{})
	if err != nil {
		return nil, errors.Join(err, readable.Close())
	}
	return r, nil
}
