package command

import (
	"fmt"
	"runtime/debug"
	"strings"

	"graphda/jobs"
)

// version returns the program's version and what it was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return jobs.Version
	}
	return jobs.Version + " " + buildText(info)
}

// buildText tells the commit and its date, where the programs were built in a clone, and the
// version of Go.
func buildText(info *debug.BuildInfo) string {
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	revision := settings["vcs.revision"]
	if revision == "" {
		return fmt.Sprintf("(revision unknown, %s)", info.GoVersion)
	}
	changed := ""
	if settings["vcs.modified"] == "true" {
		changed = " with changes"
	}
	return fmt.Sprintf("(revision %.12s%s of %s, %s)", revision, changed, settings["vcs.time"], info.GoVersion)
}

// builtOn returns the day of the commit that the program was built from, "" if it is not known.
func builtOn() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.time" {
				day, _, _ := strings.Cut(s.Value, "T")
				return day
			}
		}
	}
	return ""
}
