package tuning

import (
	"fmt"
	"strconv"
	"strings"

	"graphda/io/message"
	"graphda/io/model"
	"graphda/io/table"
	"graphda/jobs/own/importing"
	"graphda/jobs/own/learning"
	"graphda/jobs/stats"
)

// LeastSplits is the smallest number of splits for a verdict. With fewer splits, the interval's width is mostly chance.
const LeastSplits = 5

// A Finding says whether models predict better than guessing. Its numbers come from the refitted weights in
// Answer.Expected or, with covariates, from Gain.
type Finding struct {
	Measure         string // AUC, R² or C-index, or its gain over the covariates
	Mean, Low, High float64
	Guess           float64 // value of Measure if models only guess
	Splits          int
	Unit            string // what the field Units counts: "sample", "patient" (if known) or "event" (for times)
	Units           int    // for classes, units of the smaller class; for times, events; for numbers, all units
	Class           string // name of the smaller class
}

// Decided tells whether there are enough splits and samples for a verdict, intervals, frequencies and stability.
func (f *Finding) Decided() bool { return f.Splits >= LeastSplits && f.Units >= stats.LeastUnits }

// Yes tells whether the whole interval is better than guessing.
func (f *Finding) Yes() bool { return f.Decided() && f.Low > f.Guess }

func (t *Tuner) find() {
	a, e, b := t.Answer, &t.Answer.Expected[0], &t.whole.Train
	outcome := learning.OutcomeOf(a.Loss)
	f := Finding{Measure: outcome.Measure, Mean: outcome.Score(&e.Means), Low: outcome.Score(&e.Low),
		High: outcome.Score(&e.High), Guess: outcome.Guess, Splits: len(a.Trials), Unit: "sample"}
	of := map[float64]map[int32]bool{-1: {}, 0: {}, 1: {}} // units of each class; numbers have class 0
	for i, unit := range learning.Units(b) {
		of[t.whole.Class(i)][unit] = true
	}
	if b.Patient != nil {
		f.Unit = "patient"
	}
	switch f.Units = len(of[1]) + len(of[0]); outcome {
	case learning.Classes:
		negative, positive := importing.Classes(t.first.Metadata)
		if f.Class = positive; len(of[-1]) < f.Units {
			f.Units, f.Class = len(of[-1]), negative
		}
	case learning.Times:
		f.Unit = "event"
	}
	if a.Adjusted != "" {
		gain := &a.Expected[len(a.Expected)-1]
		f.Mean, f.Low, f.High, f.Guess = gain.Means.Score(a.Loss), gain.Low.Score(a.Loss), gain.High.Score(a.Loss), 0
		f.Measure = "gain in " + f.Measure + " over the covariates alone"
	}
	a.Found = f
}

func (f *Finding) few() string {
	var are, want []string
	if f.Splits < LeastSplits {
		are, want = append(are, message.Count(f.Splits, "split")), append(want, strconv.Itoa(LeastSplits))
	}
	if f.Units < stats.LeastUnits {
		text := message.Count(f.Units, f.Unit)
		if f.Class != "" {
			text += fmt.Sprintf(" of class %q", f.Class)
		}
		are, want = append(are, text), append(want, strconv.Itoa(stats.LeastUnits))
	}
	return fmt.Sprintf("with only %s it cannot be said whether anything was found; %s are enough",
		strings.Join(are, " and "), strings.Join(want, " and "))
}

const noEvidence = "the features selected are not evidence of anything"

func (f *Finding) line(features int) string {
	number := func(v float64) string { // more than two decimals if Low and Guess would look equal
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
		return fmt.Sprintf("NOT DECIDED: %s; %s", f.few(), noEvidence)
	case !f.Yes():
		return fmt.Sprintf("%s: the 95 %% interval of the %s, %s to %s, %s %s; %s", model.Nothing, f.Measure,
			number(f.Low), number(f.High), where, table.Shortest(f.Guess), noEvidence)
	}
	return fmt.Sprintf("Found: %s %s (%s to %s), %s", f.Measure, number(f.Mean), number(f.Low), number(f.High),
		message.Count(features, "feature"))
}
