package tablekinds

import (
	"slices"
	"strings"
	"testing"

	"graphda/io/table"
	"graphda/jobs/metrics"
	"graphda/jobs/plan"
	"graphda/jobs/reports/reportstest"
	"graphda/learners"
)

// marked returns which methods are marked as the best in a column.
func marked(t *table.Table, column string) (methods []string) {
	method := t.At("method")
	at := t.At(column)
	for _, row := range t.Rows {
		if row[at].Best {
			methods = append(methods, row[method].ID)
		}
	}
	return methods
}

// By hand: of 8 trials DA-IHT is below GraphDA in all, p = 2/2⁸, and three times that is below 0.05.
// Adam is below it in the mean, by differences whose positive ranks 2, 4, 5 and 7 are half of all:
// p = 1. With 5 trials no p is below 2/2⁵.
func TestBestAndWhatIsNotWorse(t *testing.T) {
	differences := []float64{-0.01, 0.02, -0.03, 0.04, -0.05, 0.06, -0.07, 0.035}
	f1 := map[string][]float64{"best-subset": slices.Repeat([]float64{1}, 8)}
	for k, d := range differences {
		v := 0.5 + 0.1*float64(k%3)
		f1["graphda"] = append(f1["graphda"], v)
		f1["da-iht"] = append(f1["da-iht"], v-0.1-0.01*float64(k))
		f1["adam"] = append(f1["adam"], v+d)
	}
	made := classified(t, contest(t, f1), options)
	if got := marked(made, "f1"); !slices.Equal(got, []string{"adam", "graphda"}) {
		t.Errorf("marked are %v, want adam and graphda", got)
	}
	if !strings.Contains(made.Best, "or not significantly worse: Wilcoxon's test") {
		t.Error(made.Best)
	}
	for method := range f1 {
		f1[method] = f1[method][3:]
	}
	made = classified(t, contest(t, f1), options)
	if got := marked(made, "f1"); !slices.Equal(got, []string{"graphda"}) && !slices.Equal(got, []string{"adam"}) {
		t.Errorf("marked of 5 trials are %v, want the best alone", got)
	}
	if !strings.Contains(made.Best, "with so few trials no test between methods can have p < 0.05") {
		t.Error(made.Best)
	}
}

// A model of nothing is never best in nonzeros, nor one of too few features where it is known how
// many are true.
func TestBestNonzeros(t *testing.T) {
	plan, rows := reportstest.Invented(t, 20)
	for i := range rows {
		r := &rows[i]
		n := map[string]float64{"adam": 0, "adagrad": 19, "l1-rda": 20, "da-iht": 28, "graphda": 26 + float64(r.Trial%2)}
		if v, ok := n[r.Method]; ok {
			r.W.Nonzeros = v
		}
		if r.Method == "adagrad" && r.Trial == 3 {
			r.W.Nonzeros = 0
		}
	}
	for _, c := range []struct {
		support int
		want    string
		legend  string
	}{
		{0, "l1-rda", "of which a model must have some to be best"},
		{26, "graphda", "best where they are nearest, trial by trial, to the 2.39 of the truth"},
	} {
		for k := range 20 {
			plan.Datasets[0].Trials[k].Support = c.support
		}
		made := classified(t, reportstest.Summary(t, plan, slices.Clone(rows)), options)
		if got := marked(made, metrics.NonzeroPercent); !slices.Equal(got, []string{c.want}) {
			t.Errorf("support %d: marked are %v, want %s", c.support, got, c.want)
		}
		against := options // an empty model that is alone against another
		against.Methods = []*learners.Method{methods[0], methods[8]}
		alone := classified(t, reportstest.Summary(t, plan, slices.Clone(rows)), against)
		if got := marked(alone, metrics.NonzeroPercent); !slices.Equal(got, []string{"graphda"}) {
			t.Errorf("support %d: marked against an empty model are %v, want graphda", c.support, got)
		}
		if notes := strings.Join(made.Notes, " "); !strings.Contains(notes, c.legend) {
			t.Errorf("support %d: %q does not say %q", c.support, notes, c.legend)
		}
	}
}

// A column without a defined value is left out, and its words with it. One trial has no intervals.
func TestUndefinedColumnsAreAbsent(t *testing.T) {
	made := classified(t, contest(t, map[string][]float64{"adam": {0.3, 0.4}, "graphda": {0.5, 0.6}}), options)
	notes := strings.Join(made.Notes, " ")
	if len(made.Printed()) != 2 || strings.Contains(notes, "Miss:") || !strings.Contains(notes, "F1:") {
		t.Errorf("%d columns, notes %q: want those of the method and F1", len(made.Printed()), notes)
	}
	if shown := intervals(classified(t, reportstest.SummaryOf(t, 1), options), 0); shown != nil {
		t.Errorf("intervals of one trial: %+v", shown)
	}
}

func TestTrialsOfOtherSizes(t *testing.T) {
	d := &plan.Dataset{Trials: []plan.TrialSummary{{Train: 1000, Features: 10, Support: 4}, {Trial: 1, Train: 900, Features: 10},
		{Trial: 2, Train: 1000, Features: 20, Support: 4}}} // a support of 0 is not known
	want := []string{"the number of training samples is 1000 in trials 0, 2, 900 in trial 1",
		"the number of features is 10 in trials 0, 1, 20 in trial 2"}
	if got := unlike(d); !slices.Equal(got, want) {
		t.Errorf("differences %q, want %q", got, want)
	}
}
