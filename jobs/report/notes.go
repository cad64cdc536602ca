package report

import (
	"fmt"
	"strconv"

	"graphda/jobs/merge"
	"graphda/jobs/selection"
)

// fewTrials is the number of trials below which a mean and its deviation are rough.
const fewTrials = 5

// notes returns the warnings a table's reader must know, by method.
func notes(grid *merge.Grid, found []line, entries []entry) []string {
	var notes []string
	add := func(l line, format string, args ...any) {
		notes = append(notes, l.Label+": "+fmt.Sprintf(format, args...))
	}
	if _, most := trials(found); most < fewTrials {
		notes = append(notes, fmt.Sprintf("Only %s: means and standard deviations are rough.", plural(strconv.Itoa(most), "trial")))
	}
	for _, d := range grid.Unlike(found[0].Dataset) {
		notes = append(notes, "The trials are not alike: "+d.String()+".")
	}
	for _, l := range found {
		if l.Oracle {
			add(l, "knows the true support, and is left out when the best values are marked.")
		}
		l.noteGaps(add, entries)
		if l.PerTrial[0] < l.PerTrial[1] {
			add(l, "has %d to %d settings a trial: in some trials its hyperparameters are chosen among fewer.", l.PerTrial[0], l.PerTrial[1])
		}
		if l.UnbracketedTrials > 0 {
			add(l, "searches of the chosen cell ended outside their window in %d of %d trials (%.4g a trial).",
				l.UnbracketedTrials, l.Unbracketed.N, l.Unbracketed.Mean)
		}
		l.noteEdges(add)
	}
	return notes
}

// noteGaps tells what is not in the averages.
func (l line) noteGaps(add func(line, string, ...any), entries []entry) {
	if l.Missing > 0 {
		add(l, "%d of %d results missing.", l.Missing, l.Cells)
	}
	if l.Failed > 0 {
		add(l, "%d of %d results failed.", l.Failed, l.Cells)
	}
	if w, wbar := l.Chosen(selection.W), l.Chosen(selection.Wbar); min(w, wbar) < len(l.Choices) {
		n := strconv.Itoa(w)
		if w != wbar {
			n = fmt.Sprintf("%d (w) and %d (w̄)", w, wbar)
		}
		add(l, "counts %s of %d trials; in the others the rule had nothing to choose from.", n, len(l.Choices))
	}
	for _, e := range entries {
		if s := e.stat(l.Group); s.N > 0 && s.N < l.Chosen(e.model) {
			add(l, "%s of %v is defined in %d of %d trials.", e.head, e.model, s.N, l.Chosen(e.model))
		}
	}
}

// noteEdges tells of grids at an end of which a third of the trials chose, for w or for w̄: a
// wider one may do better. Settings has every such choice.
func (l line) noteEdges(add func(line, string, ...any)) {
	type end struct {
		param   string
		largest bool
	}
	var ends []merge.Edge
	counts := map[end]*[2]int{}
	for _, m := range selection.Models {
		for _, e := range l.Edges[m] {
			k := end{e.Param, e.Largest}
			if counts[k] == nil {
				counts[k] = new([2]int)
				ends = append(ends, e)
			}
			counts[k][m] = e.Trials
		}
	}
	n := max(l.Chosen(selection.W), l.Chosen(selection.Wbar))
	for _, e := range ends {
		w, wbar := counts[end{e.Param, e.Largest}][selection.W], counts[end{e.Param, e.Largest}][selection.Wbar]
		if 3*max(w, wbar) < n {
			continue
		}
		side := "smallest"
		if e.Largest {
			side = "largest"
		}
		add(l, "%s=%s, the %s of its grid, was chosen in %d (w) and %d (w̄) of %d trials.", e.Param, exact(e.Value), side, w, wbar, n)
	}
}
