package tuning

import (
	"fmt"
	"math"

	"graphda/io/plain"
	"graphda/io/table"
)

// LeastSplits is how many splits can tell whether anything was found: fewer give intervals of any width.
const LeastSplits = 5

// A Finding tells whether tuning has found anything: whether models predict samples that took no part in learning
// and choosing better than guessing does. It is the row of the refitted weights in Answer.Expected.
type Finding struct {
	Measure         string // by which it is told: AUC or R²
	Mean, Low, High float64
	Guess           float64 // what guessing has
	Splits          int
}

// Decided tells whether there are splits enough.
func (f *Finding) Decided() bool { return f.Splits >= LeastSplits }

// Yes tells whether something was found: the whole interval is better than guessing.
func (f *Finding) Yes() bool { return f.Decided() && f.Low > f.Guess }

// find tells whether anything was found, from what is expected of the refitted weights.
func (a *Answer) find() {
	e := &a.Expected[0]
	a.Found = Finding{Measure: "R²", Mean: e.Means.R2, Low: e.Low.R2, High: e.High.R2, Splits: len(a.Trials)}
	if a.Loss.Classifies() {
		a.Found = Finding{Measure: "AUC", Mean: e.Means.AUC, Low: e.Low.AUC, High: e.High.AUC, Guess: 0.5,
			Splits: len(a.Trials)}
	}
}

const noEvidence = "the features below are not evidence of anything"

// line says what was found, of so many features in so many parts of the network; 0 parts: there is no network.
func (f *Finding) line(features, parts int) string {
	number := func(v float64) string { // with as many decimals as tell the interval's end from guessing
		decimals := 2
		for decimals < 6 && table.Fixed(decimals)(f.Low) == table.Fixed(decimals)(f.Guess) {
			decimals++
		}
		return table.Fixed(decimals)(v)
	}
	where := "contains"
	if f.High < f.Guess {
		where = "is below"
	}
	switch {
	case !f.Decided():
		return fmt.Sprintf("NOT DECIDED: %s cannot tell whether anything was found, at least %d can; %s",
			plain.Count(f.Splits, "split"), LeastSplits, noEvidence)
	case !f.Yes():
		return fmt.Sprintf("NOTHING FOUND: the 95 %% interval of the %s, %s to %s, %s %s; %s", f.Measure, number(f.Low),
			number(f.High), where, table.Shortest(f.Guess), noEvidence)
	}
	text := fmt.Sprintf("Found: %s %s (%s to %s), %s", f.Measure, number(f.Mean), number(f.Low), number(f.High),
		plain.Count(features, "feature"))
	switch parts {
	case 0:
		return text
	case 1:
		return text + " in one connected part"
	}
	return fmt.Sprintf("%s in %d connected parts", text, parts)
}

// entropy is the mean log-loss of guessing by the share of the positive class, in nats. There are samples of both.
func entropy(share float64) float64 {
	return -share*math.Log(share) - (1-share)*math.Log(1-share)
}
