package command

import (
	"debug/buildinfo"
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"graphda/io/seal"
)

// make install installs programs that run on any node, with pages for man and completion scripts for shells. make
// uninstall removes all of it.
func TestMakeInstall(t *testing.T) {
	if testing.Short() || runtime.GOOS != "linux" {
		t.Skip("builds both programs for Linux, half a minute")
	}
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip(err)
	}
	root := t.TempDir()
	run := func(target string) {
		t.Helper()
		out, err := exec.Command("make", "-C", "../../..", target, "BIN="+filepath.Join(t.TempDir(), "bin"), "DESTDIR="+root,
			"PREFIX=/opt").CombinedOutput()
		if err != nil {
			t.Fatalf("make %s: %v\n%s", target, err, out)
		}
	}
	run("install")
	usr := filepath.Join(root, "opt")
	t.Setenv("PATH", filepath.Join(usr, "bin")+":"+os.Getenv("PATH"))
	for _, name := range []string{"gdrun", "gdmerge"} {
		t.Run(name, func(t *testing.T) { checkStatic(t, filepath.Join(usr, "bin", name)) })
	}
	for _, name := range []string{"gdrun", "gdmerge", "gdrun-import", "gdrun-tune", "gdrun-project", "gdrun-simulate-kegg"} {
		t.Run(name+".1", func(t *testing.T) { checkPage(t, filepath.Join(usr, "share/man/man1", name+".1")) })
	}
	t.Run("bash", func(t *testing.T) { checkBash(t, filepath.Join(usr, "share/bash-completion/completions/gdrun")) })
	t.Run("zsh", func(t *testing.T) { checkZsh(t, filepath.Join(usr, "share/zsh/site-functions")) })
	t.Run("fish", func(t *testing.T) { checkFish(t, filepath.Join(usr, "share/fish/vendor_completions.d/gdrun.fish")) })
	run("uninstall")
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			t.Errorf("make uninstall leaves %s", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// checkStatic checks that a program needs no library, is stripped, and knows its version.
func checkStatic(t *testing.T, path string) {
	f, err := elf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP || p.Type == elf.PT_DYNAMIC {
			t.Errorf("a segment %v: it needs libraries of this machine", p.Type)
		}
	}
	for _, section := range []string{".symtab", ".debug_info", ".zdebug_info"} {
		if f.Section(section) != nil {
			t.Errorf("the section %s: it is not stripped", section)
		}
	}
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got := printedBy(t, path, "--version")
	if want := filepath.Base(path) + " version " + seal.Version + " " + buildText(info) + "\n"; got != want {
		t.Errorf("--version prints %q, want %q", got, want)
	}
	if !strings.Contains(got, runtime.Version()) {
		t.Errorf("--version prints %q without the version of Go", got)
	}
}

// checkPage lets man or mandoc look for faults.
func checkPage(t *testing.T, path string) {
	program, args := "mandoc", []string{"-T", "lint", "-W", "error", path}
	if _, err := exec.LookPath(program); err != nil {
		program, args = "man", []string{"--warnings", "-l", path}
	}
	found(t, program)
	c := exec.Command(program, args...)
	c.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "MANPAGER=cat")
	var stderr strings.Builder
	c.Stderr = &stderr
	if out, err := c.Output(); err != nil || stderr.Len() > 0 {
		t.Errorf("%s: %v\n%s%s", program, err, out, &stderr)
	}
	page, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(page), "\n.SH DESCRIPTION\n") {
		t.Errorf("the page has no description, %v", err)
	}
}

// completions has lines that a user types, each with a word that all shells then offer.
var completions = [][]string{
	{"confidence", "gdrun", "conf"},
	{"--method", "gdrun", "tune", "data/mine", "--me"},
	{"least_squares", "gdrun", "tune", "--loss", ""},
	{"benchmark", "gdrun", "simulate", ""},
	{"figure10", "gdrun", "reproduce", "figure"},
}

// checkBash acts like readline, which sets COMP_WORDS and COMP_CWORD and calls the function.
func checkBash(t *testing.T, script string) {
	found(t, "bash")
	for _, c := range completions {
		const play = `. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); complete -p gdrun >&2 || exit
			_gdrun "$1" "${@: -1}" "${@: -2:1}"; printf '%s\n' "${COMPREPLY[@]}"`
		offers(t, c, printedBy(t, "bash", append([]string{"--norc", "-c", play, script}, c[1:]...)...))
	}
}

// checkZsh loads the function as compinit does, once for all lines, and reads its call of _describe.
func checkZsh(t *testing.T, folder string) {
	found(t, "zsh")
	const play = `fpath=($1 $fpath); shift; autoload -U compinit; compinit -D -u
		[[ $_comps[gdrun] = _gdrun ]] || exit 1
		_describe() { print -rl -- "${(@P)2}" }; _files() { print files }; autoload -Uz _gdrun
		for line; do words=("${(@s:|:)line}"); CURRENT=$#words; _gdrun | sed 's/:.*//'; print -- '--'; done`
	args := []string{"-f", "-c", play, "zsh", folder}
	for _, c := range completions {
		args = append(args, strings.Join(c[1:], "|"))
	}
	printed := strings.Split(printedBy(t, "zsh", args...), "--\n")
	if len(printed) != len(completions)+1 {
		t.Fatalf("answers to %d lines: %q", len(printed)-1, printed)
	}
	for i, c := range completions {
		offers(t, c, printed[i])
	}
}

func checkFish(t *testing.T, script string) {
	found(t, "fish")
	t.Setenv("HOME", t.TempDir())
	for _, c := range completions {
		line := strings.Join(c[1:], " ")
		out := printedBy(t, "fish", "--no-config", "-c", "source $argv[1]; complete -C $argv[2] | cut -f1", script, line)
		offers(t, c, out)
	}
}

func offers(t *testing.T, completion []string, printed string) {
	t.Helper()
	if !strings.Contains("\n"+printed, "\n"+completion[0]+"\n") {
		t.Errorf("%q: the shell does not offer %s, but\n%s", completion[1:], completion[0], printed)
	}
}

func found(t *testing.T, program string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		t.Skip(err)
	}
}

func printedBy(t *testing.T, program string, args ...string) string {
	t.Helper()
	out, err := exec.Command(program, args...).Output()
	if err != nil {
		t.Errorf("%s %q: %v", program, args, err)
	}
	return string(out)
}
