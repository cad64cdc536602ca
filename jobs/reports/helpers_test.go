package reports

import (
	"graphda/jobs/jobstest"
	"graphda/jobs/runtest"
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
