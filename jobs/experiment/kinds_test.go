package experiment_test

import _ "graphda/jobs/reports" // registers its kinds of report
