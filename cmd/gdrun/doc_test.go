package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"graphda/jobs/jobstest"
)

// unstable is what differs between two runs of a command of the manual.
var unstable = regexp.MustCompile(`about \S+( \S+)? of CPU time`)

// The commands of the manual, run one after the other, print what it says they print.
func TestManual(t *testing.T) {
	manual := jobstest.Manual(t, "doc.go")
	t.Chdir(t.TempDir())
	for name, first := range map[string]string{
		"small.yaml": "name: small", "samples.csv": "sample,status,MDM2,TP53,CDK2,EGFR", "edges.csv": "source,target,cost",
	} {
		jobstest.WriteFile(t, ".", name, manual.Block(first))
	}
	if len(manual.Commands) < 6 {
		t.Fatalf("only %d commands were found", len(manual.Commands))
	}
	for _, c := range manual.Commands {
		args, isOurs := strings.CutPrefix(c.Line, "gdrun ")
		if !isOurs {
			t.Fatalf("%q is no command of gdrun", c.Line)
		}
		got := ok(t, strings.Fields(args)...).stdout
		if got == "" {
			t.Errorf("%s prints nothing", c.Line)
		}
		got, want := unstable.ReplaceAllString(got, "about …"), unstable.ReplaceAllString(c.Output, "about …")
		if want != "" && got != want {
			t.Errorf("%s prints\n%s\nthe manual says\n%s", c.Line, got, want)
		}
	}
	if _, err := os.Stat("cell.arrow"); err != nil {
		t.Error(err)
	}
}

// Every command is in the manual, and every exit code.
func TestManualIsComplete(t *testing.T) {
	text, err := os.ReadFile("doc.go")
	must(t, err)
	page, err := os.ReadFile("../../docs/commands.md")
	must(t, err)
	help := ok(t, "--help").stdout
	_, list, _ := strings.Cut(help, "COMMANDS:\n")
	list, _, _ = strings.Cut(list, "\n\n")
	names := 0
	for _, line := range strings.Split(list, "\n") {
		if fields := strings.Fields(line); len(fields) > 0 {
			names++
			if !strings.Contains(string(text), "gdrun "+fields[0]) {
				t.Errorf("the manual does not tell of gdrun %s", fields[0])
			}
			if !strings.Contains(string(page), "\n| `gdrun "+fields[0]+"` |") {
				t.Errorf("docs/commands.md does not tell of gdrun %s", fields[0])
			}
		}
	}
	if names < 7 {
		t.Errorf("the help lists %d commands:\n%s", names, help)
	}
}

// What pages and the README link to is there.
func TestManualLinks(t *testing.T) {
	pages, err := filepath.Glob("../../docs/*.md")
	must(t, err)
	for _, path := range append(pages, "../../README.md", "../../ARCHITECTURE.md") {
		text, err := os.ReadFile(path)
		must(t, err)
		for _, m := range regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`).FindAllStringSubmatch(string(text), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(path), m[1])); err != nil {
				t.Errorf("%s links to %s: %v", path, m[1], err)
			}
		}
	}
}

// Every option in the page for administrators is there.
func TestManualForAdmins(t *testing.T) {
	page, err := os.ReadFile("../../docs/for-admins.md")
	must(t, err)
	options := regexp.MustCompile("(?m)^\\| `(--[a-z-]+)").FindAllStringSubmatch(string(page), -1)
	if len(options) < 4 {
		t.Errorf("%d options", len(options))
	}
	for _, option := range options {
		if !strings.Contains(ok(t, "submit", "--help").stdout, option[1]+" value") {
			t.Errorf("gdrun submit has no %s", option[1])
		}
	}
}
