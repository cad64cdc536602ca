package cluster

import (
	"graphda/jobs/jobstest"
	_ "graphda/jobs/reports" // its kinds of report
	"graphda/jobs/runtest"
)

var (
	must         = jobstest.Must
	wantError    = jobstest.WantError
	filesBelow   = jobstest.FilesBelow
	tinyRun      = runtest.Tiny
	divergingRun = runtest.Diverging
	copyOf       = runtest.Copy
	finish       = runtest.Finish
	finished     = runtest.Finished
	stopAfter    = runtest.StopAfter
	status       = runtest.Status
	resultsCSV   = runtest.CSV
	wantSealed   = runtest.WantSealed
	rowsOf       = runtest.Rows
	sealTask     = runtest.Seal
	writePart    = runtest.Part
	sameResults  = runtest.SameResults
)

func must1[T any](v T, err error) T { return jobstest.Must1(v, err) }
