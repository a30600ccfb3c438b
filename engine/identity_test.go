package engine

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
)

const hashesFile = "testdata/rules_hash.txt"

// TestRulesHashes holds the hashes of the built-in rules fast: tables on disk
// are found by them. REWRITE=1 writes the file anew.
func TestRulesHashes(t *testing.T) {
	var got strings.Builder
	for _, v := range BuiltinVariants() {
		fmt.Fprintf(&got, "%s %s\n", v.Hash(), v.Name)
	}
	if os.Getenv("REWRITE") != "" {
		if err := os.WriteFile(hashesFile, []byte(got.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(hashesFile)
	if err != nil {
		t.Fatal(err)
	}
	if got.String() != string(want) {
		t.Errorf("hashes\n%s\nwant\n%s", got.String(), want)
	}
}

// TestNewParameterChangesNoHash adds a parameter, as a later version would:
// rules that do not use it are the same rules.
func TestNewParameterChangesNoHash(t *testing.T) {
	for _, v := range BuiltinVariants() {
		type later struct {
			Added string `toml:"added"`
			Flag  bool   `toml:"flag"`
		}
		fields := reflect.VisibleFields(reflect.TypeOf(v))
		fields = append(fields, reflect.VisibleFields(reflect.TypeOf(later{}))...)
		for i := range fields {
			fields[i].Offset, fields[i].Index = 0, nil
		}
		extended := reflect.New(reflect.StructOf(fields)).Elem()
		for i := range reflect.ValueOf(v).NumField() {
			extended.Field(i).Set(reflect.ValueOf(v).Field(i))
		}
		text := func() string { return strings.Join(canonicalLines(extended, writtenOnly), "\n") + "\n" }
		if text() != v.canonicalText() {
			t.Errorf("%s: with an unused parameter\n%s\nwithout\n%s", v.Name, text(), v.canonicalText())
		}
		extended.FieldByName("Added").SetString("used")
		if text() == v.canonicalText() {
			t.Errorf("%s: a parameter in use is left out", v.Name)
		}
	}
}

// TestDifferenceOfDraws names the one draw rule that differs.
func TestDifferenceOfDraws(t *testing.T) {
	a, b := BuiltinVariants()[1], BuiltinVariants()[1]
	b.Draws[0].Limit = 40
	if got, want := a.Difference(b), `draw rule {kind = "king-moves", limit = 50}, not {kind = "king-moves", limit = 40}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	b.Draws = b.Draws[:1]
	if got := a.Difference(b); got != "4 draw rules, not 1" {
		t.Errorf("%s", got)
	}
}

// TestHashOfEveryParameter: a change of any parameter that makes other tables
// changes the hash, one of spelling does not.
func TestHashOfEveryParameter(t *testing.T) {
	base := BuiltinVariants()[1]
	for i := range reflect.TypeOf(base).NumField() {
		changed := base
		field := reflect.ValueOf(&changed).Elem().Field(i)
		switch field.Kind() {
		case reflect.String:
			field.SetString("other")
		case reflect.Int:
			field.SetInt(field.Int() + 1)
		case reflect.Bool:
			field.SetBool(!field.Bool())
		case reflect.Slice:
			field.Set(field.Slice(0, field.Len()-1))
		}
		key := reflect.TypeOf(base).Field(i).Tag.Get("toml")
		spelling := strings.Contains(" name notation numbering capture_sign game_type ", " "+key+" ")
		if same := changed.Hash() == base.Hash(); same != spelling {
			t.Errorf("%s: the same hash %v, want %v", key, same, spelling)
		}
	}
}
