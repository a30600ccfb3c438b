package storage

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
)

var (
	// ErrNoStore is returned by OpenReader for a directory without tables.
	ErrNoStore = errors.New("no tables")
	// ErrBusy is returned by OpenBuilder while another builder has the directory.
	ErrBusy = errors.New("another build is running on this directory")
	// ErrRules is wrapped when a directory holds tables of other rules under the same name.
	ErrRules = errors.New("tables of other rules")
	// ErrFormat is wrapped when a table, or a whole directory, is of a format
	// or a packing that this program does not know.
	ErrFormat = errors.New("tables of another format")
	// ErrNoTable is wrapped by errors about a table that is not there.
	ErrNoTable = errors.New("no such table")
	// ErrTooLarge is wrapped when a table has more blocks than can be numbered.
	ErrTooLarge = errors.New("table too large")
	// ErrResources is wrapped when the system lacks the means to read a table
	// now, as when too many files are open. It says nothing about the table.
	ErrResources = errors.New("out of resources")
)

// A CorruptError says which table is damaged, and where.
type CorruptError struct {
	Table  TableID
	Block  int64 // -1 for the table as a whole
	Reason string
	// Inside tells that only a build that reads all contents finds the damage.
	Inside bool
}

// reasonMissing is the reason of a table without a file.
const reasonMissing = "its file is missing"

func (e *CorruptError) Error() string {
	place, repair := "", ""
	if e.Block >= 0 {
		place = fmt.Sprintf(", block %d", e.Block)
	}
	if e.Inside {
		repair = " --repair"
	}
	return fmt.Sprintf("damaged table %s%s: %s; tbgen build%s mends it", e.Table, place, e.Reason, repair)
}

func corrupt(id TableID, block int64, format string, args ...any) error {
	return &CorruptError{Table: id, Block: block, Reason: firstLine(fmt.Sprintf(format, args...)), Inside: block >= 0}
}

// damage tells what an error met in a table's file says about the table: a
// *CorruptError, unless the fault is the system's and not the file's.
func damage(id TableID, block int64, err error) error {
	for _, lack := range []error{syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, syscall.EINTR, syscall.EAGAIN} {
		if errors.Is(err, lack) {
			return fmt.Errorf("reading table %s: %w: %w", id, ErrResources, lack)
		}
	}
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("reading table %s: %w", id, fs.ErrPermission)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return corrupt(id, -1, reasonMissing)
	}
	if path := new(fs.PathError); errors.As(err, &path) {
		err = path.Err // where the file is says nothing to those who ask
	}
	return corrupt(id, block, "%v", err)
}

// firstLine cuts the details off that Pebble's errors carry in further lines.
func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
