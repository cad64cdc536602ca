package slurm

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// These scripts are rendered to testdata, checked by shellcheck, and shown to the cluster.
var scripts = map[string]*Script{
	"array": {
		Name: "table1-0001", About: "gdrun: tasks of the plan table1", Program: "/opt/graphda/bin/gdrun", Args: []string{"task", "."},
		Array:     &Array{Count: 14},
		Resources: Resources{Time: "45:00", Mem: "512M"},
		Lead:      2 * time.Minute, Log: "logs/%A_%a.log",
	},
	"full": {
		Name: "table1-0002", About: "gdrun: tasks of the plan table1", Program: "/opt/graphda/bin/gdrun", Args: []string{"task", "."},
		Array: &Array{Offset: 1000, Count: 18, Parallelism: 10},
		Resources: Resources{Time: "1-12:00:00", MemPerCPU: "100M", CPUsPerTask: 2, Partition: "debug", Account: "ml-2025",
			QOS: "normal", Constraint: "test", Extra: []string{"--nice=100"}},
		Setup: "setup.sh", Scratch: "$TMPDIR", Lead: 5 * time.Minute, Log: "logs/0002-1/%A_%a.log",
	},
	"merge": {
		Name: "table1-merge", About: "gdmerge: tables of the plan table1, once its tasks have ended",
		Program: "/opt/graphda/bin/gdmerge", Args: []string{".", "--out", "report"},
		Resources: Resources{Time: "30"}, Log: "logs/%j.log",
	},
	"names": {
		Name: "names", About: "names that a shell might misread: $HOME `id` 'it' \"x\" (y) ünï, " + strings.Repeat("and more ", 20), Program: "/opt/a b/gd'run$(id)", Args: []string{"task", ".", "--x", "-n\n$HOME", ""},
		Array: &Array{Count: 1},
		Setup: "set up\n'it' (1).sh", Scratch: "-x \"$HOME\" `id`", Log: "logs/%A_%a.log",
	},
}

func render(t testing.TB, s *Script) string {
	t.Helper()
	var b bytes.Buffer
	must(t, s.Render(&b))
	return b.String()
}

func TestScripts(t *testing.T) {
	for name, s := range scripts {
		path := filepath.Join("testdata", name+".sh")
		got := render(t, s)
		if *update {
			must(t, os.WriteFile(path, []byte(got), 0o666))
		}
		want := must1(os.ReadFile(path))
		if got != string(want) {
			t.Errorf("%s: got\n%s\nwant\n%s", path, got, want)
		}
		if n := strings.Count(got, "\n"); n >= 60 {
			t.Errorf("%s has %d lines, more than an administrator reads", path, n)
		}
		if again := render(t, s); again != got {
			t.Errorf("%s: not the same bytes again", name)
		}
	}
}

// TestCommentsFit checks that the comments of scripts fit a terminal, and that no path is in a
// directive as Slurm reads it.
func TestCommentsFit(t *testing.T) {
	all := maps.Clone(scripts)
	large := *scripts["full"]
	large.Array = &Array{Offset: 9_999_000, Count: 1000}
	large.About = "gdrun: tasks of the plan " + strings.Repeat("ünbroken", 40) + " end"
	all["large"] = &large
	for name, s := range all {
		text := render(t, s)
		for line := range strings.Lines(text) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); strings.HasPrefix(line, "#") && n >= 100 {
				t.Errorf("%s: %d characters: %s", name, n, line)
			}
			if value, ok := strings.CutPrefix(line, "#SBATCH "); ok && !only(strings.TrimSpace(value), letters+"-=:@_.,+%") {
				t.Errorf("%s: %s", name, line)
			}
		}
		words := strings.ReplaceAll(text, "\n#", "")
		if about := strings.Join(strings.Fields(s.About), " "); !strings.Contains(words, about) && name != "large" {
			t.Errorf("%s does not say %q", name, about)
		}
		if strings.Count(text, "ünbroken") < strings.Count(s.About, "ünbroken")-3 || !strings.Contains(text, s.Log+" THIS_FILE") {
			t.Errorf("%s: %s", name, text)
		}
	}
}

func TestShellcheck(t *testing.T) {
	if _, err := exec.LookPath("shellcheck"); err != nil {
		t.Skip("shellcheck is not installed; slurm/testcluster/install.sh does so on Debian")
	}
	files := must1(filepath.Glob("testdata/*.sh"))
	cluster := must1(filepath.Glob("testcluster/*.sh"))
	args := append([]string{"--external-sources", "--source-path=SCRIPTDIR"}, append(files, cluster...)...)
	if out, err := exec.Command("shellcheck", args...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestRefusedScripts(t *testing.T) {
	for _, c := range []struct {
		want string // text of the error
		edit func(s *Script)
	}{
		{`job name = "a b"`, func(s *Script) { s.Name = "a b" }},
		{`job name = ""`, func(s *Script) { s.Name = "" }},
		{`job name = "-x"`, func(s *Script) { s.Name = "-x" }},
		{`job name = "a/b"`, func(s *Script) { s.Name = "a/b" }},
		{"one line", func(s *Script) { s.About = "x\nrm -rf" }},
		{"one line", func(s *Script) { s.About = "" }},
		{"absolute", func(s *Script) { s.Program = "gdrun" }},
		{"zero byte", func(s *Script) { s.Args = []string{"a\x00"} }},
		{"DOS", func(s *Script) { s.Scratch = "a\r\nb" }},
		{"setup", func(s *Script) { s.Setup = "../setup.sh" }},
		{"setup", func(s *Script) { s.Setup = "/etc/profile" }},
		{"inside", func(s *Script) { s.Log = "/x" }},
		{"inside", func(s *Script) { s.Log = "../x" }},
		{`log = "a\nb"`, func(s *Script) { s.Log = "a\nb" }},
		{"count = 0", func(s *Script) { s.Array.Count = 0 }},
		{"offset = -1", func(s *Script) { s.Array.Offset = -1 }},
		{"parallelism = -1", func(s *Script) { s.Array.Parallelism = -1 }},
		{"lead time = 1m0s, want less than the time limit 1m0s", func(s *Script) { s.Lead = time.Minute; s.Resources.Time = "1" }},
		{"whole seconds", func(s *Script) { s.Lead = 1500 * time.Millisecond }},
		{"at most", func(s *Script) { s.Lead = 24 * time.Hour }},
		{`partition = "a b"`, func(s *Script) { s.Resources.Partition = "a b" }},
		{`partition = "a\n#SBATCH -x"`, func(s *Script) { s.Resources.Partition = "a\n#SBATCH -x" }},
		{`account = "a#b"`, func(s *Script) { s.Resources.Account = "a#b" }},
		{`qos = "$x"`, func(s *Script) { s.Resources.QOS = "$x" }},
		{`constraint = "a b"`, func(s *Script) { s.Resources.Constraint = "a b" }},
		{`time = "1.5"`, func(s *Script) { s.Resources.Time = "1.5" }},
		{`mem = "2GB"`, func(s *Script) { s.Resources.Mem = "2GB" }},
		{"want only one of --mem", func(s *Script) { s.Resources.Mem, s.Resources.MemPerCPU = "1G", "1G" }},
		{"cpus-per-task = -1", func(s *Script) { s.Resources.CPUsPerTask = -1 }},
	} {
		s := *scripts["array"]
		array := *s.Array
		s.Array = &array
		c.edit(&s)
		var out bytes.Buffer
		err := s.Render(&out)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want %q", s, err, c.want)
		}
		if out.Len() > 0 {
			t.Errorf("%+v: refused, and %d bytes written", s, out.Len())
		}
	}
}

func TestExtraOptions(t *testing.T) {
	for option, ok := range map[string]bool{
		"--nice=100": true, "--gres=gpu:1": true, "--exclude=n[1-3]": true, "--comment=a b $x": true, "--exclusive": true,
		"--mem-bind=local": true, "--time-min=10": true, "--hold": true, "--mail-type=END": true, "--export=ALL,X=1": true,
		"--array=0-5": false, "--arr=0-5": false, "--ar": false, "--chdir=/": false, "--o=x": false, "--time=5": false,
		"--signal=TERM": false, "--no-requeue": true, `--comment="a"`: false, "--comment=a\nb": false, "--wait": false, "--wrap=x": false, "-p x": false, "-px": false, "x": false,
		"--": false, "--=x": false, "--clusters=a": false, "--a b=c": false, "--x\x00": false, "--ARRAY=1": false,
	} {
		if err := checkExtra(option); (err == nil) != ok {
			t.Errorf("%q: error %v", option, err)
		}
	}
}

func TestInherit(t *testing.T) {
	env := map[string]string{"SBATCH_PARTITION": "long", "SBATCH_ACCOUNT": "x", "SBATCH_MEM_PER_CPU": "1G", "SBATCH_TIMELIMIT": "10"}
	r := Resources{Account: "mine", Mem: "2G"}
	r.Inherit(func(name string) string { return env[name] })
	if got := strings.Join(r.options(), " "); got != "--time=10 --mem=2G --partition=long --account=mine" {
		t.Errorf("got %s", got)
	}
	r = Resources{}
	r.Inherit(func(name string) string { return env[name] })
	if r.MemPerCPU != "1G" {
		t.Errorf("got %+v", r)
	}
}

func TestJobName(t *testing.T) {
	for in, want := range map[string]string{"table1": "table1", "a b/ü": "a_b__", "-_x": "x", "./..": ""} {
		if got := JobName(in); got != want {
			t.Errorf("JobName(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestScriptsRun runs a script in a folder. The names of program, setup file and arguments are awkward. The test
// compares what the program receives.
func TestScriptsRun(t *testing.T) {
	for _, name := range awkward {
		dir := filepath.Join(t.TempDir(), name)
		s := awkwardScript(t, dir, name)
		file := filepath.Join(t.TempDir(), "script")
		must(t, os.WriteFile(file, []byte(render(t, s)), 0o666))
		cmd := exec.Command("bash", file)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "SLURM_ARRAY_TASK_ID=0", "SLURM_CPUS_PER_TASK=2", "SLURM_JOB_ID=")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%q: %v\n%s", name, err, out)
		}
		checkAwkward(t, s, dir, name, readEvents(t, dir, 1000, 0))
	}
}

// awkward has names that a shell or Slurm could misread.
var awkward = []string{
	"plain", "a b", " lead", "trail ", "new\nline", "tab\tx", "quo'te\"s", "$HOME `id` $(id)", "(par) {x} [y]", "-dash", "--version",
	"ünï ✓", "a;b&c|d<e>f", "*?", "#hash", "~", "!x", "cr\rx", "=x", ",:@", "a\n#SBATCH --hold",
}

// awkwardScript makes a folder and a script. Every name contains `name`.
func awkwardScript(t *testing.T, dir, name string) *Script {
	t.Helper()
	for _, d := range []string{dir, filepath.Join(dir, "logs")} {
		must(t, os.MkdirAll(d, 0o777))
	}
	program := must1(os.Executable())
	link := filepath.Join(dir, "bin "+name)
	must(t, os.Symlink(program, link))
	setup := name + ".sh"
	must(t, os.WriteFile(filepath.Join(dir, setup), []byte("export SETUP=done\n"), 0o666))
	return &Script{
		Name: "awkward", About: "a test", Log: "logs/%A_%a.log", Program: link, Args: []string{"task", name, "--record", dir},
		Array: &Array{Offset: 1000, Count: 1}, Setup: setup, Scratch: name, Resources: Resources{CPUsPerTask: 2},
	}
}

func checkAwkward(t *testing.T, s *Script, dir, name string, events []event) {
	t.Helper()
	if len(events) != 2 {
		t.Fatalf("%q: %d events, want start and end", name, len(events))
	}
	e := events[0]
	want := []string{s.Program, "task", name, "--record", dir, "--scratch", name, "--index", "0", "--offset", "1000", "--jobs", "2"}
	if !slices.Equal(e.Args, want) || e.Dir != dir || e.Procs != "2" {
		t.Errorf("%q: %q in %q with %s processors, want %q", name, e.Args, e.Dir, e.Procs, want)
	}
}

// TestSetupFails checks that a job whose setup file fails says so, instead of running without modules.
func TestSetupFails(t *testing.T) {
	for setup, text := range map[string]string{"fails.sh": "false\n", "missing.sh": ""} {
		dir := t.TempDir()
		s := awkwardScript(t, dir, "x")
		s.Setup = setup
		if text != "" {
			must(t, os.WriteFile(filepath.Join(dir, setup), []byte(text), 0o666))
		}
		cmd := exec.Command("bash", "-c", render(t, s))
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState.ExitCode() != 2 || !strings.Contains(string(out), "setup file failed") {
			t.Errorf("%s: %v\n%s", setup, err, out)
		}
	}
}
