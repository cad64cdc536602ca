package seal

import (
	"errors"
	"runtime/debug"
	"strings"

	"graphda/io/message"
)

// Version is the program's version. Plans, models, results and journals name the version that wrote them.
const Version = "0.2.0"

// ErrVersion is the cause of every error about a file that another version wrote.
var ErrVersion = errors.New("another version wrote the file")

// CheckVersion refuses a file that another version wrote; remedy says what to do. Versions that differ only in the last
// number read each other's files. Data sets name no version, since their bytes are part of the ids of cells.
func CheckVersion(wrote, remedy string) error {
	if wrote == "" || wrote == "1" {
		wrote = "0.1.0" // its files have no version, or the number of a format
	}
	if series(wrote) == series(Version) {
		return nil
	}
	return message.Because(ErrVersion, "was written by graphda %s, and graphda %s reads only files of %s.x: %s",
		message.Text(wrote), Version, series(Version), remedy)
}

// series returns a version without its last number.
func series(version string) string { return version[:max(0, strings.LastIndexByte(version, '.'))] }

// Revision is the commit that the program was built from, 12 digits with a + if files had changed since; empty if
// that is not known.
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
