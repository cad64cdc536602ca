package scenario

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// These patterns find the code blocks of a Markdown page. A block without a language is a script, as in a scenario. A
// block of language sh is for a shell, and the text block below it is the output. Other blocks are files, or code for
// other programs.
var (
	opens  = regexp.MustCompile("^```([a-z]*)$")
	shells = regexp.MustCompile(`^(bash|zsh|fish|shell|console)$`) // refused, because Pages does not play them
)

// Pages plays Markdown pages like scenarios, each in its own folder. The setup folder has scenarios for some pages:
// Pages plays NAME.txt before the page, NAME.some-words.txt at the page's heading "## Some words", and NAME.after.txt
// after the page. The bin folder has the programs for blocks of shell code.
func Pages(t *testing.T, pattern, setup, bin string, commands map[string]Command) {
	paths, err := filepath.Glob(pattern)
	must(t, err)
	if len(paths) == 0 {
		t.Fatalf("no pages are %s", pattern)
	}
	setup, err = filepath.Abs(setup)
	must(t, err)
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	playAll(t, paths, commands, func(p *play, text string) string {
		name := filepath.Join(setup, filepath.Base(p.t.Name()))
		p.file(name + ".txt")
		text = p.page(text, name)
		p.file(name + ".after.txt")
		if files, _ := filepath.Glob(name + ".*txt"); len(files) != p.files {
			p.t.Errorf("%d of %d files are played: want the names of headings in %q", p.files, len(files), files)
		}
		return text
	})
}

func (p *play) file(path string) {
	want, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return
	}
	must(p.t, err)
	p.files++
	p.compare(path, string(want), p.all(string(want)))
}

// page plays a page and returns its text with the current output. Paths of its scenarios begin with name.
func (p *play) page(text, name string) string {
	p.t.Helper()
	lines := strings.Split(text, "\n")
	var out, printed []string
	pasted, failed := false, false
	for i := 0; i < len(lines); i++ {
		out = append(out, lines[i])
		if heading, ok := strings.CutPrefix(lines[i], "## "); ok {
			p.file(name + "." + strings.ReplaceAll(strings.ToLower(heading), " ", "-") + ".txt")
		}
		m := opens.FindStringSubmatch(lines[i])
		if m == nil {
			continue
		}
		from := i + 1
		for i++; i < len(lines) && lines[i] != "```"; i++ {
		}
		if i == len(lines) {
			p.t.Fatalf("line %d: a block that does not end", from)
		}
		block := lines[from:i]
		switch language := m[1]; {
		case shells.MatchString(language):
			p.t.Fatalf("line %d: a block of %s, which would not be played: write sh", from, language)
		case language == "":
			block = strings.Split(strings.TrimRight(p.all(strings.Join(block, "\n")), "\n"), "\n")
		case language == "sh":
			if failed {
				p.t.Errorf("line %d: the commands above it fail:\n%s", from, strings.Join(printed, "\n"))
			}
			printed, failed = p.paste(strings.Join(block, "\n"))
			pasted = true
		case language == "text" && pasted:
			if !matches(block, printed) {
				block = printed
			}
			pasted, failed = false, false
		}
		out = append(append(out, block...), lines[i])
	}
	if failed {
		p.t.Errorf("the last commands fail:\n%s", strings.Join(printed, "\n"))
	}
	return strings.Join(out, "\n")
}

func (p *play) paste(block string) (printed []string, failed bool) {
	p.t.Helper()
	var shown transcript
	terminal := shown.stream("")
	cmd := exec.Command("/bin/sh", "-c", block)
	cmd.Stdout, cmd.Stderr = terminal, terminal
	err := cmd.Run()
	if err != nil && cmd.ProcessState == nil {
		p.t.Fatal(err)
	}
	return shown.lines(), err != nil
}

// matches reports whether a program has printed what a page shows. On the page, a line … means any lines, and … at the
// end of a line means any text. Volatile texts count as equal.
func matches(shown, printed []string) bool {
	if len(shown) == 0 {
		return len(printed) == 0
	}
	if shown[0] == "…" {
		return matches(shown[1:], printed) || len(printed) > 0 && matches(shown, printed[1:])
	}
	if len(printed) == 0 {
		return false
	}
	line := hide(shown[0])
	begin, left := strings.CutSuffix(line, "…")
	return (line == printed[0] || left && strings.HasPrefix(printed[0], begin)) && matches(shown[1:], printed[1:])
}

// Programs makes a folder with a link to the test binary for each name. If a link starts the test binary, the binary
// behaves like the program of the link's name.
func Programs(t *testing.T, names ...string) (dir string) {
	t.Helper()
	self, err := os.Executable()
	must(t, err)
	dir = t.TempDir()
	for _, name := range names {
		must(t, os.Symlink(self, filepath.Join(dir, name)))
	}
	return dir
}
