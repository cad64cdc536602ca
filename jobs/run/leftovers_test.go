package run_test

import (
	"os"
	"path/filepath"
	"testing"

	"graphda/jobs/plan"
	"graphda/jobs/run"
	"graphda/jobs/runtest"
)

// What a finished run does not need goes; what the only results of a cell are in stays.
func TestRemoveLeftovers(t *testing.T) {
	r := runtest.Finished(t)
	last := r.Tasks[len(r.Tasks)-1]
	first := r.Tasks[0]
	rows := must1(r.ReadShard(first, plan.Layout()))
	damaged := r.ShardPath(first) + run.DamagedSuffix
	must(t, os.WriteFile(damaged, nil, 0o666))
	// The cells of the first task, once more in one that nobody sealed, as after a repacking.
	again := *first
	again.Number = r.NextTask()
	r.Tasks = append(r.Tasks, &again)
	must(t, r.MakeFolder(&again))
	part := runtest.Part(t, r, &again, "slurm-9_0-0", rows...)
	must(t, os.WriteFile(r.ShardPath(last)+run.DamagedSuffix, nil, 0o666))
	must(t, os.Remove(r.ShardPath(last))) // its cells are in no shard now
	stock := must1(r.TakeStock(true))
	must(t, r.RemoveLeftovers(stock))
	for path, want := range map[string]bool{damaged: false, part: false, r.ShardPath(first): true, r.ShardPath(last) + run.DamagedSuffix: true} {
		if _, err := os.Stat(path); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", filepath.Base(path), err == nil, want)
		}
	}
}

// Four bytes in the middle of a shard are noticed if checksums are compared.
func TestVerifiedStatus(t *testing.T) {
	run := runtest.Finished(t)
	path := run.ShardPath(run.Tasks[0])
	data := must1(os.ReadFile(path))
	copy(data[len(data)/3:], "\xff\xfe\xfd\xfc")
	must(t, os.WriteFile(path, data, 0o666))
	quick := must1(run.Status())
	slow := must1(run.VerifiedStatus())
	if quick.Undone() != 0 || quick.Verified || slow.Undone() != len(run.Tasks[0].Cells) || !slow.Verified || len(slow.Damaged) != 1 {
		t.Errorf("%d cells undone, and %d with checksums: %q", quick.Undone(), slow.Undone(), slow.Damaged)
	}
}
