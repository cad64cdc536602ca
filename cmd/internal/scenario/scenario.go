// Package scenario tests a program with text files that contain commands and their output.
//
// A scenario is played from top to bottom in its own folder. Lines of the script are not indented. The content of files
// and the output of commands are indented by two spaces:
//
//	# a comment
//	-- NAME --   write the file NAME, which holds the indented lines that follow
//	$ COMMAND    run a command, whose lines on stdout are indented
//	! TEXT       a line that the command prints on stderr
//	exit N       the command's exit code, unless it is 0
//
// The commands that the test passes to Run run in this process. If a | follows such a command, the shell gets its
// stdout. The shell runs all other lines, such as $ sed s/a/b/ x.csv > y.csv. NAME=VALUE sets an environment variable:
// for the command on the same line or, without a command, for the rest of the scenario.
//
// To add a scenario, write its comments, files and commands. go test -run Scenarios -update fills in the output. Read
// the output: from then on the test compares with it.
//
// A Markdown page of documentation is a scenario too (Pages). The test pastes each block of commands into a shell in an
// empty folder, and compares the output with the block below.
package scenario

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"graphda/cmd/internal/command"
	"graphda/jobs/jobstest"
)

var must = jobstest.Must

var update = flag.Bool("update", false, "rewrite the scenarios with what their commands print now")

// A Command runs in the folder of a scenario. The arguments begin with the command's name.
type Command func(t *testing.T, args []string, stdout, stderr io.Writer) (exit int)

// Program returns a command that runs a program under test and checks the rules of laws().
func Program(p command.Program) Command {
	return lawful(func(_ *testing.T, args []string, stdout, stderr io.Writer) int {
		return command.Execute(context.Background(), p, args, stdout, stderr)
	})
}

// lawful returns a command that calls run and then checks the rules of laws().
func lawful(run Command) Command {
	return func(t *testing.T, args []string, stdout, stderr io.Writer) int {
		t.Helper()
		before := tree(t)
		var out, err bytes.Buffer
		code := run(t, args, io.MultiWriter(stdout, &out), io.MultiWriter(stderr, &err))
		for _, fault := range laws(args[0], code, out.String(), err.String(), !slices.Equal(before, tree(t))) {
			t.Errorf("%q %s:\n%s%s", args, fault, &out, &err)
		}
		return code
	}
}

// laws returns the rules that a command has broken.
func laws(program string, code int, stdout, stderr string, changed bool) (broken []string) {
	last := stderr[strings.LastIndexByte(strings.TrimSuffix(stderr, "\n"), '\n')+1:]
	isRefusal := (code == command.Usage || code == command.Failed) && stdout == ""
	for fault, isBroken := range map[string]bool{
		"prints a carriage return to what is no terminal":  strings.ContainsRune(stdout+stderr, '\r'),
		"prints a stack trace":                             strings.Contains(stderr, "goroutine "),
		"fails without a last line that says why":          code != command.OK && !strings.HasPrefix(last, program+": "),
		"says twice why it fails":                          strings.Count("\n"+stderr, "\n"+program+": ") > 1,
		"prints nothing but its refusal and changes files": isRefusal && changed,
	} {
		if isBroken {
			broken = append(broken, fault)
		}
	}
	return broken
}

// tree lists the files in the current folder with their sizes and times. It omits files of the fake Slurm, and journals
// of submissions, because these are also locks.
func tree(t *testing.T) (files []string) {
	t.Helper()
	must(t, filepath.WalkDir(".", func(path string, d os.DirEntry, err error) error {
		if err != nil || path == "." {
			return err
		}
		if path == "slurm" || d.Name() == "submissions" {
			return filepath.SkipDir
		}
		info, err := d.Info()
		if err == nil && !d.IsDir() {
			path += fmt.Sprint(" ", info.Size(), " ", info.ModTime().UnixNano())
		}
		files = append(files, path)
		return err
	}))
	return files
}

// Run plays the scenarios in a folder, each as a subtest.
func Run(t *testing.T, folder string, commands map[string]Command) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.txt"))
	must(t, err)
	if len(paths) == 0 {
		t.Fatalf("no scenarios in %s", folder)
	}
	playAll(t, paths, commands, (*play).all)
}

// playAll plays files, each in its own folder. The function `how` plays a text and returns it with the current output.
func playAll(t *testing.T, paths []string, commands map[string]Command, how func(*play, string) string) {
	t.Helper()
	t.Setenv("LC_ALL", "C")             // makes the shell sort by bytes
	processors := runtime.GOMAXPROCS(2) // help texts show this number
	defer runtime.GOMAXPROCS(processors)
	for _, path := range paths {
		path, err := filepath.Abs(path)
		must(t, err)
		t.Run(strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)), func(t *testing.T) {
			want, err := os.ReadFile(path)
			must(t, err)
			t.Chdir(t.TempDir())
			p := &play{t: t, commands: commands}
			p.compare(path, string(want), how(p, string(want)))
		})
	}
}

type play struct {
	t        *testing.T
	commands map[string]Command
	files    int // number of files that Pages has played for a page
}

// compare reports the first difference between a file and the current output. With -update it rewrites the file.
func (p *play) compare(path, want, got string) {
	p.t.Helper()
	if *update {
		must(p.t, os.WriteFile(path, []byte(got), 0o666))
	} else if got != want {
		p.t.Errorf("%s\nif the new output is right, run make golden and read the diff", difference(path, want, got))
	}
}

var fileHead = regexp.MustCompile(`^-- (\S+) --$`)

func (p *play) all(text string) string {
	p.t.Helper()
	var b strings.Builder
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i := 0; i < len(lines); {
		head, number := lines[i], i+1
		for i++; i < len(lines) && belongsTo(lines[i]); i++ {
		}
		body := lines[number:i]
		end := len(body)
		for end > 0 && body[end-1] == "" {
			end--
		}
		blank := body[end:]
		body = body[:end]
		if m := fileHead.FindStringSubmatch(head); m != nil {
			p.write(m[1], body)
		} else if line, ok := strings.CutPrefix(head, "$ "); ok {
			body = p.run(line)
		} else if head != "" && !strings.HasPrefix(head, "#") || len(body) > 0 {
			p.t.Fatalf("line %d: %q, want #, $ or -- NAME -- at the margin", number, head)
		}
		for _, line := range slices.Concat([]string{head}, body, blank) {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}

func belongsTo(line string) bool {
	return line == "" || strings.HasPrefix(line, "  ") || strings.HasPrefix(line, "!") || strings.HasPrefix(line, "exit ")
}

func (p *play) write(name string, indented []string) {
	p.t.Helper()
	var b strings.Builder
	for _, line := range indented {
		b.WriteString(strings.TrimPrefix(line, "  ") + "\n")
	}
	must(p.t, os.MkdirAll(filepath.Dir(name), 0o777))
	must(p.t, os.WriteFile(name, []byte(b.String()), 0o666))
}

var assignment = regexp.MustCompile(`^[A-Z_]+=`)

func (p *play) run(line string) []string {
	p.t.Helper()
	ours, filter, isPiped := strings.Cut(line, " | ")
	words := p.words(ours)
	n := 0
	for n < len(words) && assignment.MatchString(words[n]) {
		name, value, _ := strings.Cut(words[n], "=")
		if n++; len(words) > n {
			defer os.Setenv(name, os.Getenv(name))
		}
		p.t.Setenv(name, value) // Setenv undoes this at the end of the scenario
	}
	if words = words[n:]; len(words) == 0 {
		return nil
	}
	var printed transcript
	stdout, stderr := printed.stream("  "), printed.stream("! ")
	var code int
	if run := p.commands[words[0]]; run == nil {
		code = shell(p.t, line, nil, stdout, stderr)
	} else if isPiped {
		var between bytes.Buffer
		code = run(p.t, words, &between, stderr)
		shell(p.t, filter, &between, stdout, stderr)
	} else {
		code = run(p.t, words, stdout, stderr)
	}
	lines := printed.lines()
	if code != 0 {
		lines = append(lines, fmt.Sprint("exit ", code))
	}
	return lines
}

func (p *play) words(line string) []string {
	p.t.Helper()
	first, _, _ := strings.Cut(line, " ")
	if p.commands[first] == nil && !assignment.MatchString(line) {
		return []string{line}
	}
	if !strings.ContainsAny(line, "'\"\\$`*?[]{}~|&;<>()#\n") {
		return strings.Fields(line)
	}
	out, err := exec.Command("/bin/sh", "-c", `printf '%s\0' `+line).Output()
	must(p.t, err)
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
}

func shell(t *testing.T, line string, stdin io.Reader, stdout, stderr io.Writer) (exit int) {
	t.Helper()
	cmd := exec.Command("/bin/sh", "-c", line)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, stdout, stderr
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode()
}

func difference(path, want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	const shown = 12
	part := func(lines []string) string {
		from, to := max(0, n-3), min(len(lines), n+shown)
		return strings.Join(lines[min(from, to):to], "\n")
	}
	return fmt.Sprintf("%s:%d: the scenario says\n%s\n\nnow it is\n%s\n", path, n+1, part(a), part(b))
}
