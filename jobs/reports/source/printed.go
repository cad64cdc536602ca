package source

import (
	"fmt"

	"graphda/io/message"
	"graphda/io/table"
	"graphda/jobs/experiment"
	"graphda/jobs/reports/figures"
)

// A Printed is the output of a report: the tables of one dataset, or all figures.
type Printed struct {
	Report    experiment.Report
	Dataset   string
	Tables    []Named // the main table comes first; nil for figures
	Warnings  []Warning
	Agreement Agreement // with published numbers
	Figures   []figures.Figure
	NotDrawn  string // why there are no figures, or ""
	Lacks     string // sentence on missing models, or ""

	LeftOut []figures.Figure // figures that are not shown because models are missing
}

// An Agreement counts our values that agree with published values, are unclear, or differ.
type Agreement struct{ Agree, Unclear, Differ int }

// String returns a sentence with the counts, or "" if they are 0.
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

// A Role says what kind of table a Named is.
type Role int

// Data tables are for programs, and are written only as CSV.
const (
	Main Role = iota
	Compared
	Intervals
	Tests
	Settings
	Data
)

// TableOf returns the output of a report with a single table.
func TableOf(r *experiment.Report, dataset string, t *table.Table) Printed {
	p := Printed{Report: *r, Dataset: dataset}
	p.Add(Main, "", t)
	return p
}

// Add adds the table t, unless t is nil. It appends the suffix to the table's name.
func (p *Printed) Add(role Role, suffix string, t *table.Table) {
	if t != nil {
		p.Tables = append(p.Tables, Named{t.Name + suffix, role, t})
	}
}

// Main returns the main table, or nil if there is none.
func (p Printed) Main() *table.Table {
	if len(p.Tables) == 0 {
		return nil
	}
	return p.Tables[0].Table
}

// A Warning is a text for the readers of a table.
type Warning struct {
	Kind    *WarningKind
	Table   string // name of the table's files
	Method  string // label of a method; "" for all methods
	Numbers []any  // values to format in Kind.Text
	Advice  string // what to do; "" means Kind.Advice
}

// A WarningKind is a kind of warnings with a common text and advice.
type WarningKind struct {
	Text    string // text of one warning, with fmt verbs for Warning.Numbers
	Several string // heading for several such warnings
	Advice  string // what the reader can do
	// Diagnostic marks warnings that do not concern the numbers in the table. A separate table lists them.
	Diagnostic bool
}

func (w *Warning) String() string {
	text := fmt.Sprintf(w.Kind.Text, w.Numbers...)
	if w.Method != "" {
		return w.Method + ": " + text
	}
	return text
}

// A Printer makes the output of a report.
type Printer func(src *Source, rep *experiment.Report) ([]Printed, error)
