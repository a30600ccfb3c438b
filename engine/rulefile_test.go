package engine

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// ruleFile returns a built-in variant as a rule file under another name.
func ruleFile(t testing.TB, name string) string {
	t.Helper()
	text, err := FormatRuleFile(builtin(t, name).Variant())
	if err != nil {
		t.Fatal(err)
	}
	return strings.Replace(string(text), "name = '"+name+"'", "name = 'mine'", 1)
}

// TestRuleFileRoundTrip writes every built-in variant as a rule file and reads
// it back.
func TestRuleFileRoundTrip(t *testing.T) {
	for _, v := range BuiltinVariants() {
		got, err := parseRuleFile("x.toml", []byte(ruleFile(t, v.Name)))
		if err != nil {
			t.Errorf("%s: %v", v.Name, err)
		} else if got.Hash() != v.Hash() || got.Notation != v.Notation || got.Numbering != v.Numbering || got.CaptureSign != v.CaptureSign || got.Name != "mine" {
			t.Errorf("%s: read back as %+v", v.Name, got)
		}
	}
}

// TestRuleFileRefused changes one line of a good file at a time; the error
// names that line.
func TestRuleFileRefused(t *testing.T) {
	for _, c := range []struct{ old, changed, reason string }{
		{"name = 'mine'", "name = 'english'", "built-in"},
		{"name = 'mine'", "name = 'all'", "a meaning of its own"},
		{"king = 'flying'", "kind = 'flying'", "unknown key kind"},
		{"king = 'flying'", "king = 'flyng'", "none of short, flying"},
		{"king = 'flying'", "king = 3", "cannot"},
		{"landing = 'any'", "landing = 'behind'\nking = 'short'", "already"},
		{"rows = 8", "rows = 9", "even number"},
		{"rows = 8", "rows = ", ""},
		{"lines = 'diagonal'", "lines = 'orthogonal'", "need squares"},
		{"choice = ['most-pieces']", "choice = ['most-pieces', 'most-pieces']", "twice"},
		{"when = ['KK v KK', 'KK v KM']", "when = ['KK v K']", "can hold at once"},
		{"when = ['KK v KK', 'KK v KM']", "when = ['KK KK']", "want two sides"},
		{"name = 'B'", "name = 'A'", "two situations named A"},
		{"name = 'B'", "colour = 'white'", "unknown key draw.colour"},
		{"limit = 40", "limit = 0", "want 1 to 1000"},
	} {
		good := ruleFile(t, "draughts64")
		before, after, _ := strings.Cut(good, c.old)
		text := before + c.changed + after
		line := 1 + strings.Count(before, "\n") + strings.Count(c.changed, "\n")
		_, err := parseRuleFile("x.toml", []byte(text))
		var file *RuleFileError
		if !errors.As(err, &file) || !errors.Is(err, ErrVariant) || file.Line != line || !strings.Contains(err.Error(), c.reason) {
			t.Errorf("%s: error %v, want line %d, %q", c.changed, err, line, c.reason)
		}
		if !strings.HasPrefix(fmt.Sprint(err), fmt.Sprintf("x.toml:%d: ", line)) {
			t.Errorf("%s: message %v", c.changed, err)
		}
	}
	for _, key := range required {
		var kept []string
		for line := range strings.Lines(ruleFile(t, "english")) {
			if !strings.HasPrefix(line, key+" =") {
				kept = append(kept, line)
			}
		}
		if _, err := parseRuleFile("x.toml", []byte(strings.Join(kept, ""))); err == nil || !strings.Contains(err.Error(), "key "+key+" is missing") {
			t.Errorf("without %s: error %v", key, err)
		}
	}
	if _, err := ReadRuleFile(t.TempDir() + "/none.toml"); !errors.Is(err, ErrVariant) {
		t.Errorf("no such file: error %v", err)
	}
}

// FuzzRuleFile looks for a file that panics, or is accepted and cannot be compiled.
func FuzzRuleFile(f *testing.F) {
	f.Add(ruleFile(f, "draughts64"))
	f.Add(ruleFile(f, "turkish"))
	f.Add("draw = [{kind = 'situation'}]")
	f.Fuzz(func(t *testing.T, text string) {
		if v, err := parseRuleFile("x.toml", []byte(text)); err == nil {
			MustCompile(v)
		} else if !errors.Is(err, ErrVariant) {
			t.Fatalf("%v", err)
		}
	})
}
