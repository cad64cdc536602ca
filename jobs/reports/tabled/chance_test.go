package tabled

import (
	"math"
	"strings"
	"testing"

	"graphda/jobs/merge"
	"graphda/jobs/paper"
	"graphda/jobs/selection"
)

// By chance |z| > 3 of 0.0074 of values whose deviation is ours alone, of 20 trials, and of 0.0047 of those where the paper's
// has as many; normal z would have 0.0027. Values without spread have no part in it, and are named.
func TestByChance(t *testing.T) {
	number := func(text string) (n paper.Number) {
		must(t, n.UnmarshalJSON([]byte(`"`+text+`"`)))
		return n
	}
	std := number("0.10")
	c := &comparison{Verdicts: map[verdict]int{}, published: &paper.Table{Trials: 20}}
	add := func(label, measure string, std float64, published *paper.Number) {
		m := matched{Method: methodLabel{Name: label, Label: label}, Measure: measure, Ours: merge.Stat{Mean: .5, Std: std, N: 20},
			Published: number("0.500"), PublishedStd: published}
		m.judge(20, 0)
		c.Matches = append(c.Matches, m)
		c.Verdicts[m.Verdict]++
	}
	for range 1000 {
		add("A", "f1", .1, nil)
	}
	if got := c.outside(differsFrom); math.Abs(got-7.36) > 0.01 { // 1000·2·P(t19 > 3)
		t.Errorf("by chance %v of 1,000 differ, want 7.36", got)
	}
	c.Matches = nil
	for range 1000 {
		add("A", "f1", .1, &std)
	}
	if got := c.outside(differsFrom); math.Abs(got-4.74) > 0.01 { // 1000·2·P(t38 > 3)
		t.Errorf("by chance %v of 1,000 differ, want 4.74", got)
	}
	add("Adam", "recall", 0, nil)
	add("Adam", "f1", 0, nil)
	add("DA-GL", "recall", 0, nil)
	if got := c.outside(differsFrom); math.Abs(got-4.74) > 0.01 {
		t.Errorf("with fixed values by chance %v differ", got)
	}
	c.entries = []Entry{Of(selection.W, "recall"), Of(selection.W, "f1")}
	if got := c.fixed(); !strings.Contains(got, " 3 values that are the same in every trial, and cannot differ by chance: "+
		"Rec of w (Adam, DA-GL), F1 of w (Adam).") {
		t.Errorf("named are %q", got)
	}
}
