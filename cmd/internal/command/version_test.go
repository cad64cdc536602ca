package command

import (
	"debug/buildinfo"
	"debug/elf"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"graphda/jobs"
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

// A login node's build runs on any node: it needs no library of the machine it was made on.
func TestMakeBuildIsStatic(t *testing.T) {
	if testing.Short() || runtime.GOOS != "linux" {
		t.Skip("builds both programs for Linux, half a minute")
	}
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip(err)
	}
	bin := t.TempDir()
	if out, err := exec.Command("make", "-C", "../../..", "build", "BIN="+bin).CombinedOutput(); err != nil {
		t.Fatalf("make build: %v\n%s", err, out)
	}
	for _, name := range []string{"gdrun", "gdmerge"} {
		path := filepath.Join(bin, name)
		f, err := elf.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for _, p := range f.Progs {
			if p.Type == elf.PT_INTERP || p.Type == elf.PT_DYNAMIC {
				t.Errorf("%s has a segment %v: it needs libraries of this machine", name, p.Type)
			}
		}
		for _, section := range []string{".symtab", ".debug_info", ".zdebug_info"} {
			if f.Section(section) != nil {
				t.Errorf("%s has the section %s: it is not stripped", name, section)
			}
		}
		info, err := buildinfo.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(path, "--version").Output()
		if want := name + " version " + jobs.Version + " " + buildText(info) + "\n"; err != nil || string(out) != want {
			t.Errorf("--version prints %q, %v, want %q", out, err, want)
		}
		if !strings.Contains(string(out), runtime.Version()) {
			t.Errorf("--version prints %q without the version of Go", out)
		}
	}
}
