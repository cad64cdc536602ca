package source

import (
	"fmt"

	"graphda/io/message"
	"graphda/io/table"
	"graphda/jobs/experiment"
	"graphda/jobs/reports/figures"
)

// A Printed holds the output of a report: the tables for one dataset, or all figures.
type Printed struct {
	Report    experiment.Report
	Dataset   string  // the dataset of the tables
	Tables    []Named // the main table first; empty if the report has figures
	Warnings  []Warning
	Agreement Agreement // agreement with the published table
	Figures   []figures.Figure
	NotDrawn  string // why there are no figures
	Lacks     string // which chosen models the figures lack; "" if none

	LeftOut []figures.Figure // figures that were not made because models are missing
}

// An Agreement counts our values by verdict: they agree with published values, are unclear, or differ.
type Agreement struct{ Agree, Unclear, Differ int }

// String describes the counts in a sentence. It returns "" if all counts are 0.
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

// A Role says where a table is shown.
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

// TableOf returns a report with one table for a dataset.
func TableOf(r *experiment.Report, dataset string, t *table.Table) Printed {
	p := Printed{Report: *r, Dataset: dataset}
	p.Add(Main, "", t)
	return p
}

// Add adds a table, unless it is nil.
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

// A Warning says what a reader should know about the numbers in a table.
type Warning struct {
	Kind    *WarningKind
	Table   string // name of the table's files
	Method  string // label of a method; "" for all methods of the table
	Numbers []any  // arguments for the kind's text
	Advice  string // what to do; "" means the kind's advice
}

// A WarningKind is a cause of warnings.
type WarningKind struct {
	Text    string // text for one case, with fmt verbs for Warning.Numbers
	Several string // heading for several cases on a page
	Advice  string // what the reader can do
	// A diagnostic changes no number in the table. Diagnostics have a table of their own.
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

// A Printer makes the output of a report.
type Printer func(src *Source, rep *experiment.Report) ([]Printed, error)
