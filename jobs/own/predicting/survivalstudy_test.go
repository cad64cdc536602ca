package predicting

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"

	"graphda/graph"
	"graphda/io/model"
	"graphda/jobs/jobstest"
	"graphda/jobs/metrics"
	"graphda/jobs/own/cohort"
	"graphda/jobs/own/importing"
	"graphda/jobs/own/tuning"
	"graphda/learners/cox"
)

// TestSurvivalStudy measures models of times of an event where the truth is known: the table of docs/own-data.md. See
// jobstest.Study.
func TestSurvivalStudy(t *testing.T) {
	done := jobstest.Study(t, lived, func(s lifetimes) string { return s.name }, func(s lifetimes) int { return s.draws },
		func(s lifetimes, draw int) []float64 { return s.measure(t, draw) })
	var b strings.Builder
	for _, s := range lived {
		fmt.Fprintf(&b, "\n%s, %d draws:", s.name, len(done[s.name]))
		for k, values := range jobstest.Columns(done[s.name]) {
			name := []string{"found", "F1", "C, fresh samples", "selected", "slope, fresh samples"}[k%5]
			fmt.Fprintf(&b, "\n  %-32s %s", name+", "+s.methods[k/5], jobstest.MeanError(values, 3))
		}
	}
	t.Log(b.String())
}

// A lifetimes draws Weibull times whose hazard connected features raise, each by e to beta for a deviation more, and
// censors them at uniform times.
type lifetimes struct {
	name          string
	rows, cols, n int
	beta, events  float64 // share of the samples with an event
	methods       []string
	splits, draws int
}

var lived = []lifetimes{
	{"55 % events, n 300", 40, 25, 300, 0.25, 0.55, []string{"graphda", "l1-rda"}, 5, 20},
	{"30 % censored, n 300", 40, 25, 300, 0.25, 0.7, []string{"graphda"}, 5, 20},
	{"50 % censored, n 300", 40, 25, 300, 0.25, 0.5, []string{"graphda"}, 5, 20},
	{"noise, 55 % events, n 150", 20, 10, 150, 0, 0.55, []string{"graphda"}, 10, 40},
}

// sample draws the time of a sample of a score, and whether it is one of an event.
func (s *lifetimes) sample(rng *rand.Rand, score, until float64) (time float64, event string) {
	time = math.Pow(rng.ExpFloat64()/math.Exp(score), 1/1.5)
	if c := until * rng.Float64(); c < time {
		return c, "0"
	}
	return time, "1"
}

// until is the end of the times of censoring that leaves the share of events.
func (s *lifetimes) until(size float64) float64 {
	low, high := 0.0, 1e4
	for range 60 {
		rng, events := rand.New(rand.NewPCG(1, 2)), 0.0
		for range 4000 {
			if _, event := s.sample(rng, s.beta*math.Sqrt(size)*rng.NormFloat64(), (low+high)/2); event == "1" {
				events++
			}
		}
		if events/4000 < s.events {
			low = (low + high) / 2
		} else {
			high = (low + high) / 2
		}
	}
	return high
}

func (s *lifetimes) measure(t *testing.T, draw int) (line []float64) {
	const size = 30
	rng := rand.New(rand.NewPCG(uint64(draw), uint64(s.n)<<16+uint64(100*s.events)))
	g := graph.Grid(s.rows, s.cols)
	truth := jobstest.Grown(rng, g, size)
	until, x := s.until(size), make([]float64, g.NumNodes())
	value := func(j int) string { return strconv.FormatFloat(x[j], 'f', 4, 64) }
	table := func(n int, wanted []float64) (rows [][]string, y []float64) {
		rows = [][]string{appended([]string{"days", "died"}, len(x), wanted, name)}
		for range n {
			score := 0.0
			for j := range x {
				x[j] = rng.NormFloat64()
			}
			for _, j := range truth {
				score += s.beta * x[j]
			}
			time, event := s.sample(rng, score, until)
			y = append(y, math.Copysign(time, map[string]float64{"1": 1, "0": -1}[event]))
			rows = append(rows, appended([]string{strconv.FormatFloat(time, 'g', -1, 64), event}, len(x), wanted, value))
		}
		return rows, y
	}
	dir := t.TempDir()
	rows, _ := table(s.n, nil)
	data := imported(t, dir, rows, g, importing.Request{
		Table:  cohort.Table{Label: "days", Event: "died", Task: cohort.Survival},
		Trials: s.splits, Standardise: true,
	})
	for _, method := range s.methods {
		a := must1(tuning.Tune(context.Background(), tuning.Request{Dataset: data, Methods: []string{method}, Workers: 1}))
		w, found := a.Model.Find(model.Ridge).W, 0.0
		right, selected := hits(w, truth)
		if a.Found.Yes() {
			found = 1
		}
		must(t, a.Model.Write(filepath.Join(dir, "model.parquet")))
		fresh, y := table(1000, w)
		write(t, filepath.Join(dir, "fresh.csv"), fresh)
		r := must1(Predict(context.Background(), Request{Model: filepath.Join(dir, "model.parquet"),
			Samples: filepath.Join(dir, "fresh.csv")}))
		c, _ := metrics.Concordance(r.Scores[0], y, nil)
		scale := cmp.Or(stat.StdDev(r.Scores[0], nil), 1)
		slope := must1(cox.New(y, nil).Ridge(1, 0, func(i int) []float64 { return []float64{r.Scores[0][i] / scale} }, 1e-9))
		line = append(line, found, 2*right/(selected+size), c, selected, slope[0]/scale)
	}
	return line
}
