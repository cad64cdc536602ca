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

func must1[T any](v T, err error) T { return jobstest.Must1(v, err) }
