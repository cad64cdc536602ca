package drawn

import "graphda/jobs/jobstest"

var must = jobstest.Must
