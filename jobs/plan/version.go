package plan

import "runtime/debug"

// Version is the program's version, recorded in plans and shards.
const Version = "0.1.0"

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
