package experiment

import "graphda/jobs/jobstest"

var (
	must       = jobstest.Must
	wantError  = jobstest.WantError
	dataFolder = jobstest.Folder
)

func must1[T any](v T, err error) T { return jobstest.Must1(v, err) }
