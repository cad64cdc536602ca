package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"graphda/jobs/jobstest"
	"graphda/jobs/run"
)

// clusterProgram behaves as its parameter "do" wants: "once" ends the process the first time that it is asked.
const clusterProgram = `
read -r hello
echo '{"name":"toy","version":"1"}'
while read -r line; do
	cell=${line#*'"cell":"'}; cell=${cell%%'"'*}
	do=${line#*'"do":"'}; do=${do%%'"'*}
	case $do in
	well) sleep 0.3 ;;
	once) [ -e "$cell" ] || { : > "$cell"; kill -9 $$; } ;;
	ends) exit 3 ;;
	hangs) sleep 600 ;;
	hungry) awk 'BEGIN { while (i < 1500000) a[i++] = i; system("sleep 600") }' ;;
	esac
	echo '{"cell":"'"$cell"'","checkpoint":20,"indices":1,"values":1}'
	echo '{"cell":"'"$cell"'","checkpoint":40,"indices":1,"values":1}'
done
`

// On a cluster a program that is killed, hangs or takes too much memory fails its cells alone, and ends with its task.
func (lab *clusterLab) testPrograms(t *testing.T) {
	of := lab.inside(t, "programs")
	jobstest.WriteDataset(t, filepath.Join(of.dir, "data", "grid"), jobstest.Spec{Trials: 3})
	jobstest.WriteFile(t, of.dir, "toy.sh", clusterProgram)
	jobstest.WriteFile(t, of.dir, "toys.yaml", `{name: toys, loss: logistic, datasets: [grid], checkpoints: [20, 40], methods: [
  {method: program, name: toy, command: [sh, toy.sh], files: [toy.sh], timeout: 10s, memory: 48MiB,
   grid: {do: [well, once, ends, hangs, hungry], n: [1, 2]}}]}`)
	of.must(t, "gdrun", "plan", "toys.yaml", "--out", "toys")
	r := of.fresh(t, "toys")
	r.submit()
	r.wait("a task that runs", func() bool { return len(r.processes("")) > 0 })
	for _, p := range r.processes("") {
		_ = p.Kill() // one may have ended
	}
	var s run.Status
	for range 12 {
		r.waitIdle()
		if s = r.status(); s.Total.Done+s.Total.Failed == s.Total.Cells {
			break
		}
		r.submit()
	}
	if s.Total.Cells != 30 || s.Total.Done != 12 || s.Total.Failed != 18 {
		t.Errorf("%+v, want 12 cells done and 18 failed\n%s", s.Total, r.logs())
	}
	of.must(t, "gdmerge", r.path, "--out", r.path+"-report", "--csv", "--allow-partial")
	rows := r.rows(r.path+"-report", "csv")
	for reason, want := range map[string]int{
		"has ended the program 3 times, and is not tried again: ended before it had answered: exit status 3": 12,
		"did not answer within 10s":   12,
		"out of memory: took ":        12,
		"\n":                          61,
		`"{""do"":""once"",""n"":2}"`: 6,
	} {
		if n := strings.Count(rows, reason); n != want {
			t.Errorf("%q stands %d times in the rows, want %d:\n%s", reason, n, want, rows)
		}
	}
	r.wait("the end of the programs", func() bool {
		links := must1(filepath.Glob("/proc/[0-9]*/cwd"))
		for _, link := range links {
			if at, err := os.Readlink(link); err == nil && strings.HasPrefix(at, r.path) {
				return false
			}
		}
		return true
	})
}
