package main

import (
	"os"
	"strings"
	"testing"
)

// TestRulesTable keeps the table of docs/rules.md true. With UPDATE_DOCS set it
// writes the table instead.
func TestRulesTable(t *testing.T) {
	const name, begin, end = "../../docs/rules.md", "<!-- table: tbgen variants --markdown -->\n", "<!-- end of table -->\n"
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), begin)
	table, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no marks around its table", name)
	}
	if table == markdownTable() {
		return
	}
	if os.Getenv("UPDATE_DOCS") == "" {
		t.Fatalf("the table of %s is not what tbgen variants --markdown prints; UPDATE_DOCS=1 go test ./cmd/tbgen writes it", name)
	}
	if err := os.WriteFile(name, []byte(before+begin+markdownTable()+end+after), 0o666); err != nil {
		t.Fatal(err)
	}
}
