package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"runtime/debug"
	"sync"
	"syscall"
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
	limits    limits
	memory    cli.Bytes
	conns     connLimits
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

	baseMemory       = 128 << 20 // of the server without cache and requests
	minRequestMemory = 32 << 20  // so that the largest answer fits
)

// run executes a command line and returns its exit status.
func run(ctx context.Context, args []string, out, errOut io.Writer) int {
	flags := serveFlags{cache: 512 << 20, memory: 256 << 20}
	cmd := &cobra.Command{
		Use:   "tbserve",
		Short: "Answer probes of endgame tables of draughts over HTTP",
		Long: "tbserve opens a directory of tables read-only, beside a running build, and answers\n" +
			"probes over HTTP. New tables are served as soon as they are finished.",
		Version:       cli.Version(),
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
	f.IntVar(&flags.limits.requests, "max-requests", 256, "requests whose body has come that are answered at once or wait for it; more are told to come back")
	f.Var(&flags.memory, "request-memory", "memory for bodies and answers of more than 64 KiB; requests that need more are told to come back")
	f.IntVar(&flags.conns.all, "max-connections", 4096, "connections that may be open; more are turned away")
	f.IntVar(&flags.conns.perClient, "max-per-client", 1024, "connections that one address may have open; set it to 0, no bound, behind a proxy")
	f.StringVar(&flags.logFormat, "log-format", "text", "form of what is reported: text or json")
	f.BoolVar(&flags.quiet, "quiet", false, "report errors alone")
	cmd.SetVersionTemplate("tbserve: {{.Version}}\n")
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
	if err := flags.check(); err != nil {
		return err
	}
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	defer signal.Stop(hangups)
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
		if err := tables.close(); err != nil {
			log.Error("closing the tables", "error", err)
		}
	}()
	listener, err := net.Listen("tcp", flags.addr)
	if err != nil {
		return err
	}
	// What is not cache is garbage soon: it is collected before it adds up.
	debug.SetMemoryLimit(int64(flags.cache) + int64(flags.memory) + baseMemory)
	server := &http.Server{
		Handler:           newServer(tables, flags.limits, log).handler,
		ReadHeaderTimeout: readHeaderTimeout, ReadTimeout: readTimeout, WriteTimeout: writeTimeout, IdleTimeout: idleTimeout,
		MaxHeaderBytes: maxHeaderBytes,
		ErrorLog:       slog.NewLogLogger(log.Handler(), slog.LevelDebug), // what clients do wrong
	}
	log.Info("serving", "address", "http://"+listener.Addr().String(), "db", flags.db, "tables", tables.current.Load().count())
	watcher.Go(func() { tables.watch(watching, hangups) })
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(limitListener(listener, flags.conns)) }()
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

// check refuses limits that make no sense, and completes them.
func (f *serveFlags) check() error {
	if f.limits.requests < 1 {
		return cli.Usagef("--max-requests %d: want at least 1", f.limits.requests)
	}
	if f.conns.all < 0 || f.conns.perClient < 0 {
		return cli.Usagef("--max-connections %d, --max-per-client %d: want 0, no bound, or more", f.conns.all, f.conns.perClient)
	}
	if f.memory < minRequestMemory {
		return cli.Usagef("--request-memory %s: want at least 32MiB", &f.memory)
	}
	f.limits.memory = uint64(f.memory)
	var files syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &files); err == nil {
		f.conns = f.conns.within(files.Cur)
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
