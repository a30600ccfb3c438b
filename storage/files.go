package storage

import (
	"container/list"
	"errors"
	"path/filepath"
	"sync"
	"syscall"

	"github.com/cockroachdb/pebble/v2/sstable"
)

// files keeps the sstables open that were read last, up to a number. It is
// safe for concurrent use.
type files struct {
	store string // the directory
	limit int

	mu     sync.Mutex
	open   map[*Table]*list.Element
	recent list.List // of *openFile, the last used first
}

// openFile is an sstable that is open, or was and has readers yet.
type openFile struct {
	table  *Table
	reader *sstable.Reader
	users  int
	gone   bool // no longer in files: the last user closes it
}

// openFilesLimit is how many sstables stay open if nothing else is said: no
// more than a quarter of what the process may have.
func openFilesLimit() int {
	const most = 500
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return most
	}
	return int(min(most, limit.Cur/4))
}

func newFiles(store string, limit int) *files {
	return &files{store: store, limit: limit, open: map[*Table]*list.Element{}}
}

// view calls f with the sstable of a table.
func (p *files) view(t *Table, f func(r *sstable.Reader) error) error {
	file, err := p.acquire(t)
	if err != nil {
		return err
	}
	defer p.release(file)
	return f(file.reader)
}

func (p *files) acquire(t *Table) (*openFile, error) {
	if file := p.use(t); file != nil {
		return file, nil
	}
	name := filepath.Join(p.store, t.id.file())
	r, err := openSSTable(name)
	if err != nil && errors.Is(damage(t.id, -1, err), ErrResources) {
		p.trim(p.opened() / 2) // others of this process may hold what we lack
		r, err = openSSTable(name)
	}
	if err != nil {
		return nil, err
	}
	file, mine := p.add(t, r)
	if !mine { // another goroutine was quicker
		_ = guard(r.Close) // nothing was written
	}
	p.trim(p.limit)
	return file, nil
}

// add takes in an sstable, unless it is there already.
func (p *files) add(t *Table, r *sstable.Reader) (file *openFile, mine bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if e := p.open[t]; e != nil {
		file = e.Value.(*openFile)
		file.users++
		return file, false
	}
	file = &openFile{table: t, reader: r, users: 1}
	p.open[t] = p.recent.PushFront(file)
	return file, true
}

// opened returns the number of sstables that are open.
func (p *files) opened() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.recent.Len()
}

// use takes an open sstable, or returns nil.
func (p *files) use(t *Table) *openFile {
	p.mu.Lock()
	defer p.mu.Unlock()
	e := p.open[t]
	if e == nil {
		return nil
	}
	p.recent.MoveToFront(e)
	file := e.Value.(*openFile)
	file.users++
	return file
}

func (p *files) release(file *openFile) {
	p.mu.Lock()
	file.users--
	last := file.users == 0 && file.gone
	p.mu.Unlock()
	if last {
		_ = guard(file.reader.Close) // nothing was written
	}
}

// trim closes the sstables not used for longest until so many are left.
func (p *files) trim(limit int) {
	p.mu.Lock()
	var idle []*openFile
	for e := p.recent.Back(); e != nil && p.recent.Len() > limit; {
		before := e.Prev()
		if file := e.Value.(*openFile); file.users == 0 {
			idle = append(idle, file)
			delete(p.open, file.table)
			p.recent.Remove(e)
		}
		e = before
	}
	p.mu.Unlock()
	for _, file := range idle {
		_ = guard(file.reader.Close) // nothing was written
	}
}

// close closes all sstables; none may be in use.
func (p *files) close() { p.trim(0) }

// drop forgets the sstable of a table, whose file is replaced or damaged.
func (p *files) drop(t *Table) {
	p.mu.Lock()
	e := p.open[t]
	if e == nil {
		p.mu.Unlock()
		return
	}
	delete(p.open, t)
	p.recent.Remove(e)
	file := e.Value.(*openFile)
	file.gone = true
	idle := file.users == 0
	p.mu.Unlock()
	if idle {
		_ = guard(file.reader.Close) // nothing was written
	}
}
