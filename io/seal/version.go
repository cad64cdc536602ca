package seal

import (
	"errors"
	"runtime/debug"
	"strings"

	"graphda/io/message"
)

// Version is the program's version. Plans, models, results and journals record it.
const Version = "0.2.0"

// ErrVersion is the error for a file that another version wrote.
var ErrVersion = errors.New("another version wrote the file")

// CheckVersion refuses a file of an incompatible version: only the last of the version's numbers may differ. The error
// ends with `remedy`. Datasets record no version, because a version would change the ids of cells.
func CheckVersion(wrote, remedy string) error {
	if wrote == "" || wrote == "1" {
		wrote = "0.1.0" // version 0.1.0 wrote "" or the number of a format
	}
	if series(wrote) == series(Version) {
		return nil
	}
	return message.Because(ErrVersion, "was written by graphda %s, and graphda %s reads only files of %s.x: %s",
		message.Text(wrote), Version, series(Version), remedy)
}

func series(version string) string { return version[:max(0, strings.LastIndexByte(version, '.'))] }

// Revision returns the commit from which the program was built: 12 digits, and a + if files had changed, or "" if
// unknown.
func Revision() string {
	var revision, changed string
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				revision = s.Value[:min(12, len(s.Value))]
			case s.Key == "vcs.modified" && s.Value == "true":
				changed = "+"
			}
		}
	}
	if revision == "" {
		return ""
	}
	return revision + changed
}
