package reports

import (
	"fmt"
	"math"
	"slices"

	"graphda/jobs/merge"
	"graphda/jobs/paper"
	"graphda/jobs/reports/tables"
	"graphda/jobs/selection"
	"graphda/jobs/stats"
)

// A verdict tells whether one of our numbers agrees with the published one.
type verdict string

const (
	agrees   verdict = "agrees"
	deviates verdict = "deviates"
	unjudged verdict = "unjudged" // fewer than two trials have no spread to judge by
)

// matched is one of our numbers beside the published one.
type matched struct {
	Method       methodLabel
	Variant      string // of the method; mostly empty
	Measure      string // one of merge.MeasureNames
	Model        selection.Model
	Ours         merge.Stat
	Published    paper.Number
	PublishedStd *paper.Number // nil where the paper prints none
	Difference   float64       // ours − published
	Errors       float64       // the difference in standard errors of our mean; NaN if that has none
	Tolerance    float64
	Verdict      verdict
}

// A comparison is our table beside a published one.
type comparison struct {
	tableOptions tableOptions
	Matches      []matched
	Agreeing     int
	Judged       int // matches with a verdict

	published *paper.Table
	subtitle  string
	entries   []entry // the columns that are published
	lines     []line
	notes     []string
	overlap   float64 // of the trials: see merge.Grid.Overlap
}

// compare sets our results beside a published table.
func compare(s *merge.Summary, o tableOptions, published *paper.Table) (*comparison, error) {
	found, err := lines(s, o)
	if err != nil {
		return nil, err
	}
	c := &comparison{tableOptions: o, published: published, subtitle: subtitle(s, o, found),
		overlap: s.Grid.Overlap(o.Dataset)}
	for _, l := range found {
		if theirs, ok := published.Line(l.Name); ok {
			c.lines = append(c.lines, l)
			c.match(l, &theirs)
		} else {
			c.notes = append(c.notes, l.Label+" is not in the published table.")
		}
	}
	for _, theirs := range published.Lines {
		if s.Group(o.Dataset, o.Checkpoint, theirs.Method) == nil {
			c.notes = append(c.notes, o.label(theirs.Method)+" is published, but not part of this experiment.")
		}
	}
	if len(c.Matches) == 0 {
		return nil, fmt.Errorf("report: none of the methods is in the published table %s", published.Name)
	}
	for _, name := range merge.MeasureNames() {
		for _, m := range selection.Models {
			if c.find(nil, name, m) != nil {
				c.entries = append(c.entries, of(m, name))
			}
		}
	}
	remarks, _ := notes(s.Grid, c.lines, c.entries)
	c.notes = append(c.notes, remarks...)
	return c, nil
}

// match adds the matches of one method.
func (c *comparison) match(l line, theirs *paper.Line) {
	for _, name := range merge.MeasureNames() {
		for _, m := range selection.Models {
			numbers := theirs.W
			if m == selection.Wbar {
				numbers = theirs.Wbar
			}
			number, ok := numbers[name]
			if !ok {
				continue
			}
			match := newMatch(l.Stat(name, m), number, c.overlap)
			match.Method, match.Variant, match.Measure, match.Model = l.methodLabel, l.Variant, name, m
			if std, ok := numbers[name+"_std"]; ok {
				match.PublishedStd = &std
			}
			c.Matches = append(c.Matches, match)
			switch match.Verdict {
			case agrees:
				c.Agreeing++
				c.Judged++
			case deviates:
				c.Judged++
			}
		}
	}
}

// newMatch judges one number, a mean over trials of an overlap.
func newMatch(ours merge.Stat, published paper.Number, overlap float64) matched {
	m := matched{
		Ours:       ours,
		Published:  published,
		Difference: ours.Mean - published.Value,
		Errors:     math.NaN(),
		Tolerance:  2*ours.Std + published.HalfUnit(),
		Verdict:    unjudged,
	}
	if ours.N < 2 {
		return m
	}
	if ours.Std > 0 {
		m.Errors = m.Difference / stats.StandardError(ours.Std, ours.N, overlap)
	}
	const rounding = 1e-9 // a difference of exactly half a unit is not exact in binary
	m.Verdict = deviates
	if math.Abs(m.Difference) <= m.Tolerance+rounding {
		m.Verdict = agrees
	}
	return m
}

// find returns the match of a line, or of any if it is nil.
func (c *comparison) find(l *line, measure string, m selection.Model) *matched {
	for i := range c.Matches {
		match := &c.Matches[i]
		ours := l == nil || match.Method.Name == l.Name && match.Variant == l.Variant
		if ours && match.Measure == measure && match.Model == m {
			return match
		}
	}
	return nil
}

// table prints the comparison: four lines a method, ours, the paper's, the difference, and
// that in standard errors of our mean.
func (c *comparison) table() *tables.Table {
	t := &tables.Table{
		Name:     c.tableOptions.Name,
		Title:    c.tableOptions.Title + ", beside " + c.published.Caption + " of the paper",
		Subtitle: c.subtitle,
		Columns: []tables.Column{
			{Key: "method", Head: "Method", Words: true},
			{Key: "variant", Words: true, DataOnly: true},
			{Key: "source", Head: "", Words: true},
		},
		PerGroup: len(sources),
		Notes:    append([]string{c.verdict()}, c.notes...),
	}
	for _, e := range c.entries {
		t.Columns = append(t.Columns, tables.Column{Key: e.Name + e.model.Suffix(), Group: e.Head, Head: e.model.String()})
	}
	for _, l := range c.lines {
		var rows [len(sources)][]tables.Cell
		for i, source := range sources {
			rows[i] = []tables.Cell{tables.Label("", l.Name), tables.Word(l.Variant), tables.Word(source)}
		}
		rows[0][0].Word = l.Label
		for _, e := range c.entries {
			for i, v := range c.find(&l, e.Name, e.model).cells() {
				rows[i] = append(rows[i], v)
			}
		}
		t.Rows = append(t.Rows, rows[:]...)
	}
	return t
}

// sources are what stands in the lines of a method.
var sources = [...]string{"ours", "paper", "diff", "s.e."}

// cells are a match as sources has them; a nil match was not published.
func (m *matched) cells() (cells [len(sources)]tables.Cell) {
	if m == nil {
		return cells
	}
	digits := max(m.Published.Digits, 2) // ours are not rounded as hard as some of theirs
	ours := &tables.Number{Value: m.Ours.Mean, Std: m.Ours.Std, N: m.Ours.N, Print: tables.Fixed(digits)}
	theirs := printed(m.Published)
	if m.PublishedStd != nil {
		ours.PrintStd = tables.Fixed(2)
		theirs.Std, theirs.PrintStd = m.PublishedStd.Value, printed(*m.PublishedStd).Print
	}
	cells[0], cells[1] = tables.Cell{Number: ours}, tables.Cell{Number: theirs}
	if m.Ours.N == 0 {
		return cells
	}
	cells[2] = tables.Of(m.Difference, tables.Signed(tables.Fixed(digits)))
	cells[2].Off = m.Verdict == deviates
	if !math.IsNaN(m.Errors) {
		cells[3] = tables.Of(m.Errors, tables.Signed(tables.Fixed(1)))
	}
	return cells
}

// printed is a number as the paper prints it, everywhere.
func printed(n paper.Number) *tables.Number {
	return &tables.Number{Value: n.Value, Print: tables.Fixed(n.Digits), Data: tables.Fixed(n.Digits)}
}

// verdict counts the agreeing values.
func (c *comparison) verdict() string {
	const rule = "|ours − published| ≤ 2·(std over our trials) + half a unit of the last printed digit."
	s := fmt.Sprintf("%d of %d values agree: %s", c.Agreeing, c.Judged, rule)
	if n := len(c.Matches) - c.Judged; n > 0 {
		s += fmt.Sprintf(" %d are not judged, for want of two trials.", n)
	}
	return fmt.Sprintf("%s s.e.: the difference in standard errors of our mean. The paper's are means over %d trials, "+
		"after %d training samples.",
		s, c.published.Trials, c.published.Checkpoint)
}

// data is the comparison for programs: one line a value.
func (c *comparison) data() *tables.Table {
	t := &tables.Table{
		Name:  c.tableOptions.Name,
		Title: c.tableOptions.Title,
		Columns: dataColumns(
			[]string{"dataset", "method", "variant", "model", "measure", "verdict"},
			"dataset", "checkpoint", "method", "variant", "model", "measure", "trials", "ours", "ours_std",
			"published", "published_std", "difference", "standard_errors", "tolerance", "verdict"),
	}
	for i := range c.Matches {
		m := &c.Matches[i]
		std := tables.Cell{}
		if m.PublishedStd != nil {
			std.Number = printed(*m.PublishedStd)
		}
		t.Rows = append(t.Rows, []tables.Cell{
			tables.Word(c.tableOptions.Dataset), tables.Count(c.tableOptions.Checkpoint), tables.Word(m.Method.Name),
			tables.Word(m.Variant),
			tables.Word(m.Model.Name()), tables.Word(m.Measure), tables.Count(m.Ours.N), exact(m.Ours.Mean), exact(m.Ours.Std),
			{Number: printed(m.Published)}, std, exact(m.Difference), exact(m.Errors), exact(m.Tolerance),
			tables.Word(string(m.Verdict)),
		})
	}
	return t
}

// exact is a number for programs.
func exact(v float64) tables.Cell { return tables.Of(v, tables.Shortest) }

// dataColumns makes the columns of a table for programs, some of which are words.
func dataColumns(words []string, keys ...string) []tables.Column {
	columns := make([]tables.Column, len(keys))
	for i, key := range keys {
		columns[i] = tables.Column{Key: key, Head: key, Words: slices.Contains(words, key)}
	}
	return columns
}
