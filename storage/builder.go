package storage

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"dambase/engine"
	"dambase/index"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// A Builder is the one writer of a directory. Its methods are for one
// goroutine at a time.
type Builder struct {
	dir     string
	log     *slog.Logger
	unlock  func() error
	db      *pebble.DB
	catalog *catalogue
	times   Times
}

// Times is where a builder's time went, summed over its goroutines.
type Times struct {
	Compress time.Duration // packing and compressing
	Write    time.Duration // hashing, writing and ingesting
}

// Times returns where the time went so far.
func (b *Builder) Times() Times { return b.times }

// BuilderOptions are the choices of a builder. The zero value is ready to use.
type BuilderOptions struct {
	// Repair checks every table's contents and leaves damaged ones out, to be
	// built again. Without it only the list of tables is checked.
	Repair bool
	// Logger gets warnings and errors; nil means slog.Default().
	Logger *slog.Logger
}

const (
	lockName      = "build.lock"
	temporaryName = "unfinished"
)

// OpenBuilder opens a directory for writing and makes it if need be. It
// returns ErrBusy while another builder has it.
//
// It looks at the store read-only before it opens it for writing: where the
// store does not hold what the catalogue lists, the sstables whose contents
// are sound are brought into a new store, and the old one is kept under
// another name. A table that a crash left out of the catalogue is adopted.
func OpenBuilder(dir string, o BuilderOptions) (*Builder, error) {
	if err := os.MkdirAll(filepath.Join(dir, temporaryName), 0o777); err != nil {
		return nil, err
	}
	lock, err := vfs.Default.Lock(filepath.Join(dir, lockName))
	if errors.As(err, new(*fs.PathError)) {
		return nil, err // the file cannot be opened; a lock that is held is another error
	} else if err != nil {
		return nil, fmt.Errorf("%w (%s: %v)", ErrBusy, filepath.Join(dir, lockName), err)
	}
	b := &Builder{dir: dir, log: cmp.Or(o.Logger, slog.Default()), unlock: lock.Close}
	if err := b.open(o.Repair); err != nil {
		return nil, errors.Join(fmt.Errorf("opening %s: %w", dir, err), b.Close())
	}
	return b, nil
}

func (b *Builder) open(repair bool) error {
	if err := b.clearTemporary(); err != nil {
		return err
	}
	if err := b.look(repair); err != nil {
		return err
	}
	options := pebbleOptions(vfs.Default, b.log)
	var err error
	if b.db, err = pebble.Open(filepath.Join(b.dir, storeName), options); err != nil {
		return err
	}
	return b.adopt()
}

// clearTemporary removes tables that were not finished.
func (b *Builder) clearTemporary() error {
	files, err := filepath.Glob(filepath.Join(b.dir, temporaryName, "*"))
	if err != nil {
		return err
	}
	for _, name := range files {
		if err := os.RemoveAll(name); err != nil {
			return err
		}
	}
	return nil
}

// Close releases the directory.
func (b *Builder) Close() error {
	var err error
	if b.db != nil {
		err = b.db.Close()
	}
	return errors.Join(err, b.unlock())
}

// Has reports whether a table is finished.
func (b *Builder) Has(id TableID) bool { return b.catalog.find(id) != nil }

// CheckRules returns an error that wraps ErrRules and names a parameter that
// differs, if the directory has tables of v's name with other rules.
func (b *Builder) CheckRules(v engine.Variant) error { return b.catalog.checkRules(v) }

// Write stores a table. When it returns nil the table is on disk and in the
// catalogue; otherwise there is no trace of it.
func (b *Builder) Write(ctx context.Context, rules engine.Variant, c *index.Contents, workers int) (*Entry, error) {
	name := filepath.Join(b.dir, temporaryName, "table.sst")
	footer, sum, err := writeSSTable(ctx, name, rules, c, workers, &b.times)
	if err != nil {
		id := TableID{Variant: rules.Name, Slice: c.Slice, Metric: c.Metric}
		return nil, errors.Join(fmt.Errorf("writing table %s: %w", id, err), os.RemoveAll(name))
	}
	return b.take(ctx, name, footer, sum)
}

// take ingests a finished sstable and lists it in the catalogue.
func (b *Builder) take(ctx context.Context, name string, footer *Footer, sum string) (*Entry, error) {
	defer addSince(&b.times.Write, time.Now())
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if err := b.db.Ingest(ctx, []string{name}); err != nil {
		return nil, fmt.Errorf("ingesting table %s: %w", footer.ID(), err)
	}
	e := &Entry{Footer: *footer, Bytes: uint64(info.Size()), SHA256: sum}
	b.catalog.Tables = append(b.catalog.Tables, e)
	return e, b.catalog.write(b.dir)
}

// addSince adds the time since start; several goroutines may.
func addSince(to *time.Duration, start time.Time) {
	atomic.AddInt64((*int64)(to), int64(time.Since(start)))
}

// Table returns a finished table, or nil. Its reads are not cached.
func (b *Builder) Table(id TableID) *Table {
	e := b.catalog.find(id)
	if e == nil {
		return nil
	}
	return &Table{entry: e, keys: e.keys(), db: b.db, present: true}
}

// adopt lists tables that are in the store and not in the catalogue: a crash
// came between the two. A table is adopted if its contents are sound.
func (b *Builder) adopt() error {
	levels, err := b.db.SSTables()
	if err != nil {
		return err
	}
	listed := map[string]bool{}
	for _, e := range b.catalog.Tables {
		keys := e.keys()
		listed[string(keys.footer())] = true
	}
	changed := isMissing(checkFile(filepath.Join(b.dir, catalogueName)))
	for _, level := range levels {
		for _, info := range level {
			if listed[string(info.Largest.UserKey)] {
				continue
			}
			footer, sum, err := readSSTable(b.sstable(info))
			if err != nil {
				return err
			}
			b.log.Info("adopting a table that the catalogue does not list", "table", footer.ID().String())
			b.catalog.Tables = append(b.catalog.Tables, &Entry{Footer: *footer, Bytes: info.Size, SHA256: sum})
			changed = true
		}
	}
	if !changed {
		return nil
	}
	return b.catalog.write(b.dir)
}

// sstable returns the name of an sstable's file.
func (b *Builder) sstable(info pebble.SSTableInfo) string {
	return filepath.Join(b.dir, storeName, fmt.Sprintf("%06d.sst", uint64(info.BackingSSTNum)))
}

func checkFile(name string) error {
	_, err := os.Stat(name)
	return err
}

// encodeFooter returns the value of a footer key.
func encodeFooter(f *Footer) ([]byte, error) { return json.Marshal(f) }
