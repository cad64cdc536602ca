package tabled

import (
	"math"
	"testing"

	"graphda/jobs/merge"
	"graphda/jobs/paper"
)

// By chance |z| > 3 of 0.0074 of values whose deviation is ours alone, of 20 trials, and of 0.0047 of those where the paper's
// has as many; normal z would have 0.0027.
func TestByChance(t *testing.T) {
	number := func(text string) (n paper.Number) {
		must(t, n.UnmarshalJSON([]byte(`"`+text+`"`)))
		return n
	}
	std := number("0.10")
	c := &comparison{}
	add := func(published *paper.Number) {
		m := matched{Ours: merge.Stat{Mean: .5, Std: .1, N: 20}, Published: number("0.500"), PublishedStd: published}
		m.judge(20, 0)
		c.Matches = append(c.Matches, m)
	}
	for range 1000 {
		add(nil)
	}
	if got := c.outside(differsFrom); math.Abs(got-7.36) > 0.01 { // 1000·2·P(t19 > 3)
		t.Errorf("by chance %v of 1,000 differ, want 7.36", got)
	}
	c.Matches = nil
	for range 1000 {
		add(&std)
	}
	if got := c.outside(differsFrom); math.Abs(got-4.74) > 0.01 { // 1000·2·P(t38 > 3)
		t.Errorf("by chance %v of 1,000 differ, want 4.74", got)
	}
}
