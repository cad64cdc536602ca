package claims

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"graphda/io/message"
	"graphda/io/table"
	"graphda/jobs/paper"
	"graphda/jobs/reports/source"
	"graphda/jobs/reports/tablekinds"
	"graphda/jobs/selection"
	"graphda/jobs/stats"
)

// Name is the name of the table of claims and of its files.
const Name = "claims"

type ruling string

const (
	holds     ruling = "holds"
	inPart    ruling = "in part" // the claim holds, but the run lacks some comparisons
	fails     ruling = "fails"
	undecided ruling = "undecided"
)

// A run can decide a claim only if it has at least 1/shareOfAll of the claim's comparisons.
const shareOfAll = 5

// Claims holds the claims of the paper that a run can decide.
type Claims struct {
	decided  []decision
	unjudged int            // number of claims that cannot be judged because stored models are missing
	byRule   selection.Rule // the rule that chose the settings in the paper
	other    string         // the reports' rule if it differs from byRule; "" otherwise
}

type decision struct {
	*paper.Claim
	number  int
	tests   []claimTest
	wanted  int    // number of comparisons of a complete run
	ruling  ruling // verdict with the paper's selection rule
	byOther ruling // verdict with the reports' selection rule; "" if this is the paper's rule
}

// New decides the claims that a run can decide. If there are none, New returns nil.
func New(src *source.Source) (*Claims, error) {
	c := &Claims{byRule: src.AsPublished.Rule}
	if src.Summary != src.AsPublished {
		c.other = src.Summary.Rule.Name()
	}
	all := paper.Claims()
	for i := range all {
		published, err := evidenceOf(src, &all[i], src.AsPublished)
		if err != nil {
			return nil, err
		}
		d := decision{Claim: &all[i], number: i + 1, tests: published.tests, wanted: published.wanted}
		if !published.enough() {
			if modelMeasureOf(d.Measure) != nil { // results for f1 show that the run has the claim's methods and datasets
				ofRows := all[i]
				ofRows.Measure = "f1"
				if published, err = evidenceOf(src, &ofRows, src.AsPublished); err != nil {
					return nil, err
				}
				if published.enough() {
					c.unjudged++
				}
			}
			continue
		}
		d.ruling = rule(d.tests, d.wanted)
		if c.other != "" {
			chosen, err := evidenceOf(src, &all[i], src.Summary)
			if err != nil {
				return nil, err
			}
			d.byOther = rule(chosen.tests, chosen.wanted)
		}
		c.decided = append(c.decided, d)
	}
	if len(c.decided) == 0 {
		return nil, nil
	}
	c.order()
	return c, nil
}

func (e *evidence) enough() bool { return len(e.tests) > 0 && shareOfAll*len(e.tests) >= e.wanted }

// Enough tells whether there are enough trials to decide any claim.
func (c *Claims) Enough() bool {
	return c != nil && slices.ContainsFunc(c.decided, func(d decision) bool {
		return fewestTrials(d.tests) >= stats.EnoughTrials
	})
}

// Line says how many claims hold. It returns "" if there are no claims.
func (c *Claims) Line() string {
	if c == nil {
		return ""
	}
	if !c.Enough() {
		return fmt.Sprintf("The paper's claims are not tested, because that takes %d trials.", stats.EnoughTrials)
	}
	counts := map[ruling]int{}
	for _, d := range c.decided {
		counts[d.ruling]++
	}
	told := func(n int, verb string) string {
		if n == 1 {
			verb += "s"
		}
		return fmt.Sprint(n, " ", verb)
	}
	text := told(counts[holds], "hold")
	if n := counts[inPart]; n > 0 {
		text += fmt.Sprintf(", %d in part", n)
	}
	text = fmt.Sprintf("The paper's claims by rule %s: %s, %d undecided, %s", c.byRule.Name(), text,
		counts[undecided], told(counts[fails], "fail"))
	if c.unjudged > 0 {
		text += fmt.Sprintf(", %d not judged because models are missing", c.unjudged)
	}
	return text + "."
}

// order sorts the claims. Failed claims come first, and claims that hold come last.
func (c *Claims) order() {
	worst := []ruling{fails, undecided, inPart, holds}
	slices.SortStableFunc(c.decided, func(a, b decision) int {
		return slices.Index(worst, a.ruling) - slices.Index(worst, b.ruling)
	})
}

// rule returns the verdict on a claim. `wanted` is the number of tests of a complete run.
func rule(tests []claimTest, wanted int) ruling {
	if fewestTrials(tests) < stats.EnoughTrials {
		return undecided
	}
	asClaimed, significantly, against := tally(tests)
	switch {
	case against > 0:
		return fails
	case asClaimed < len(tests) || significantly == 0:
		return undecided
	case len(tests) < wanted:
		return inPart
	}
	return holds
}

const rulingNote = "Quotes are from the paper. Claims that fail come first. A claim makes one or more comparisons. " +
	"Each is a paired two-sided t-test over trials at 5 %%, with Holm's correction for all comparisons of the claim. A " +
	"claim holds if all mean differences are as claimed and at least one is significant. It holds in part if this is " +
	"true of the comparisons that the run has, but some are missing. It fails if any difference is significantly the " +
	"opposite. Otherwise, or with fewer than %d trials, it is undecided."

func fewestTrials(tests []claimTest) int {
	fewest := 0
	for i := range tests {
		if i == 0 || tests[i].Trials < fewest {
			fewest = tests[i].Trials
		}
	}
	return fewest
}

// tally counts the tests with a mean as claimed, the significant tests among these, and the tests that are significant
// in the opposite direction.
func tally(tests []claimTest) (asClaimed, significantly, against int) {
	for i := range tests {
		t := &tests[i]
		switch significant := t.Holm < tablekinds.Level; {
		case t.Mean > 0 && significant:
			significantly++
			asClaimed++
		case t.Mean > 0:
			asClaimed++
		case significant:
			against++
		}
	}
	return asClaimed, significantly, against
}

func closest(tests []claimTest) *claimTest {
	support := func(t *claimTest) float64 {
		if math.IsNaN(t.P) {
			return math.Copysign(0, t.Mean)
		}
		return math.Copysign(1-t.P, t.Mean)
	}
	least := &tests[0]
	for i := range tests {
		t := &tests[i]
		if s, than := support(t), support(least); s < than || s == than && t.Mean < least.Mean {
			least = t
		}
	}
	return least
}

func (d *decision) ours() string {
	t := closest(d.tests)
	measure := tablekinds.Entry{Measure: claimMeasure(d.Measure), Model: t.model}
	where := fmt.Sprintf("%s, at %d", source.DatasetLabel(t.dataset), t.checkpoint)
	if len(d.Models) > 1 || slices.Contains(d.Models, selection.Wbar.Name()) {
		where += ", " + t.model.String()
	}
	text := fmt.Sprintf("%s: %s %s, %s %s", where, t.own.label, measure.Print(t.ours), t.other.label,
		measure.Print(t.theirs))
	if len(d.tests) == 1 {
		text += pText(t.P)
	} else {
		asClaimed, significantly, against := tally(d.tests)
		counts := fmt.Sprintf("%d of %d are as claimed, %d of them significantly", asClaimed, len(d.tests), significantly)
		if against > 0 {
			counts += fmt.Sprintf("; %d are significantly the opposite", against)
		}
		extreme := "Closest: "
		if t.Mean <= 0 {
			extreme = "Most against it: "
		}
		text = counts + ". " + extreme + text
	}
	if lacking := d.wanted - len(d.tests); lacking > 0 {
		text += fmt.Sprintf(". Not run: %s", message.Count(lacking, "more comparison"))
	}
	return text
}

// pText formats a p-value. It returns "" for NaN (no test) and for 0 (all margins are equal).
func pText(p float64) string {
	switch {
	case math.IsNaN(p) || p == 0:
		return ""
	case p < 0.001:
		return " (p < 0.001)"
	}
	return " (p = " + table.Fixed(3)(p) + ")"
}

// Table returns the table of claims.
func (c *Claims) Table() *table.Table {
	t := &table.Table{
		Name:     Name,
		Title:    "What the paper claims, and what these results say",
		Subtitle: fmt.Sprintf("Settings were chosen by rule %s, as in the paper; n: trials", c.byRule),
		Columns: []table.Column{
			{Key: "claim", Words: true, DataOnly: true},
			{Key: "number", Head: "#"},
			{Key: "verdict", Head: "Verdict", Words: true},
			{Key: "quote", Words: true, DataOnly: true},
			{Key: "text", Head: "Claim", Words: true, Wrap: 40},
			{Key: "where", Head: "Where", Words: true, Wrap: 13},
			{Key: "ours", Head: "Ours", Words: true, Wrap: 38},
			{Key: "trials", Head: "n"},
			{Key: "comparisons", DataOnly: true},
			{Key: "comparisons_wanted", DataOnly: true},
			{Key: "as_claimed", DataOnly: true},
			{Key: "significantly", DataOnly: true},
			{Key: "significantly_against", DataOnly: true},
			{Key: "rule", Words: true, DataOnly: true},
		},
		Notes: []string{fmt.Sprintf(rulingNote, stats.EnoughTrials)},
	}
	if c.other != "" {
		const group = "Verdict by rule"
		t.Columns[2].Group, t.Columns[2].Head = group, c.byRule.Name()
		other := table.Column{Key: "verdict_" + c.other, Group: group, Head: c.other, Words: true}
		t.Columns = slices.Insert(t.Columns, 3, other)
	}
	for i := range c.decided {
		d := &c.decided[i]
		asClaimed, significantly, against := tally(d.tests)
		ours := d.ours()
		if c.byRule.SeesTruth() && c.other != "" {
			ours += fmt.Sprintf(". This rule chooses by F1 against the truth. By rule %s: %s", c.other, d.byOther)
		}
		row := []table.Cell{
			table.Word(d.Name), table.Count(d.number), table.Word(string(d.ruling)), table.Word(d.Quote),
			table.Label("“"+d.Quote+"” Tested: "+d.Text, d.Text), table.Word(d.Where), table.Word(ours),
			table.Count(fewestTrials(d.tests)), table.Count(len(d.tests)), table.Count(d.wanted),
			table.Count(asClaimed), table.Count(significantly), table.Count(against),
			table.Word(c.byRule.String()),
		}
		if c.other != "" {
			row = slices.Insert(row, 3, table.Word(string(d.byOther)))
		}
		t.Rows = append(t.Rows, row)
	}
	t.Notes = append(t.Notes, c.remarks()...)
	return t
}

// remarks returns remarks on claims that do not hold. Each remark begins with the numbers of its claims.
func (c *Claims) remarks() []string {
	var remarks []string
	numbers := map[string][]string{}
	for _, d := range c.decided {
		if d.Remark == "" || d.ruling == holds {
			continue
		}
		if numbers[d.Remark] == nil {
			remarks = append(remarks, d.Remark)
		}
		numbers[d.Remark] = append(numbers[d.Remark], fmt.Sprint(d.number))
	}
	for i, remark := range remarks {
		remarks[i] = "On " + strings.Join(numbers[remark], ", ") + ": " + remark
	}
	return remarks
}

// data returns a table for programs, with a row for each comparison.
func (c *Claims) data() *table.Table {
	t := &table.Table{
		Name:  Name,
		Title: "Comparisons of the claims",
		Columns: tablekinds.DataColumns(
			[]string{"claim", "rule", "measure", "dataset", "model", "method", "variant", "other"},
			"claim", "rule", "measure", "dataset", "checkpoint", "model", "method", "variant", "other", "trials", "ours",
			"theirs", "margin", "p", "p_holm"),
	}
	for i := range c.decided {
		d := &c.decided[i]
		for k := range d.tests {
			test := &d.tests[k]
			t.Rows = append(t.Rows, []table.Cell{
				table.Word(d.Name), table.Word(c.byRule.String()), table.Word(d.Measure),
				table.Word(test.dataset), table.Count(test.checkpoint), table.Word(test.model.Name()),
				table.Word(test.method), table.Word(test.own.variant), table.Word(test.other.name),
				table.Count(test.Trials), tablekinds.Exact(test.ours), tablekinds.Exact(test.theirs), tablekinds.Exact(test.Mean),
				tablekinds.Exact(test.P),
				tablekinds.Exact(test.Holm),
			})
		}
	}
	return t
}

// Tables returns the tables of claims and of comparisons. With too few trials, it returns none.
func (c *Claims) Tables() []source.Named {
	if !c.Enough() {
		return nil
	}
	return []source.Named{{Name: Name, Table: c.Table()},
		{Name: Name + "-comparisons", Role: source.Data, Table: c.data()}}
}
