package tablekinds

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"graphda/io/message"
	"graphda/io/table"
	"graphda/jobs/merge"
	"graphda/jobs/metrics"
	"graphda/jobs/paper"
	"graphda/jobs/selection"
	"graphda/jobs/stats"
)

// A verdict says whether our number agrees with the published number.
type verdict string

const (
	agrees   verdict = "agrees"
	unclear  verdict = "unclear"
	differs  verdict = "differs"
	unjudged verdict = "unjudged" // fewer than stats.EnoughTrials trials
)

// A number agrees if |z| < unclearFrom, and differs if |z| > differsFrom. Otherwise the verdict is unclear.
const (
	unclearFrom = 2
	differsFrom = 3
)

type matched struct {
	line         Line
	entry        Entry
	Ours         merge.Stat
	Published    paper.Number
	PublishedStd *paper.Number // nil if the paper prints none
	Difference   float64       // ours − published
	Z            float64       // difference in standard errors; NaN without a verdict
	DF           float64       // degrees of freedom of Student's t for Z; NaN if no number varies over the trials
	Verdict      verdict
}

type comparison struct {
	*frame
	Matches  []matched
	Verdicts map[verdict]int // number of matches with each verdict

	published *paper.Table
	entries   []Entry // published columns
	both      frame   // published lines
	notes     []string
}

func compare(f *frame, published *paper.Table) (*comparison, error) {
	c := &comparison{frame: f, published: published, both: *f, Verdicts: map[verdict]int{}}
	c.both.lines = nil
	for _, l := range f.lines {
		if _, ok := published.Line(l.Name); ok {
			c.both.lines = append(c.both.lines, l)
		} else {
			c.notes = append(c.notes, l.Label+" is not in the published table.")
		}
	}
	for _, theirs := range published.Lines {
		if f.summary.Group(f.Dataset, f.Checkpoint, theirs.Method) == nil {
			c.notes = append(c.notes, f.label(theirs.Method)+" is published, but not part of this experiment.")
		}
	}
	for _, name := range metrics.MeasureNames() {
		for _, m := range selection.Models {
			e, before := Of(m, name), len(c.Matches)
			for _, l := range c.both.lines {
				c.match(l, e)
			}
			if len(c.Matches) > before {
				c.entries = append(c.entries, e)
			}
		}
	}
	if len(c.Matches) == 0 {
		return nil, fmt.Errorf("report: none of the methods is in the published table %s", published.Name)
	}
	c.notes = append(c.notes, c.both.notes(c.both.warnings(c.entries))...)
	return c, nil
}

// match compares the value in line l with the published value, if there is one.
func (c *comparison) match(l Line, e Entry) {
	theirs, _ := c.published.Line(l.Name)
	numbers := theirs.W
	if e.Model == selection.Wbar {
		numbers = theirs.Wbar
	}
	number, ok := numbers[e.Name]
	if !ok {
		return
	}
	match := matched{line: l, entry: e, Ours: e.Stat(l.Group), Published: number}
	if std, ok := numbers[e.Name+"_std"]; ok {
		match.PublishedStd = &std
	}
	match.judge(c.published.Trials, c.overlap)
	c.Matches = append(c.Matches, match)
	c.Verdicts[match.Verdict]++
}

// judge compares our mean with the published mean over the given number of trials (see the package documentation).
func (m *matched) judge(trials int, overlap float64) {
	m.Difference, m.Z, m.DF, m.Verdict = m.Ours.Mean-m.Published.Value, math.NaN(), math.NaN(), unjudged
	if m.Ours.N < stats.EnoughTrials {
		return
	}
	n := float64(m.Ours.N)
	m.DF = n - 1
	ours := stats.StandardError(m.Ours.Std, m.Ours.N, overlap)
	theirs := m.Ours.Std * math.Sqrt(n/(n-1)/float64(trials))
	if m.PublishedStd != nil {
		theirs = stats.StandardError(m.PublishedStd.Value, trials, 0)
		share := ours * ours / (ours*ours + theirs*theirs)
		m.DF = 1 / (share*share/(n-1) + (1-share)*(1-share)/float64(trials-1)) // Welch's formula
	}
	if ours == 0 && theirs == 0 {
		m.DF = math.NaN()
	}
	m.Z = m.Difference / math.Sqrt(ours*ours+theirs*theirs+m.Published.Unit()*m.Published.Unit()/12)
	switch z := math.Abs(m.Z); {
	case math.IsNaN(z): // the overlap of the trials is unknown
	case z < unclearFrom:
		m.Verdict = agrees
	case z <= differsFrom:
		m.Verdict = unclear
	default:
		m.Verdict = differs
	}
}

// find returns the match of the measure e in line l, or nil.
func (c *comparison) find(l Line, e Entry) *matched {
	i := slices.IndexFunc(c.Matches, func(m matched) bool { return m.line == l && m.entry == e })
	if i < 0 {
		return nil
	}
	return &c.Matches[i]
}

// table returns the comparison as a table. Each method has a line for each element of sources. Without verdicts there
// is no line for z.
func (c *comparison) table() *table.Table {
	shown := len(sources)
	if c.judged() == 0 {
		shown--
	}
	t := c.head(", compared with " + c.published.Caption + " of the paper")
	t.Columns = []table.Column{
		{Key: "method", Head: "Method", Words: true},
		{Key: "variant", Words: true, DataOnly: true},
		{Key: "source", Head: "", Words: true},
	}
	t.PerGroup, t.Notes = shown, slices.Concat(c.verdictNotes(), c.notes)
	for _, e := range c.entries {
		t.Columns = append(t.Columns, table.Column{Key: e.Name + e.Model.Suffix(), Group: e.Head, Head: e.Model.String()})
	}
	for _, l := range c.both.lines {
		var rows [len(sources)][]table.Cell
		for i, source := range sources {
			rows[i] = []table.Cell{table.Label("", l.Name), table.Word(l.Variant), table.Word(source)}
		}
		rows[0][0].Word = l.Label
		for _, e := range c.entries {
			for i, v := range c.find(l, e).cells() {
				rows[i] = append(rows[i], v)
			}
		}
		t.Rows = append(t.Rows, rows[:shown]...)
	}
	return t
}

var sources = [...]string{"ours", "paper", "diff", "z"}

// cells returns the cells in the order of sources. Without a match they are empty.
func (m *matched) cells() (cells [len(sources)]table.Cell) {
	if m == nil {
		return cells
	}
	digits := max(m.Published.Digits, 2) // the paper rounds some numbers to fewer than 2 digits
	ours := &table.Number{Value: m.Ours.Mean, Std: m.Ours.Std, N: m.Ours.N, Print: table.Fixed(digits)}
	theirs := printed(m.Published)
	if m.PublishedStd != nil {
		ours.PrintStd = table.Fixed(2)
		theirs.Std, theirs.PrintStd = m.PublishedStd.Value, printed(*m.PublishedStd).Print
	}
	cells[0], cells[1] = table.Cell{Number: ours}, table.Cell{Number: theirs}
	if m.Ours.N == 0 {
		return cells
	}
	cells[2] = table.Of(m.Difference, table.Signed(table.Fixed(digits)))
	cells[2].Off = m.Verdict == differs
	if m.Verdict != unjudged {
		cells[3] = table.Of(m.Z, table.Signed(table.Fixed(1)))
	}
	return cells
}

// printed returns a number with the paper's digits, also in data files.
func printed(n paper.Number) *table.Number {
	return &table.Number{Value: n.Value, Print: table.Fixed(n.Digits), Data: table.Fixed(n.Digits)}
}

func (c *comparison) judged() int { return len(c.Matches) - c.Verdicts[unjudged] }

// verdictNotes says how many values differ from the paper, and how many would differ by chance.
func (c *comparison) verdictNotes() []string {
	paper := fmt.Sprintf("The paper's values are means over %d trials, after %d training samples.", c.published.Trials,
		c.published.Checkpoint)
	few := fmt.Sprintf("fewer than %d trials say too little about their spread.", stats.EnoughTrials)
	n := c.judged()
	if n == 0 {
		return []string{"No verdict: " + few + " " + paper}
	}
	notes := []string{
		fmt.Sprintf("Of %s, %d agree, %d are unclear and %d differ. By chance, %.1f would differ, and %.1f would differ or "+
			"be unclear (by Student's t).%s Methods of one trial learn from the same samples, so their values tend to differ "+
			"together.", message.Count(n, "value"), c.Verdicts[agrees], c.Verdicts[unclear], c.Verdicts[differs],
			c.outside(differsFrom), c.outside(unclearFrom), c.fixed()),
		fmt.Sprintf("z: the difference divided by its standard error √(s²/n + s_p²/%d + u²/12). Here n is our number of "+
			"trials, and s and s_p are our and the paper's sample deviations. If the paper prints no deviation, s is used for "+
			"both. u is the unit of the last printed digit. A value agrees if |z| < %d, differs if |z| > %d, and otherwise is "+
			"unclear. %s",
			c.published.Trials, unclearFrom, differsFrom, paper),
	}
	if c.Verdicts[unjudged] > 0 {
		notes = append(notes, fmt.Sprintf("Without a verdict: %s; %s", message.Count(c.Verdicts[unjudged], "value"), few))
	}
	return notes
}

// outside returns how many values would exceed the given |z| by chance, on average.
func (c *comparison) outside(z float64) (n float64) {
	for i := range c.Matches {
		if m := &c.Matches[i]; m.Verdict != unjudged && m.DF == m.DF {
			n += 2 * distuv.StudentsT{Sigma: 1, Nu: m.DF}.Survival(z)
		}
	}
	return n
}

// fixed returns a note on values that do not vary over the trials.
func (c *comparison) fixed() string {
	n, texts := 0, []string(nil)
	for _, e := range c.entries {
		var names []string
		for i := range c.Matches {
			if m := &c.Matches[i]; m.Verdict != unjudged && m.DF != m.DF && m.entry == e {
				names = append(names, m.line.Label)
			}
		}
		if n += len(names); len(names) > 0 {
			texts = append(texts, fmt.Sprintf("%s of %s (%s)", e.Head, e.Model, strings.Join(names, ", ")))
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" These numbers leave out %s that are the same in every trial and cannot differ by chance: %s.",
		message.Count(n, "value"), strings.Join(texts, ", "))
}
