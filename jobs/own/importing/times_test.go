package importing

import (
	"context"
	"fmt"
	"math"
	"testing"

	"graphda/io/network"
	"graphda/io/samples"
	"graphda/jobs/own/sampletable"
)

// timesRequest returns a request for 30 samples. Two in three have an event, and at each site all or none have one.
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

// Times of events are positive, and times of censored samples are negative. Splits have equally many events,
// and strata are stored.
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
