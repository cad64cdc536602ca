package source

import (
	"fmt"

	"graphda/io/message"
	"graphda/io/table"
	"graphda/jobs/experiment"
	"graphda/jobs/reports/figures"
)

// A Printed is the output of a report: its tables for one dataset, or all its figures.
type Printed struct {
	Report    experiment.Report
	Dataset   string  // dataset of the tables
	Tables    []Named // the first table is the main table; nil if the report has figures
	Warnings  []Warning
	Agreement Agreement // agreement with published numbers
	Figures   []figures.Figure
	NotDrawn  string // why there are no figures; "" if there are
	Lacks     string // which chosen models the figures lack; "" if none

	LeftOut []figures.Figure // figures that are not shown, because models are missing
}

// An Agreement counts our values by verdict: they agree with published values, are unclear, or differ.
type Agreement struct{ Agree, Unclear, Differ int }

// String returns a sentence with the counts, or "" if all counts are 0.
func (a Agreement) String() string {
	n := a.Agree + a.Unclear + a.Differ
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("Compared with the paper, of %s %d agree, %d are unclear and %d differ.", message.Count(n, "value"),
		a.Agree, a.Unclear, a.Differ)
}

// A Named is a table with a name and a role in its report.
type Named struct {
	Name string // name of the table's files
	Role Role
	*table.Table
}

// A Role says what kind of table a table of a report is.
type Role int

// The roles are the main table, the comparison with the published table, three tables that users ask for, and tables
// for programs. Reports write tables for programs only as CSV.
const (
	Main Role = iota
	Compared
	Intervals
	Tests
	Settings
	Data
)

// TableOf returns the output of a report that has only one table, for the given dataset.
func TableOf(r *experiment.Report, dataset string, t *table.Table) Printed {
	p := Printed{Report: *r, Dataset: dataset}
	p.Add(Main, "", t)
	return p
}

// Add adds the table t, unless t is nil. suffix is added to the table's name.
func (p *Printed) Add(role Role, suffix string, t *table.Table) {
	if t != nil {
		p.Tables = append(p.Tables, Named{t.Name + suffix, role, t})
	}
}

// Main returns the report's main table, or nil if it has none.
func (p Printed) Main() *table.Table {
	if len(p.Tables) == 0 {
		return nil
	}
	return p.Tables[0].Table
}

// A Warning is a text that a reader of a table should know.
type Warning struct {
	Kind    *WarningKind
	Table   string // name of the table's files
	Method  string // label of a method; "" for all methods of the table
	Numbers []any  // values for the verbs in the Text of Kind
	Advice  string // what to do; "" means the kind's advice
}

// A WarningKind is a kind of warnings with the same text, advice and cause.
type WarningKind struct {
	Text    string // text of one warning, with fmt verbs for Warning.Numbers
	Several string // heading on a page if there are several such warnings
	Advice  string // what the reader can do about it
	// Diagnostic warnings say nothing about the numbers in the table. They are shown in a table of their own.
	Diagnostic bool
}

// String returns the warning's text. If the warning is about one method, the method's label comes first.
func (w *Warning) String() string {
	text := fmt.Sprintf(w.Kind.Text, w.Numbers...)
	if w.Method != "" {
		return w.Method + ": " + text
	}
	return text
}

// A Printer makes the output of the report rep.
type Printer func(src *Source, rep *experiment.Report) ([]Printed, error)
