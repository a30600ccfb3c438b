package main

import (
	"errors"
	"fmt"
	"text/tabwriter"
	"time"

	"dambase/cmd/internal/cli"
	"dambase/engine"
	"dambase/index"
	"dambase/retro"
	"dambase/storage"

	"github.com/spf13/cobra"
)

func (a *app) planCommand() *cobra.Command {
	var flags buildFlags
	cmd := &cobra.Command{
		Use:   "plan --variant V (--pieces N | --slices S,…)",
		Short: "Print what build would do, and build nothing",
		Long: "plan takes the flags of build and prints the slices in the order of building,\n" +
			"each with its mirror, their positions, the memory they need at least, the memory\n" +
			"they take if --memory leaves it for finished slices, and estimates of the disk space\n" +
			"and of the CPU time on one core. A slice that takes the slow solver, as far as the\n" +
			"tables that are there tell, says why.",
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return a.plan(&flags) },
	}
	flags.add(cmd.Flags())
	return cmd
}

// planLine is a step of a plan in JSON; the last line of a variant is the total.
type planLine struct {
	Variant   string   `json:"variant"`
	Slice     string   `json:"slice,omitempty"`
	Mirror    string   `json:"mirror,omitempty"`
	DependsOn []string `json:"depends_on,omitempty"`
	Positions uint64   `json:"positions"`
	Needed    uint64   `json:"needed_bytes"` // the smallest --memory
	Memory    uint64   `json:"memory_bytes"` // that is taken under the given --memory
	Disk      uint64   `json:"disk_bytes"`
	CPU       float64  `json:"cpu_seconds"`
	Slow      string   `json:"slow,omitempty"` // why the reference solver does it, as far as is known
	Done      bool     `json:"done"`
	Fits      bool     `json:"fits"`
	Total     bool     `json:"total"`
}

func (a *app) plan(flags *buildFlags) error {
	list, err := a.rulesList()
	if err != nil {
		return err
	}
	wanted, err := flags.wanted()
	if err != nil {
		return err
	}
	reader, err := a.openReader()
	if errors.Is(err, storage.ErrNoStore) {
		reader = nil
	} else if err != nil {
		return err
	} else {
		defer reader.Close()
	}
	for _, r := range list {
		metrics, err := flags.metricList(r)
		if err != nil {
			return err
		}
		if reader != nil {
			if err := reader.CheckRules(r.Variant()); err != nil {
				return err
			}
		}
		lines, err := planLines(r, wanted, metrics, flags, reader)
		if err != nil {
			return err
		}
		if err := a.printPlan(lines); err != nil {
			return err
		}
	}
	return nil
}

func planLines(r *engine.Rules, wanted []index.Slice, metrics []index.Metric, flags *buildFlags, reader *storage.Reader) ([]planLine, error) {
	var store retro.TableReader
	if reader != nil {
		store = reader.Variant(r.Variant())
	}
	steps, err := retro.Plan(r, wanted, metrics, flags.workers, store)
	if err != nil {
		return nil, cli.Usage(err)
	}
	name := r.Variant().Name
	total := planLine{Variant: name, Total: true, Fits: true, Done: true}
	var lines []planLine
	peaks := retro.Peaks(steps, retro.Bytes(flags.memory))
	for i, s := range steps {
		line := planLine{
			Variant: name, Slice: s.Pair[0].String(), Mirror: s.Pair[1].String(), Positions: s.Positions,
			Needed: uint64(s.Memory), Memory: uint64(peaks[i]), Disk: uint64(s.Disk), CPU: s.CPU, Slow: s.Slow,
			Done: reader != nil, Fits: s.Memory <= retro.Bytes(flags.memory),
		}
		for _, d := range index.PairDependencies(s.Pair) {
			line.DependsOn = append(line.DependsOn, d[0].String())
		}
		for _, slice := range s.Pair {
			for _, m := range metrics {
				line.Done = line.Done && isReadable(reader.Variant(r.Variant()).Table(slice, m))
			}
		}
		lines = append(lines, line)
		total.Positions += line.Positions
		total.Disk += line.Disk
		total.Memory = max(total.Memory, line.Memory)
		total.Needed = max(total.Needed, line.Needed)
		total.Fits = total.Fits && line.Fits
		total.Done = total.Done && line.Done
		if !line.Done {
			total.CPU += line.CPU
		}
	}
	return append(lines, total), nil
}

// isReadable reports whether a table is there and not known to be damaged.
func isReadable(t *storage.Table) bool {
	if t == nil {
		return false
	}
	_, err := t.Footer()
	return err == nil
}

// cpuText writes seconds; those of hopeless plans are too many for a Duration.
func cpuText(seconds float64) string {
	if hours := seconds / 3600; hours > 1e4 {
		return fmt.Sprintf("%.2g h", hours)
	}
	return time.Duration(seconds * float64(time.Second)).Round(100 * time.Millisecond).String()
}

func (a *app) printPlan(lines []planLine) error {
	if a.json {
		for _, line := range lines {
			if err := a.printJSON(line); err != nil {
				return err
			}
		}
		return nil
	}
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "%s\tmirror\tpositions\tneeds\ttakes\tdisk\tCPU time\t\n", lines[0].Variant)
	for _, l := range lines {
		note := ""
		switch {
		case l.Total:
			l.Slice = "total"
		case l.Done:
			note = "done"
		case !l.Fits:
			note = "does not fit into --memory"
		case l.Slow != "":
			note = "slow: " + l.Slow
		}
		cpu := cpuText(l.CPU)
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%s\t%s\t%s\t %s\n", l.Slice, l.Mirror, l.Positions, retro.Bytes(l.Needed), retro.Bytes(l.Memory), retro.Bytes(l.Disk), cpu, note)
	}
	return w.Flush()
}
