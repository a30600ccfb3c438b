package storage

import (
	"context"
	"errors"
	"fmt"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/objstorage/objstorageprovider"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// Pebble's sstables without Pebble's database: a table never changes, so there
// is nothing to log, to compact or to list in a manifest, and a damaged file
// cannot take others with it.

const formatMajor = pebble.FormatColumnarBlocks

// newSSTable starts an sstable file.
func newSSTable(name string) (*sstable.Writer, error) {
	f, err := vfs.Default.Create(name, vfs.WriteCategoryUnspecified)
	if err != nil {
		return nil, err
	}
	return sstable.NewWriter(objstorageprovider.NewFileWritable(f), sstable.WriterOptions{
		TableFormat: formatMajor.MaxTableFormat(),
		Compression: sstable.NoCompression,
	}), nil
}

// openSSTable opens an sstable file for reading.
func openSSTable(name string) (r *sstable.Reader, err error) {
	f, err := vfs.Default.Open(name)
	if err != nil {
		return nil, err
	}
	file, err := sstable.NewSimpleReadable(f)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	readable := newCheckedReadable(file)
	err = guard(func() (err error) {
		r, err = sstable.NewReader(context.Background(), readable, sstable.ReaderOptions{})
		return err
	})
	if err != nil {
		return nil, errors.Join(err, readable.Close())
	}
	return r, nil
}

// errNoKey says that an sstable does not have a key.
var errNoKey = errors.New("key not found")

// viewValue calls f with the value of a key, which is valid until f returns.
func viewValue(r *sstable.Reader, key []byte, f func(value []byte) error) error {
	var it sstable.Iterator
	var value []byte
	err := guard(func() (err error) {
		if it, err = r.NewIter(sstable.NoTransforms, nil, nil, sstable.AssertNoBlobHandles); err != nil {
			return err
		}
		kv := it.SeekGE(key, 0)
		if kv == nil || string(kv.K.UserKey) != string(key) {
			return errors.Join(it.Error(), errNoKey)
		}
		value, _, err = kv.Value(nil)
		return err
	})
	if it != nil {
		defer func() { _ = guard(it.Close) }() // what it says has been said before
	}
	if err != nil {
		return err
	}
	return f(value)
}

// eachValue calls f with all keys and values in order.
func eachValue(r *sstable.Reader, f func(key, value []byte) error) (err error) {
	var it sstable.Iterator
	err = guard(func() (err error) {
		it, err = r.NewIter(sstable.NoTransforms, nil, nil, sstable.AssertNoBlobHandles)
		return err
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, guard(it.Close)) }()
	step := it.First
	for {
		var key, value []byte
		err := guard(func() (err error) {
			kv := step()
			if kv == nil {
				return it.Error()
			}
			key = kv.K.UserKey
			value, _, err = kv.Value(nil)
			return err
		})
		if err != nil || key == nil {
			return err
		}
		if err := f(key, value); err != nil {
			return err
		}
		step = it.Next
	}
}

// guard calls Pebble and turns a panic into an error: it panics on some kinds
// of damage, as when a flipped bit makes a file look like one of an older
// format. No code of ours may run inside.
func guard(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("pebble: %v", p)
		}
	}()
	return f()
}
