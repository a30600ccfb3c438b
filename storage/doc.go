// Package storage keeps finished tables on disk.
//
// A table is an object: one file, a Pebble sstable, that holds its entries and
// a footer that describes them. Entries are cut into blocks (the unit of
// decoding), which are gathered into chunks (one value of the sstable each). A
// file is written aside and renamed into place whole: it is there or it is not.
// The catalogue is an index of the files: it says which tables there should be
// and what they hash to, so that damage is never mistaken for absence; a new
// table appends a line to it. A damaged, missing or foreign file concerns its
// own table alone.
//
// A Builder is the one writer of a directory. Any number of Readers, in this
// process or others, open it beside the builder, without a lock and without
// writing; a table's file is opened when it is first read. docs/format.md
// describes every byte.
//
// Reading order: name.go, key.go, packing.go, block.go, chunk.go, footer.go,
// catalogue.go, sstable.go, files.go, reader.go, table.go, builder.go, writer.go.
package storage
