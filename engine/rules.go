package engine

import (
	"errors"
	"fmt"
)

// Rules is a compiled Variant. It is immutable and safe for concurrent use.
type Rules struct {
	variant  Variant
	geometry *geometry
	all      Bits
	crown    [2]Bits // the row on which a side's men are crowned
	first    Color

	manSteps    [2][]Direction
	manCaptures [2][]Direction

	flying       bool
	landing      Landing
	optional     bool
	choice       []Criterion
	liftNow      bool
	turnBack     bool
	passing      bool // promotion in mid-capture
	menTakeKings bool
	sideways     bool // men have reversible moves

	situations []Situation
	kingMoves  Plies
	gameLength Plies

	names []string // of squares, in the variant's notation
}

// A Landing says where a capturing king may land.
type Landing uint8

// The landing rules.
const (
	LandAny        Landing = iota
	LandBehind             // right behind the piece taken
	LandBehindKing         // a capture whose last piece is a king stops right behind it
	LandGoOn               // where the capture goes on, if it does from some landing square
)

// A Criterion is one of those that decide which captures are legal.
type Criterion uint8

// The criteria; of two captures the one that has more of it is legal.
const (
	MostPieces    Criterion = iota // pieces taken
	KingCaptures                   // the capturing piece is a king
	MostKings                      // kings taken
	KingsEarliest                  // kings taken early, compared piece by piece
	criteria      = iota
)

// ErrVariant is wrapped by every error about the parameters of a variant.
var ErrVariant = errors.New("bad variant")

// A ParameterError names the parameter of a variant that is refused.
type ParameterError struct {
	Key    string // the parameter's key in a rule file
	Draw   int    // the draw rule that it belongs to, counted from 0; -1 if none
	Reason string
}

func (e *ParameterError) Error() string { return fmt.Sprintf("%s: %s", e.Key, e.Reason) }

// Unwrap makes errors.Is find ErrVariant.
func (e *ParameterError) Unwrap() error { return ErrVariant }

func refuse(key, format string, args ...any) error {
	return &ParameterError{Key: key, Draw: -1, Reason: fmt.Sprintf(format, args...)}
}

// Compile checks a variant and makes its lookup tables. Its error is a
// *ParameterError that names the parameter at fault.
func Compile(v Variant) (*Rules, error) {
	if err := v.validate(); err != nil {
		return nil, err
	}
	steps := diagonalSteps
	if v.Lines == "orthogonal" {
		steps = orthogonalSteps
	}
	g := newGeometry(v.Rows, v.Columns, squareSet(v.Squares), steps)
	r := &Rules{
		variant: v, geometry: g, all: g.all(),
		crown:        [2]Bits{g.rowBits(0), g.rowBits(v.Rows - 1)},
		flying:       v.King == "flying",
		optional:     v.Capture == "optional",
		liftNow:      v.Lifting == "now",
		turnBack:     v.TurnBack,
		passing:      v.Promotion == "passing",
		menTakeKings: v.MenTakeKings,
		sideways:     v.MenMove == "forward-sideways",
	}
	if v.First == "black" {
		r.first = Black
	}
	r.landing = map[string]Landing{"any": LandAny, "behind": LandBehind, "behind-king": LandBehindKing, "go-on": LandGoOn}[v.Landing]
	for _, c := range v.Choice {
		r.choice = append(r.choice, map[string]Criterion{
			"most-pieces": MostPieces, "king-captures": KingCaptures,
			"most-kings": MostKings, "kings-earliest": KingsEarliest,
		}[c])
	}
	for c := White; c <= Black; c++ {
		r.manSteps[c] = g.manDirections(c, v.MenMove)
		r.manCaptures[c] = g.manDirections(c, v.MenCapture)
	}
	r.nameSquares()
	return r, r.compileDraws()
}

// MustCompile is Compile for variants known to be right.
func MustCompile(v Variant) *Rules {
	r, err := Compile(v)
	if err != nil {
		panic(err)
	}
	return r
}

// manDirections returns the directions that a word such as forward-sideways
// gives to the men of a side.
func (g *geometry) manDirections(c Color, word string) []Direction {
	forward := -1 // White moves up, towards row 0
	if c == Black {
		forward = 1
	}
	var out []Direction
	for d := range Direction(directions) {
		ok := false
		switch g.delta[d] * forward {
		case 1:
			ok = true
		case 0:
			ok = word == "forward-sideways" || word == "all"
		case -1:
			ok = word == "forward-backward" || word == "all"
		}
		if ok {
			out = append(out, d)
		}
	}
	return out
}

// Variant returns the parameters that the rules were compiled from.
func (r *Rules) Variant() Variant { return r.variant }

// Squares returns the number of playing squares; they are 0 … Squares()-1.
func (r *Rules) Squares() int { return r.geometry.squares }

// All returns the set of playing squares.
func (r *Rules) All() Bits { return r.all }

// MenSquares returns the squares where a man of colour c can stand at rest.
func (r *Rules) MenSquares(c Color) Bits { return r.all &^ r.crown[c] }

// Optional reports whether a side may decline to capture.
func (r *Rules) Optional() bool { return r.optional }

// MenMoveSideways reports whether men have quiet moves that keep their row.
func (r *Rules) MenMoveSideways() bool { return r.sideways }

// Row returns the row of a square, 0 being the top row.
func (r *Rules) Row(s Square) int { return int(r.geometry.row[s]) }

// Column returns the column of a square, 0 being the a-file.
func (r *Rules) Column(s Square) int { return int(r.geometry.column[s]) }

// Turn turns a set of squares by 180 degrees.
func (r *Rules) Turn(b Bits) Bits { return r.geometry.turn(b) }
