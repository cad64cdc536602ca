package claims

import (
	"graphda/jobs/jobstest"
	"graphda/jobs/runtest"
)

var (
	must       = jobstest.Must
	newRun     = runtest.New
	finish     = runtest.Finish
	modelsOf   = runtest.Models
	modelsPath = runtest.ModelsPath
)
