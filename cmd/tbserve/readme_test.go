package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"dambase/index"
)

// block returns the first block of a language in a document behind a text.
func block(t *testing.T, document, behind, language string) string {
	t.Helper()
	_, rest, found := strings.Cut(document, behind)
	_, rest, opened := strings.Cut(rest, "```"+language+"\n")
	text, _, closed := strings.Cut(rest, "```")
	if !found || !opened || !closed {
		t.Fatalf("no block of %s behind %q", language, behind)
	}
	return text
}

func document(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("../../" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestGoExample builds the README's program as a module of its own and runs it.
func TestGoExample(t *testing.T) {
	if block(t, document(t, "README.md"), "### In Go", "go") != document(t, "examples/probe/main.go") {
		t.Error("README.md does not show examples/probe/main.go")
	}
	dir := t.TempDir()
	build(t, dir, "english", 3)
	cmd := exec.Command("go", "run", ".", dir, "W:WK30,22:BK5")
	cmd.Dir = "../../examples/probe"
	var errOut bytes.Buffer
	cmd.Stderr = &errOut
	out, err := cmd.Output()
	if err != nil || !strings.HasPrefix(string(out), "win 25\n22-18 loss -24\n") {
		t.Errorf("%v: %s%s", err, out, errOut.String())
	}
}

// TestGameExamples posts the games that the documents show, and compares the answers.
func TestGameExamples(t *testing.T) {
	dir := t.TempDir()
	buildWith(t, dir, "draughts64", 3, index.Metrics...)
	server, _ := start(t, dir)
	for _, name := range []string{"README.md", "docs/http.md"} {
		text := document(t, name)
		posted := regexp.MustCompile(`curl -d '(.*?)' '?http://127.0.0.1:8080(/v1/draughts64/game)`).FindStringSubmatch(text)
		if posted == nil {
			t.Fatalf("%s: no example", name)
		}
		_, got := post(t, server.URL+posted[2], "application/x-www-form-urlencoded", posted[1]) // what curl says
		var want, compact bytes.Buffer
		if err := json.Compact(&want, []byte(block(t, text, posted[0], "json"))); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := json.Compact(&compact, []byte(got)); err != nil || compact.String() != want.String() {
			t.Errorf("%s shows\n%s\nwant\n%s", name, want.String(), compact.String())
		}
	}
}
