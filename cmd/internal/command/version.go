package command

import (
	"cmp"
	"fmt"
	"runtime/debug"

	"graphda/io/seal"
)

// revision is the source revision of a release that was not built in a clone. The linker sets it.
var revision string

func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return seal.Version
	}
	return seal.Version + " " + buildText(info)
}

func buildText(info *debug.BuildInfo) string {
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	built := settings["vcs.revision"]
	if built == "" {
		return fmt.Sprintf("(revision %s, %s)", cmp.Or(revision, "unknown"), info.GoVersion)
	}
	changed := ""
	if settings["vcs.modified"] == "true" {
		changed = " with changes"
	}
	return fmt.Sprintf("(revision %.12s%s of %s, %s)", built, changed, settings["vcs.time"], info.GoVersion)
}
