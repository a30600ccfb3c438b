// Package cli holds what the commands share: exit statuses, variants, sizes
// and loggers from flags.
package cli

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"

	"dambase/engine"
	"dambase/storage"
)

// Exit statuses of the commands.
const (
	StatusDone   = 0
	StatusFailed = 1 // the work failed
	StatusUsage  = 2 // wrong usage or bad input
)

// A UsageError is wrong usage or bad input.
type UsageError struct{ error }

// Unwrap returns the error itself.
func (e UsageError) Unwrap() error { return e.error }

// Usage marks an error as wrong usage or bad input; nil stays nil.
func Usage(err error) error {
	if err == nil {
		return nil
	}
	return UsageError{err}
}

// Usagef makes a UsageError.
func Usagef(format string, args ...any) error { return UsageError{fmt.Errorf(format, args...)} }

// Status returns the exit status that an error stands for.
func Status(err error) int {
	var usage UsageError
	switch {
	case err == nil:
		return StatusDone
	case errors.As(err, &usage), errors.Is(err, engine.ErrVariant), errors.Is(err, storage.ErrRules):
		return StatusUsage
	}
	return StatusFailed
}

// DefaultDB returns the directory of tables that is used without a flag.
func DefaultDB() string {
	if dir := os.Getenv("DAMBASE_DB"); dir != "" {
		return dir
	}
	return "./tables"
}

// NewLogger returns a logger that writes to w as text or JSON.
func NewLogger(w io.Writer, format string, quiet bool) (*slog.Logger, error) {
	o := &slog.HandlerOptions{Level: slog.LevelInfo}
	if quiet {
		o.Level = slog.LevelError
	}
	switch format {
	case "text":
		return slog.New(slog.NewTextHandler(w, o)), nil
	case "json":
		return slog.New(slog.NewJSONHandler(w, o)), nil
	}
	return nil, Usagef("--log-format %q: want text or json", format)
}

// Variant returns the built-in variant of a name, or reads a rule file, which
// is told by its ending .toml.
func Variant(name string) (engine.Variant, error) {
	if strings.HasSuffix(name, ".toml") {
		return engine.ReadRuleFile(name)
	}
	if v, ok := engine.Builtin(name); ok {
		return v, nil
	}
	return engine.Variant{}, Usagef("unknown variant %q: want a rule file *.toml or one of %s", name, strings.Join(VariantNames(), ", "))
}

// VariantNames lists the names of the built-in variants.
func VariantNames() []string {
	var names []string
	for _, v := range engine.BuiltinVariants() {
		names = append(names, v.Name)
	}
	return names
}

// Compile returns the rules of a variant by name.
func Compile(name string) (*engine.Rules, error) {
	v, err := Variant(name)
	if err != nil {
		return nil, err
	}
	return engine.Compile(v)
}
