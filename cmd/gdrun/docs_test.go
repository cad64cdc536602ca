package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rivo/uniseg"
)

// Every command is in docs/commands.md.
func TestCommandsPage(t *testing.T) {
	page := content(t, "../../docs/commands.md")
	help := ok(t, "--help").Stdout
	_, list, _ := strings.Cut(help, "COMMANDS:\n")
	list, _, _ = strings.Cut(list, "OPTIONS:\n")
	names := 0
	for _, line := range strings.Split(list, "\n") {
		if fields := strings.Fields(line); strings.HasPrefix(line, "     ") {
			names++
			if !strings.Contains(page, "\n| `gdrun "+fields[0]+"` |") {
				t.Errorf("docs/commands.md does not tell of gdrun %s", fields[0])
			}
		}
	}
	if names < 7 {
		t.Errorf("the help lists %d commands:\n%s", names, help)
	}
}

// What pages and the README link to, or show, is there.
func TestLinks(t *testing.T) {
	pages := must1(filepath.Glob("../../docs/*.md"))
	results := must1(filepath.Glob("../../docs/results/*/README.md"))
	pages = append(slices.Concat(pages, results), "../../docs/results/README.md", "../../README.md", "../../ARCHITECTURE.md",
		"../../BENCHMARKS.md")
	for _, path := range pages {
		link := regexp.MustCompile(`\]\(([^)#:]+)(?:#[^)]*)?\)|<img src="([^":]+)"`)
		for _, m := range link.FindAllStringSubmatch(content(t, path), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(path), m[1]+m[2])); err != nil {
				t.Errorf("%s links to %s: %v", path, m[1]+m[2], err)
			}
		}
	}
}

// Every option in the page for administrators is there.
func TestPageForAdmins(t *testing.T) {
	page := content(t, "../../docs/for-admins.md")
	options := regexp.MustCompile("(?m)^\\| `(--[a-z-]+)").FindAllStringSubmatch(page, -1)
	if len(options) < 4 {
		t.Errorf("%d options", len(options))
	}
	help := ok(t, "submit", "--help").Stdout
	for _, option := range options {
		if !strings.Contains(help, " "+option[1]+" ") {
			t.Errorf("gdrun submit has no %s", option[1])
		}
	}
}

// Help fits the terminal, whatever its width, and so do the tables and lists of commands.
func TestTextFits(t *testing.T) {
	planned(t)
	list := regexp.MustCompile(`(?m)^     ([a-z]+) `).FindAllStringSubmatch(ok(t, "--help").Stdout, -1)
	if len(list) < 18 || len(list) > 22 {
		t.Errorf("there are %d commands", len(list))
	}
	all := [][]string{{"experiments"}, {"methods"}, {"status", "runs/tiny"}, {"inspect", "runs/tiny"}, {"inspect", "data/grid"},
		cellArgs, {"--help"}, {"simulate", "benchmark", "--help"}, {"simulate", "mnist", "--help"}, {"simulate", "kegg", "--help"}}
	for _, m := range list {
		all = append(all, []string{m[1], "--help"})
	}
	for _, width := range []int{80, 100, 120} {
		t.Setenv("COLUMNS", strconv.Itoa(width))
		for _, args := range all {
			for line := range strings.Lines(gdrun(t, args...).Stdout) {
				if n := uniseg.StringWidth(strings.TrimSuffix(line, "\n")); n > width {
					t.Errorf("gdrun %q: at %d columns a line has %d: %s", args, width, n, line)
				}
				if strings.Count(line, "(default") > 1 || strings.Contains(line, "required") && strings.Contains(line, "(default: 0") {
					t.Errorf("gdrun %q tells a default twice, or one that there is not: %s", args, line)
				}
			}
		}
	}
}
