package storage

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"dambase/engine"
	"dambase/index"
)

// FormatVersion is the version of the tables that this package reads and writes.
const FormatVersion = 1

// A Footer describes a table. It is stored with the table, so that the
// catalogue can be made again from the tables alone.
type Footer struct {
	Format      int            `json:"format"`
	Rules       engine.Variant `json:"rules"`
	RulesHash   string         `json:"rules_hash"`
	Slice       string         `json:"slice"`
	Metric      index.Metric   `json:"metric"`
	Packing     packing        `json:"packing"`
	Planes      int            `json:"planes"`    // entries a position
	Positions   uint64         `json:"positions"` // of the slice
	BlockLength int            `json:"block_length"`
	// ValuesSHA256 hashes the exact entries in the order of the numbering,
	// plane by plane, two bytes each, little endian.
	ValuesSHA256 string           `json:"values_sha256"`
	Statistics   index.Statistics `json:"statistics"`
}

// An Entry is a table in the catalogue.
type Entry struct {
	Footer
	Bytes uint64 `json:"bytes"` // of the sstable
	// SHA256 hashes the table's keys and values in their order, each after
	// its length in four bytes, little endian.
	SHA256 string `json:"sha256"`
}

// ID returns the name of the table.
func (f *Footer) ID() TableID {
	slice, err := index.ParseSlice(f.Slice)
	if err != nil {
		return TableID{} // checked when the footer is read
	}
	return TableID{Variant: f.Rules.Name, Slice: slice, Metric: f.Metric}
}

// check refuses a footer that this version cannot read.
func (f *Footer) check() error {
	if f.Format != FormatVersion {
		return fmt.Errorf("format %d; this program reads format %d", f.Format, FormatVersion)
	}
	if _, err := index.ParseSlice(f.Slice); err != nil {
		return err
	}
	if _, err := index.ParseMetric(string(f.Metric)); err != nil {
		return err
	}
	if f.Packing.packedLen(1) == 0 || f.BlockLength < 1 || f.BlockLength > 1<<20 || f.Planes < 1 || f.Positions < 1 {
		return errors.New("sizes that make no sense")
	}
	if f.Rules.Hash() != f.RulesHash {
		return errors.New("the rules do not match their hash")
	}
	return nil
}

func (f *Footer) keys() tableKeys { return keysOf(f.ID(), f.RulesHash) }

// entries returns the number of entries of the table.
func (f *Footer) entries() uint64 { return f.Positions * uint64(f.Planes) }

// blocks returns the number of blocks of the table.
func (f *Footer) blocks() uint64 {
	return (f.entries() + uint64(f.BlockLength) - 1) / uint64(f.BlockLength)
}

// chunks returns the number of chunks of the table.
func (f *Footer) chunks() uint64 { return (f.blocks() + chunkBlocks - 1) / chunkBlocks }

// blockLen returns the entries of a block; the last one has what is left.
func (f *Footer) blockLen(block uint64) int {
	return int(min(uint64(f.BlockLength), f.entries()-block*uint64(f.BlockLength)))
}

// catalogue is the list of the tables of a directory.
type catalogue struct {
	Tables []*Entry `json:"tables"`
}

// sealedCatalogue is the catalogue's file.
type sealedCatalogue struct {
	Checksum  string          `json:"checksum"` // SHA-256 of the catalogue, compacted
	Catalogue json.RawMessage `json:"catalogue"`
}

const catalogueName = "catalogue.json"

// readCatalogue reads the catalogue of a directory. A missing one is an empty
// one with the error fs.ErrNotExist; a damaged one is a *CorruptError.
func readCatalogue(dir string) (*catalogue, error) {
	text, err := os.ReadFile(filepath.Join(dir, catalogueName))
	if err != nil {
		return &catalogue{}, err
	}
	var sealed sealedCatalogue
	if err := json.Unmarshal(text, &sealed); err != nil {
		return nil, corrupt(TableID{}, -1, "%s: %v", catalogueName, err)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, sealed.Catalogue); err != nil || checksum(compact.Bytes()) != sealed.Checksum {
		return nil, corrupt(TableID{}, -1, "%s: checksum mismatch", catalogueName)
	}
	var c catalogue
	if err := json.Unmarshal(sealed.Catalogue, &c); err != nil {
		return nil, fmt.Errorf("%s: %w", catalogueName, err) // written so by another version
	}
	for _, e := range c.Tables {
		if err := e.check(); err != nil {
			return nil, fmt.Errorf("%s: table %s %s %s: %w", catalogueName, e.Rules.Name, e.Slice, e.Metric, err)
		}
	}
	return &c, nil
}

func checksum(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// write replaces the catalogue of a directory atomically.
func (c *catalogue) write(dir string) error {
	slices.SortFunc(c.Tables, func(a, b *Entry) int {
		return cmp.Or(cmp.Compare(a.Rules.Name, b.Rules.Name), a.ID().Slice.Compare(b.ID().Slice),
			cmp.Compare(metricNumber(a.Metric), metricNumber(b.Metric)))
	})
	compact, err := json.Marshal(c)
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(sealedCatalogue{checksum(compact), compact}, "", " ")
	if err != nil {
		return err
	}
	return replaceFile(filepath.Join(dir, catalogueName), text)
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
		return err
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

// find returns the entry of a table, or nil.
func (c *catalogue) find(id TableID) *Entry {
	for _, e := range c.Tables {
		if e.ID() == id {
			return e
		}
	}
	return nil
}

// rules returns the rules that the tables of a variant name were built with.
func (c *catalogue) rules(name string) (engine.Variant, bool) {
	for _, e := range c.Tables {
		if e.Rules.Name == name {
			return e.Rules, true
		}
	}
	return engine.Variant{}, false
}

// checkRules returns an error that wraps ErrRules and names a parameter that
// differs, if there are tables of the variant's name under other rules.
func (c *catalogue) checkRules(v engine.Variant) error {
	have, ok := c.rules(v.Name)
	if !ok || have.Hash() == v.Hash() {
		return nil
	}
	return fmt.Errorf("%w: variant %s was built with %s", ErrRules, v.Name, have.Difference(v))
}

// isMissing reports whether a directory has no catalogue yet.
func isMissing(err error) bool { return errors.Is(err, fs.ErrNotExist) }
