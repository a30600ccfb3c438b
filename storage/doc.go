// Package storage keeps finished tables on disk.
//
// A directory holds a Pebble store and catalogue.json. A table is an array of
// entries, cut into blocks (the unit of decoding), which are gathered into
// chunks (one Pebble value each). Every table is written as one sstable that
// is ingested whole: it is there or it is not. The catalogue, outside Pebble,
// says which tables there should be and what their contents hash to, so that
// damage is never mistaken for absence.
//
// A Builder is the one writer of a directory. Any number of Readers, in this
// process or others, open it beside the builder, without a lock and without
// writing. docs/format.md describes every byte.
//
// Reading order: metric.go, key.go, block.go, chunk.go, catalogue.go, reader.go,
// table.go, builder.go, writer.go, repair.go.
package storage
