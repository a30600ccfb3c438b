package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"dambase/cmd/internal/cli"
	"dambase/engine"

	"github.com/spf13/cobra"
)

type serveFlags struct {
	db        string
	variants  []string
	addr      string
	cache     cli.Bytes
	inFlight  int
	logFormat string
	quiet     bool
}

const (
	readHeaderTimeout = 5 * time.Second
	readTimeout       = 15 * time.Second
	writeTimeout      = 30 * time.Second
	idleTimeout       = 2 * time.Minute
	stopTimeout       = 20 * time.Second
	maxHeaderBytes    = 16 << 10
)

// run executes a command line and returns its exit status.
func run(ctx context.Context, args []string, out, errOut io.Writer) int {
	flags := serveFlags{cache: 512 << 20}
	cmd := &cobra.Command{
		Use:   "tbserve",
		Short: "Answer probes of endgame tables of draughts over HTTP",
		Long: "tbserve opens a directory of tables read-only, beside a running build, and answers\n" +
			"probes over HTTP. New tables are served as soon as they are finished.",
		Args:          func(cmd *cobra.Command, args []string) error { return cli.Usage(cobra.NoArgs(cmd, args)) },
		SilenceErrors: true, SilenceUsage: true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
		RunE: func(cmd *cobra.Command, _ []string) error {
			log, err := cli.NewLogger(errOut, flags.logFormat, flags.quiet)
			if err != nil {
				return err
			}
			return serve(cmd.Context(), &flags, log)
		},
	}
	f := cmd.Flags()
	f.StringVar(&flags.db, "db", cli.DefaultDB(), "directory of the tables ($DAMBASE_DB)")
	f.StringArrayVar(&flags.variants, "variant", nil, "serve the variant of this rule file *.toml too; may be repeated")
	f.StringVar(&flags.addr, "addr", "127.0.0.1:8080", "address to listen on")
	f.Var(&flags.cache, "cache", "memory for decoded blocks")
	f.IntVar(&flags.inFlight, "max-requests", 256, "requests answered at once; more are told to come back")
	f.StringVar(&flags.logFormat, "log-format", "text", "form of what is reported: text or json")
	f.BoolVar(&flags.quiet, "quiet", false, "report errors alone")
	cmd.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return cli.Usage(err) })
	cmd.SetArgs(args)
	cmd.SetOut(out)
	cmd.SetErr(errOut)
	err := cmd.ExecuteContext(ctx)
	if err != nil {
		fmt.Fprintln(errOut, "tbserve:", err)
	}
	return cli.Status(err)
}

// serve answers requests until the context ends, then finishes those under way.
func serve(ctx context.Context, flags *serveFlags, log *slog.Logger) error {
	if flags.db == "" {
		return cli.Usagef("--db is empty: want a directory")
	}
	if flags.inFlight < 1 {
		return cli.Usagef("--max-requests %d: want at least 1", flags.inFlight)
	}
	variants, err := servedVariants(flags.variants)
	if err != nil {
		return err
	}
	tables, err := openTableSet(flags.db, variants, uint64(flags.cache), log)
	if err != nil {
		return err
	}
	var watcher sync.WaitGroup
	watching, stopWatching := context.WithCancel(ctx)
	defer func() {
		stopWatching()
		watcher.Wait() // a reload under way must not outlive the tables
		tables.close()
	}()
	listener, err := net.Listen("tcp", flags.addr)
	if err != nil {
		return err
	}
	server := &http.Server{
		Handler:           newServer(tables, flags.inFlight, log),
		ReadHeaderTimeout: readHeaderTimeout, ReadTimeout: readTimeout, WriteTimeout: writeTimeout, IdleTimeout: idleTimeout,
		MaxHeaderBytes: maxHeaderBytes,
		ErrorLog:       slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	log.Info("serving", "address", "http://"+listener.Addr().String(), "db", flags.db, "tables", tables.count())
	watcher.Go(func() { tables.watch(watching) })
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	log.Info("stopping")
	stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
	defer cancel()
	if err := server.Shutdown(stopping); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return nil
}

// servedVariants returns the built-in variants and those of rule files.
func servedVariants(files []string) ([]engine.Variant, error) {
	variants := engine.BuiltinVariants()
	for _, file := range files {
		v, err := engine.ReadRuleFile(file)
		if err != nil {
			return nil, err
		}
		for _, other := range variants {
			if other.Name == v.Name {
				return nil, cli.Usagef("--variant %s: there is a second variant named %s", file, v.Name)
			}
		}
		variants = append(variants, v)
	}
	return variants, nil
}
