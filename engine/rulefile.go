package engine

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// A RuleFileError is a rule file that is refused, with the line at fault.
type RuleFileError struct {
	File string
	Line int // the first is 1; 0 if none is at fault
	Err  error
}

func (e *RuleFileError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %v", e.File, e.Err)
	}
	return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err)
}

// Unwrap makes errors.Is find ErrVariant.
func (e *RuleFileError) Unwrap() []error { return []error{e.Err, ErrVariant} }

// required lists the keys that a rule file must have: rules that are left out
// must not be guessed.
var required = []string{
	"name", "rows", "columns", "squares", "lines", "first", "start_rows", "start_gap", "men_move", "men_capture",
	"men_take_kings", "king", "landing", "capture", "lifting", "turn_back", "promotion",
}

// ReadRuleFile reads a variant from a TOML file. Unknown, missing and
// contradictory keys are refused, and so is the name of a built-in variant.
func ReadRuleFile(name string) (Variant, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return Variant{}, fmt.Errorf("%w: %w", ErrVariant, err)
	}
	return parseRuleFile(name, text)
}

func parseRuleFile(name string, text []byte) (Variant, error) {
	v := Variant{Notation: "numbers", Numbering: "top-left", CaptureSign: "x"}
	decoder := toml.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&v); err != nil {
		return Variant{}, decodeError(name, err)
	}
	for _, key := range required {
		if lineOf(text, key, -1) == 0 {
			return Variant{}, &RuleFileError{name, 0, fmt.Errorf("key %s is missing", key)}
		}
	}
	if _, ok := Builtin(v.Name); ok {
		return Variant{}, &RuleFileError{name, lineOf(text, "name", -1), fmt.Errorf("name: %q is a built-in variant; choose another name", v.Name)}
	}
	if _, err := Compile(v); err != nil {
		var parameter *ParameterError
		if errors.As(err, &parameter) {
			return Variant{}, &RuleFileError{name, lineOf(text, parameter.Key, parameter.Draw), err}
		}
		return Variant{}, &RuleFileError{name, 0, err}
	}
	return v, nil
}

// decodeError gives a decoder's error the line that it speaks of.
func decodeError(name string, err error) error {
	var unknown *toml.StrictMissingError
	if errors.As(err, &unknown) && len(unknown.Errors) > 0 {
		first := unknown.Errors[0]
		line, _ := first.Position()
		return &RuleFileError{name, line, fmt.Errorf("unknown key %s", strings.Join(first.Key(), "."))}
	}
	var syntax *toml.DecodeError
	if errors.As(err, &syntax) {
		line, _ := syntax.Position()
		return &RuleFileError{name, line, errors.New(typeNames.ReplaceAllString(strings.TrimPrefix(syntax.Error(), "toml: "), "a $1"))}
	}
	return &RuleFileError{name, 0, err}
}

var (
	typeNames = regexp.MustCompile(`(?:a )?struct field \S+ of type (\S+)`)
	keyLine   = regexp.MustCompile(`^\s*"?([a-z_]+)"?\s*=`)
	drawTable = regexp.MustCompile(`^\s*\[\[\s*draw\s*\]\]`)
)

// lineOf returns the line of a key of the whole file, draw being negative, or
// of a key such as draw.limit in a draw table; 0 if there is none. A key that
// a draw table lacks has the line where the table begins.
func lineOf(text []byte, key string, draw int) int {
	table, start := -1, 0
	wanted := strings.TrimPrefix(key, "draw.")
	for i, line := range bytes.Split(text, []byte("\n")) {
		if drawTable.Match(line) {
			table++
			if table == draw {
				start = i + 1
			}
			continue
		}
		if m := keyLine.FindSubmatch(line); m != nil && table == draw && string(m[1]) == wanted {
			return i + 1
		}
	}
	if draw >= 0 && start == 0 {
		return lineOf(text, "draw", -1) // draw rules written as a list
	}
	return start
}

// FormatRuleFile writes a variant as a rule file to start from.
func FormatRuleFile(v Variant) ([]byte, error) {
	body, err := toml.Marshal(v)
	if err != nil {
		return nil, err
	}
	head := "# Rules of draughts for dambase. Give them a name of their own.\n"
	return append([]byte(head), body...), nil
}
