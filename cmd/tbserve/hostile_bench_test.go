//go:build unix

package main

import (
	"flag"
	"fmt"
	"net/http"
	"runtime"
	runtimemetrics "runtime/metrics"
	"syscall"
	"testing"
	"time"
)

var hostileCosts = flag.Bool("costs", false, "BenchmarkHostile prints the cost of every request")

// A cost is what a request took of the machine.
type cost struct {
	cpu   time.Duration // of the whole process, its garbage collection too
	alloc uint64        // bytes allocated, all together
	outcome
}

// cpuTime returns what the process has taken so far.
func cpuTime(t testing.TB) time.Duration {
	t.Helper()
	var use syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &use); err != nil {
		t.Fatal(err)
	}
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}

// measure answers a request and takes its cost.
func (s *hostileServer) measure(t testing.TB, r *http.Request) cost {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := cpuTime(t)
	o := s.send(r)
	cpu := cpuTime(t) - start
	runtime.ReadMemStats(&after)
	return cost{cpu, after.TotalAlloc - before.TotalAlloc, o}
}

// peak answers a request and samples the memory in use by objects, garbage
// included; it returns the most above what there was before.
func (s *hostileServer) peak(r *http.Request) uint64 {
	sample := []runtimemetrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	read := func() uint64 { runtimemetrics.Read(sample); return sample[0].Value.Uint64() }
	runtime.GC()
	base := read()
	most, done := base, make(chan struct{})
	sampled := make(chan struct{})
	go func() {
		defer close(sampled)
		for {
			select {
			case <-done:
				return
			case <-time.After(time.Millisecond):
				most = max(most, read())
			}
		}
	}()
	s.send(r)
	close(done)
	<-sampled
	return max(most, read()) - base
}

// BenchmarkHostile sends every request of the corpus once and reports the
// worst. No request may take more than 0.3 s and 64 MiB.
func BenchmarkHostile(b *testing.B) {
	lines := readHostile(b)
	server := newHostileServer(b)
	requests := make([]*http.Request, len(lines))
	for b.Loop() {
		var slowest, largest, highest worst
		for i, line := range lines {
			requests[i] = hostileRequest(b, line)
			runtime.GC()
			c := server.measure(b, requests[i])
			slowest.take(c.cpu.Seconds(), line, &c)
			largest.take(float64(c.alloc)/(1<<20), line, &c)
			if c.alloc > 32<<20 {
				highest.take(float64(server.peak(hostileRequest(b, line)))/(1<<20), line, &c)
			}
			if *hostileCosts {
				fmt.Printf("%.3f s\t%5.1f MiB\t%d units\tstatus %d\t%d bytes\t%.200s\n", c.cpu.Seconds(), float64(c.alloc)/(1<<20), c.units, c.status, c.size, line)
			}
			if err := c.check(); err != "" {
				b.Errorf("%.200s: %s", line, err)
			}
		}
		b.ReportMetric(slowest.value, "max-cpu-s")
		b.ReportMetric(largest.value, "max-alloc-MiB")
		b.ReportMetric(highest.value, "max-heap-MiB")
		b.Logf("most CPU: %s", &slowest)
		b.Logf("most allocated: %s", &largest)
		b.Logf("most heap in use: %s", &highest)
	}
}

// worst is the request with the largest value of some kind.
type worst struct {
	value float64
	line  string
	cost
}

func (w *worst) take(value float64, line string, c *cost) {
	if value > w.value {
		*w = worst{value, line, *c}
		w.parts = nil
	}
}

func (w *worst) String() string {
	return fmt.Sprintf("%.3f (%v, %d MiB allocated, %d units, status %d): %.300s", w.value, w.cpu, w.alloc>>20, w.units, w.status, w.line)
}
