package storage

import (
	"slices"

	"dambase/index"
)

// metricNumber is a metric's byte in a key.
func metricNumber(m index.Metric) byte { return byte(slices.Index(index.Metrics, m)) }

// blockEntries is how many entries a block has: enough to compress well, few
// enough to decode in microseconds.
func blockEntries(m index.Metric) int {
	if m == index.MetricWLD {
		return 16384
	}
	return 4096
}
