package tablekinds

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"graphda/io/message"
	"graphda/io/table"
	"graphda/jobs/plan"
	"graphda/jobs/reports/source"
	"graphda/jobs/selection"
	"graphda/jobs/stats"
)

var (
	tooFewTrials = &source.WarningKind{Text: "Only %s: means and standard deviations are rough.",
		Several: "Few trials: means and standard deviations are rough."}
	unlikeTrials = &source.WarningKind{Text: "The trials are not alike: %v.", Several: "Trials are not alike."}
	missing      = &source.WarningKind{Text: "%d of %d results missing.", Several: "Results are missing."}
	failed       = &source.WarningKind{Text: "%d of %d results failed.",
		Several: "Results are missing because their cells failed."}
	notChosen = &source.WarningKind{Text: "uses %s of %s; in the others the rule had nothing to choose from.",
		Several: "Some trials are left out, because the rule had nothing to choose from."}
	notDefined = &source.WarningKind{Text: "%s of %v is defined in %d of %s.",
		Several: "Some measures are not defined in all trials."}

	fewerSettings = &source.WarningKind{Diagnostic: true, Text: "%d to %d settings a trial",
		Advice: "harmless: each trial has its own grid and chooses from it"}
	offTarget = &source.WarningKind{Diagnostic: true,
		Text: "projections of the chosen cell returned fewer than s or more than (1 + ω)s nodes in %d of %s (%.4g per " +
			"trial)",
		Advice: "harmless: no forest of a size in between was found, so the nearest was used"}
	AtEdge = &source.WarningKind{Diagnostic: true,
		Text:   "chose %s=%s, the %s of its grid, for w in %d and for w̄ in %d of %s",
		Advice: "harmless: the parameter has no values beyond"}
	tied = &source.WarningKind{Diagnostic: true,
		Text: "number of other settings with the chosen setting's score: for w %.4g in the median trial and %d at most, " +
			"for w̄ %.4g and %d",
		Advice: "harmless: the rule's second criterion decides, and then the order of the grid"}
)

// FewTrials returns a warning if there are too few trials to decide anything.
func FewTrials(name string, trials int) []source.Warning {
	if trials >= stats.EnoughTrials {
		return nil
	}
	return []source.Warning{{Kind: tooFewTrials, Table: name, Numbers: []any{message.Count(trials, "trial")}}}
}

func (f *frame) warnings(entries []Entry) (found []source.Warning) {
	add := func(kind *source.WarningKind, method string, numbers ...any) *source.Warning {
		found = append(found, source.Warning{Kind: kind, Table: f.Name, Method: method, Numbers: numbers})
		return &found[len(found)-1]
	}
	_, most := f.trials()
	found = FewTrials(f.Name, most)
	for _, d := range unlike(f.summary.Grid.Dataset(f.Dataset)) {
		add(unlikeTrials, "", d)
	}
	for _, l := range f.lines {
		if l.Missing > 0 {
			add(missing, l.Label, l.Missing, l.Cells)
		}
		if l.Failed > 0 {
			add(failed, l.Label, l.Failed, l.Cells)
		}
		w, wbar := l.Chosen(selection.W), l.Chosen(selection.Wbar)
		if min(w, wbar) < len(l.Choices) {
			n := strconv.Itoa(w)
			if w != wbar {
				n = fmt.Sprintf("%d (w) and %d (w̄)", w, wbar)
			}
			add(notChosen, l.Label, n, message.Count(len(l.Choices), "trial"))
		}
		for _, e := range entries {
			if s := e.Stat(l.Group); s.N > 0 && s.N < l.Chosen(e.Model) {
				add(notDefined, l.Label, e.Head, e.Model, s.N, message.Count(l.Chosen(e.Model), "trial"))
			}
		}
		if l.PerTrial[0] < l.PerTrial[1] {
			add(fewerSettings, l.Label, l.PerTrial[0], l.PerTrial[1])
		}
		if l.UnbracketedTrials > 0 {
			add(offTarget, l.Label, l.UnbracketedTrials, message.Count(l.Unbracketed.N, "trial"), l.Unbracketed.Mean)
		}
		for _, e := range l.AtEdges() {
			told := add(AtEdge, l.Label, e.Param, table.Shortest(e.Value), e.Side(), e.Chose[selection.W],
				e.Chose[selection.Wbar], message.Count(max(w, wbar), "trial"))
			if e.Beyond != nil {
				told.Advice = fmt.Sprintf("to extend it, add %s: %s", e.Param, listOf(e.Beyond))
			}
		}
		median, most := l.Ties(selection.W)
		if medianBar, mostBar := l.Ties(selection.Wbar); max(most, mostBar) > 0 {
			add(tied, l.Label, median, most, medianBar, mostBar)
		}
	}
	return found
}

func listOf(values []float64) string {
	var texts []string
	for _, v := range values {
		texts = append(texts, table.Shortest(v))
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

// notes returns a table's notes: warnings except diagnostics, and notes on overlapping trials and on oracles.
func (f *frame) notes(warnings []source.Warning) (notes []string) {
	for i := range warnings {
		if w := &warnings[i]; !w.Kind.Diagnostic && w.Method == "" {
			notes = append(notes, w.String())
		}
	}
	notes = append(notes, overlapNotes(f.overlap)...)
	for _, l := range f.lines {
		if source.Oracle(l.Method) {
			notes = append(notes, l.Label+" knows the true support and is never marked as best.")
		}
		for i := range warnings {
			if w := &warnings[i]; !w.Kind.Diagnostic && w.Method == l.Label {
				notes = append(notes, w.String())
			}
		}
	}
	return notes
}

func overlapNotes(overlap float64) []string {
	const what = "The trials split the same samples, so they are not independent. "
	switch {
	case math.IsNaN(overlap):
		return []string{what + "Intervals, standard errors and tests need the sizes of the splits, which are missing in " +
			"this run's plan. Plan it again."}
	case overlap > 0:
		return []string{what + fmt.Sprintf("Intervals, standard errors and tests use (1/n + %.4g)·s² as the variance of a "+
			"mean over n trials, where %.4[1]g is the number of test samples for each training sample (Nadeau and Bengio "+
			"2003). This holds for errors on test samples. Measures of the model itself vary less between splits of the same "+
			"samples than between independent samples.", overlap)}
	}
	return nil
}

// unlike says in which sizes the trials of a dataset differ. Means over such trials are valid.
func unlike(d *plan.Dataset) (found []string) {
	for _, size := range []struct {
		what string
		of   func(*plan.TrialSummary) int
	}{
		{"the number of training samples", func(t *plan.TrialSummary) int { return t.Train }},
		{"the number of features", func(t *plan.TrialSummary) int { return t.Features }},
		{"the number of edges", func(t *plan.TrialSummary) int { return t.Edges }},
		{"the number of features of the true support", func(t *plan.TrialSummary) int { return t.Support }},
	} {
		var trials []int
		var values []string
		for i := range d.Trials {
			if n := size.of(&d.Trials[i]); n > 0 {
				trials, values = append(trials, d.Trials[i].Trial), append(values, strconv.Itoa(n))
			}
		}
		if text := message.Difference(size.what, trials, values); text != "" {
			found = append(found, text)
		}
	}
	return found
}
