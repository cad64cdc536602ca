package importing

import (
	"context"
	"fmt"
	"math"
	"os"
	"regexp"
	"strings"
	"testing"

	"graphda/io/network"
	"graphda/io/samples"
	"graphda/jobs/own/sampletable"
)

// timesRequest has 30 samples; two in three have an event, and of a site all or none.
func timesRequest(t *testing.T) Request {
	t.Chdir(t.TempDir())
	table := "id,days,died,site,a,b\n"
	for i := range 30 {
		table += fmt.Sprintf("P%02d,%d,%d,%s,%d,%d\n", i, 10+i, min(1, i%3), []string{"n", "s"}[i%2], i*i, i*i*i%7)
	}
	write(t, "samples.csv", table)
	write(t, "edges.csv", "source,target\na,b\n")
	return Request{
		Table: sampletable.Table{Samples: "samples.csv", Task: sampletable.Survival, Label: "days", Event: "died", Strata: "site"},
		Edges: network.EdgeRequest{Path: "edges.csv"}, Out: "data", Trials: 3,
	}
}

// Times of events are above 0, those of censored samples below; each split has as many events; strata are kept.
func TestTimes(t *testing.T) {
	r := timesRequest(t)
	result, err := Import(context.Background(), r, nil)
	must(t, err)
	if result.Event != "died" || result.Positive != "1" || result.Negative != "0" ||
		result.Splits != [3]Split{{18, 12}, {6, 4}, {6, 4}} {
		t.Errorf("%+v", result)
	}
	ds, err := samples.Open("data")
	must(t, err)
	for _, trial := range ds.Trials {
		data, err := ds.Load(trial, samples.AnyLabels)
		must(t, err)
		if !samples.Times(data.Metadata) || TimesOf(data.Metadata).Event != "died" || data.Covariates != nil {
			t.Errorf("%v, covariates %v", data.Metadata, data.Covariates)
		}
		for _, b := range []samples.Block{data.Train, data.Valid, data.Test} {
			for k, id := range b.IDs {
				var i int
				_, err := fmt.Sscanf(id, "P%d", &i)
				must(t, err)
				want := math.Copysign(float64(10+i), float64(min(1, i%3))-0.5)
				if b.Y[k] != want || b.Strata[k] != []string{"n", "s"}[i%2] {
					t.Errorf("%s: %v in %q, want %v", id, b.Y[k], b.Strata[k], want)
				}
			}
		}
	}
}

// An event column is told as classes are: pairs of words go without saying, "none" is a word, and no others do.
func TestEventWords(t *testing.T) {
	for _, c := range []struct{ censored, event, positive, want string }{
		{"0", "1", "", "1 0"}, {"0.0", "1.0", "1", "1 0"}, {"FALSE", "TRUE", "", "true false"}, {"No", "Yes", "", "Yes No"},
		{"yes", "yes", "", "yes no"}, {"n", "y", "", "y n"}, {"None", "death", "death", "death None"},
		{"alive", "dead", "", "--positive says which of them is an event"}, {"yes", "Yes", "Yes", "want one value for censored"}, {"no", "no", "", "no sample has"},
		{"NA", "dead", "dead", "want a word that says whether there was an event"}, {"-1", "1", "", "1 -1"}, {"1", "2", "", "--positive says which"},
	} {
		r := timesRequest(t)
		table := "id,days,died,a,b\n"
		for i := range 30 {
			table += fmt.Sprintf("P%02d,%d,%s,%d,%d\n", i, 10+i, []string{c.censored, c.event, c.event}[i%3], i*i, i*i*i%7)
		}
		write(t, "samples.csv", table)
		r.Positive, r.Strata = c.positive, ""
		result, err := Import(context.Background(), r, nil)
		got := fmt.Sprint(err)
		if err == nil {
			got = result.Positive + " " + result.Negative
		}
		if !strings.Contains(got, c.want) || (err == nil) != (got == c.want) {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

// A sample without a time or an event has no label, so --unlabelled drop leaves it out. "none" is a word for censored.
func TestDropWithoutTimeOrEvent(t *testing.T) {
	for _, c := range []struct {
		from, to string
		left     int
	}{{"P01,11,1", "P01,11,NA", 29}, {"P01,11,1", "P01,,1", 29}, {"P01,11,1", "P01,,", 29}, {",0,([ns]),", ",none,$1,", 30}} {
		r := timesRequest(t)
		table, err := os.ReadFile("samples.csv")
		must(t, err)
		write(t, "samples.csv", regexp.MustCompile(c.from).ReplaceAllString(string(table), c.to))
		r.Unlabelled, r.Positive = "drop", "1"
		if _, err = Import(context.Background(), r, nil); err != nil {
			t.Errorf("%+v: %v", c, err)
			continue
		}
		ds, err := samples.Open("data")
		must(t, err)
		data, err := ds.Load(ds.Trials[0], samples.AnyLabels)
		must(t, err)
		if n := data.Train.Rows() + data.Valid.Rows() + data.Test.Rows(); n != c.left {
			t.Errorf("%+v: %d samples", c, n)
		}
	}
}
