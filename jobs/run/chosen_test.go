package run_test

import (
	"path/filepath"
	"testing"

	"graphda/io/results/export"
	"graphda/jobs/jobstest"
	"graphda/jobs/plan"
	"graphda/jobs/run"
)

// A published file can be read, and its plan gives the cells the same ids as the file.
func TestPublishedFile(t *testing.T) {
	path := filepath.Join("../../docs/results/figure5", run.ChosenName)
	r := jobstest.Must1(run.OpenToMerge(path))
	ids := map[string]bool{}
	for i := range r.Plan.Cells {
		ids[r.Plan.Cells[i].ID] = true
	}
	rows, _, err := export.ReadParquet(path, plan.Layout())
	jobstest.Must(t, err)
	for i := range rows {
		if !ids[rows[i].Cell] {
			t.Fatalf("%s: row %d has the cell %q, which its plan lacks", path, i, rows[i].Cell)
		}
	}
}
