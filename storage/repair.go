package storage

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

const newStoreName = "store.new"

// look reads the catalogue and compares it with the store, and repairs the
// store if they differ or if it is told to. Pebble may drop sstables when it
// opens for writing with a damaged manifest, so this must come first.
func (b *Builder) look(repair bool) error {
	c, err := readCatalogue(b.dir)
	var damage *CorruptError
	lost := isMissing(err)
	if errors.As(err, &damage) {
		b.log.Warn("the catalogue is damaged and is made anew from the tables", "reason", damage.Reason)
		c, lost = &catalogue{}, true
	} else if err != nil && !lost {
		return err // tables of another format are not ours to touch
	}
	b.catalog = c
	store := filepath.Join(b.dir, storeName)
	if _, err := os.Stat(store); errors.Is(err, fs.ErrNotExist) {
		return b.lookForNewStore(store)
	}
	if err := os.RemoveAll(filepath.Join(b.dir, newStoreName)); err != nil {
		return err // left by a repair that was cut off early
	}
	reason := b.difference(store, lost)
	if repair && reason == nil {
		reason = b.damage(store)
	}
	if reason == nil {
		return nil
	}
	b.log.Warn("the store does not hold what the catalogue lists; saving its sound tables", "reason", reason)
	return b.rescue(store)
}

// lookForNewStore finishes a repair that was cut off just before its last step.
func (b *Builder) lookForNewStore(store string) error {
	err := os.Rename(filepath.Join(b.dir, newStoreName), store)
	if err == nil {
		b.catalog = &catalogue{} // the tables of the new store are adopted
		return nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if len(b.catalog.Tables) > 0 {
		b.log.Warn("the store is missing; the tables of the catalogue must be built again")
		b.catalog = &catalogue{}
	}
	return nil
}

// difference says why the store cannot be opened as it is, or returns nil.
// Without a catalogue to compare with, every sstable must be known to the store.
func (b *Builder) difference(store string, lost bool) error {
	options := pebbleOptions(locklessFS{vfs.Default}, b.log)
	options.ReadOnly = true
	var db *pebble.DB
	if err := guard(func() (err error) { db, err = pebble.Open(store, options); return err }); err != nil {
		return err
	}
	r := &Reader{db: db, tables: map[TableID]*Table{}}
	for _, e := range b.catalog.Tables {
		r.tables[e.ID()] = &Table{entry: e, keys: e.keys()}
	}
	levels, err := db.SSTables()
	if err != nil {
		return errors.Join(err, db.Close())
	}
	files, err := filepath.Glob(filepath.Join(store, "*.sst"))
	if err != nil {
		return errors.Join(err, db.Close())
	}
	listed := 0
	for _, level := range levels {
		listed += len(level)
	}
	if err := r.locate(); err != nil {
		return errors.Join(err, db.Close())
	}
	missing := r.missing()
	if err := db.Close(); err != nil {
		return err
	}
	if len(missing) > 0 {
		return fmt.Errorf("table %s is missing", missing[0])
	}
	if lost && len(files) > listed {
		return fmt.Errorf("%d sstables, %d of them known to the store", len(files), listed)
	}
	return nil
}

// damage reads every sstable and says why one is not sound, or returns nil.
func (b *Builder) damage(store string) error {
	files, err := filepath.Glob(filepath.Join(store, "*.sst"))
	if err != nil {
		return err
	}
	for _, name := range files {
		footer, sum, err := readSSTable(name)
		if err != nil {
			return err
		}
		if listed := b.catalog.find(footer.ID()); listed != nil && listed.SHA256 != sum {
			return fmt.Errorf("table %s does not hash to its entry in the catalogue", footer.ID())
		}
	}
	return nil
}

// rescue makes a new store of the old one's sound sstables: those that hash to
// their entry in the catalogue, and those that it does not list. The old store
// stays under another name, sharing their space.
func (b *Builder) rescue(store string) error {
	files, err := filepath.Glob(filepath.Join(store, "*.sst"))
	if err != nil {
		return err
	}
	var saved []*Entry
	var paths []string
	for i, name := range files {
		footer, sum, err := readSSTable(name)
		if err != nil {
			b.log.Warn("a damaged sstable is left behind", "error", err)
			continue
		}
		if listed := b.catalog.find(footer.ID()); listed != nil && listed.SHA256 != sum ||
			slices.ContainsFunc(saved, func(e *Entry) bool { return e.ID() == footer.ID() }) {
			b.log.Warn("an sstable that the catalogue does not know is left behind", "file", name)
			continue
		}
		info, err := os.Stat(name)
		if err != nil {
			return err
		}
		path := filepath.Join(b.dir, temporaryName, fmt.Sprintf("rescued-%06d.sst", i))
		if err := os.Link(name, path); err != nil {
			return err
		}
		paths = append(paths, path)
		saved = append(saved, &Entry{Footer: *footer, Bytes: uint64(info.Size()), SHA256: sum})
	}
	aside, err := unusedName(filepath.Join(b.dir, "damaged"))
	if err != nil {
		return err
	}
	for _, e := range b.catalog.Tables {
		if !slices.ContainsFunc(saved, func(s *Entry) bool { return s.ID() == e.ID() }) {
			b.log.Warn("a table is lost and must be built again", "table", e.ID().String())
		}
	}
	b.catalog = &catalogue{Tables: saved}
	if err := b.restore(store, aside, paths); err != nil {
		return err
	}
	b.log.Info("the damaged store is kept", "directory", aside, "tables_saved", len(saved))
	return nil
}

// restore makes a store of sstables, puts it in the place of the old one, and
// writes the catalogue.
func (b *Builder) restore(store, aside string, paths []string) error {
	fresh := filepath.Join(b.dir, newStoreName)
	if err := os.RemoveAll(fresh); err != nil {
		return err
	}
	db, err := pebble.Open(fresh, pebbleOptions(vfs.Default, b.log))
	if err != nil {
		return err
	}
	if len(paths) > 0 {
		err = db.Ingest(context.Background(), paths)
	}
	if err = errors.Join(err, db.Close()); err != nil {
		return err
	}
	if err := os.Rename(store, aside); err != nil {
		return err
	}
	if err := os.Rename(fresh, store); err != nil {
		return err
	}
	return b.catalog.write(b.dir)
}

// unusedName returns prefix-1, or the first number that is free.
func unusedName(prefix string) (string, error) {
	for i := 1; i < 1000; i++ {
		name := fmt.Sprintf("%s-%d", prefix, i)
		if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
			return name, nil
		}
	}
	return "", fmt.Errorf("%s-1 to -999 are taken", prefix)
}
