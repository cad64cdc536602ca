package evaluating

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"graphda/io/model"
	"graphda/jobs/jobstest"
	"graphda/jobs/metrics"
	"graphda/jobs/own/predicting"
)

// Of times the C-index is measured, with an interval by patient; the curve is the survival; what is of classes is refused.
func TestTimes(t *testing.T) {
	path := toy(t, model.Model{Loss: "cox", Survival: &model.Survival{Time: "days", Event: "died", Is: "yes", Censored: "no",
		Baselines: []model.Baseline{{Times: []float64{1}, Hazard: []float64{1}, Last: 9}}}})
	r := rand.New(rand.NewPCG(1, 2))
	table, times := "id,who,days,died,a,b\n", []float64{}
	for i := range 80 {
		a, y := 10+2*r.NormFloat64(), float64(20+r.IntN(8))
		if y -= 2 * (a - 10); y < 1 {
			y = 1
		}
		died := "yes"
		if times = append(times, y); i%4 == 3 {
			times[i], died = -y, "no"
		}
		table += fmt.Sprintf("S%d,P%d,%g,%s,%g,20\n", i, i/2, y, died, a)
	}
	dir := t.TempDir()
	req := Request{Request: predicting.Request{Model: path, Samples: filepath.Join(dir, "c.csv")}, Patient: "who"}
	write := func(text string) {
		t.Helper()
		must(t, os.WriteFile(req.Samples, []byte(text), 0o666))
	}
	write(table)
	e := must1(Evaluate(context.Background(), req))
	want, _ := metrics.Concordance(e.scores, times, nil)
	m := e.Measures[0]
	if len(e.Measures) != 1 || m.ID != "c_index" || m.Value != want || !(m.Low < want && want < m.High && m.Low > 0.5) ||
		e.Positives != 60 || e.Patients != 40 || e.Least != 40 {
		t.Errorf("%+v, want %v; %d events of %d patients, %d of them with one", e.Measures, want, e.Positives, e.Patients, e.Least)
	}
	if !strings.HasPrefix(e.Verdict(), "The model carries over: C-index") ||
		!strings.Contains(e.Lead(), `80 samples of `) || !strings.Contains(e.Lead(), `60 of them with an event ("died") and 20 censored`) {
		t.Errorf("%s\n%s", e.Verdict(), e.Lead())
	}
	write(strings.Replace(table, "yes", "maybe", 1))
	jobstest.WantError(t, jobstest.Err(Evaluate(context.Background(), req)), `column "died": sample 1, S0: has event "maybe"`)
	write(table)
	var names []string
	for _, f := range e.Files() {
		names = append(names, f.Name)
		if err := f.Fill(io.Discard); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
	if got := strings.Join(names, " "); got != "evaluation.csv features.csv survival.csv report.html" {
		t.Error(got)
	}
	for want, change := range map[string]func(r *Request){
		`sample 2, S1: is "0", want a time above 0`:        func(*Request) { write("id,who,days,died,a\nS0,P,1,yes,1\nS1,P,0,yes,1\n") },
		`has event "dead", want "yes" of an event or "no"`: func(*Request) { write("id,who,days,died,a\nS0,P,1,dead,1\n") },
		`label = "days", but `:                             func(r *Request) { r.Label = "days" },
		`recentre adds the same to all scores`:             func(r *Request) { r.Recentre = true },
		`has no column "dies"`:                             func(r *Request) { r.Event = "dies" },
		`time and event are for models of times`: func(r *Request) {
			r.Model = toy(t, model.Model{Loss: "logistic", Negative: "n", Positive: "p"})
			r.Time = "days"
		},
		`label is empty, want the name of a column`: func(r *Request) { r.Model = toy(t, model.Model{Loss: "logistic", Negative: "n", Positive: "p"}) },
	} {
		write(table)
		again := req
		change(&again)
		jobstest.WantError(t, jobstest.Err(Evaluate(context.Background(), again)), want)
	}
}
