package halt

import (
	"context"
	"errors"
	"testing"
	"time"
)

func TestFlag(t *testing.T) {
	looks := 0
	ctx, cancel := context.WithCancel(WithHook(context.Background(), func() { looks++ }))
	f, release := Watch(ctx)
	defer release()
	if f.Up() || f.Err() != nil || looks != 2 {
		t.Errorf("up before the end, or %d looks instead of 2", looks)
	}
	cancel()
	for start := time.Now(); !f.Up(); {
		if time.Since(start) > 10*time.Second {
			t.Fatal("not up after the end")
		}
	}
	if err := f.Err(); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	late, release := Watch(ctx)
	defer release()
	if !late.Up() {
		t.Error("not up though the context was done before")
	}
	if none := (*Flag)(nil); none.Up() || none.Err() != nil {
		t.Error("no flag is up")
	}
}
