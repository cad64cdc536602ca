package report

import (
	"fmt"
	"math"
	"strconv"

	"graphda/jobs/merge"
	"graphda/jobs/paper"
	"graphda/jobs/selection"
)

// A Verdict tells whether one of our numbers agrees with the published one.
type Verdict string

const (
	Agrees   Verdict = "agrees"
	Deviates Verdict = "deviates"
	Unjudged Verdict = "unjudged" // fewer than two trials have no spread to judge by
)

// A Match is one of our numbers beside the published one.
type Match struct {
	Method       Method
	Figure       string // one of merge.Figures
	Model        selection.Model
	Ours         merge.Stat
	Published    paper.Number
	PublishedStd *paper.Number // nil where the paper prints none
	Difference   float64       // ours − published
	Tolerance    float64
	Verdict      Verdict
}

// A Comparison is our table beside a published one.
type Comparison struct {
	Options  Options
	Matches  []Match
	Agreeing int
	Judged   int // matches with a verdict

	published *paper.Table
	subtitle  string
	entries   []entry // the columns that are published
	lines     []line
	notes     []string
}

// compared are the figures in the order of the paper's columns.
var compared = []string{"precision", "recall", "f1", "test_balanced_accuracy", "test_accuracy", "mistakes", merge.NonzeroPercent}

// Compare sets our results beside a published table.
func Compare(s *merge.Summary, o Options, published *paper.Table) (*Comparison, error) {
	found, err := lines(s, o)
	if err != nil {
		return nil, err
	}
	c := &Comparison{Options: o, published: published, subtitle: subtitle(s, o, found)}
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
	for _, name := range compared {
		for _, m := range selection.Models {
			if c.find("", name, m) != nil {
				c.entries = append(c.entries, of(m, name))
			}
		}
	}
	c.notes = append(c.notes, notes(c.lines, c.entries)...)
	return c, nil
}

// match adds the matches of one method.
func (c *Comparison) match(l line, theirs *paper.Line) {
	for _, name := range compared {
		for _, m := range selection.Models {
			numbers := theirs.W
			if m == selection.Wbar {
				numbers = theirs.Wbar
			}
			number, ok := numbers[name]
			if !ok {
				continue
			}
			match := newMatch(l.Stat(name, m), number)
			match.Method, match.Figure, match.Model = l.Method, name, m
			if std, ok := numbers[name+"_std"]; ok {
				match.PublishedStd = &std
			}
			c.Matches = append(c.Matches, match)
			switch match.Verdict {
			case Agrees:
				c.Agreeing++
				c.Judged++
			case Deviates:
				c.Judged++
			}
		}
	}
}

// newMatch judges one number.
func newMatch(ours merge.Stat, published paper.Number) Match {
	m := Match{
		Ours:       ours,
		Published:  published,
		Difference: ours.Mean - published.Value,
		Tolerance:  2*ours.Std + published.HalfUnit(),
		Verdict:    Unjudged,
	}
	if ours.N < 2 {
		return m
	}
	const rounding = 1e-9 // a difference of exactly half a unit is not exact in binary
	m.Verdict = Deviates
	if math.Abs(m.Difference) <= m.Tolerance+rounding {
		m.Verdict = Agrees
	}
	return m
}

// find returns the match of a method, or of any method if the name is empty.
func (c *Comparison) find(method, figure string, m selection.Model) *Match {
	for i := range c.Matches {
		match := &c.Matches[i]
		if (method == "" || match.Method.Name == method) && match.Figure == figure && match.Model == m {
			return match
		}
	}
	return nil
}

// Table prints the comparison: three lines a method, ours, the paper's, the difference.
func (c *Comparison) Table() *Table {
	t := &Table{
		Name:     c.Options.Name,
		Title:    c.Options.Title + ", beside " + c.published.Caption + " of the paper",
		Subtitle: c.subtitle,
		Columns: []Column{
			{Key: "method", Head: "Method", Left: true},
			{Key: "source", Head: "", Left: true},
		},
		Notes: append([]string{c.verdict()}, c.notes...),
	}
	for _, e := range c.entries {
		t.Columns = append(t.Columns, Column{Key: e.name + e.model.Suffix(), Group: e.head, Head: e.model.String()})
	}
	for _, l := range c.lines {
		ours := []Value{{Text: l.Label, Data: l.Name}, word("ours")}
		theirs := []Value{{Data: l.Name}, word("paper")}
		difference := []Value{{Data: l.Name}, word("diff")}
		for _, e := range c.entries {
			a, b, d := c.find(l.Name, e.name, e.model).values()
			ours, theirs, difference = append(ours, a), append(theirs, b), append(difference, d)
		}
		t.Rows = append(t.Rows, ours, theirs, difference)
	}
	return t
}

// values prints a match; a nil match was not published.
func (m *Match) values() (ours, theirs, difference Value) {
	if m == nil {
		return Value{}, Value{}, Value{}
	}
	theirs = word(m.Published.String())
	if m.PublishedStd != nil {
		theirs.Text += "±" + m.PublishedStd.String()
	}
	if m.Ours.N == 0 {
		return word("–"), theirs, Value{}
	}
	digits := max(m.Published.Digits, 2) // ours are not rounded as hard as some of theirs
	ours = Value{Text: fixed(digits)(m.Ours.Mean), Data: exact(m.Ours.Mean)}
	if m.PublishedStd != nil {
		ours.Text += "±" + fixed(2)(m.Ours.Std)
	}
	difference = Value{
		Text: signed(m.Difference, digits),
		Data: exact(m.Difference),
		Off:  m.Verdict == Deviates,
	}
	return ours, theirs, difference
}

// signed prints a number with its sign; what rounds to zero has none.
func signed(v float64, digits int) string {
	s := fixed(digits)(v)
	if zero, _ := strconv.ParseFloat(s, 64); zero == 0 {
		return fixed(digits)(0)
	}
	if v > 0 {
		return "+" + s
	}
	return s
}

// verdict counts the agreeing values.
func (c *Comparison) verdict() string {
	const rule = "|ours − published| ≤ 2·(std over our trials) + half a unit of the last printed digit."
	s := fmt.Sprintf("%d of %d values agree: %s", c.Agreeing, c.Judged, rule)
	if n := len(c.Matches) - c.Judged; n > 0 {
		s += fmt.Sprintf(" %d are not judged, for want of two trials.", n)
	}
	return fmt.Sprintf("%s The paper's are means over %d trials, after %d training samples.",
		s, c.published.Trials, c.published.Checkpoint)
}

// Data is the comparison for programs: one line a value.
func (c *Comparison) Data() *Table {
	t := &Table{Name: c.Options.Name, Title: c.Options.Title}
	for _, key := range []string{"dataset", "checkpoint", "method", "model", "figure", "trials", "ours", "ours_std",
		"published", "published_std", "difference", "tolerance", "verdict"} {
		t.Columns = append(t.Columns, Column{Key: key, Head: key, Left: true})
	}
	for i := range c.Matches {
		m := &c.Matches[i]
		std := ""
		if m.PublishedStd != nil {
			std = m.PublishedStd.String()
		}
		t.Rows = append(t.Rows, []Value{
			word(c.Options.Dataset), word(strconv.Itoa(c.Options.Checkpoint)), word(m.Method.Name), word(modelKey(m.Model)),
			word(m.Figure), word(strconv.Itoa(m.Ours.N)), word(exact(m.Ours.Mean)), word(exact(m.Ours.Std)),
			word(m.Published.String()), word(std), word(exact(m.Difference)), word(exact(m.Tolerance)), word(string(m.Verdict)),
		})
	}
	return t
}

// modelKey names a model in CSV.
func modelKey(m selection.Model) string {
	if m == selection.Wbar {
		return "wbar"
	}
	return "w"
}
