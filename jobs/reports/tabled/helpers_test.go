package tabled

import "graphda/jobs/jobstest"

var must = jobstest.Must
