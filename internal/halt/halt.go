// Package halt lets long loops notice that a context is done at the price of
// a load: a Flag is put up when it is, and looked at wherever some
// milliseconds of work may have passed.
package halt

import (
	"context"
	"sync/atomic"
)

// A Flag tells whether a context is done. It is safe for concurrent use; nil
// is never up.
type Flag struct {
	up   atomic.Bool
	look func() // nil but in tests
	ctx  context.Context
}

// Watch returns a flag that is put up when the context is done. The caller
// calls release when it does not look any more.
func Watch(ctx context.Context) (f *Flag, release func()) {
	f = &Flag{ctx: ctx}
	f.look, _ = ctx.Value(hookKey{}).(func())
	f.up.Store(ctx.Err() != nil)
	stop := context.AfterFunc(ctx, func() { f.up.Store(true) })
	return f, func() { stop() }
}

// Up reports whether the context is done. What is left undone when it is up
// means nothing: the caller has to ask Err before it uses any.
func (f *Flag) Up() bool {
	if f == nil {
		return false
	}
	if f.look != nil {
		f.look()
	}
	return f.up.Load()
}

// Err returns the reason why the flag is up, or nil.
func (f *Flag) Err() error {
	if f.Up() {
		return f.ctx.Err()
	}
	return nil
}

type hookKey struct{}

// WithHook returns a context whose flags call look at every look, for tests
// that stop at each of them or measure what lies between.
func WithHook(ctx context.Context, look func()) context.Context {
	return context.WithValue(ctx, hookKey{}, look)
}
