package storage

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"dambase/engine"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// A Reader is the state of a directory when it was opened. It takes no lock
// and writes nothing, so any number of them may exist beside each other and
// beside a builder. All methods are safe for concurrent use, except Close,
// which must come last.
type Reader struct {
	dir     string
	db      *pebble.DB
	tables  map[TableID]*Table
	entries []*Entry
	catalog *catalogue
}

// ReaderOptions are the choices of a reader. The zero value is ready to use.
type ReaderOptions struct {
	// CacheBytes bounds the decoded blocks that are kept; 0 means 64 MiB.
	CacheBytes uint64
	// Logger gets warnings and errors; nil means slog.Default().
	Logger *slog.Logger
	// fs replaces the file system, and tries the number of attempts, for tests.
	fs    vfs.FS
	tries int
}

// A reader that opens while a builder works tries so often, with a pause.
const (
	openTries = 20
	openPause = 25 * time.Millisecond
)

// OpenReader opens the tables of a directory. It returns ErrNoStore if there
// are none yet. A table that the catalogue lists and the store lacks does not
// stop it: that table's reads return a *CorruptError.
func OpenReader(dir string, o ReaderOptions) (*Reader, error) {
	log := cmp.Or(o.Logger, slog.Default())
	if o.fs == nil {
		o.fs = vfs.Default
	}
	// A builder may replace the manifest or add tables at any moment: then the
	// state that was read does not fit together, and is read once more.
	var r *Reader
	var err error
	for try := range cmp.Or(o.tries, openTries) {
		if try > 0 {
			time.Sleep(openPause)
		}
		if r, err = openOnce(dir, o, log); err == nil && r.missing() == nil {
			return r, nil
		}
		if errors.Is(err, ErrNoStore) {
			return nil, err
		}
		if err == nil {
			r.Close()
		}
	}
	if r, err = openOnce(dir, o, log); err != nil {
		return nil, fmt.Errorf("opening %s: %w", dir, err)
	}
	for _, id := range r.missing() {
		log.Error("the catalogue lists a table that the store does not have", "table", id.String())
	}
	return r, nil
}

func openOnce(dir string, o ReaderOptions, log *slog.Logger) (*Reader, error) {
	c, err := readCatalogue(dir)
	if isMissing(err) {
		return nil, fmt.Errorf("%w in %s", ErrNoStore, dir)
	} else if err != nil {
		return nil, err
	}
	r := &Reader{dir: dir, catalog: c, entries: c.Tables, tables: map[TableID]*Table{}}
	if len(c.Tables) == 0 {
		return r, nil
	}
	options := pebbleOptions(locklessFS{o.fs}, log)
	options.ReadOnly = true
	options.Cache = pebble.NewCache(8 << 20)
	defer options.Cache.Unref()
	store := filepath.Join(dir, storeName)
	if _, err := os.Stat(store); errors.Is(err, fs.ErrNotExist) {
		return nil, corrupt(TableID{}, -1, "%s is missing", store)
	}
	if err := guard(func() (err error) { r.db, err = pebble.Open(store, options); return err }); err != nil {
		return nil, corrupt(TableID{}, -1, "%v", err)
	}
	cache, err := newBlockCache(cmp.Or(o.CacheBytes, 64<<20))
	if err != nil {
		return nil, errors.Join(err, r.db.Close())
	}
	for i, e := range c.Tables {
		r.tables[e.ID()] = &Table{entry: e, keys: e.keys(), number: uint32(i), db: r.db, cache: cache}
	}
	if err := r.locate(); err != nil {
		return nil, errors.Join(err, r.db.Close())
	}
	return r, nil
}

// locate finds the catalogued tables among the store's sstables.
func (r *Reader) locate() error {
	levels, err := r.db.SSTables()
	if err != nil {
		return err
	}
	for _, level := range levels {
		for _, info := range level {
			for _, t := range r.tables {
				if bytes.Equal(info.Smallest.UserKey, t.keys.chunk(0)) && bytes.Equal(info.Largest.UserKey, t.keys.footer()) && info.Size == t.entry.Bytes {
					t.present = true
				}
			}
		}
	}
	return nil
}

// missing lists the catalogued tables that the store does not have.
func (r *Reader) missing() []TableID {
	var out []TableID
	for id, t := range r.tables {
		if !t.present {
			out = append(out, id)
		}
	}
	return out
}

// Close releases the files. No table of the reader may be read afterwards.
func (r *Reader) Close() error {
	if r.db == nil {
		return nil
	}
	return guard(r.db.Close)
}

// Dir returns the directory that was opened.
func (r *Reader) Dir() string { return r.dir }

// Entries lists the tables by variant, then in the order of building. The
// caller must not change them.
func (r *Reader) Entries() []*Entry { return r.entries }

// Rules returns the rules that the tables of a variant were built with.
func (r *Reader) Rules(name string) (engine.Variant, bool) { return r.catalog.rules(name) }

// CheckRules returns an error that wraps ErrRules and names a parameter that
// differs, if the directory has tables of v's name with other rules.
func (r *Reader) CheckRules(v engine.Variant) error { return r.catalog.checkRules(v) }

// Table returns a table, or nil if the directory does not list it.
func (r *Reader) Table(id TableID) *Table { return r.tables[id] }

// get returns a copy of a value of the store.
func get(db *pebble.DB, key []byte) (value []byte, err error) {
	err = view(db, key, func(found []byte) error {
		value = bytes.Clone(found)
		return nil
	})
	return value, err
}

// view calls f with a value of the store, which is valid until f returns.
func view(db *pebble.DB, key []byte, f func(value []byte) error) error {
	return guard(func() error {
		found, closer, err := db.Get(key)
		if err != nil {
			return err
		}
		return errors.Join(f(found), closer.Close())
	})
}

// guard calls f and turns a panic into an error: Pebble panics on some kinds
// of damage, as when a flipped bit makes a file look like one of an older format.
func guard(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("pebble: %v", p)
		}
	}()
	return f()
}

// readFooter decodes the value of a footer key.
func readFooter(text []byte) (*Footer, error) {
	var f Footer
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, err
	}
	return &f, f.check()
}
