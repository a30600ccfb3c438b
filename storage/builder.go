package storage

import (
	"cmp"
	"context"
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

	"github.com/cockroachdb/pebble/v2/vfs"
)

// A Builder is the one writer of a directory. Its methods are for one
// goroutine at a time, but the tables that it returns are for any number.
type Builder struct {
	dir     string
	log     *slog.Logger
	repair  bool
	unlock  func() error
	catalog *catalogue
	files   *files
	// tables are those that were looked at and found sound, and nil for those
	// that must be built again.
	tables map[TableID]*Table
	// strange are the tables of other programs that the catalogue does not list.
	strange map[TableID]error
	times   Times
}

// Times is where a builder's time went, summed over its goroutines.
type Times struct {
	Compress time.Duration // packing and compressing
	Write    time.Duration // hashing, writing and listing
}

// Times returns where the time went so far.
func (b *Builder) Times() Times { return b.times }

// BuilderOptions are the choices of a builder. The zero value is ready to use.
type BuilderOptions struct {
	// Repair reads the whole of each table that is asked for. Without it only
	// what a table tells of itself is checked.
	Repair bool
	// Logger gets warnings and errors; nil means slog.Default().
	Logger *slog.Logger
}

const (
	lockName      = "build.lock"
	temporaryName = "unfinished"
	damagedName   = "damaged"
)

// OpenBuilder opens a directory for writing and makes it if need be. It
// returns ErrBusy while another builder has it.
//
// Tables that are there and not in the catalogue, since a crash came between
// or the catalogue was lost, are taken in if their contents are sound, and put
// aside if not. A listed table that is damaged is found when it is asked for:
// it is then as if it were not there, and is built again.
func OpenBuilder(dir string, o BuilderOptions) (*Builder, error) {
	for _, name := range []string{storeName, temporaryName} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o777); err != nil {
			return nil, err
		}
	}
	lock, err := vfs.Default.Lock(filepath.Join(dir, lockName))
	if errors.As(err, new(*fs.PathError)) {
		return nil, err // the file cannot be opened; a lock that is held is another error
	} else if err != nil {
		return nil, fmt.Errorf("%w (%s: %v)", ErrBusy, filepath.Join(dir, lockName), err)
	}
	b := &Builder{
		dir: dir, log: cmp.Or(o.Logger, slog.Default()), repair: o.Repair, unlock: lock.Close,
		files: newFiles(filepath.Join(dir, storeName), openFilesLimit()), tables: map[TableID]*Table{}, strange: map[TableID]error{},
	}
	if err := b.open(); err != nil {
		return nil, errors.Join(fmt.Errorf("opening %s: %w", dir, err), b.Close())
	}
	return b, nil
}

func (b *Builder) open() error {
	c, _, err := readCatalogue(b.dir)
	lost := errors.Is(err, fs.ErrNotExist)
	if err != nil && !lost {
		return err
	}
	b.catalog = c
	if err := b.clearTemporary(); err != nil {
		return err
	}
	present, err := storedTables(filepath.Join(b.dir, storeName))
	if err != nil {
		return err
	}
	adopted := 0
	for _, id := range present {
		if c.lines[id] == nil {
			taken, err := b.adopt(id)
			if err != nil {
				return err
			}
			adopted += taken
		}
	}
	if adopted > 0 || c.damaged > 0 {
		b.log.Warn("the catalogue lacked tables and is completed from their files", "tables", adopted, "damaged_lines", c.damaged)
	}
	if c.damaged == 0 && c.whole && adopted == 0 {
		return nil
	}
	return c.rewrite(b.dir)
}

// adopt takes in a table that the catalogue does not list, and returns 1; if it
// is damaged it puts its file aside, and returns 0.
func (b *Builder) adopt(id TableID) (int, error) {
	name := filepath.Join(b.dir, storeName, id.file())
	x, err := listTable(name, id)
	switch {
	case err == nil:
		b.log.Debug("taking in a table that the catalogue does not list", "table", id.String())
		l, err := newLine(x)
		if err != nil {
			return 0, err
		}
		b.catalog.lines[id] = l
		return 1, nil
	case errors.Is(err, ErrFormat):
		b.log.Warn("a file that the catalogue does not list is left alone", "error", err)
		b.strange[id] = err
		return 0, nil
	case !errors.As(err, new(*CorruptError)):
		return 0, err // it says nothing about the table
	}
	b.log.Warn("a damaged file that the catalogue does not list is put aside", "table", id.String(), "directory", filepath.Join(b.dir, damagedName), "error", err)
	aside := filepath.Join(b.dir, damagedName)
	if err := os.MkdirAll(aside, 0o777); err != nil {
		return 0, err
	}
	return 0, os.Rename(name, filepath.Join(aside, id.file()))
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
	b.files.close()
	return b.unlock()
}

// CheckRules refuses to build tables of v if the directory has tables of v's
// name with other rules, or tables of v in a format that this program does not
// know. Its error wraps ErrRules or ErrFormat.
func (b *Builder) CheckRules(v engine.Variant) error {
	own := RulesIDOf(v)
	for id, err := range b.strange {
		if id.Variant == v.Name {
			return err
		}
	}
	for _, l := range b.catalog.sorted() {
		if l.id.Variant != v.Name {
			continue
		}
		t := b.newTable(l)
		defer b.files.drop(t)
		if l.id.Rules != own {
			return t.otherRules(v)
		}
		if _, err := t.Footer(); errors.Is(err, ErrFormat) {
			return err
		}
	}
	return nil
}

func (b *Builder) newTable(l *line) *Table {
	return &Table{id: l.id, line: l, keys: keysOf(l.id), files: b.files}
}

// Has reports whether a table is finished and sound.
func (b *Builder) Has(id TableID) bool { return b.Table(id) != nil }

// Table returns a finished table, or nil. Its reads are not cached.
func (b *Builder) Table(id TableID) *Table {
	if t, known := b.tables[id]; known {
		return t
	}
	l := b.catalog.lines[id]
	if l == nil {
		return nil
	}
	t := b.newTable(l)
	// Other errors say nothing about the table; they return when it is read.
	if err := b.sound(t); errors.As(err, new(*CorruptError)) {
		b.log.Warn("a table is damaged and must be built again", "table", id.String(), "error", err)
		t = nil
	}
	b.tables[id] = t
	return t
}

// sound returns an error if a table is damaged.
func (b *Builder) sound(t *Table) error {
	x, err := t.Listing()
	if err != nil {
		return err
	}
	info, err := os.Stat(filepath.Join(b.dir, storeName, t.id.file()))
	if err != nil {
		return damage(t.id, -1, err)
	}
	if uint64(info.Size()) != x.Bytes {
		return corrupt(t.id, -1, "its file has %d bytes instead of %d", info.Size(), x.Bytes)
	}
	if b.repair {
		return t.CheckHash(context.Background())
	}
	_, err = t.Footer()
	return err
}

// Write stores a table. When it returns nil the table is on disk and in the
// catalogue; otherwise there is no trace of it.
func (b *Builder) Write(ctx context.Context, rules engine.Variant, c *index.Contents, workers int) (*Listing, error) {
	id := TableID{Variant: rules.Name, Rules: RulesIDOf(rules), Slice: c.Slice, Metric: c.Metric}
	name := filepath.Join(b.dir, temporaryName, id.file())
	x, err := writeSSTable(ctx, name, rules, c, workers, &b.times)
	if err == nil {
		err = b.take(name, id, x)
	}
	if err != nil {
		if gone := os.Remove(name); !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
		return nil, fmt.Errorf("writing table %s: %w", id, err)
	}
	return x, nil
}

// take puts a finished file into its place and lists it in the catalogue.
func (b *Builder) take(name string, id TableID, x *Listing) error {
	defer addSince(&b.times.Write, time.Now())
	if old := b.tables[id]; old != nil {
		b.files.drop(old)
	}
	delete(b.tables, id)
	place := filepath.Join(b.dir, storeName, id.file())
	if err := os.Rename(name, place); err != nil {
		return err
	}
	err := syncDir(filepath.Dir(place))
	if err == nil {
		err = b.catalog.add(b.dir, x)
	}
	if err != nil {
		return errors.Join(err, os.Remove(place))
	}
	return nil
}

// addSince adds the time since start; several goroutines may.
func addSince(to *time.Duration, start time.Time) {
	atomic.AddInt64((*int64)(to), int64(time.Since(start)))
}
