package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"dambase/cmd/internal/cli"
	"dambase/engine"
	"dambase/probe"
	"dambase/storage"
)

// pollInterval is how often the directory is looked at for new tables.
const pollInterval = 2 * time.Second

// A tableSet is the tables being served. When a builder adds some, a new
// snapshot takes the place of the old one; what has been read of the tables
// that both have is shared. It is safe for concurrent use.
type tableSet struct {
	dir      string
	variants []*engine.Rules
	options  storage.ReaderOptions
	log      *slog.Logger
	current  atomic.Pointer[snapshot]

	mu   sync.Mutex  // held while a new snapshot is made
	seen os.FileInfo // of the catalogue that current was opened from
}

// A snapshot is the tables at one moment.
type snapshot struct {
	reader *storage.Reader // nil if there are none
	tables map[string]*probe.Tables
	faults map[string]error // why the tables of a variant are not served
	etag   string
}

func openTableSet(dir string, variants []engine.Variant, cache uint64, log *slog.Logger) (*tableSet, error) {
	s := &tableSet{dir: dir, options: storage.ReaderOptions{CacheBytes: cache, Logger: log}, log: log}
	for _, v := range variants {
		rules, err := engine.Compile(v)
		if err != nil {
			return nil, err
		}
		s.variants = append(s.variants, rules)
	}
	return s, s.reload(true)
}

// reload opens the directory anew, unless it is not told to and the catalogue
// has not changed.
func (s *tableSet) reload(force bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	info, err := os.Stat(filepath.Join(s.dir, "catalogue.json"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	last := s.current.Load()
	if !force && sameFile(info, s.seen) && (last.reader == nil || last.reader.Fits()) {
		return nil
	}
	next, err := s.open(last)
	if err != nil {
		return err
	}
	s.current.Store(next)
	s.seen = info
	return nil
}

func sameFile(a, b os.FileInfo) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return os.SameFile(a, b) && a.ModTime().Equal(b.ModTime()) && a.Size() == b.Size()
}

// openReader opens the directory, or looks at it anew; nil if there are no tables.
func (s *tableSet) openReader(last *snapshot) (*storage.Reader, error) {
	if last != nil && last.reader != nil {
		return last.reader.Refresh()
	}
	reader, err := storage.OpenReader(s.dir, s.options)
	if errors.Is(err, storage.ErrNoStore) {
		s.log.Warn("there are no tables yet; build them with tbgen build", "db", s.dir)
		return nil, nil
	}
	return reader, err
}

func (s *tableSet) open(last *snapshot) (*snapshot, error) {
	reader, err := s.openReader(last)
	if err != nil {
		return nil, err
	}
	next := &snapshot{reader: reader, tables: map[string]*probe.Tables{}, faults: map[string]error{}}
	hash := sha256.New()
	fmt.Fprintln(hash, cli.Version())
	if reader != nil {
		fmt.Fprintln(hash, reader.Digest())
	}
	for _, rules := range s.variants {
		v := rules.Variant()
		fmt.Fprintf(hash, "%+v\n", v)
		t, err := probe.New(reader, rules)
		if err != nil {
			s.log.Error("the tables of a variant are not served", "variant", v.Name, "error", err)
			next.faults[v.Name] = err
			continue
		}
		next.tables[v.Name] = t
	}
	next.etag = `"` + hex.EncodeToString(hash.Sum(nil)[:12]) + `"`
	return next, nil
}

// tablesOf returns the tables of a variant; nil without an error if there is
// no such variant.
func (n *snapshot) tablesOf(variant string) (*probe.Tables, error) {
	return n.tables[variant], n.faults[variant]
}

// count returns the number of tables.
func (n *snapshot) count() int {
	if n.reader == nil {
		return 0
	}
	return n.reader.Len()
}

// watch serves new tables as they come, or when it is told to look, until the
// context ends.
func (s *tableSet) watch(ctx context.Context, look <-chan os.Signal) {
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	for {
		force := false
		select {
		case <-ctx.Done():
			return
		case <-look:
			force = true
		case <-tick.C:
		}
		before := s.current.Load().count()
		if err := s.reload(force); err != nil {
			s.log.Error("looking for new tables; the old ones are served on", "error", err)
		} else if after := s.current.Load().count(); after != before {
			s.log.Info("tables changed", "tables", after)
		}
	}
}

// close closes the tables; none may be in use.
func (s *tableSet) close() error {
	if reader := s.current.Load().reader; reader != nil {
		return reader.Close()
	}
	return nil
}
