package experiment

import "graphda/jobs/jobstest"

var must, wantError = jobstest.Must, jobstest.WantError

func must1[T any](v T, err error) T { return jobstest.Must1(v, err) }
