package results

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"
)

// The notes of a task's attempts are read in the order in which they began, the last that an
// attempt wrote counts, and damaged ones and those of other tasks are none.
func TestAttempts(t *testing.T) {
	dir := t.TempDir()
	if all, err := ReadAttempts(filepath.Join(dir, "none"), testTask); err != nil || len(all) > 0 {
		t.Errorf("%+v, %v in a folder that is not there", all, err)
	}
	begin := time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)
	first := Attempt{Name: "slurm-7_1-0", Host: "h", Node: "n1", Workers: 2, Begin: begin, Seconds: 60, CPUSeconds: 110, Peak: 1 << 30, JobPeak: 2 << 30}
	second := Attempt{Name: "slurm-7_1-1", Begin: begin.Add(time.Hour), Cells: 3, OnePass: 1.5, End: TimeLimit, Error: "stopped"}
	must(t, WriteAttempt(dir, testTask, second))
	must(t, WriteAttempt(dir, testTask, Attempt{Name: first.Name, Begin: begin}))
	must(t, WriteAttempt(dir, testTask, first))
	must(t, WriteAttempt(dir, testTask+1, first))
	must(t, WriteAttempt(dir, testTask, Attempt{Name: "torn"}))
	torn := attemptPath(dir, testTask, "torn")
	must(t, os.Truncate(torn, 20))
	all := must1(ReadAttempts(dir, testTask))
	if want := []Attempt{first, second}; !reflect.DeepEqual(all, want) {
		t.Errorf("%+v, want %+v", all, want)
	}

	// They go with the parts.
	must(t, WriteShard(filepath.Join(dir, ShardName(testTask)), testInfo, testLayout, nil))
	must(t, RemoveParts(dir, testTask))
	wantFiles(t, dir, ShardName(testTask), filepath.Base(torn), filepath.Base(attemptPath(dir, testTask+1, first.Name)))
}
