package tabled

import (
	"testing"

	"graphda/io/table"
	"graphda/jobs/merge"
	"graphda/jobs/paper"
)

// methods are the paper's, in its order, and the oracle.
var methods = []methodLabel{
	{Name: "adam", Label: "Adam"},
	{Name: "l1-rda", Label: "ℓ1-RDA"},
	{Name: "adagrad", Label: "AdaGrad"},
	{Name: "da-gl", Label: "DA-GL"},
	{Name: "da-sgl", Label: "DA-SGL"},
	{Name: "stoiht", Label: "StoIHT"},
	{Name: "graphstoiht", Label: "GraphStoIHT"},
	{Name: "da-iht", Label: "DA-IHT"},
	{Name: "graphda", Label: "GraphDA"},
	{Name: "best-subset", Label: "Best subset", Oracle: true},
}

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
	f, err := frameOf(s, o)
	must(t, err)
	return f
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
	c, err := compare(framed(t, s, o), published)
	must(t, err)
	return c
}

func tested(t *testing.T, s *merge.Summary, o Options) *pairTests {
	t.Helper()
	return newTests(framed(t, s, o), Classification.tested...)
}
