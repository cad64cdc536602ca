package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"graphda/jobs/jobstest"
)

// TestLiveLimits is what gdrun does on a cluster with accounts, which admits few jobs of a user: make test-slurm starts
// one.
func TestLiveLimits(t *testing.T) {
	if os.Getenv("TESTCLUSTER_SACCT") != "1" {
		t.Skip("needs a cluster with accounts: make test-slurm starts one")
	}
	lab := newClusterLab(t)
	lab.plan(t, "few", jobstest.Spec{Train: 60, Trials: 16}, "  - {method: adam, alpha: 0.01}\n") // 16 tasks
	lab.undisturbed(t, "few")
	user, err := exec.Command("id", "-un").Output()
	must(t, err)
	account := []string{"user", strings.TrimSpace(string(user)), "set"}
	for _, limit := range []struct {
		name     string
		set      []string
		submit   []string
		admitted int
		told     string
	}{
		{"of a quality of service", []string{"qos", "normal", "set", "MaxSubmitJobsPerUser="}, nil, 5, "admits no more jobs"},
		{"of an account", append(account, "MaxSubmitJobs="), nil, 3, "admits no more jobs"},
		{"of the user", nil, []string{"--max-jobs=6"}, 6, "--max-jobs 6"},
	} {
		t.Run(limit.name, func(t *testing.T) {
			if limit.set != nil {
				change := func(value string) {
					args := append([]string{"--immediate", "modify"}, limit.set...)
					args[len(args)-1] += value
					if out, err := exec.Command("sacctmgr", args...).CombinedOutput(); err != nil {
						t.Fatalf("%v: %s", err, out)
					}
				}
				change(fmt.Sprint(limit.admitted))
				defer change("-1")
			}
			r := lab.fresh(t, "few", append(limit.submit, "--setup", jobstest.WriteFile(t, lab.dir, "gate.sh", gate))...)
			args := append([]string{"submit", r.path, "--merge"}, r.args...)
			code, out, stderr := lab.run(t, "gdrun", args...)
			if code != 0 || !strings.Contains(stderr, limit.told) {
				t.Fatalf("exit code %d, %s%s", code, out, stderr)
			}
			if s := r.status(); len(r.active()) != limit.admitted || s.Queue.Running+s.Queue.Queued != limit.admitted {
				t.Errorf("%d jobs in the queue, status %+v; want %d", len(r.active()), s.Queue, limit.admitted)
			}
			jobstest.WriteFile(t, r.path, "go", "")
			for rounds := 1; !strings.Contains(out, "gdmerge"); rounds++ {
				if rounds > 16 {
					t.Fatal("no job that merges")
				}
				r.waitIdle()
				out = lab.must(t, "gdrun", "submit", r.path, "--again")
			}
			r.waitIdle()
			if code, out, stderr := lab.run(t, "gdrun", "status", r.path); code != 0 {
				t.Errorf("status: exit code %d, %s%s", code, out, stderr)
			}
			r.compare(r.report(filepath.Join(r.path, "report")))
		})
	}
}
