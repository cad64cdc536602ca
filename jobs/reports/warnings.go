package reports

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"graphda/io/plain"
	"graphda/io/table"
	"graphda/jobs/experiment"
	"graphda/jobs/reports/page"
	"graphda/jobs/selection"
	"graphda/jobs/stats"
)

// A Warning is what a reader should know of a table's results beside its numbers.
type Warning struct {
	Kind    *warningKind
	Table   string // the name of its files
	Method  string // its label; empty for all methods of the table
	Numbers []any  // what the kind's text shows
	Advice  string // what to do; empty: the kind's
}

// A warningKind is a cause of warnings.
type warningKind struct {
	text    string // of a case, with verbs for its numbers
	several string // heads the cases on a page, if there are several
	advice  string // what to do about it
	// diagnostic: it changes no number of the table and stands in a table of its own.
	diagnostic bool
}

var (
	tooFewTrials = &warningKind{text: "Only %s: means and standard deviations are rough.",
		several: "Few trials: means and standard deviations are rough."}
	unlikeTrials = &warningKind{text: "The trials are not alike: %v.", several: "Trials are not alike."}
	missing      = &warningKind{text: "%d of %d results missing.", several: "Results are missing."}
	failed       = &warningKind{text: "%d of %d results failed.",
		several: "Results are missing because their cells failed."}
	notChosen = &warningKind{text: "counts %s of %s; in the others the rule had nothing to choose from.",
		several: "Some trials do not count, since the rule had nothing to choose from in them."}
	notDefined = &warningKind{text: "%s of %v is defined in %d of %s.",
		several: "Some measures are not defined in all trials."}

	fewerSettings = &warningKind{diagnostic: true, text: "%d to %d settings a trial",
		advice: "harmless: the grid depends on the trial, and each trial chooses among its own settings"}
	offTarget = &warningKind{diagnostic: true,
		text:   "projections of the chosen cell returned fewer than s or more than (1 + ω)s nodes in %d of %s (%.4g a trial)",
		advice: "harmless: the search had no forest of a size between, and took the nearest"}
	atEdge = &warningKind{diagnostic: true, text: "chose %s=%s, the %s of its grid, for w in %d and for w̄ in %d of %s",
		advice: "harmless: the parameter has no values beyond"}
	tied = &warningKind{diagnostic: true, text: "other settings with the score of the one chosen for w: %.4g in the " +
		"median trial, %d at most; for w̄ %.4g and %d",
		advice: "harmless: the rule's second criterion decides, then the order of the grid"}
)

// String is the warning with its method.
func (w *Warning) String() string {
	text := fmt.Sprintf(w.Kind.text, w.Numbers...)
	if w.Method != "" {
		return w.Method + ": " + text
	}
	return text
}

// warnings are those of all lines of a table with these entries, in the order of the lines.
func (f *frame) warnings(entries []entry) (found []Warning) {
	add := func(kind *warningKind, method string, numbers ...any) *Warning {
		found = append(found, Warning{Kind: kind, Table: f.Name, Method: method, Numbers: numbers})
		return &found[len(found)-1]
	}
	if _, most := f.trials(); most < stats.EnoughTrials {
		add(tooFewTrials, "", plain.Count(most, "trial"))
	}
	for _, d := range f.summary.Grid.Unlike(f.Dataset) {
		add(unlikeTrials, "", d)
	}
	for _, l := range f.lines {
		if l.Missing > 0 {
			add(missing, l.Label, l.Missing, l.Cells)
		}
		if l.Failed > 0 {
			add(failed, l.Label, l.Failed, l.Cells)
		}
		if w, wbar := l.Chosen(selection.W), l.Chosen(selection.Wbar); min(w, wbar) < len(l.Choices) {
			n := strconv.Itoa(w)
			if w != wbar {
				n = fmt.Sprintf("%d (w) and %d (w̄)", w, wbar)
			}
			add(notChosen, l.Label, n, plain.Count(len(l.Choices), "trial"))
		}
		for _, e := range entries {
			if s := e.stat(l.Group); s.N > 0 && s.N < l.Chosen(e.model) {
				add(notDefined, l.Label, e.Head, e.model, s.N, plain.Count(l.Chosen(e.model), "trial"))
			}
		}
		if l.PerTrial[0] < l.PerTrial[1] {
			add(fewerSettings, l.Label, l.PerTrial[0], l.PerTrial[1])
		}
		if l.UnbracketedTrials > 0 {
			add(offTarget, l.Label, l.UnbracketedTrials, plain.Count(l.Unbracketed.N, "trial"), l.Unbracketed.Mean)
		}
		for _, e := range l.AtEdges() {
			w := add(atEdge, l.Label, e.Param, table.Shortest(e.Value), e.Side(), e.Chose[selection.W],
				e.Chose[selection.Wbar], plain.Count(e.Of, "trial"))
			if e.Beyond != nil {
				w.Advice = fmt.Sprintf("to go on, add %s: %s", e.Param, listOf(e.Beyond))
			}
		}
		median, most := l.Ties(selection.W)
		if medianBar, mostBar := l.Ties(selection.Wbar); max(most, mostBar) > 0 {
			add(tied, l.Label, median, most, medianBar, mostBar)
		}
	}
	return found
}

// listOf writes values as a list of YAML.
func listOf(values []float64) string {
	var texts []string
	for _, v := range values {
		texts = append(texts, table.Shortest(v))
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

// notes are what the reader of a table must know of its numbers. Diagnostics are not among them.
func (f *frame) notes(warnings []Warning) (notes []string) {
	for i := range warnings {
		if w := &warnings[i]; !w.Kind.diagnostic && w.Method == "" {
			notes = append(notes, w.String())
		}
	}
	notes = append(notes, overlapNotes(f.overlap)...)
	for _, l := range f.lines {
		if l.Oracle {
			notes = append(notes, l.Label+": knows the true support, and is left out when the best values are marked.")
		}
		for i := range warnings {
			if w := &warnings[i]; !w.Kind.diagnostic && w.Method == l.Label {
				notes = append(notes, w.String())
			}
		}
	}
	return notes
}

// overlapNotes tell how intervals and standard errors are made if trials are not independent.
func overlapNotes(overlap float64) []string {
	const what = "The trials are splits of the same samples, and not independent: "
	switch {
	case math.IsNaN(overlap):
		return []string{what + "intervals, standard errors and tests need the sizes of their splits, which this run's plan " +
			"does not have. Plan it anew."}
	case overlap > 0:
		return []string{what + fmt.Sprintf("intervals, standard errors and tests take the variance of a mean over n of "+
			"them as "+
			"(1/n + %.4g)·s², %.4[1]g being test samples for one training sample (Nadeau and Bengio 2003). It is for errors "+
			"on test "+
			"samples; measures of the model itself vary less between such splits than between samples of their own.", overlap)}
	}
	return nil
}

// DiagnosticsName is the name of the table of diagnostics, and of its files.
const DiagnosticsName = "diagnostics"

// diagnostics is the table of what was noticed about the run, and whether anything should be done; nil if
// there is nothing. The grids of a reduced experiment are cut, so their ends are not told.
func (b *Book) diagnostics() *table.Table {
	t := &table.Table{Name: DiagnosticsName, Title: "Diagnostics: what was noticed, and what to do about it",
		Columns: []table.Column{
			{Key: "table", Head: "Table", Words: true, Wrap: 16}, {Key: "method", Head: "Method", Words: true, Wrap: 14},
			{Key: "noticed", Head: "Noticed", Words: true, Wrap: 44}, {Key: "advice", Head: "What to do", Words: true, Wrap: 40},
		}}
	for _, w := range b.warned(true) {
		advice := w.Advice
		if advice == "" {
			advice = w.Kind.advice
		}
		t.Rows = append(t.Rows, []table.Cell{table.Word(w.Table), table.Word(w.Method),
			table.Word(fmt.Sprintf(w.Kind.text, w.Numbers...)), table.Word(advice)})
	}
	if t.Rows == nil {
		return nil
	}
	return t
}

// warned are the warnings of all reports, or the diagnostics.
func (b *Book) warned(diagnostics bool) (found []*Warning) {
	for i := range b.Printed {
		for k := range b.Printed[i].Warnings {
			w := &b.Printed[i].Warnings[k]
			if w.Kind.diagnostic == diagnostics && !(w.Kind == atEdge && b.run.Plan.Experiment.Scale == experiment.ScaleQuick) {
				found = append(found, w)
			}
		}
	}
	return found
}

// warnings are what the reader of a page must know first. Cases of one kind stand together.
func (b *Book) warnings() []page.Warning {
	var found []page.Warning
	grave := func(format string, args ...any) {
		found = append(found, page.Warning{Text: fmt.Sprintf(format, args...), Grave: true})
	}
	if n := b.grid.Missing.N; n > 0 {
		grave("%d of %d results are missing.", n, b.grid.Planned())
	}
	if n := b.grid.Failed.N; n > 0 {
		grave("%d of %d results are missing because their cells failed.", n, b.grid.Planned())
	}
	for _, text := range b.run.Plan.Outdated() {
		grave("%s.", text)
	}
	for i := range b.Printed {
		if p := &b.Printed[i]; p.NotDrawn != "" {
			grave("%s is not drawn: %s.", p.Report.Name, p.NotDrawn)
		} else if p.Lacks != "" {
			grave("%s is drawn of what is there: %s.", p.Report.Name, p.Lacks)
		}
	}
	var kinds []*warningKind
	cases := map[*warningKind][]string{}
	for _, w := range b.warned(false) {
		if !slices.Contains(kinds, w.Kind) {
			kinds = append(kinds, w.Kind)
		}
		cases[w.Kind] = append(cases[w.Kind], w.Table+": "+w.String())
	}
	for _, kind := range kinds {
		if all := cases[kind]; len(all) == 1 {
			found = append(found, page.Warning{Text: all[0], Grave: true})
		} else {
			found = append(found, page.Warning{Text: kind.several, Cases: all, Grave: true})
		}
	}
	return found
}
