package reports

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"graphda/io/seal"
	"graphda/jobs/jobstest"
	"graphda/jobs/merge"
	"graphda/jobs/reports/source"
	"graphda/jobs/run"
	"graphda/jobs/runtest"
	"graphda/jobs/selection"
)

var (
	must       = jobstest.Must
	wantError  = jobstest.WantError
	dataFolder = jobstest.Folder
	filesBelow = jobstest.FilesBelow
	newRun     = runtest.New
	finish     = runtest.Finish
	copyOf     = runtest.Copy
	resultsCSV = runtest.CSV
	wantSealed = runtest.WantSealed
	modelsOf   = runtest.Models
	modelsPath = runtest.ModelsPath
	learn      = runtest.Learn
)

// finished is a run on a folder of data with all its results.
func finished(t *testing.T, data, experiment string) *run.Run {
	t.Helper()
	r := newRun(t, data, experiment, time.Hour)
	finish(t, r, 2)
	return r
}

// reportsOf merges a run and makes its reports of these names, or all if there are none, by its first rule.
func reportsOf(t *testing.T, r *run.Run, names ...string) []source.Printed {
	t.Helper()
	return must1(Make(r, Options{Reports: names, AllowPartial: true})).Printed
}

// written writes a run's reports into a folder of their own. It returns their paths, and what reads one by its name.
func written(t *testing.T, r *run.Run, csv bool) (paths []string, read func(name string) string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "deep", "report")
	rows := must1(CreateRows(r, dir, seal.Output{}, csv))
	defer rows.Abort()
	paths = must1(must1(Make(r, Options{Uses: []merge.Use{rows.Use}})).Write(dir, seal.Output{}, rows))
	return paths, func(name string) string {
		return string(must1(os.ReadFile(filepath.Join(dir, name))))
	}
}

// printReports makes the reports of these names, or all if there are none, by a rule.
func printReports(r *run.Run, grid *merge.Grid, rule selection.Rule, names []string) ([]source.Printed, error) {
	b := &Book{run: r, grid: grid, rule: rule}
	err := b.print(names)
	return b.Printed, err
}

func must1[T any](v T, err error) T { return jobstest.Must1(v, err) }
