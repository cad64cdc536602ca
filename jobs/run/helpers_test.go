package run_test

import (
	"graphda/jobs/jobstest"
)

var (
	must       = jobstest.Must
	wantError  = jobstest.WantError
	dataFolder = jobstest.Folder
)
