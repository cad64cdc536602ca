package reports

import (
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

// printReports makes the reports of these names, or all if there are none, by a rule.
func printReports(r *run.Run, grid *merge.Grid, rule selection.Rule, names []string) ([]source.Printed, error) {
	b := &Book{run: r, grid: grid, rule: rule}
	err := b.print(names)
	return b.Printed, err
}
