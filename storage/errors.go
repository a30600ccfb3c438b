package storage

import (
	"errors"
	"fmt"
	"strings"
)

var (
	// ErrNoStore is returned by OpenReader for a directory without tables.
	ErrNoStore = errors.New("no tables")
	// ErrBusy is returned by OpenBuilder while another builder has the directory.
	ErrBusy = errors.New("another build is running on this directory")
	// ErrRules is wrapped when a directory holds tables of other rules under the same name.
	ErrRules = errors.New("tables of other rules")
)

// A CorruptError says which part of a store is damaged.
type CorruptError struct {
	Table  TableID // zero for the store or the catalogue as a whole
	Block  int64   // the block of the table, -1 for the table as a whole
	Reason string
}

func (e *CorruptError) Error() string {
	switch {
	case e.Table == TableID{}:
		return "damaged store: " + e.Reason
	case e.Block < 0:
		return fmt.Sprintf("damaged table %s: %s", e.Table, e.Reason)
	}
	return fmt.Sprintf("damaged table %s, block %d: %s", e.Table, e.Block, e.Reason)
}

func corrupt(id TableID, block int64, format string, args ...any) error {
	return &CorruptError{Table: id, Block: block, Reason: firstLine(fmt.Sprintf(format, args...))}
}

// firstLine cuts the details off that Pebble's errors carry in further lines.
func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
