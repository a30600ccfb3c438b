package index

import (
	"errors"
	"testing"
)

// TestSliceText: a slice has one spelling, with ten pieces of a kind and more too.
func TestSliceText(t *testing.T) {
	for text, want := range map[string]Slice{
		"2110": NewSlice(2, 1, 1, 0), "c00c": NewSlice(12, 0, 0, 12), "0a9k": NewSlice(0, 10, 9, 20), "z001": NewSlice(35, 0, 0, 1),
	} {
		if got, err := ParseSlice(text); err != nil || got != want || got.String() != text {
			t.Errorf("%s: %v, written %s (%v)", text, got, got, err)
		}
	}
	if text := NewSlice(63, 0, 0, 1).String(); text != "z001" {
		t.Errorf("63 men are written %s", text)
	}
	for _, text := range []string{"", "111", "11111", "1-11", "C00c", "1100", "0011", "é11"} {
		if _, err := ParseSlice(text); !errors.Is(err, ErrSlice) {
			t.Errorf("%s: error %v", text, err)
		}
	}
}
