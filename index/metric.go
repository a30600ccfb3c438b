package index

import (
	"fmt"
	"slices"
)

// A Metric is what a table tells of its positions.
type Metric string

// The metrics. An entry of a WLD table is a WLD, one of a DTW table a Value.
const (
	MetricWLD Metric = "wld" // result without draw rules
	MetricDTW Metric = "dtw" // distance to win without draw rules
	MetricDTZ Metric = "dtz" // result under the draw counters
)

// Metrics lists all metrics, each after those that it needs.
var Metrics = []Metric{MetricWLD, MetricDTW, MetricDTZ}

// ParseMetric reads the name of a metric.
func ParseMetric(text string) (Metric, error) {
	if m := Metric(text); slices.Contains(Metrics, m) {
		return m, nil
	}
	return "", fmt.Errorf("unknown metric %q: want wld, dtw or dtz", text)
}
