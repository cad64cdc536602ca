package run_test

import _ "graphda/jobs/reports" // its kinds of report
