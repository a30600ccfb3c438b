package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"dambase/cmd/internal/cli"
	"dambase/engine"
	"dambase/index"
	"dambase/probe"
	"dambase/storage"

	"github.com/spf13/cobra"
)

// app is what the subcommands share: the common flags and the streams.
type app struct {
	db        string
	variant   string
	json      bool
	quiet     bool
	logFormat string

	in     io.Reader
	out    *bufio.Writer
	errOut io.Writer
	log    *slog.Logger
}

// run executes a command line and returns its exit status.
func run(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) int {
	a := &app{in: in, out: bufio.NewWriter(out), errOut: errOut}
	root := a.command()
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(a.out)
	root.SetErr(errOut)
	err := root.ExecuteContext(ctx)
	if flushErr := a.out.Flush(); err == nil && flushErr != nil {
		err = flushErr
	}
	if err != nil {
		if errors.Is(err, context.Canceled) {
			err = errors.New("stopped")
		}
		fmt.Fprintln(errOut, "tbgen:", err)
	}
	return cli.Status(err)
}

func (a *app) command() *cobra.Command {
	root := &cobra.Command{
		Use:     "tbgen",
		Version: cli.Version(),
		Short:   "Build, check and read endgame tables of draughts",
		Long: "tbgen builds endgame tables of draughts, checks them, and answers from them.\n" +
			"Results go to standard output, everything else to standard error.\n" +
			"Exit status: 0 done, 1 the work failed, 2 wrong usage or bad input.",
		SilenceErrors: true, SilenceUsage: true,
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: true},
		Args:              cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return cmd.Help()
		},
		PersistentPreRunE: func(*cobra.Command, []string) (err error) {
			if a.db == "" {
				return cli.Usagef("--db is empty: want a directory")
			}
			a.log, err = cli.NewLogger(a.errOut, a.logFormat, a.quiet)
			return err
		},
	}
	root.SetVersionTemplate("tbgen: {{.Version}}\n")
	f := root.PersistentFlags()
	f.StringVar(&a.db, "db", cli.DefaultDB(), "directory of the tables ($DAMBASE_DB)")
	f.StringVar(&a.variant, "variant", "", "variant, or a rule file *.toml; a comma list, or all, where it makes sense")
	f.BoolVar(&a.json, "json", false, "print one JSON object a line")
	f.BoolVar(&a.quiet, "quiet", false, "report errors alone")
	f.StringVar(&a.logFormat, "log-format", "text", "form of what is reported: text or json")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return cli.Usage(err) })
	root.AddCommand(a.buildCommand(), a.planCommand(), a.verifyCommand(), a.infoCommand(), a.statsCommand(),
		a.probeCommand(), a.lineCommand(), a.movesCommand(), a.perftCommand(), a.variantsCommand(), a.dumpCommand())
	markUsage(root)
	return root
}

// untilSignal returns a context that ctrl-C ends; a second one kills.
func untilSignal(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// markUsage makes wrong arguments usage errors in all commands.
func markUsage(cmd *cobra.Command) {
	if check := cmd.Args; check != nil {
		cmd.Args = func(cmd *cobra.Command, args []string) error { return cli.Usage(check(cmd, args)) }
	}
	for _, sub := range cmd.Commands() {
		markUsage(sub)
	}
}

// rules returns the rules of the one variant that --variant names.
func (a *app) rules() (*engine.Rules, error) {
	if a.variant == "" {
		return nil, cli.Usagef("--variant is required: a rule file *.toml or one of %s", strings.Join(cli.VariantNames(), ", "))
	}
	return cli.Compile(a.variant)
}

// rulesList returns the rules of a comma list of variants, or of all.
func (a *app) rulesList() ([]*engine.Rules, error) {
	if a.variant == "" {
		_, err := a.rules()
		return nil, err
	}
	names := strings.Split(a.variant, ",")
	if a.variant == "all" {
		names = cli.VariantNames()
	}
	var out []*engine.Rules
	for _, name := range names {
		r, err := cli.Compile(name)
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}

// openReader opens the tables; a directory without any is an error.
func (a *app) openReader() (*storage.Reader, error) {
	return storage.OpenReader(a.db, storage.ReaderOptions{Logger: a.log})
}

// openTables opens the tables of the one variant that --variant names. A
// directory without tables gives tables that know no position.
func (a *app) openTables() (*probe.Tables, func() error, error) {
	rules, err := a.rules()
	if err != nil {
		return nil, nil, err
	}
	t, err := probe.Open(a.db, probe.Options{Variant: rules.Variant(), Logger: a.log})
	if errors.Is(err, storage.ErrNoStore) {
		a.log.Warn("there are no tables; build them with tbgen build", "db", a.db)
		t, err = probe.New(nil, rules)
	}
	if err != nil {
		return nil, nil, err
	}
	return t, t.Close, nil
}

// parseSlices reads a comma list of slices.
func parseSlices(text string) ([]index.Slice, error) {
	var out []index.Slice
	for item := range strings.SplitSeq(text, ",") {
		s, err := index.ParseSlice(item)
		if err != nil {
			return nil, cli.Usage(err)
		}
		out = append(out, s)
	}
	return out, nil
}

// printJSON prints a value as one line.
func (a *app) printJSON(v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.out, "%s\n", text)
	return err
}
