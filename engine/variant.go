package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
)

// A Variant is a set of rules as data. The zero value is not valid; start from
// a built-in one. Every word a field accepts is listed in its comment, and
// Compile refuses all others.
type Variant struct {
	Name string `toml:"name" json:"name"`

	Rows    int    `toml:"rows" json:"rows"`       // even
	Columns int    `toml:"columns" json:"columns"` // even
	Squares string `toml:"squares" json:"squares"` // dark (a1 is played on), mirrored, all
	Lines   string `toml:"lines" json:"lines"`     // diagonal, orthogonal

	First     string `toml:"first" json:"first"`           // white, black
	StartRows int    `toml:"start_rows" json:"start_rows"` // rows of men each
	StartGap  int    `toml:"start_gap" json:"start_gap"`   // empty rows behind them

	MenMove      string   `toml:"men_move" json:"men_move"`             // forward, forward-sideways
	MenCapture   string   `toml:"men_capture" json:"men_capture"`       // forward, forward-backward, forward-sideways, all
	MenTakeKings bool     `toml:"men_take_kings" json:"men_take_kings"` // whether a man may take a king
	King         string   `toml:"king" json:"king"`                     // short, flying
	Landing      string   `toml:"landing" json:"landing"`               // any, behind, behind-king, go-on
	Capture      string   `toml:"capture" json:"capture"`               // compulsory, optional
	Choice       []string `toml:"choice" json:"choice"`                 // most-pieces, king-captures, most-kings, kings-earliest
	Lifting      string   `toml:"lifting" json:"lifting"`               // end, now
	TurnBack     bool     `toml:"turn_back" json:"turn_back"`           // whether a capture may turn by 180 degrees
	Promotion    string   `toml:"promotion" json:"promotion"`           // end, passing

	Draws []DrawRule `toml:"draw" json:"draws"`

	Notation    string `toml:"notation" json:"notation"`         // numbers, algebraic
	Numbering   string `toml:"numbering" json:"numbering"`       // top-left, bottom-right
	CaptureSign string `toml:"capture_sign" json:"capture_sign"` // x, :
	GameType    int    `toml:"game_type" json:"game_type"`       // of PDN; 0 where there is none
}

// Hash identifies the rules: the SHA-256 of every parameter that decides the
// value of a position. Name and notation are left out.
func (v Variant) Hash() string {
	v.Name, v.Notation, v.Numbering, v.CaptureSign, v.GameType = "", "", "", "", 0
	if v.Choice == nil {
		v.Choice = []string{}
	}
	if v.Draws == nil {
		v.Draws = []DrawRule{}
	}
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // plain strings, numbers and lists cannot fail to marshal
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// Difference names the first rule parameter in which v and o differ, with both
// values; it returns "" if their rules are the same.
func (v Variant) Difference(o Variant) string {
	if v.Hash() == o.Hash() {
		return ""
	}
	a, b := reflect.ValueOf(v), reflect.ValueOf(o)
	for i := range a.NumField() {
		field := a.Type().Field(i)
		switch key := field.Tag.Get("toml"); key {
		case "name", "notation", "numbering", "capture_sign", "game_type":
		default:
			if x, y := a.Field(i).Interface(), b.Field(i).Interface(); !reflect.DeepEqual(x, y) {
				return fmt.Sprintf("%s = %v, not %v", key, x, y)
			}
		}
	}
	return "other rules"
}
