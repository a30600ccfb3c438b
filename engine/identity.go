package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// writtenOnly are the parameters that change how positions and moves are
// written, and nothing in a table.
var writtenOnly = []string{"name", "notation", "numbering", "capture_sign", "game_type"}

// Hash identifies the rules: the SHA-256 of their canonical text. It outlives
// the program: a parameter that a later version adds is left out of the text
// where it has its zero value, which must mean the rules as they were.
func (v Variant) Hash() string {
	sum := sha256.Sum256([]byte(v.canonicalText()))
	return hex.EncodeToString(sum[:])
}

// canonicalText lists the parameters that make a difference to a table, one a
// line, as a rule file names them, in alphabetical order: key = value.
// Parameters of zero value (0, false, an empty word or list) are left out.
func (v Variant) canonicalText() string {
	return strings.Join(canonicalLines(reflect.ValueOf(v), writtenOnly), "\n") + "\n"
}

func canonicalLines(v reflect.Value, skip []string) []string {
	var lines []string
	for i := range v.NumField() {
		key, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("toml"), ",")
		field := v.Field(i)
		if slices.Contains(skip, key) || field.IsZero() || field.Kind() == reflect.Slice && field.Len() == 0 {
			continue
		}
		lines = append(lines, key+" = "+canonicalValue(field))
	}
	slices.Sort(lines)
	return lines
}

// canonicalValue writes a word in quotes, a number or true, a list in square
// brackets, a draw rule in curly ones.
func canonicalValue(v reflect.Value) string {
	switch v.Kind() {
	case reflect.String:
		return fmt.Sprintf("%q", v.String())
	case reflect.Slice:
		items := make([]string, v.Len())
		for i := range items {
			items[i] = canonicalValue(v.Index(i))
		}
		return "[" + strings.Join(items, ", ") + "]"
	case reflect.Struct:
		return "{" + strings.Join(canonicalLines(v, nil), ", ") + "}"
	}
	return fmt.Sprint(v.Interface())
}

// Difference names the first rule parameter in which v and o differ, with both
// values; it returns "" if their rules are the same.
func (v Variant) Difference(o Variant) string {
	if v.Hash() == o.Hash() {
		return ""
	}
	a, b := reflect.ValueOf(v), reflect.ValueOf(o)
	for i := range a.NumField() {
		key := a.Type().Field(i).Tag.Get("toml")
		x, y := a.Field(i), b.Field(i)
		empty := x.Kind() == reflect.Slice && x.Len() == 0 && y.Len() == 0
		if slices.Contains(writtenOnly, key) || empty || reflect.DeepEqual(x.Interface(), y.Interface()) {
			continue
		}
		switch {
		case key != "draw":
			return fmt.Sprintf("%s = %v, not %v", key, x.Interface(), y.Interface())
		case x.Len() != y.Len():
			return fmt.Sprintf("%d draw rules, not %d", x.Len(), y.Len())
		}
		for k := range x.Len() {
			if m, n := canonicalValue(x.Index(k)), canonicalValue(y.Index(k)); m != n {
				return fmt.Sprintf("draw rule %s, not %s", m, n)
			}
		}
	}
	return "other rules"
}
