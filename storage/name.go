package storage

import (
	"fmt"
	"strings"

	"dambase/engine"
	"dambase/index"
)

// A RulesID is the beginning of a variant's rules hash, in hexadecimal.
type RulesID string

const rulesIDLen = 16

// RulesIDOf returns the identity of the rules that tables are built with.
func RulesIDOf(v engine.Variant) RulesID { return RulesID(v.Hash()[:rulesIDLen]) }

// A TableID names a table.
type TableID struct {
	Variant string
	Rules   RulesID
	Slice   index.Slice
	Metric  index.Metric
}

// String returns variant, slice and metric.
func (id TableID) String() string {
	return id.Variant + " " + id.Slice.String() + " " + string(id.Metric)
}

// name is the table's in the catalogue; with sstableSuffix that of its file.
func (id TableID) name() string {
	return fmt.Sprintf("%s-%s-%s-%s", id.Variant, id.Rules, id.Slice, id.Metric)
}

const sstableSuffix = ".sst"

func (id TableID) file() string { return id.name() + sstableSuffix }

// parseName is the inverse of name. Only a variant's name may have a hyphen.
func parseName(name string) (TableID, bool) {
	rest, metric, _ := cutLast(name)
	rest, slice, _ := cutLast(rest)
	variant, rules, ok := cutLast(rest)
	if !ok || variant == "" || len(rules) != rulesIDLen || strings.Trim(rules, "0123456789abcdef") != "" {
		return TableID{}, false
	}
	id := TableID{Variant: variant, Rules: RulesID(rules)}
	var err error
	if id.Slice, err = index.ParseSlice(slice); err != nil {
		return TableID{}, false
	}
	if id.Metric, err = index.ParseMetric(metric); err != nil {
		return TableID{}, false
	}
	return id, true
}

// cutLast cuts a text at its last hyphen.
func cutLast(text string) (before, after string, ok bool) {
	i := strings.LastIndexByte(text, '-')
	if i < 0 {
		return "", text, false
	}
	return text[:i], text[i+1:], true
}

// compare orders tables by variant, then in the order of building.
func (id TableID) compare(o TableID) int {
	if d := strings.Compare(id.Variant, o.Variant); d != 0 {
		return d
	}
	if d := strings.Compare(string(id.Rules), string(o.Rules)); d != 0 {
		return d
	}
	if d := id.Slice.Compare(o.Slice); d != 0 {
		return d
	}
	return int(metricNumber(id.Metric)) - int(metricNumber(o.Metric))
}
