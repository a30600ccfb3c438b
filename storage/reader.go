package storage

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"dambase/engine"
)

// storeName is the directory of the tables' files.
const storeName = "store"

// A Reader is the state of a directory when it was opened. It takes no lock
// and writes nothing, so any number of them may exist beside each other and
// beside a builder. All methods are safe for concurrent use, except Close,
// which must come last.
type Reader struct {
	dir     string
	options ReaderOptions
	files   *files
	cache   *blockCache
	tables  map[TableID]*Table
	// absent lists the tables without a file, unlisted those without a line.
	absent, unlisted []TableID
	groups           func() map[ruleSet][]*Table // in no order
	sorted           func() []*Table
	digest           string
}

// A ruleSet is a variant's name with the rules that its tables were built with.
type ruleSet struct {
	variant string
	rules   RulesID
}

// ReaderOptions are the choices of a reader. The zero value is ready to use.
type ReaderOptions struct {
	// CacheBytes bounds the decoded blocks that are kept; 0 means 64 MiB.
	CacheBytes uint64
	// OpenFiles bounds the files of tables that stay open; 0 means 500, or a
	// quarter of what the process may open.
	OpenFiles int
	// Logger gets warnings and errors; nil means slog.Default().
	Logger *slog.Logger
	// tries is the number of attempts, for tests.
	tries int
}

// A reader that opens while a builder works tries so often, with a pause.
const (
	openTries = 12
	openPause = 25 * time.Millisecond
)

// OpenReader opens the tables of a directory. It returns ErrNoStore if there
// are none yet, and an error that wraps ErrFormat if the directory is of an
// older format. A table whose file or line in the catalogue is lost, damaged
// or of another format does not stop it: that table's reads return an error.
func OpenReader(dir string, o ReaderOptions) (*Reader, error) {
	o.Logger = cmp.Or(o.Logger, slog.Default())
	cache, err := newBlockCache(cmp.Or(o.CacheBytes, 64<<20))
	if err != nil {
		return nil, err
	}
	first := &Reader{
		dir: dir, options: o, cache: cache,
		files: newFiles(filepath.Join(dir, storeName), cmp.Or(o.OpenFiles, openFilesLimit())),
	}
	return first.Refresh()
}

// Refresh opens the directory as it is now. The new reader shares what the old
// one holds: decoded blocks, open files and what is known of each table that
// has not changed. The old reader may be used on; only one of them is closed.
func (r *Reader) Refresh() (*Reader, error) {
	// A builder puts a file into its place just before it lists it.
	var next *Reader
	for try := range cmp.Or(r.options.tries, openTries) {
		if try > 0 {
			time.Sleep(openPause)
		}
		var err error
		if next, err = r.openOnce(); errors.Is(err, ErrNoStore) {
			return nil, fmt.Errorf("%w in %s", err, r.dir)
		} else if err != nil {
			return nil, fmt.Errorf("opening %s: %w", r.dir, err)
		}
		if next.Fits() {
			break
		}
	}
	if next.digest != r.digest {
		next.logFaults()
	}
	r.dropReplaced(next)
	return next, nil
}

// Fits reports whether the files and the catalogue tell of the same tables.
func (r *Reader) Fits() bool { return len(r.absent)+len(r.unlisted) == 0 }

// logFaults reports the tables that cannot be read, all in one line.
func (r *Reader) logFaults() {
	if r.Fits() {
		return
	}
	first := slices.MinFunc(append(slices.Clone(r.absent), r.unlisted...), TableID.compare)
	r.options.Logger.Error("tables cannot be read; tbgen build repairs them",
		"without_file", len(r.absent), "not_listed", len(r.unlisted), "first", first.String())
}

func (r *Reader) openOnce() (*Reader, error) {
	c, text, err := readCatalogue(r.dir)
	lost := errors.Is(err, fs.ErrNotExist)
	if err != nil && !lost {
		return nil, err
	}
	files, err := storedTables(filepath.Join(r.dir, storeName))
	if err != nil {
		return nil, err
	}
	if lost && len(files) == 0 {
		return nil, ErrNoStore
	}
	next := &Reader{dir: r.dir, options: r.options, cache: r.cache, files: r.files, tables: make(map[TableID]*Table, len(c.lines))}
	present := make([]bool, len(c.lines))
	for _, id := range files {
		if l := c.lines[id]; l != nil {
			present[l.place] = true
		} else {
			next.tables[id] = &Table{id: id}
			next.unlisted = append(next.unlisted, id)
		}
	}
	for id, l := range c.lines {
		t := r.tables[id]
		if !t.same(l) {
			t = &Table{id: id, line: l, keys: keysOf(id), files: r.files, cache: r.cache, number: r.cache.tables.Add(1)}
		}
		next.tables[id] = t
		if !present[l.place] {
			next.absent = append(next.absent, id)
		}
	}
	next.digest = next.hash(text)
	next.groups, next.sorted = sync.OnceValue(next.group), sync.OnceValue(next.sort)
	return next, nil
}

// hash hashes what the reader knows of the directory.
func (r *Reader) hash(catalogue []byte) string {
	h := sha256.New()
	h.Write(catalogue)
	for _, list := range [][]TableID{r.absent, r.unlisted} {
		slices.SortFunc(list, TableID.compare)
		fmt.Fprintln(h, len(list), list)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// dropReplaced closes the files of tables that the next reader does not share:
// they may be gone from the directory, and would hold their space.
func (r *Reader) dropReplaced(next *Reader) {
	for id, t := range r.tables {
		if next.tables[id] != t {
			r.files.drop(t)
		}
	}
}

// storedTables lists the tables that have a file.
func storedTables(store string) ([]TableID, error) {
	d, err := os.Open(store)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	names, err := d.Readdirnames(-1)
	if err = errors.Join(err, d.Close()); err != nil {
		return nil, err
	}
	tables := make([]TableID, 0, len(names))
	for _, name := range names {
		if name, ok := strings.CutSuffix(name, sstableSuffix); ok {
			if id, ok := parseName(name); ok {
				tables = append(tables, id)
			}
		}
	}
	return tables, nil
}

func (r *Reader) group() map[ruleSet][]*Table {
	groups := map[ruleSet][]*Table{}
	for id, t := range r.tables {
		set := ruleSet{id.Variant, id.Rules}
		groups[set] = append(groups[set], t)
	}
	return groups
}

func (r *Reader) sort() []*Table {
	return sortTables(slices.Collect(maps.Values(r.tables)))
}

func sortTables(list []*Table) []*Table {
	slices.SortFunc(list, func(a, b *Table) int { return a.id.compare(b.id) })
	return list
}

// Close closes the files of this reader and of all that share them. No table
// may be read afterwards.
func (r *Reader) Close() error {
	r.files.close()
	return nil
}

// Tables lists the tables by variant, then in the order of building; those too
// that cannot be read. The caller must not change the list.
func (r *Reader) Tables() []*Table { return r.sorted() }

// Len returns the number of tables in the catalogue.
func (r *Reader) Len() int { return len(r.tables) - len(r.unlisted) }

// Digest changes whenever the list of tables or their contents do.
func (r *Reader) Digest() string { return r.digest }

// CheckRules returns an error that wraps ErrRules and names a parameter that
// differs, if the directory has tables of v's name with other rules and none with v's.
func (r *Reader) CheckRules(v engine.Variant) error {
	if r.groups()[ruleSet{v.Name, RulesIDOf(v)}] != nil {
		return nil
	}
	var foreign *Table
	for set, tables := range r.groups() {
		if set.variant == v.Name && (foreign == nil || set.rules < foreign.id.Rules) {
			foreign = tables[0]
		}
	}
	if foreign == nil {
		return nil
	}
	return foreign.otherRules(v)
}

// TablesOf lists the tables that were built with v, in the order of building.
func (r *Reader) TablesOf(v engine.Variant) []*Table {
	return sortTables(slices.Clone(r.groups()[ruleSet{v.Name, RulesIDOf(v)}]))
}

// otherRules says in what the table's rules differ from v.
func (t *Table) otherRules(v engine.Variant) error {
	difference := "other rules"
	if f, err := t.Footer(); err == nil {
		difference = f.Rules.Difference(v)
	}
	return fmt.Errorf("%w: variant %s was built with %s", ErrRules, v.Name, difference)
}

// Table returns a table, or nil if the directory does not have it.
func (r *Reader) Table(id TableID) *Table { return r.tables[id] }
