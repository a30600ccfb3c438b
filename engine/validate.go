package engine

import (
	"errors"
	"slices"
	"strings"
)

// A word is a parameter that takes one of a few words.
type word struct {
	key, value string
	accepted   []string
}

// validate refuses unknown words and parameters that contradict each other.
func (v *Variant) validate() error {
	words := []word{
		{"squares", v.Squares, []string{"dark", "mirrored", "all"}},
		{"lines", v.Lines, []string{"diagonal", "orthogonal"}},
		{"first", v.First, []string{"white", "black"}},
		{"men_move", v.MenMove, []string{"forward", "forward-sideways"}},
		{"men_capture", v.MenCapture, []string{"forward", "forward-backward", "forward-sideways", "all"}},
		{"king", v.King, []string{"short", "flying"}},
		{"landing", v.Landing, []string{"any", "behind", "behind-king", "go-on"}},
		{"capture", v.Capture, []string{"compulsory", "optional"}},
		{"lifting", v.Lifting, []string{"end", "now"}},
		{"promotion", v.Promotion, []string{"end", "passing"}},
		{"notation", v.Notation, []string{"numbers", "algebraic"}},
		{"numbering", v.Numbering, []string{"top-left", "bottom-right"}},
		{"capture_sign", v.CaptureSign, []string{"x", ":"}},
	}
	for _, criterion := range v.Choice {
		words = append(words, word{"choice", criterion, []string{"most-pieces", "king-captures", "most-kings", "kings-earliest"}})
	}
	for _, w := range words {
		if !slices.Contains(w.accepted, w.value) {
			return refuse(w.key, "%q is none of %s", w.value, strings.Join(w.accepted, ", "))
		}
	}
	for _, check := range []func(*Variant) error{checkName, checkBoard, checkLines, checkKing, checkChoice, checkGameType} {
		if err := check(v); err != nil {
			return err
		}
	}
	return nil
}

// checkName keeps names usable in URLs, files and lists.
func checkName(v *Variant) error {
	if v.Name == "" || len(v.Name) > 40 {
		return refuse("name", "want 1 to 40 characters")
	}
	if v.Name == "all" || v.Name == "variants" {
		return refuse("name", "%q has a meaning of its own in commands and routes", v.Name)
	}
	for i, c := range v.Name {
		if !(c >= 'a' && c <= 'z' || i > 0 && (c >= '0' && c <= '9' || c == '-')) {
			return refuse("name", "%q: want lower-case letters, digits and hyphens, a letter first", v.Name)
		}
	}
	return nil
}

func checkBoard(v *Variant) error {
	if v.Rows < 4 || v.Rows > 16 || v.Rows%2 != 0 {
		return refuse("rows", "%d: want an even number from 4 to 16", v.Rows)
	}
	if v.Columns < 4 || v.Columns > 16 || v.Columns%2 != 0 {
		return refuse("columns", "%d: want an even number from 4 to 16", v.Columns)
	}
	squares := v.Rows * v.Columns
	if v.Squares != "all" {
		squares /= 2
	}
	if squares > 64 {
		return refuse("squares", "%d playing squares: at most 64 fit", squares)
	}
	if v.StartGap < 0 || v.StartRows < 1 || v.StartGap+v.StartRows > v.Rows/2 {
		return refuse("start_rows", "%d rows of men behind %d empty ones do not fit into half of %d rows", v.StartRows, v.StartGap, v.Rows)
	}
	return nil
}

func checkLines(v *Variant) error {
	if v.Lines == "orthogonal" {
		if v.Squares != "all" {
			return refuse("lines", "orthogonal lines need squares = \"all\"")
		}
		if v.MenCapture == "forward-backward" {
			return refuse("men_capture", "forward-backward belongs to diagonal lines; want forward, forward-sideways or all")
		}
		return nil
	}
	if v.MenMove != "forward" {
		return refuse("men_move", "%s needs orthogonal lines", v.MenMove)
	}
	if v.MenCapture == "forward-sideways" || v.MenCapture == "all" {
		return refuse("men_capture", "%s needs orthogonal lines; want forward or forward-backward", v.MenCapture)
	}
	return nil
}

func checkGameType(v *Variant) error {
	if v.GameType < 0 || v.GameType > 999 {
		return refuse("game_type", "%d: want 0 to 999", v.GameType)
	}
	return nil
}

func checkKing(v *Variant) error {
	if v.King == "short" && v.Landing != "behind" {
		return refuse("landing", "a short king lands right behind the taken piece; want \"behind\"")
	}
	return nil
}

func checkChoice(v *Variant) error {
	for i, c := range v.Choice {
		if slices.Contains(v.Choice[:i], c) {
			return refuse("choice", "%q stands twice", c)
		}
	}
	return nil
}

// compileDraws checks the draw rules and fills in the counters they define.
func (r *Rules) compileDraws() error {
	for i := range r.variant.Draws {
		err := r.compileDraw(&r.variant.Draws[i])
		if err == nil {
			err = r.checkExclusive()
		}
		var parameter *ParameterError
		if errors.As(err, &parameter) {
			parameter.Draw = i
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *Rules) compileDraw(d *DrawRule) error {
	if d.Limit < 1 || d.Limit > 1000 {
		return refuse("draw.limit", "%d: want 1 to 1000", d.Limit)
	}
	if d.Kind != SituationRule && (len(d.When) > 0 || len(d.LoneKingOn) > 0 || d.Name != "") {
		return refuse("draw.kind", "%s takes no name, when or lone_king_on", d.Kind)
	}
	if d.FlagDraw && (d.Kind != Repetition || !d.Claim) {
		return refuse("draw.flag_draw", "belongs to a repetition that can be claimed")
	}
	var target *Plies
	switch d.Kind {
	case KingMoves:
		target = &r.kingMoves
	case GameLength:
		target = &r.gameLength
	case Repetition:
		if d.Limit < 2 {
			return refuse("draw.limit", "%d: a position cannot repeat before its second occurrence", d.Limit)
		}
		return nil
	case SituationRule:
		return r.compileSituation(d)
	default:
		return refuse("draw.kind", "%q is none of king-moves, situation, game-length, repetition", d.Kind)
	}
	if d.Claim {
		return nil
	}
	if *target != 0 {
		return refuse("draw.kind", "a second automatic %s rule", d.Kind)
	}
	*target = d.Limit
	return nil
}

func (r *Rules) compileSituation(d *DrawRule) error {
	if d.Name == "" || d.Name == string(KingMoves) {
		return refuse("draw.name", "a situation needs a name of its own")
	}
	if d.Claim {
		return refuse("draw.claim", "situation %s: a situation cannot be claimed, only automatic", d.Name)
	}
	if len(d.When) == 0 {
		return refuse("draw.when", "situation %s has no material", d.Name)
	}
	s := Situation{Name: d.Name, Limit: d.Limit, DependsOnSquare: len(d.LoneKingOn) > 0}
	for _, text := range d.When {
		c, err := parseConfrontation(text)
		if err != nil {
			return refuse("draw.when", "situation %s: %v", d.Name, err)
		}
		if slices.Contains(s.when, c) {
			return refuse("draw.when", "situation %s: %q stands twice", d.Name, text)
		}
		if s.DependsOnSquare && c.weak != loneKing {
			return refuse("draw.lone_king_on", "situation %s: %q has no lone king as its second side", d.Name, text)
		}
		s.when = append(s.when, c)
	}
	for _, name := range d.LoneKingOn {
		if name == "" || name[0] < 'a' {
			return refuse("draw.lone_king_on", "situation %s: %q: want a square by file and rank, as a1", d.Name, name)
		}
		square, err := r.ParseSquare(name)
		if err != nil {
			return refuse("draw.lone_king_on", "situation %s: %v", d.Name, err)
		}
		s.loneKingOn |= square.Bit()
	}
	if !s.DependsOnSquare {
		s.loneKingOn = r.all
	}
	r.situations = append(r.situations, s)
	return nil
}

// checkExclusive refuses situations that could hold at once: one counter is
// kept for all of them.
func (r *Rules) checkExclusive() error {
	for i, a := range r.situations {
		for _, b := range r.situations[:i] {
			if a.Name == b.Name {
				return refuse("draw.name", "two situations named %s", a.Name)
			}
			apart := a.DependsOnSquare && b.DependsOnSquare && a.loneKingOn&b.loneKingOn == 0
			for _, x := range a.when {
				for _, y := range b.when {
					if apart && x.strong != loneKing && y.strong != loneKing {
						continue // one lone king cannot be in two places
					}
					if x.overlaps(y) {
						return refuse("draw.when", "situations %s and %s can hold at once", b.Name, a.Name)
					}
				}
			}
		}
	}
	return nil
}
