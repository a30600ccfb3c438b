package main

import (
	"cmp"

	"dambase/index"
)

// sliceInfo tells which tables there are of a slice.
type sliceInfo struct {
	Slice     string         `json:"slice"`
	Pieces    int            `json:"pieces"`
	Positions uint64         `json:"positions"`
	Metrics   []index.Metric `json:"metrics"`
	Bytes     uint64         `json:"bytes"`
	// Error tells of a table that could not be read, and why.
	Error string `json:"error,omitempty"`
}

// slices answers GET /v1/{variant}/slices: the slices present.
func (s *server) slices(r *request) (any, error) {
	t, err := s.variantTables(r)
	if err != nil {
		return nil, err
	}
	list := []sliceInfo{}
	for _, table := range t.List() {
		id := table.ID()
		if k := len(list); k == 0 || list[k-1].Slice != id.Slice.String() {
			list = append(list, sliceInfo{Slice: id.Slice.String(), Pieces: id.Slice.Pieces()})
		}
		last := &list[len(list)-1]
		last.Metrics = append(last.Metrics, id.Metric)
		x, err := table.Listing()
		if fault := cmp.Or(err, table.Fault()); fault != nil {
			last.Error = detailOf(fault)
		}
		if err != nil {
			continue
		}
		last.Positions = x.Positions
		last.Bytes += x.Bytes
	}
	return struct {
		Variant string      `json:"variant"`
		Slices  []sliceInfo `json:"slices"`
	}{t.Rules().Variant().Name, list}, nil
}

// slice answers GET /v1/{variant}/slices/{slice}: its statistics.
func (s *server) slice(r *request) (any, error) {
	t, err := s.variantTables(r)
	if err != nil {
		return nil, err
	}
	slice, err := index.ParseSlice(r.PathValue("slice"))
	if err != nil {
		return nil, badRequest("%w", err)
	}
	return t.Statistics(slice)
}
