package cli

import (
	"fmt"
	"os"
	"runtime/debug"
	"sync"

	"dambase/storage"
)

// release is the version of the programs.
const release = "0.2"

// Version tells the version and the revision of the program, and the formats
// of tables that it reads and writes. It differs between any two builds that
// may answer differently.
var Version = sync.OnceValue(func() string {
	return fmt.Sprintf("dambase %s, revision %s; reads and writes tables of format %d", release, revision(), storage.FormatVersion)
})

// revision is that of the source; where the source was changed or is not
// known, with what tells this executable from others.
func revision() string {
	commit, modified := "unknown", true
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				commit = s.Value[:min(len(s.Value), 12)]
			case "vcs.modified":
				modified = s.Value == "true"
			}
		}
	}
	if commit != "unknown" && !modified {
		return commit
	}
	name, err := os.Executable()
	if err != nil {
		return commit
	}
	info, err := os.Stat(name)
	if err != nil {
		return commit
	}
	return fmt.Sprintf("%s+%x", commit, info.ModTime().UnixNano()^info.Size())
}
