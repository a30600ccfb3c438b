// Package layout checks how the parts of the program may depend on each other.
package layout

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

// allowed lists, for each package of the program, the packages of the program
// that it may import, in its tests too where marked so.
var allowed = map[string][]string{
	"engine":           {},
	"internal/halt":    {},
	"index":            {"engine", "internal/halt"},
	"retro/matrix":     {"engine", "index", "internal/halt"},
	"retro":            {"engine", "index", "retro/matrix", "internal/halt"},
	"storage":          {"engine", "index"},
	"probe":            {"engine", "index", "storage"},
	"cmd/internal/cli": {"engine", "retro", "storage"},
	"cmd/tbgen":        {"engine", "index", "retro", "storage", "probe", "cmd/internal/cli"},
	"cmd/tbserve":      {"engine", "index", "storage", "probe", "cmd/internal/cli"},
	"examples/probe":   {"engine", "probe"},

	"internal/storetest": {"engine", "index", "retro", "storage"},
}

// allowedInTests adds to allowed what tests need to make tables.
var allowedInTests = map[string][]string{
	"probe":       {"internal/storetest"},
	"cmd/tbgen":   {"internal/storetest"},
	"cmd/tbserve": {"internal/storetest"},
}

// violations returns every forbidden import of a tree of sources.
func violations(t *testing.T, tree fs.FS) []string {
	t.Helper()
	var out []string
	err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") {
			return err
		}
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
		if err != nil {
			return err
		}
		dir := path.Dir(name)
		may, known := allowed[dir]
		if strings.HasSuffix(name, "_test.go") {
			may = append(slices.Clone(may), allowedInTests[dir]...)
		}
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if within, ok := strings.CutPrefix(imported, "dambase/"); ok && (!known || !slices.Contains(may, within)) {
				out = append(out, name+" imports "+within)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestImportsPointOneWay(t *testing.T) {
	for _, v := range violations(t, os.DirFS("../..")) {
		t.Errorf("forbidden: %s", v)
	}
}

func TestViolationsAreFound(t *testing.T) {
	tree := fstest.MapFS{
		"engine/a.go":      {Data: []byte("package engine\nimport \"dambase/index\"\n")},
		"retro/b.go":       {Data: []byte("package retro\nimport (\n\"fmt\"\n\"dambase/storage\"\n)\n")},
		"probe/c_test.go":  {Data: []byte("package probe\nimport \"dambase/internal/storetest\"\n")},
		"newpackage/d.go":  {Data: []byte("package newpackage\nimport \"dambase/engine\"\n")},
		"storage/fine.go":  {Data: []byte("package storage\nimport \"dambase/index\"\n")},
		"storage/other.go": {Data: []byte("package storage\nimport \"dambase/retro\"\n")},
	}
	want := []string{
		"engine/a.go imports index", "newpackage/d.go imports engine",
		"retro/b.go imports storage", "storage/other.go imports retro",
	}
	got := violations(t, tree)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("found %v, want %v", got, want)
	}
}
