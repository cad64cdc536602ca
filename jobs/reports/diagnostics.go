package reports

import (
	"cmp"
	"fmt"
	"slices"

	"graphda/io/table"
	"graphda/jobs/experiment"
	"graphda/jobs/reports/page"
	"graphda/jobs/reports/source"
	"graphda/jobs/reports/tablekinds"
)

// DiagnosticsName is the name of the table of diagnostics, and of its files.
const DiagnosticsName = "diagnostics"

// diagnostics returns the table of the run's problems, with advice, or nil without problems.
func (b *Book) diagnostics() *table.Table {
	t := &table.Table{Name: DiagnosticsName, Title: "Diagnostics: what was noticed, and what to do about it",
		Columns: []table.Column{
			{Key: "table", Head: "Table", Words: true, Wrap: 16}, {Key: "method", Head: "Method", Words: true, Wrap: 14},
			{Key: "noticed", Head: "Noticed", Words: true, Wrap: 44}, {Key: "advice", Head: "What to do", Words: true, Wrap: 40},
		}}
	for _, w := range b.warned(true) {
		t.Rows = append(t.Rows, []table.Cell{table.Word(w.Table), table.Word(w.Method),
			table.Word(fmt.Sprintf(w.Kind.Text, w.Numbers...)), table.Word(cmp.Or(w.Advice, w.Kind.Advice))})
	}
	if t.Rows == nil {
		return nil
	}
	return t
}

// warned returns the diagnostics among the warnings or, if `diagnostics` is false, all other warnings. It omits
// warnings about best values at the ends of grids in the quick form, whose grids are short.
func (b *Book) warned(diagnostics bool) (found []*source.Warning) {
	for i := range b.Printed {
		for k := range b.Printed[i].Warnings {
			w := &b.Printed[i].Warnings[k]
			cut := w.Kind == tablekinds.AtEdge && b.run.Plan.Experiment.Scale == experiment.ScaleQuick
			if w.Kind.Diagnostic == diagnostics && !cut {
				found = append(found, w)
			}
		}
	}
	return found
}

// warnings returns the warnings for the top of a page, one for each kind.
func (b *Book) warnings() []page.Warning {
	var found []page.Warning
	grave := func(format string, args ...any) {
		found = append(found, page.Warning{Text: fmt.Sprintf(format, args...)})
	}
	if n := b.grid.Missing.N; n > 0 {
		grave("%d of %d results are missing.", n, b.grid.Planned())
	}
	if n := b.grid.Failed.N; n > 0 {
		grave("%d of %d results are missing because their cells failed.", n, b.grid.Planned())
	}
	for _, text := range outdated(b.run.Plan) {
		grave("%s.", text)
	}
	for i := range b.Printed {
		if p := &b.Printed[i]; p.NotDrawn != "" {
			grave("Report %s is not drawn: %s.", p.Report.Name, p.NotDrawn)
		} else if p.Lacks != "" {
			grave("Report %s shows only a part: %s.", p.Report.Name, p.Lacks)
		}
	}
	var kinds []*source.WarningKind
	cases := map[*source.WarningKind][]string{}
	for _, w := range b.warned(false) {
		if !slices.Contains(kinds, w.Kind) {
			kinds = append(kinds, w.Kind)
		}
		cases[w.Kind] = append(cases[w.Kind], w.Table+": "+w.String())
	}
	for _, kind := range kinds {
		if all := cases[kind]; len(all) == 1 {
			found = append(found, page.Warning{Text: all[0]})
		} else {
			found = append(found, page.Warning{Text: kind.Several, Cases: all})
		}
	}
	return found
}
