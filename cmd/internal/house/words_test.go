package house

import (
	"go/ast"
	"go/token"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// habits matches phrases that leave out a noun, so that the reader has to look back for it.
var habits = regexp.MustCompile(`(?i)\b(of which|that of|those that|of equals|whoever)\b`)

// generated matches reports that gdmerge wrote.
var generated = regexp.MustCompile(`^docs/results/[^/]+/(data/|README)`)

// mostOf limits the lines of pages that newcomers read to the end.
var mostOf = map[string]int{"README.md": 120, "docs/tutorial.md": 200}

// TestWords looks for bad habits in documentation, comments and help. In documentation it also looks for long lines,
// except in tables, pictures and blocks of code.
func TestWords(t *testing.T) {
	found := map[string]int{}
	out, err := exec.Command("git", "-C", root, "ls-files", "*.md").Output()
	if err != nil {
		t.Skipf("not a git checkout: %v", err)
	}
	for _, path := range strings.Fields(string(out)) {
		if generated.MatchString(path) && !strings.HasPrefix(path, "docs/results/others/") {
			continue
		}
		text := read(t, path)
		if most, n := mostOf[path], strings.Count(text, "\n"); most > 0 && n > most {
			t.Errorf("%s: %d lines, want at most %d", path, n, most)
		}
		prose := fenced.ReplaceAllString(text, "")
		found[path] = phrases(prose)
		for line := range strings.Lines(prose) {
			if !strings.HasPrefix(line, "|") && !strings.HasPrefix(line, "![") && utf8.RuneCountInString(line) > 121 {
				t.Errorf("%s: want at most 120 characters: %s", path, line)
			}
		}
	}
	for _, file := range allFiles(t) {
		for _, c := range file.Comments {
			found[file.path] += phrases(c.Text())
		}
		if strings.HasPrefix(file.path, "cmd/") {
			ast.Inspect(file.File, func(n ast.Node) bool {
				if lit, is := n.(*ast.BasicLit); is && lit.Kind == token.STRING {
					found[file.path] += phrases(lit.Value)
				}
				return true
			})
		}
	}
	for path, n := range found {
		if n > 0 {
			t.Errorf("%s has %d of %q, want the noun instead", path, n, habits)
		}
	}
}

// phrases counts bad habits in a text, also across lines.
func phrases(text string) int {
	return len(habits.FindAllString(strings.Join(strings.Fields(text), " "), -1))
}
