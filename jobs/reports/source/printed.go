package source

import (
	"fmt"

	"graphda/io/message"
	"graphda/io/table"
	"graphda/jobs/experiment"
	"graphda/jobs/reports/figures"
)

// A Printed report is what a report gives for one dataset, its tables; or for all, its figures.
type Printed struct {
	Report    experiment.Report
	Dataset   string  // of the tables
	Tables    []Named // the one that the report is about first; none in a report of figures
	Warnings  []Warning
	Agreement Agreement // with a published table
	Figures   []figures.Figure
	NotDrawn  string // why there are no figures
	Lacks     string // what the figures are drawn without although it was chosen; "" if nothing

	LeftOut []figures.Figure // that would lack models
}

// An Agreement counts the values beside published ones, by verdict; those without one are not counted.
type Agreement struct{ Agree, Unclear, Differ int }

// String tells it in a sentence; "" of no values.
func (a Agreement) String() string {
	n := a.Agree + a.Unclear + a.Differ
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("Of %s beside the paper's %d agree, %d are unclear and %d differ.", message.Count(n, "value"),
		a.Agree, a.Unclear, a.Differ)
}

// A Named table has a role in its report.
type Named struct {
	Name string // of its files
	Role Role
	*table.Table
}

// A Role tells where a table is shown.
type Role int

// The roles: what the report is about, the comparison with the published table, tables shown on request, and tables
// for programs, which are only written as data.
const (
	Main Role = iota
	Compared
	Intervals
	Tests
	Settings
	Data
)

// TableOf is a report with one table, of a dataset.
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

// Main is the table that the report is about, nil if it has none.
func (p Printed) Main() *table.Table {
	if len(p.Tables) == 0 {
		return nil
	}
	return p.Tables[0].Table
}

// A Warning is what a reader should know of a table's results beside its numbers.
type Warning struct {
	Kind    *WarningKind
	Table   string // the name of its files
	Method  string // its label; empty for all methods of the table
	Numbers []any  // what the kind's text shows
	Advice  string // what to do; empty: the kind's
}

// A WarningKind is a cause of warnings.
type WarningKind struct {
	Text    string // of a case, with verbs for its numbers
	Several string // heads the cases on a page, if there are several
	Advice  string // what to do about it
	// diagnostic: it changes no number of the table and stands in a table of its own.
	Diagnostic bool
}

// String is the warning with its method.
func (w *Warning) String() string {
	text := fmt.Sprintf(w.Kind.Text, w.Numbers...)
	if w.Method != "" {
		return w.Method + ": " + text
	}
	return text
}

// A Printer makes what a report prints.
type Printer func(src *Source, rep *experiment.Report) ([]Printed, error)
