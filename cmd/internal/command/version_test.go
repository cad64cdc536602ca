package command

import (
	"runtime/debug"
	"testing"
)

func TestBuildText(t *testing.T) {
	vcs := func(modified string) []debug.BuildSetting {
		return []debug.BuildSetting{{Key: "vcs.revision", Value: "04b146a3c1eb16a485165f02d16ebaf1f3fa8ccc"},
			{Key: "vcs.time", Value: "2026-11-22T01:17:42Z"}, {Key: "vcs.modified", Value: modified}}
	}
	for _, c := range []struct {
		settings []debug.BuildSetting
		want     string
	}{
		{vcs("false"), "(revision 04b146a3c1eb of 2026-11-22T01:17:42Z, go1.26.8)"},
		{vcs("true"), "(revision 04b146a3c1eb with changes of 2026-11-22T01:17:42Z, go1.26.8)"},
		{nil, "(revision unknown, go1.26.8)"},
	} {
		if got := buildText(&debug.BuildInfo{GoVersion: "go1.26.8", Settings: c.settings}); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}
