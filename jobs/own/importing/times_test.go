package importing

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"graphda/io/network"
	"graphda/io/samples"
	"graphda/jobs/own/sampletable"
	"graphda/jobs/userinput"
)

func read(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(name)
	must(t, err)
	return text
}

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

// Words need to be told, by their place in the labels' file as well; all samples may have an event.
func TestEventCoding(t *testing.T) {
	for _, c := range []struct{ of, positive, event, censored string }{
		{"0,1", "", "1", "0"}, {"1.0,0", "", "1", "0"}, {"1,2", "2", "2", "1"}, {"dead,alive", "dead", "dead", "alive"},
		{"1,1", "", "1", "0"}, {"dead,dead", "dead", "dead", ""},
	} {
		r := timesRequest(t)
		labels := "id,days,died,site\n"
		for i := range 30 {
			labels += fmt.Sprintf("P%02d,%d,%s,%s\n", i, 10+i, strings.Split(c.of, ",")[i%2], []string{"n", "s"}[i/2%2])
		}
		write(t, "labels.csv", labels)
		r.Labels, r.Positive, r.Drop = "labels.csv", c.positive, []string{"days", "died", "site"}
		write(t, "samples.csv", strings.Replace(string(read(t, "samples.csv")), "days,died,site", "x1,x2,x3", 1))
		r.Drop = []string{"x1", "x2", "x3"}
		result, err := Import(context.Background(), r, nil)
		if err != nil || result.Positive != c.event || result.Negative != c.censored {
			t.Errorf("%+v: %+v, %v", c, result, err)
		}
	}
}

// What is wrong with times and events is refused, with file, line and column.
func TestTimesRefused(t *testing.T) {
	replaced := func(old, new string) func(*Request) {
		return func(*Request) {
			write(t, "samples.csv", strings.Replace(string(read(t, "samples.csv")), old, new, 1))
		}
	}
	for want, change := range map[string]func(*Request){
		`samples.csv: line 3, column "days": is "0", want a time above 0`:                     replaced("P01,11", "P01,0"),
		`samples.csv: line 3, column "days": is "-11", want a time above 0`:                   replaced("P01,11", "P01,-11"),
		`samples.csv: line 3, column "days": is "soon", want a time above 0`:                  replaced("P01,11", "P01,soon"),
		`samples.csv: column "days": 1 sample of 30 without a time: P01 (line 3, "NA")`:       replaced("P01,11", "P01,NA"),
		`samples.csv: line 3, column "died": is "NA", want whether there was an event`:        replaced("P01,11,1", "P01,11,NA"),
		`samples.csv: line 3, column "site": is "", want the sample's stratum`:                replaced("P01,11,1,s", "P01,11,1,"),
		`column "died" of samples.csv has the values 0, 2, 1; --positive says which of them`:  replaced("P01,11,1", "P01,11,2"),
		`column "died" of samples.csv has the values 0, 1 beside "2"; want one of censored`:   func(r *Request) { replaced("P01,11,1", "P01,11,2")(r); r.Positive = "2" },
		`positive = "yes", but column "died" of samples.csv has 0, 1: no sample has an event`: func(r *Request) { r.Positive = "yes" },
		`event = "dead", which is no column of samples.csv`:                                   func(r *Request) { r.Event = "dead" },
		`time = "when", which is no column of samples.csv`:                                    func(r *Request) { r.Label = "when" },
		`strata = "centre", which is no column of samples.csv`:                                func(r *Request) { r.Strata = "centre" },
		`event = "": want the column of events with task survival`:                            func(r *Request) { r.Event = "" },
		`sample-weight = "b" is for classes and numbers: times are not weighed`:               func(r *Request) { r.Weight = "b" },
		`strata = "site" is for task survival`:                                                func(r *Request) { r.Task, r.Event = sampletable.Regression, "" },
		`strata = "died", which is the event`:                                                 func(r *Request) { r.Strata = "died" },
		`event = "days", which is the time`:                                                   func(r *Request) { r.Event = "days" },
		`samples.csv: has 2 rows with an event, want at least 3, one for each split`: func(r *Request) {
			write(t, "samples.csv", "id,days,died,site,a,b\nA,1,1,n,1,2\nB,2,1,s,3,2\nC,3,0,n,2,2\nD,1,0,s,3,1\nE,1,0,n,1,1\n")
			r.Strata, r.Drop = "", []string{"site"}
		},
	} {
		r := timesRequest(t)
		change(&r)
		_, err := Import(context.Background(), r, nil)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v, want %q", err, want)
		}
		isUsage := !strings.HasPrefix(want, "samples.csv")
		if asked := (*userinput.Error)(nil); errors.As(err, &asked) != isUsage {
			t.Errorf("%v is of the wrong kind", err)
		}
	}
	if tasks := []sampletable.Task{sampletable.Classification, sampletable.Regression, sampletable.Survival}; !slices.Equal(sampletable.Tasks, tasks) {
		t.Error(sampletable.Tasks)
	}
}
