package reports

import (
	"fmt"
	"slices"
	"strings"

	"graphda/jobs/experiment"
	"graphda/jobs/reports/figures"
)

// stoppedEarly stands for what makes a report that compares all settings of a grid, where some of them have no
// result.
func stoppedEarly(*maker, *experiment.Report) ([]figures.Figure, error) {
	return nil, &notDrawn{"it compares the settings of whole grids, of which this run has stopped some early (halving)"}
}

// stoppedNotes tell how many settings of each method were stopped, that nothing was chosen among.
func stoppedNotes(found []line) []string {
	var texts []string
	total := 0
	for _, l := range found {
		texts = append(texts, fmt.Sprintf("%s %d of %d", l.Label, l.Stopped, l.Cells))
		total += l.Stopped
	}
	if total == 0 {
		return nil
	}
	return []string{"Halving: cells that were stopped before, since others of their method did better on the same " +
		"trial by then, and that are not chosen: " + strings.Join(texts, " · ") + ". results.parquet says which, in " +
		"column stopped."}
}

// asFar says that the seconds of grids are of what was learned of them; nothing where that is all.
func asFar(found []costed) string {
	if slices.ContainsFunc(found, func(c costed) bool { return c.group.Stopped > 0 }) {
		return ", some of which were stopped early (halving)"
	}
	return ""
}
