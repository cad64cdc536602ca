package tabled

import (
	"testing"

	"graphda/io/table"
	"graphda/jobs/jobstest"
	"graphda/jobs/merge"
	"graphda/jobs/paper"
	"graphda/jobs/reports/reportstest"
	"graphda/learners"
)

var must = jobstest.Must

// methods are the paper's, in its order, and the oracle.
var methods = func() (shown []*learners.Method) {
	for _, name := range reportstest.Methods {
		m, _ := learners.Lookup(name)
		shown = append(shown, m)
	}
	return shown
}()

var options = Options{
	Name:       "table1",
	Title:      "Table 1: classification performance on Graph01",
	Dataset:    "graph01-mu0.3",
	Checkpoint: 400,
	Methods:    methods,
}

// framed finds the results of a table.
func framed(t *testing.T, s *merge.Summary, o Options) *frame {
	t.Helper()
	return jobstest.Must1(frameOf(s, o))
}

func classified(t *testing.T, s *merge.Summary, o Options) *table.Table {
	t.Helper()
	made, _ := Classification.table(framed(t, s, o))
	return made
}

func regressed(t *testing.T, s *merge.Summary, o Options) *table.Table {
	t.Helper()
	made, _ := Regression.table(framed(t, s, o))
	return made
}

func settingsOf(t *testing.T, s *merge.Summary, o Options) *table.Table {
	t.Helper()
	return settingsTable(framed(t, s, o))
}

func compared(t *testing.T, s *merge.Summary, o Options, published *paper.Table) *comparison {
	t.Helper()
	return jobstest.Must1(compare(framed(t, s, o), published))
}

func tested(t *testing.T, s *merge.Summary, o Options) *pairTests {
	t.Helper()
	return newTests(framed(t, s, o), Classification.tested...)
}
