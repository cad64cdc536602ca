package scenario

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Blocks of a page in Markdown: what fences with nothing behind them enclose is shown to readers and
// played, what <!-- and --> on lines of their own enclose is played alone, and fences that name a
// language are neither: files, or code of other programs.
var (
	opensBlock = regexp.MustCompile("^(```|<!--)$")
	opensOther = regexp.MustCompile("^```([a-z]+)$")
	closings   = map[string]string{"```": "```", "<!--": "-->"}
)

// shells are languages whose blocks hold commands, which have to be played.
var shells = regexp.MustCompile(`^(sh|bash|zsh|fish|shell|console|text)$`)

// Pages plays pages in Markdown as Run plays scenarios, each in a folder of its own: the text of a page
// is the comment, its blocks are the script.
func Pages(t *testing.T, pattern string, commands map[string]Command) {
	paths, err := filepath.Glob(pattern)
	must(t, err)
	if len(paths) == 0 {
		t.Fatalf("no pages are %s", pattern)
	}
	playAll(t, paths, commands, (*play).page)
}

// page plays a page and returns its text as it should be.
func (p *play) page(text string) string {
	p.t.Helper()
	lines := strings.Split(text, "\n")
	var out []string
	for i := 0; i < len(lines); i++ {
		out = append(out, lines[i])
		if m := opensOther.FindStringSubmatch(lines[i]); m != nil {
			if shells.MatchString(m[1]) {
				p.t.Fatalf("line %d: a block of %s, which would not be played: leave the word out", i+1, m[1])
			}
			for i++; i < len(lines) && lines[i] != "```"; i++ {
				out = append(out, lines[i])
			}
			out = append(out, "```")
			continue
		}
		m := opensBlock.FindStringSubmatch(lines[i])
		if m == nil {
			continue
		}
		from := i + 1
		for i++; i < len(lines) && lines[i] != closings[m[1]]; i++ {
		}
		if i == len(lines) {
			p.t.Fatalf("line %d: a block that does not end", from)
		}
		out = append(out, strings.TrimRight(p.all(strings.Join(lines[from:i], "\n")), "\n"), lines[i])
	}
	return strings.Join(out, "\n")
}
