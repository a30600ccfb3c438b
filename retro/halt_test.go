package retro

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"dambase/index"
	"dambase/internal/halt"
)

// latency is how long a build may go on after it is cancelled: ten times what
// it takes, and a machine that is busy with other things gets more tries.
const (
	latency = 300 * time.Millisecond
	tries   = 8
)

// inTime reports whether what is measured keeps within the latency in one of
// some tries.
func inTime(measure func() time.Duration) bool {
	for range tries {
		if measure() <= latency {
			return true
		}
	}
	return false
}

// A watch notes the looks at the flags of a build with one worker.
type watch struct {
	mutex   sync.Mutex
	looks   int
	last    time.Time
	longest time.Duration // between two looks
	stopAt  int           // at this look the build is cancelled; 0 for never
	stop    context.CancelFunc
	stopped time.Time
}

func (w *watch) look() {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	now := time.Now()
	w.looks++
	w.longest = max(w.longest, now.Sub(w.last))
	w.last = now
	if w.looks == w.stopAt {
		w.stopped = now
		w.stop()
	}
}

// A watchedWriter writes tables while nothing is noted: the time is the store's.
type watchedWriter struct {
	*watch
	TableWriter
}

func (w watchedWriter) Write(ctx context.Context, c *index.Contents) error {
	defer func() { w.last = time.Now() }()
	return w.TableWriter.Write(ctx, c)
}

// watched builds missing tables and cancels that at a look.
func watched(task BuildTask, stopAt int) (*watch, error) {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	w := &watch{stop: stop, stopAt: stopAt, last: time.Now()}
	task.Writer = watchedWriter{w, task.Writer}
	err := Build(halt.WithHook(ctx, w.look), task)
	w.longest = max(w.longest, time.Since(w.last))
	return w, err
}

// without returns a store with the same tables but those of a slice.
func (m *mapStore) without(pair index.Pair, metrics ...index.Metric) *mapStore {
	out := newMapStore()
	for name, entries := range m.tables {
		out.tables[name], out.hashes[name], out.stats[name] = entries, m.hashes[name], m.stats[name]
	}
	for _, s := range pair {
		for _, metric := range metrics {
			delete(out.tables, tableName{s, metric})
		}
	}
	return out
}

// TestLatencyOfLargeBlocks builds slices whose one block is large, and looks
// at what lies between two looks at the flag, in reading back and writing too.
func TestLatencyOfLargeBlocks(t *testing.T) {
	slow := []struct{ variant, slice string }{{"english", "0303"}, {"international", "0203"}}
	if testing.Short() {
		slow[0].slice, slow[1].slice = "0202", "0102"
	}
	for _, c := range slow {
		r := rules(t, c.variant)
		slice, err := index.ParseSlice(c.slice)
		if err != nil {
			t.Fatal(err)
		}
		store := newMapStore()
		task := BuildTask{Rules: r, Wanted: []index.Slice{slice}, Metrics: defaultMetrics, Workers: 1, Memory: 1 << 30, Reader: store, Writer: store}
		if !inTime(func() time.Duration {
			w, err := watched(task, 0)
			if err != nil {
				t.Fatal(err)
			}
			clear(store.tables)
			return w.longest
		}) {
			t.Errorf("%s %s: more than %v without a look", c.variant, c.slice, latency)
		}
	}
}

// TestStops cancels a build of one slice at many looks: in reading back, in
// both solvers, in bringing values into their order, in counting.
func TestStops(t *testing.T) {
	moments := 10
	if testing.Short() {
		moments = 3
	}
	for _, c := range []struct {
		variant, slice string
		reference      bool
	}{
		{"russian", "0202", false},
		{"russian", "1101", true},
		{"brazilian-optional", "1110", false},
		{"english", "1210", false},
		{"italian", "2010", false},
		{"english", "0301", false},
		{"turkish", "1110", true},
	} {
		r := rules(t, c.variant)
		slice, err := index.ParseSlice(c.slice)
		if err != nil {
			t.Fatal(err)
		}
		store := newMapStore()
		task := BuildTask{
			Rules: r, Wanted: []index.Slice{slice}, Metrics: allMetrics(r), Workers: 1, Memory: 1 << 30,
			Reader: store, Writer: store, Reference: c.reference,
		}
		if err := Build(context.Background(), task); err != nil {
			t.Fatal(err)
		}
		for _, missing := range [][]index.Metric{task.Metrics, task.Metrics[len(task.Metrics)-1:]} {
			again := store.without(index.PairOf(slice), missing...)
			task.Reader, task.Writer = again, newMapStore()
			all, err := watched(task, 0)
			if err != nil {
				t.Fatal(err)
			}
			for i := range moments {
				at := 1 + i*all.looks/moments
				if !inTime(func() time.Duration {
					w, err := watched(task, at)
					if !errors.Is(err, context.Canceled) && !(err == nil && at > all.looks-3) {
						t.Errorf("%s %s: cancelled at look %d of %d: error %v", c.variant, c.slice, at, all.looks, err)
					}
					return time.Since(w.stopped)
				}) {
					t.Errorf("%s %s: cancelled at look %d of %d: more than %v late", c.variant, c.slice, at, all.looks, latency)
				}
			}
		}
	}
}
