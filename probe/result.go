package probe

import (
	"strconv"

	"dambase/engine"
	"dambase/index"
)

// WLD is a result for the side to move, without draw rules.
type WLD uint8

// The results. The zero value is Unknown.
const (
	Unknown WLD = iota
	Loss
	Draw
	Win
)

func (w WLD) String() string { return [...]string{"unknown", "loss", "draw", "win"}[w] }

// MarshalText makes JSON use the names that docs/http.md lists.
func (w WLD) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

// Category is a result for the side to move under the draw rules.
type Category uint8

// The categories. The zero value is CategoryUnknown.
const (
	CategoryUnknown Category = iota
	CategoryLoss
	CategoryBlessedLoss // lost, but the draw rules save it
	CategoryDraw
	CategoryCursedWin // won, but the draw rules save the defender
	CategoryWin
)

func (c Category) String() string {
	return [...]string{"unknown", "loss", "blessed-loss", "draw", "cursed-win", "win"}[c]
}

// MarshalText makes JSON use the names that docs/http.md lists.
func (c Category) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// A Distance is a signed number of plies, positive if the side to move wins,
// negative if it loses; or nothing, for a draw or an unknown distance.
type Distance struct {
	plies engine.Plies
	known bool
}

// Plies returns the distance; ok is false if there is none.
func (d Distance) Plies() (plies engine.Plies, ok bool) { return d.plies, d.known }

// MarshalJSON writes a number or null.
func (d Distance) MarshalJSON() ([]byte, error) {
	if !d.known {
		return []byte("null"), nil
	}
	return strconv.AppendInt(nil, int64(d.plies), 10), nil
}

func (d Distance) String() string {
	if !d.known {
		return "-"
	}
	return strconv.Itoa(int(d.plies))
}

// abs returns the distance without its sign.
func (d Distance) abs() engine.Plies {
	if d.plies < 0 {
		return -d.plies
	}
	return d.plies
}

func plies(n engine.Plies) Distance { return Distance{n, true} }

// A Result is what is known of a position, for its side to move.
type Result struct {
	Category Category // under the draw rules
	WLD      WLD      // without them
	DTW      Distance // without them
	DTZ      Distance // how much of the binding counter the ruled result needs
	// Inexact tells that the length of the game leaves the category undecided;
	// it is then the one without a limit of length.
	Inexact bool
	// GameOver tells that the side to move has no legal move or no piece, or
	// that a counter has reached its limit.
	GameOver bool
	// Missing is the slice whose table is wanted and not there; zero if none.
	Missing index.Slice
	// OverBudget tells that something is unknown since the captures are too
	// many to be searched.
	OverBudget bool
}

// decided reports whether a search of the moves has nothing to add to the verdict.
func (r *Result) decided() bool {
	return r.GameOver || r.Category != CategoryUnknown && r.WLD != Unknown && !r.Inexact
}

// lacksDistance reports whether a win or a loss has no distance.
func (r *Result) lacksDistance() bool { return (r.WLD == Win || r.WLD == Loss) && !r.DTW.known }

// lacks reports whether something is not known of a position.
func (r *Result) lacks() bool {
	return r.Category == CategoryUnknown || r.WLD == Unknown || r.lacksDistance()
}

// complete reports whether a search of the moves has nothing to add.
func (r *Result) complete() bool { return r.decided() && (r.GameOver || !r.lacksDistance()) }

// with adds to what the tables tell of a position what its moves tell.
func (r Result) with(moves Result) Result {
	if r.WLD == Unknown {
		r.WLD = moves.WLD
	}
	if !r.DTW.known {
		r.DTW = moves.DTW
	}
	if r.Category == CategoryUnknown || r.Inexact && !moves.Inexact && moves.Category != CategoryUnknown {
		r.Category, r.DTZ, r.Inexact = moves.Category, moves.DTZ, moves.Inexact
	}
	switch {
	case !r.lacks():
		r.Missing, r.OverBudget = index.Slice{}, false
	case r.Reason() == "":
		r.Missing, r.OverBudget = moves.Missing, moves.OverBudget
	}
	return r
}

// Reason says why something is unknown; "" if nothing is.
func (r *Result) Reason() string {
	switch {
	case r.OverBudget:
		return "the captures are too many to be searched"
	case r.Missing != index.Slice{}:
		return "no table of slice " + r.Missing.String()
	}
	return ""
}
