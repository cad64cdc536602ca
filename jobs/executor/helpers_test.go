package executor_test

import (
	"fmt"
	"strings"

	"graphda/io/results"
	"graphda/jobs/jobstest"
	"graphda/jobs/plan"
	_ "graphda/jobs/reports" // its kinds of report
)

var (
	must       = jobstest.Must
	wantError  = jobstest.WantError
	dataFolder = jobstest.Folder
	filesBelow = jobstest.FilesBelow
)

// resultsFolder is the folder of a run's results.
const resultsFolder = "results"

// stripped returns a row without its cost and provenance as text that tells all bits of
// its numbers.
func stripped(r results.Row) string {
	var b strings.Builder
	for _, f := range results.Fields(plan.Layout()) {
		if f.Role == results.RoleCost || f.Role == results.RoleProvenance {
			continue
		}
		switch v := f.Value(&r).(type) {
		case float64:
			fmt.Fprintf(&b, "%s=%x ", f.Name, v)
		default:
			fmt.Fprintf(&b, "%s=%v ", f.Name, v)
		}
	}
	return b.String() + r.Error
}

// strippedAll strips rows, by cell and checkpoint.
func strippedAll(rows []results.Row) map[string]string {
	out := map[string]string{}
	for _, r := range rows {
		out[fmt.Sprint(r.Cell, " ", r.Checkpoint)] = stripped(r)
	}
	return out
}

func must1[T any](v T, err error) T { return jobstest.Must1(v, err) }
