package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"graphda/jobs/jobstest"
)

// The arguments of a program come through plan, submit and the script that a shell runs as they are.
func TestProgramArguments(t *testing.T) {
	fake, err := filepath.Abs("testdata/slurm")
	must(t, err)
	gdrun := filepath.Join(t.TempDir(), "gdrun")
	if out, err := exec.Command("go", "build", "-o", gdrun, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	t.Chdir(t.TempDir())
	t.Setenv("PATH", fake+":"+os.Getenv("PATH"))
	jobstest.WriteDataset(t, filepath.Join("data", "grid"), jobstest.Spec{Trials: 1})
	jobstest.WriteFile(t, ".", "args.sh", `
printf '%s\0' "$@" > args
read -r hello
echo '{"name":"args","version":"1"}'
while read -r line; do
	cell=${line#*'"cell":"'}; cell=${cell%%'"'*}
	echo '{"cell":"'"$cell"'","checkpoint":40,"indices":1,"values":1}'
done
`)
	arguments := []string{"a b", `'q"`, "$(touch x)\n", "", "*", `\`, "${HOME}", "~", "ä—%d", "# no comment", "`ls`", "&& ls ;"}
	text := "name: args\nloss: logistic\ndatasets: [grid]\nmethods:\n  - method: program\n    name: args\n    files: [args.sh]\n" +
		"    command: [sh, args.sh"
	for _, word := range arguments {
		text += ", " + strconv.QuoteToASCII(word)
	}
	jobstest.WriteFile(t, ".", "args.yaml", text+"]\n")
	run := filepath.Join("runs", `it's "one" run`)
	for _, args := range [][]string{{"plan", "args.yaml", "--out", run}, {"submit", run}} {
		if out, err := exec.Command(gdrun, args...).CombinedOutput(); err != nil {
			t.Fatalf("%q: %v: %s", args, err, out)
		}
	}
	must(t, os.WriteFile(filepath.Join(run, "programs", "args", "args"), nil, 0o666)) // not what plan has left
	task := exec.Command("bash", filepath.Join("submissions", "0001-1.sh"))
	task.Dir = run
	task.Env = append(os.Environ(), "SLURM_ARRAY_TASK_ID=0")
	if out, err := task.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	got, err := os.ReadFile(filepath.Join(run, "programs", "args", "args"))
	if want := strings.Join(arguments, "\x00") + "\x00"; err != nil || string(got) != want {
		t.Errorf("the program was given %q, want %q", got, want)
	}
}
