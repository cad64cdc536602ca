package scenario

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"graphda/cmd/internal/command"
)

const played = `# A comment.

-- sub/data.txt --
  one

    two

$ say 'out 1' '!why' '' "$HOME" ''
  out 1
! why

  /home/me

$ NAME=1

$ say $NAME | sed s/1/2/
  2

$ cat sub/data.txt; false
  one

    two
exit 1

$ fail 3
exit 3
`

// say prints its arguments, one per line. Arguments that begin with ! go to stderr.
func say(_ *testing.T, args []string, stdout, stderr io.Writer) int {
	for _, a := range args[1:] {
		if text, ok := strings.CutPrefix(a, "!"); ok {
			fmt.Fprintln(stderr, text)
		} else {
			fmt.Fprintln(stdout, a)
		}
	}
	return 0
}

func fail(_ *testing.T, args []string, _, _ io.Writer) (exit int) {
	_, err := fmt.Sscan(args[1], &exit)
	if err != nil {
		return -1
	}
	return exit
}

// Playing a scenario fills in the output. Playing it again changes nothing.
func TestPlay(t *testing.T) {
	unplayed := regexp.MustCompile(`(?m)(^\$ .*\n)(?:\n?(?:  |!|exit).*\n)+`).ReplaceAllString(played, "$1")
	for _, text := range []string{played, unplayed} {
		t.Chdir(t.TempDir())
		t.Setenv("HOME", "/home/me")
		p := &play{t: t, commands: map[string]Command{"say": say, "fail": fail}}
		if got := p.all(text); got != played {
			t.Errorf("%s", difference("played", played, got))
		}
		if data, err := os.ReadFile("sub/data.txt"); err != nil || string(data) != "one\n\n  two\n" {
			t.Errorf("the file holds %q, %v", data, err)
		}
	}
}

// Only the blocks of a page are played and updated. The rest of the page does not change.
func TestPage(t *testing.T) {
	const text = "# Title\n\nText, `code`.\n\n```\n-- a.txt --\n  1\n$ say 1\n```\n```yaml\n$ say 3\n```\n\n" +
		"```sh\ncat a.txt\necho 2 \\\n 3\n```\nso:\n```text\n```\nThe end.\n"
	played := strings.NewReplacer("$ say 1\n", "$ say 1\n  1\n", "```text\n", "```text\n1\n2 3\n").Replace(text)
	for _, text := range []string{text, played} {
		t.Chdir(t.TempDir())
		if got := (&play{t: t, commands: map[string]Command{"say": say}}).page(text, ""); got != played {
			t.Errorf("%s", difference("the page", played, got))
		}
	}
}

// Lines that a page leaves out may be printed, but no other lines.
func TestMatches(t *testing.T) {
	for _, c := range []struct {
		shown, printed string
		want           bool
	}{
		{"a b", "a b", true},
		{"a b", "a", false},
		{"a", "a b", false},
		{"a … d", "a b c d", true},
		{"a … d", "a b c", false},
		{"a …", "a", true},
		{"… d", "b d d", true},
		{"long…", "longer", true},
		{"long…", "short", false},
	} {
		if got := matches(strings.Fields(c.shown), strings.Fields(c.printed)); got != c.want {
			t.Errorf("%q of %q: %v", c.shown, c.printed, got)
		}
	}
}

func TestLaws(t *testing.T) {
	for _, c := range []struct {
		code           int
		stdout, stderr string
		changed        bool
		broken         int
	}{
		{command.OK, "done\n", "half\n", true, 0},
		{command.Usage, "", "p: no such file\n", false, 0},
		{command.Usage, "", "note\np: no such file\n", false, 0},
		{command.Failed, "1 failed\n", "p: a cell failed\n", true, 0},
		{command.Incomplete, "", "p: missing\n", true, 0},
		{command.OK, "1\r2\n", "", false, 1},
		{command.Failed, "", "", false, 1},
		{command.Failed, "", "p: no\nmore\n", false, 1},
		{command.Failed, "", "p: no\np: no\n", false, 1},
		{command.Usage, "", "p: no\n", true, 1},
		{command.Failed, "", "goroutine 1\np: no\n", true, 2},
	} {
		if broken := laws("p", c.code, c.stdout, c.stderr, c.changed); len(broken) != c.broken {
			t.Errorf("%+v breaks %q", c, broken)
		}
	}
}

// Text that differs from run to run is replaced by a name.
func TestHide(t *testing.T) {
	here, err := os.Getwd()
	must(t, err)
	for _, c := range [][2]string{
		{"6 cells, about 1m2.5s of CPU time here", "6 cells, about ‹time› of CPU time here"},
		{"about 0s of CPU time used, 2h15m0s left", "about ‹time› of CPU time used, ‹time› left"},
		{"4 of 4 cells, 2 failed in 300ms", "4 of 4 cells, 2 failed in ‹time›"},
		{"task 3 failed in 2 of 3 trials", "task 3 failed in 2 of 3 trials"},
		{here + "/runs", "‹here›/runs"},
		{"cell " + strings.Repeat("0a", 6) + "…", "cell ‹id›…"},
		{strings.Repeat("0a", 32) + "," + strings.Repeat("1", 70), "‹id›," + strings.Repeat("1", 70)},
		{"open a/.b.csv.ABCDEFGH23456777.tmp: no", "open a/.b.csv.‹random›.tmp: no"},
	} {
		if got := hide(c[0]); got != c[1] {
			t.Errorf("%q becomes %q, want %q", c[0], got, c[1])
		}
	}
}
