package storage

import (
	"encoding/json"
	"fmt"
	"math"

	"dambase/engine"
	"dambase/index"
)

// FormatVersion is the version of the tables that this package reads and writes.
const FormatVersion = 2

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

// newFooter describes a table before it is written. It refuses a table that
// has too many blocks.
func newFooter(rules engine.Variant, c *index.Contents) (*Footer, error) {
	f := &Footer{
		Format: FormatVersion, Rules: rules, RulesHash: rules.Hash(),
		Slice: c.Slice.String(), Metric: c.Metric, Packing: packBytes,
		Planes: c.Planes, Positions: c.Positions, BlockLength: blockEntries(c.Metric),
		Statistics: c.Statistics,
	}
	switch {
	case c.Metric == index.MetricWLD:
		f.Packing = packTrits
	case c.Wide:
		f.Packing = packWords
	}
	return f, f.check()
}

// readFooter decodes the value of a footer key.
func readFooter(text []byte) (*Footer, error) {
	var f Footer
	if err := json.Unmarshal(text, &f); err != nil {
		// What is there besides the format may have changed with it.
		var version struct {
			Format int `json:"format"`
		}
		if json.Unmarshal(text, &version) == nil && version.Format != FormatVersion {
			return nil, formatError(version.Format)
		}
		return nil, err
	}
	return &f, f.check()
}

func formatError(format int) error {
	return fmt.Errorf("%w: format %d; this program reads format %d", ErrFormat, format, FormatVersion)
}

// ID returns the name of the table.
func (f *Footer) ID() TableID {
	slice, err := index.ParseSlice(f.Slice)
	if err != nil || len(f.RulesHash) < rulesIDLen {
		return TableID{} // check refuses such a footer
	}
	return TableID{Variant: f.Rules.Name, Rules: RulesID(f.RulesHash[:rulesIDLen]), Slice: slice, Metric: f.Metric}
}

// check refuses a footer that this version cannot read.
func (f *Footer) check() error {
	if f.Format != FormatVersion {
		return formatError(f.Format)
	}
	if _, err := index.ParseSlice(f.Slice); err != nil {
		return err
	}
	if _, err := index.ParseMetric(string(f.Metric)); err != nil {
		return fmt.Errorf("%w: %w", ErrFormat, err)
	}
	if !f.Packing.known() {
		return fmt.Errorf("%w: packing %.20q", ErrFormat, f.Packing)
	}
	if f.BlockLength < 64 || f.BlockLength > 1<<20 || f.BlockLength%64 != 0 || f.Planes < 1 || f.Planes > 1<<10 || f.Positions < 1 {
		return fmt.Errorf("%w: %d positions of %d planes in blocks of %d", ErrFormat, f.Positions, f.Planes, f.BlockLength)
	}
	// A reader numbers blocks, and a key chunks, in 32 bits.
	if f.Positions > math.MaxUint64/2/uint64(f.Planes) || f.blocks() > math.MaxUint32 || f.chunks() > footerChunk {
		return fmt.Errorf("%w: %s %s has %d positions of %d planes: more than 2^32 blocks of %d entries",
			ErrTooLarge, f.Slice, f.Metric, f.Positions, f.Planes, f.BlockLength)
	}
	if f.Rules.Hash() != f.RulesHash {
		return fmt.Errorf("%w: its rules have parameters that this program does not know", ErrFormat)
	}
	return nil
}

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
