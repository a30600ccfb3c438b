package main

import (
	"net/http"

	"dambase/index"
)

// sliceInfo tells which tables there are of a slice.
type sliceInfo struct {
	Slice     string         `json:"slice"`
	Pieces    int            `json:"pieces"`
	Positions uint64         `json:"positions"`
	Metrics   []index.Metric `json:"metrics"`
	Bytes     uint64         `json:"bytes"`
}

// slices answers GET /v1/{variant}/slices: the slices present.
func (s *server) slices(w http.ResponseWriter, r *http.Request, n *snapshot) error {
	t, err := s.variantTables(r, n)
	if err != nil {
		return err
	}
	if _, err := parameters(r); err != nil {
		return err
	}
	list := []sliceInfo{}
	for _, e := range t.Entries() {
		if k := len(list); k == 0 || list[k-1].Slice != e.Slice {
			list = append(list, sliceInfo{Slice: e.Slice, Pieces: e.ID().Slice.Pieces(), Positions: e.Positions})
		}
		last := &list[len(list)-1]
		last.Metrics = append(last.Metrics, e.Metric)
		last.Bytes += e.Bytes
	}
	return writeJSON(w, r, n, struct {
		Variant string      `json:"variant"`
		Slices  []sliceInfo `json:"slices"`
	}{t.Rules().Variant().Name, list})
}

// slice answers GET /v1/{variant}/slices/{slice}: its statistics.
func (s *server) slice(w http.ResponseWriter, r *http.Request, n *snapshot) error {
	t, err := s.variantTables(r, n)
	if err != nil {
		return err
	}
	if _, err := parameters(r); err != nil {
		return err
	}
	slice, err := index.ParseSlice(r.PathValue("slice"))
	if err != nil {
		return badRequest("%w", err)
	}
	stats, err := t.Statistics(slice)
	if err != nil {
		return notFound("%w", err)
	}
	return writeJSON(w, r, n, stats)
}
