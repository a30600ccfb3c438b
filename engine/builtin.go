package engine

import "slices"

// checkers is what the 8x8 variants with a1 dark share; the others are given
// by their differences.
var checkers = Variant{
	Rows: 8, Columns: 8, Squares: "dark", Lines: "diagonal",
	First: "white", StartRows: 3,
	MenMove: "forward", MenCapture: "forward-backward", MenTakeKings: true,
	King: "flying", Landing: "any", Capture: "compulsory", Choice: []string{},
	Lifting: "end", TurnBack: true, Promotion: "end",
	Draws:    []DrawRule{claimThreefold},
	Notation: "numbers", Numbering: "top-left", CaptureSign: "x",
}

var claimThreefold = DrawRule{Kind: Repetition, Limit: 3, Claim: true}

// Situations of draughts64 and brazilian: a king on both sides, and few pieces.
var (
	situationA = DrawRule{Kind: SituationRule, Name: "A", Limit: 10, When: []string{"K v K", "KK v K", "KM v K"}}
	situationB = DrawRule{Kind: SituationRule, Name: "B", Limit: 10, When: []string{"KK v KK", "KK v KM"}}
	situationC = DrawRule{
		Kind: SituationRule, Name: "C", Limit: 10, When: []string{"KKK v K", "KKM v K", "KMM v K"},
		LoneKingOn: []string{"a1", "b2", "c3", "d4", "e5", "f6", "g7", "h8"},
	}
	loneKingVersusTwo = DrawRule{Kind: SituationRule, Name: "1v2", Limit: 10, When: []string{"K v K", "KK v K", "KM v K"}}
)

func derive(base Variant, name string, change func(*Variant)) Variant {
	v := base
	v.Choice, v.Draws = slices.Clone(base.Choice), slices.Clone(base.Draws)
	v.Name = name
	change(&v)
	return v
}

// BuiltinVariants returns the variants that need no rule file, each a fresh copy.
func BuiltinVariants() []Variant {
	english := derive(checkers, "english", func(v *Variant) {
		v.First, v.MenCapture, v.King, v.Landing = "black", "forward", "short", "behind"
		v.Draws = []DrawRule{claimThreefold, {Kind: KingMoves, Limit: 80, Claim: true}}
		v.GameType = 21
	})
	international := derive(checkers, "international", func(v *Variant) {
		v.Rows, v.Columns, v.StartRows = 10, 10, 4
		v.Choice = []string{"most-pieces"}
		v.Draws = []DrawRule{
			{Kind: KingMoves, Limit: 50},
			{Kind: SituationRule, Name: "1v3", Limit: 32, When: []string{"KKK v K", "KKM v K", "KMM v K"}},
			loneKingVersusTwo,
			{Kind: Repetition, Limit: 3},
		}
		v.GameType = 20
	})
	brazilian := derive(checkers, "brazilian", func(v *Variant) {
		v.Choice = []string{"most-pieces"}
		v.Draws = []DrawRule{{Kind: KingMoves, Limit: 40}, situationA, situationB, claimThreefold}
		v.Notation, v.GameType = "algebraic", 26
	})
	draughts64 := derive(brazilian, "draughts64", func(v *Variant) {
		v.Draws = []DrawRule{
			{Kind: KingMoves, Limit: 40},
			situationA, situationB, situationC,
			{Kind: GameLength, Limit: 300},
			{Kind: Repetition, Limit: 5},
			{Kind: Repetition, Limit: 3, Claim: true, FlagDraw: true},
		}
	})
	russian := derive(checkers, "russian", func(v *Variant) {
		v.Landing, v.Promotion = "go-on", "passing"
		v.Draws = []DrawRule{
			{Kind: KingMoves, Limit: 30},
			loneKingVersusTwo,
			{Kind: SituationRule, Name: "kings", Limit: 30, When: []string{"KKK+ v K"}},
			claimThreefold,
		}
		v.Notation, v.CaptureSign, v.GameType = "algebraic", ":", 25
	})
	italian := derive(checkers, "italian", func(v *Variant) {
		v.Squares = "mirrored"
		v.MenCapture, v.MenTakeKings, v.King, v.Landing = "forward", false, "short", "behind"
		v.Choice = []string{"most-pieces", "king-captures", "most-kings", "kings-earliest"}
		v.Draws = []DrawRule{{Kind: KingMoves, Limit: 100}, {Kind: Repetition, Limit: 3}}
		v.GameType = 22
	})
	spanish := derive(checkers, "spanish", func(v *Variant) {
		v.Squares, v.MenCapture = "mirrored", "forward"
		v.Choice = []string{"most-pieces", "most-kings"}
		v.Numbering, v.GameType = "bottom-right", 24
	})
	czech := derive(checkers, "czech", func(v *Variant) {
		v.MenCapture, v.Landing, v.Choice = "forward", "go-on", []string{"king-captures"}
		v.Notation, v.GameType = "algebraic", 29
	})
	portuguese := derive(spanish, "portuguese", func(v *Variant) { v.GameType = 28 })
	pool := derive(checkers, "pool", func(v *Variant) {
		v.First, v.Landing, v.GameType = "black", "go-on", 23
	})
	thai := derive(checkers, "thai", func(v *Variant) {
		v.First, v.StartRows, v.MenCapture = "black", 2, "forward"
		v.Landing, v.Lifting = "behind", "now"
		v.Numbering, v.GameType = "bottom-right", 31
	})
	killer := derive(international, "killer", func(v *Variant) {
		v.Landing, v.GameType = "behind-king", 0
		v.Draws = []DrawRule{claimThreefold}
	})
	turkish := derive(checkers, "turkish", func(v *Variant) {
		v.Squares, v.Lines, v.StartRows, v.StartGap = "all", "orthogonal", 2, 1
		v.MenMove, v.MenCapture = "forward-sideways", "forward-sideways"
		v.Choice, v.Lifting, v.TurnBack = []string{"most-pieces"}, "now", false
		v.Notation, v.GameType = "algebraic", 30
	})
	return withOptional([]Variant{
		english, international, brazilian, draughts64, russian, italian,
		spanish, turkish, czech, portuguese, pool, thai, killer,
	})
}

// withOptional adds to each variant on a board of 8x8 the one in which a side
// may decline to capture.
func withOptional(variants []Variant) []Variant {
	for _, v := range slices.Clone(variants) {
		if v.Rows == 8 && v.Columns == 8 {
			variants = append(variants, derive(v, v.Name+"-optional", func(v *Variant) { v.Capture = "optional" }))
		}
	}
	return variants
}

// Builtin returns the built-in variant of a name.
func Builtin(name string) (Variant, bool) {
	for _, v := range BuiltinVariants() {
		if v.Name == name {
			return v, true
		}
	}
	return Variant{}, false
}
