package reports

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"graphda/io/plain"
	"graphda/io/table"
	"graphda/jobs/merge"
	"graphda/jobs/selection"
)

// fewTrials is the number of trials below which a mean and its deviation are rough.
const fewTrials = 5

// notes returns what a table's reader must know of its numbers, and of that what deserves
// to be read before all tables.
func notes(grid *merge.Grid, found []line, entries []entry) (notes, warnings []string) {
	warn := func(text string) { notes, warnings = append(notes, text), append(warnings, text) }
	if _, most := trials(found); most < fewTrials {
		warn(fmt.Sprintf("Only %s: means and standard deviations are rough.", plain.Count(most, "trial")))
	}
	for _, d := range grid.Unlike(found[0].Dataset) {
		warn("The trials are not alike: " + d.String() + ".")
	}
	notes = append(notes, overlapNotes(grid.Overlap(found[0].Dataset))...)
	var atEnds []string
	for _, l := range found {
		add := func(format string, args ...any) { notes = append(notes, l.Label+": "+fmt.Sprintf(format, args...)) }
		if l.Oracle {
			add("knows the true support, and is left out when the best values are marked.")
		}
		l.noteGaps(func(format string, args ...any) { warn(l.Label + ": " + fmt.Sprintf(format, args...)) }, entries)
		if l.PerTrial[0] < l.PerTrial[1] {
			add("has %d to %d settings a trial: in some trials its hyperparameters are chosen among fewer.", l.PerTrial[0],
				l.PerTrial[1])
		}
		if l.UnbracketedTrials > 0 {
			add("projections of the chosen cell returned fewer than s or more than (1 + ω)s nodes in %d of %s (%.4g a "+
				"trial).", l.UnbracketedTrials, plain.Count(l.Unbracketed.N, "trial"), l.Unbracketed.Mean)
		}
		if ends := l.ends(); len(ends) > 0 {
			add("chose %s.", strings.Join(ends, "; "))
			atEnds = append(atEnds, l.Label)
		}
	}
	if len(atEnds) > 0 {
		warnings = append(warnings, atGridEnds+strings.Join(atEnds,
			", ")+"; see the notes below the table.")
	}
	return notes, warnings
}

// tieNotes tell how many settings were as good as the chosen ones by the score they were chosen by.
func tieNotes(found []line) []string {
	var texts []string
	for _, l := range found {
		median, most := l.Ties(selection.W)
		medianBar, mostBar := l.Ties(selection.Wbar)
		if max(most, mostBar) > 0 {
			texts = append(texts, fmt.Sprintf("%s %.4g (%d); %.4g (%d)", l.Label, median, most, medianBar, mostBar))
		}
	}
	if len(texts) == 0 {
		return nil
	}
	return []string{"Ties: so many other settings had the score of the one chosen for w (for w̄ after the semicolon), " +
		"in the median trial and, in parentheses, at most: " + strings.Join(texts, " · ") + "."}
}

// legend explains the headings of a table's entries.
func legend(entries []entry, found []line) []string {
	has := func(name string) bool {
		return slices.ContainsFunc(entries, func(e entry) bool { return e.Name == name })
	}
	var texts []string
	for _, l := range []struct{ name, text string }{
		{"test_balanced_accuracy", "BalAcc: balanced accuracy, the mean of the two classes' accuracies. The paper prints " +
			"it as AUC: it is the area under the ROC curve of hard labels."},
		{"test_auc", "AUC: that of the scores."},
		{"f1", "Pre, Rec, F1: of the support of w."},
		{"mistakes", "Miss: training samples predicted wrongly before learning from them."},
		{merge.NonzeroPercent, "NR: nonzeros in percent of all features" + nearest(found) + "."},
	} {
		if has(l.name) {
			texts = append(texts, l.text)
		}
	}
	return []string{strings.Join(texts, " "), "w: last iterate, w̄: running average. ±: the standard deviation over " +
		"trials, of the population as in the paper: √(n/(n − 1)) times that is the sample's."}
}

// nearest says which share of nonzeros is best: that of the truth where it is known.
func nearest(found []line) string {
	var shares []string
	for _, l := range found {
		for _, c := range l.Choices {
			if c.Support == 0 {
				return ", of which a model must have some to be best"
			}
			if s := percent(100 * float64(c.Support) / float64(c.Features)); !slices.Contains(shares, s) {
				shares = append(shares, s)
			}
		}
	}
	slices.Sort(shares)
	return ", best where they are nearest, trial by trial, to the " + strings.Join(shares, ", ") + " of the truth"
}

// atGridEnds begins the warning of hyperparameters at an end of their grid.
const atGridEnds = "Hyperparameters at an end of their grid were chosen for "

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

// noteGaps tells what is not in the averages.
func (l line) noteGaps(add func(string, ...any), entries []entry) {
	if l.Missing > 0 {
		add("%d of %d results missing.", l.Missing, l.Cells)
	}
	if l.Failed > 0 {
		add("%d of %d results failed.", l.Failed, l.Cells)
	}
	if w, wbar := l.Chosen(selection.W), l.Chosen(selection.Wbar); min(w, wbar) < len(l.Choices) {
		n := strconv.Itoa(w)
		if w != wbar {
			n = fmt.Sprintf("%d (w) and %d (w̄)", w, wbar)
		}
		add("counts %s of %s; in the others the rule had nothing to choose from.", n, plain.Count(len(l.Choices), "trial"))
	}
	for _, e := range entries {
		if s := e.stat(l.Group); s.N > 0 && s.N < l.Chosen(e.model) {
			add("%s of %v is defined in %d of %s.", e.Head, e.model, s.N, plain.Count(l.Chosen(e.model), "trial"))
		}
	}
}

// ends tells of the edges of grids that were chosen.
func (l line) ends() []string {
	var found []string
	for _, e := range l.AtEdges() {
		text := fmt.Sprintf("%s=%s, the %s of its grid, for w in %d and for w̄ in %d of %s", e.Param,
			table.Shortest(e.Value), e.Side(), e.Chose[selection.W], e.Chose[selection.Wbar], plain.Count(e.Of, "trial"))
		var beyond []string
		for _, v := range e.Beyond {
			beyond = append(beyond, table.Shortest(v))
		}
		if beyond != nil {
			text += fmt.Sprintf(" (to go on, add %s: [%s])", e.Param, strings.Join(beyond, ", "))
		}
		found = append(found, text)
	}
	return found
}
