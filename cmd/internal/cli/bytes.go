package cli

import (
	"math"
	"strconv"
	"strings"

	"dambase/retro"
)

// Bytes is a flag for an amount of memory, such as 4GiB.
type Bytes retro.Bytes

var units = []struct {
	name string
	size float64
}{
	{"KiB", 1 << 10},
	{"MiB", 1 << 20},
	{"GiB", 1 << 30},
	{"TiB", 1 << 40},
	{"KB", 1e3},
	{"MB", 1e6},
	{"GB", 1e9},
	{"TB", 1e12},
	{"B", 1},
}

// Set reads a number with a unit.
func (b *Bytes) Set(text string) error {
	for _, u := range units {
		number, ok := strings.CutSuffix(text, u.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if err != nil || !(n > 0) || n*u.size > math.MaxInt64/2 {
			break
		}
		*b = Bytes(n * u.size)
		return nil
	}
	return Usagef("%q is not an amount of memory: want a number and KiB, MiB, GiB or TiB, as in 4GiB", text)
}

func (b *Bytes) String() string { return strings.ReplaceAll(retro.Bytes(*b).String(), " ", "") }

// Type names the flag's value in the help.
func (b *Bytes) Type() string { return "SIZE" }
