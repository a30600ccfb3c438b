package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"dambase/engine"
	"dambase/probe"
	"dambase/storage"
)

// version is the program's; it is part of every ETag.
const version = "0.1"

// pollInterval is how often the directory is looked at for new tables.
const pollInterval = 2 * time.Second

// A tableSet is the tables being served. When a builder adds some, a new
// snapshot takes the place of the old one, which is closed when the last
// request that uses it is done. It is safe for concurrent use.
type tableSet struct {
	dir      string
	variants []*engine.Rules
	cache    uint64
	log      *slog.Logger

	mu      sync.Mutex
	current *snapshot
	seen    os.FileInfo // of the catalogue that current was opened from
}

// A snapshot is the tables at one moment.
type snapshot struct {
	reader *storage.Reader // nil if there are none
	tables map[string]*probe.Tables
	etag   string
	users  atomic.Int64 // requests, and one for being the current snapshot
}

func openTableSet(dir string, variants []engine.Variant, cache uint64, log *slog.Logger) (*tableSet, error) {
	s := &tableSet{dir: dir, cache: cache, log: log}
	for _, v := range variants {
		rules, err := engine.Compile(v)
		if err != nil {
			return nil, err
		}
		s.variants = append(s.variants, rules)
	}
	if err := s.reload(); err != nil {
		return nil, err
	}
	return s, nil
}

// reload opens the directory anew if its catalogue has changed.
func (s *tableSet) reload() error {
	info, err := os.Stat(filepath.Join(s.dir, "catalogue.json"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	s.mu.Lock()
	unchanged := s.current != nil && sameFile(info, s.seen)
	s.mu.Unlock()
	if unchanged {
		return nil
	}
	next, err := s.open()
	if err != nil {
		return err
	}
	s.mu.Lock()
	last := s.current
	s.current, s.seen = next, info
	s.mu.Unlock()
	if last != nil {
		s.release(last)
	}
	return nil
}

func sameFile(a, b os.FileInfo) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return os.SameFile(a, b) && a.ModTime().Equal(b.ModTime()) && a.Size() == b.Size()
}

func (s *tableSet) open() (*snapshot, error) {
	next := &snapshot{tables: map[string]*probe.Tables{}}
	next.users.Store(1)
	reader, err := storage.OpenReader(s.dir, storage.ReaderOptions{CacheBytes: s.cache, Logger: s.log})
	if errors.Is(err, storage.ErrNoStore) {
		s.log.Warn("there are no tables yet; build them with tbgen build", "db", s.dir)
		reader = nil
	} else if err != nil {
		return nil, err
	}
	next.reader = reader
	hash := sha256.New()
	fmt.Fprintln(hash, version)
	for _, rules := range s.variants {
		fmt.Fprintf(hash, "%+v\n", rules.Variant())
	}
	if reader != nil {
		for _, e := range reader.Entries() {
			fmt.Fprintln(hash, e.Rules.Name, e.SHA256)
		}
	}
	next.etag = `"` + hex.EncodeToString(hash.Sum(nil)[:12]) + `"`
	for _, rules := range s.variants {
		name := rules.Variant().Name
		if next.tables[name], err = probe.New(reader, rules); err != nil {
			return nil, errors.Join(err, next.close())
		}
	}
	return next, nil
}

func (n *snapshot) close() error {
	if n.reader == nil {
		return nil
	}
	return n.reader.Close()
}

// acquire returns the current snapshot; the caller releases it when done.
func (s *tableSet) acquire() *snapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.current.users.Add(1)
	return s.current
}

func (s *tableSet) release(n *snapshot) {
	if n.users.Add(-1) > 0 {
		return
	}
	if err := n.close(); err != nil {
		s.log.Error("closing replaced tables", "error", err)
	}
}

// count returns the number of tables being served.
func (s *tableSet) count() int {
	n := s.acquire()
	defer s.release(n)
	if n.reader == nil {
		return 0
	}
	return len(n.reader.Entries())
}

// watch serves new tables as they come, until the context ends.
func (s *tableSet) watch(ctx context.Context) {
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			before := s.count()
			if err := s.reload(); err != nil {
				s.log.Error("looking for new tables; the old ones are served on", "error", err)
			} else if after := s.count(); after != before {
				s.log.Info("tables changed", "tables", after)
			}
		}
	}
}

func (s *tableSet) close() {
	s.mu.Lock()
	last := s.current
	s.mu.Unlock()
	s.release(last)
}
