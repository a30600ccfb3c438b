package main

import (
	"io"
	"log/slog"
	"os"
	"sync/atomic"
	"time"

	"dambase/index"
	"dambase/retro"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// progress shows how a build goes on: a bar on a terminal, else a line in the
// log every half minute. It implements retro.Events.
type progress struct {
	log     *slog.Logger
	variant string
	rate    *rate
	skipped bool // the present step has no table missing
	tables  int
	step    atomic.Pointer[string]
	start   time.Time

	bars *mpb.Progress
	bar  *mpb.Bar
	stop chan struct{}
	done chan struct{}
}

const logInterval = 30 * time.Second

func (a *app) newProgress(variant string, steps []retro.Step) *progress {
	p := &progress{
		log: a.log, variant: variant, rate: newRate(steps), start: time.Now(),
		stop: make(chan struct{}), done: make(chan struct{}),
	}
	none := ""
	p.step.Store(&none)
	if !a.quiet && isTerminal(a.errOut) {
		p.bars = mpb.New(mpb.WithOutput(a.errOut))
		p.bar = p.bars.AddBar(int64(p.rate.total),
			mpb.PrependDecorators(decor.Any(func(decor.Statistics) string { return variant + " " + *p.step.Load() + " " })),
			mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return p.text() })))
		close(p.done)
		return p
	}
	go p.report()
	return p
}

// isTerminal reports whether w is a terminal.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// report logs a line every half minute until the build ends.
func (p *progress) report() {
	defer close(p.done)
	tick := time.NewTicker(logInterval)
	defer tick.Stop()
	for {
		select {
		case <-p.stop:
			return
		case <-tick.C:
			p.log.Info("building", "variant", p.variant, "slice", *p.step.Load(), "progress", p.text())
		}
	}
}

// text tells the share done, the speed and the time left.
func (p *progress) text() string { return p.rate.text(time.Since(p.start).Seconds()) }

// Started implements retro.Events.
func (p *progress) Started(step retro.Step, missing int) {
	name := step.Pair[0].String()
	p.step.Store(&name)
	p.skipped = missing == 0
}

// Replanned implements retro.Events.
func (p *progress) Replanned(steps []retro.Step) {
	p.rate.replan(steps)
	p.log.Warn("distances are too long for the fast solver", "variant", p.variant, "slice", *p.step.Load())
}

// Solved implements retro.Events.
func (p *progress) Solved(positions uint64) {
	p.rate.add(positions)
	p.show(positions)
}

// show moves the bar on.
func (p *progress) show(positions uint64) {
	if p.bar != nil {
		p.bar.IncrInt64(int64(positions))
	}
}

// Stored implements retro.Events.
func (p *progress) Stored(t *index.Contents) {
	p.tables++
	p.log.Debug("stored", "variant", p.variant, "slice", t.Slice.String(), "metric", string(t.Metric))
}

// Finished implements retro.Events. It counts the positions of a step that
// were read back or skipped instead of solved.
func (p *progress) Finished(retro.Step) { p.show(p.rate.finish(p.skipped)) }

// close ends the display and sums the build up.
func (p *progress) close(err error) {
	close(p.stop)
	<-p.done
	if p.bars != nil {
		if err != nil {
			p.bar.Abort(false)
		} else {
			p.bar.SetTotal(-1, true)
		}
		p.bars.Wait()
	}
	if err == nil {
		p.log.Info("built", "variant", p.variant, "tables", p.tables, "positions", p.rate.total, "seconds", int(time.Since(p.start).Seconds()+0.5))
	}
}
