package storage

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
)

// The catalogue has a line for each finished table, a JSON object whose first
// member names the table and whose last one is a checksum of the line. A new
// table appends its line; of two lines of one table the later holds. What a
// line says beyond the name is read when it is first asked for: thousands of
// tables open in milliseconds.
const catalogueName = "catalogue.json"

// A Listing is what the catalogue tells of a table.
type Listing struct {
	Name         string `json:"table"`
	Format       int    `json:"format"`
	Positions    uint64 `json:"positions"`
	Bytes        uint64 `json:"bytes"`         // of the file
	SHA256       string `json:"sha256"`        // of the keys and values in their order, each after its length in four bytes, little endian
	ValuesSHA256 string `json:"values_sha256"` // as in the Footer
}

// A line is a line of the catalogue.
type line struct {
	id    TableID
	text  []byte
	place int // in the order of the lines
}

const (
	linePrefix   = `{"table":"`
	crcPrefix    = `,"crc32c":"`
	crcSuffix    = `"}`
	usualLine    = 300 // bytes
	crcTailBytes = len(crcPrefix) + 8 + len(crcSuffix)
)

// encodeLine returns the line of a table, without the end of the line.
func encodeLine(l *Listing) ([]byte, error) {
	text, err := json.Marshal(l)
	if err != nil {
		return nil, err
	}
	text = text[:len(text)-1]
	return fmt.Appendf(text, "%s%08x%s", crcPrefix, crc32.Checksum(text, castagnoli), crcSuffix), nil
}

// parseLine reads a line; false if it is damaged. A sound line that names no
// table that this program could have written is nil.
func parseLine(text []byte) (l *line, sound bool) {
	body := len(text) - crcTailBytes
	if body < 0 {
		return nil, false
	}
	var tail [crcTailBytes]byte
	if !bytes.Equal(text[body:], fmt.Appendf(tail[:0], "%s%08x%s", crcPrefix, crc32.Checksum(text[:body], castagnoli), crcSuffix)) {
		return nil, false
	}
	rest, begins := bytes.CutPrefix(text, []byte(linePrefix))
	name, _, ends := bytes.Cut(rest, []byte{'"'})
	id, known := parseName(string(name))
	if !begins || !ends || !known {
		return nil, true
	}
	return &line{id: id, text: text}, true
}

// listing reads the whole line.
func (l *line) listing() (*Listing, error) {
	var x Listing
	if err := json.Unmarshal(l.text, &x); err != nil {
		return nil, fmt.Errorf("%w: its line in %s: %w", ErrFormat, catalogueName, err)
	}
	if x.Format != FormatVersion {
		return nil, formatError(x.Format)
	}
	return &x, nil
}

// A catalogue is the list of the tables of a directory.
type catalogue struct {
	lines map[TableID]*line
	// others are sound lines that another program wrote; they are kept.
	others [][]byte
	// damaged counts lines that cannot be read. Their tables are known by their files.
	damaged int
	// whole tells that the file ends where a line does.
	whole bool
}

// readCatalogue reads the catalogue of a directory. A missing one is an empty
// one with the error fs.ErrNotExist.
func readCatalogue(dir string) (*catalogue, []byte, error) {
	text, err := os.ReadFile(filepath.Join(dir, catalogueName))
	c := &catalogue{lines: make(map[TableID]*line, len(text)/usualLine), whole: true}
	if err != nil {
		return c, nil, err
	}
	if bytes.HasPrefix(text, []byte("{\n")) || bytes.HasPrefix(text, []byte(`{"checksum"`)) {
		return c, text, fmt.Errorf("%w: %s holds tables of format 1, this program reads format %d; build them again in another directory", ErrFormat, dir, FormatVersion)
	}
	for rest := text; len(rest) > 0; {
		var one []byte
		var ended bool
		one, rest, ended = bytes.Cut(rest, []byte{'\n'})
		l, ok := parseLine(one)
		if !ok && !ended {
			// Either a writer was cut off here, or the last end of a line is damaged.
			l, ok = parseLine(one[:max(len(one)-1, 0)])
		}
		c.whole = c.whole && ended
		switch {
		case ok && l == nil:
			c.others = append(c.others, one)
		case ok:
			l.place = len(c.lines)
			if old := c.lines[l.id]; old != nil {
				l.place = old.place
			}
			c.lines[l.id] = l
		case ended:
			c.damaged++
		}
	}
	return c, text, nil
}

// sorted returns the lines by variant, then in the order of building.
func (c *catalogue) sorted() []*line {
	out := make([]*line, 0, len(c.lines))
	for _, l := range c.lines {
		out = append(out, l)
	}
	slices.SortFunc(out, func(a, b *line) int { return a.id.compare(b.id) })
	return out
}

// rewrite replaces the catalogue's file atomically.
func (c *catalogue) rewrite(dir string) error {
	var text []byte
	for _, l := range c.sorted() {
		text = append(append(text, l.text...), '\n')
	}
	for _, other := range c.others {
		text = append(append(text, other...), '\n')
	}
	if err := replaceFile(filepath.Join(dir, catalogueName), text); err != nil {
		return err
	}
	c.damaged, c.whole = 0, true
	return nil
}

// newLine returns the line of a table.
func newLine(x *Listing) (*line, error) {
	text, err := encodeLine(x)
	if err != nil {
		return nil, err
	}
	l, _ := parseLine(text)
	if l == nil {
		return nil, fmt.Errorf("table %q cannot be listed", x.Name)
	}
	return l, nil
}

// add appends the line of a table to the catalogue's file.
func (c *catalogue) add(dir string, x *Listing) (err error) {
	l, err := newLine(x)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(dir, catalogueName), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	_, err = f.Write(append(slices.Clone(l.text), '\n'))
	if err = errors.Join(err, f.Sync()); err != nil {
		// A line that is there in part would spoil the next one.
		return errors.Join(err, f.Truncate(info.Size()))
	}
	c.lines[l.id] = l
	return nil
}

// replaceFile writes a file so that either the old or the new one is there
// after a crash.
func replaceFile(name string, text []byte) error {
	temporary := name + ".new"
	f, err := os.Create(temporary)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return errors.Join(err, os.Remove(temporary))
	}
	if err := os.Rename(temporary, name); err != nil {
		return err
	}
	return syncDir(filepath.Dir(name))
}

func syncDir(name string) error {
	d, err := os.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
