package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
)

// decodeObject decodes one JSON object into the targets of its members. Names
// are told apart by case, an unknown or a repeated one is refused, and so is
// anything behind the object: what is mistyped must not be ignored.
func decodeObject(text []byte, targets map[string]any) error {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if !looksLikeJSON(text) {
		return badRequest("body: want a JSON object")
	}
	d := json.NewDecoder(bytes.NewReader(text))
	if _, err := d.Token(); err != nil { // the brace
		return jsonError(err)
	}
	seen := make([]string, 0, len(targets))
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return jsonError(err)
		}
		name, _ := token.(string) // a member begins with its name
		target, known := targets[name]
		if !known {
			return badRequest("body: unknown field %.40q: want %s", name, strings.Join(sortedKeys(targets), ", "))
		}
		if slices.Contains(seen, name) {
			return badRequest("body: field %s is given twice", name)
		}
		seen = append(seen, name)
		if err := d.Decode(target); err != nil {
			var wrong *json.UnmarshalTypeError
			if errors.As(err, &wrong) {
				return badRequest("body: field %s: a %.40s does not fit", name, wrong.Value)
			}
			return jsonError(err)
		}
	}
	if _, err := d.Token(); err != nil {
		return jsonError(err)
	}
	if _, err := d.Token(); err != io.EOF {
		return badRequest("body: something stands behind the JSON object")
	}
	return nil
}

// decodeList decodes the items of a JSON list one by one. It goes no further
// than the most that are taken.
func decodeList(text []byte, what string, most int, item func(d *json.Decoder) error) error {
	if text[0] != '[' {
		var list []json.RawMessage
		return json.Unmarshal(text, &list) // null is no list, and anything else an error
	}
	d := json.NewDecoder(bytes.NewReader(text))
	if _, err := d.Token(); err != nil { // the bracket
		return err
	}
	for n := 0; d.More(); n++ {
		if n == most {
			return badRequest("at most %d %s are taken", most, what)
		}
		if err := item(d); err != nil {
			return err
		}
	}
	return nil
}

func sortedKeys(targets map[string]any) []string {
	names := make([]string, 0, len(targets))
	for name := range targets {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// jsonError explains why a text is no JSON.
func jsonError(err error) error {
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
		return badRequest("body: the JSON object ends early")
	}
	var known statusError
	if errors.As(err, &known) {
		return known
	}
	return badRequest("body: no JSON: %w", err)
}

// jsonStart is how a JSON object begins: with a name in quotes and a colon, or
// with its end. The brace that a PDN comment begins with goes on otherwise.
var jsonStart = regexp.MustCompile(`^\s*\{\s*($|\}|"(\\.|[^"\\])*("\s*(:|$)|$))`)

// looksLikeJSON tells JSON from PDN.
func looksLikeJSON(text []byte) bool { return jsonStart.Match(text[:min(len(text), 4096)]) }
