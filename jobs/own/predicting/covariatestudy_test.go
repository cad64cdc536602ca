package predicting

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"graphda/graph"
	"graphda/io/model"
	"graphda/jobs/jobstest"
	"graphda/jobs/metrics"
	"graphda/jobs/own/cohort"
	"graphda/jobs/own/importing"
	"graphda/jobs/own/tuning"
)

// TestCovariateStudy measures what covariates change where the truth is known: the table of docs/own-data.md. See
// jobstest.Study.
func TestCovariateStudy(t *testing.T) {
	done := jobstest.Study(t, confounded, func(c confounding) string { return c.name }, func(confounding) int { return 20 },
		func(c confounding, draw int) []float64 { return c.measure(t, draw) })
	var b strings.Builder
	for _, d := range confounded {
		fmt.Fprintf(&b, "\n%s, %d draws:", d.name, len(done[d.name]))
		for k, values := range jobstest.Columns(done[d.name]) {
			fmt.Fprintf(&b, "\n  %-40s %s", confoundedMeasures[k], jobstest.MeanError(values, 3))
		}
	}
	t.Log(b.String())
}

// A confounding is a batch of two levels, and an age, that go together with the label. The batch shifts 200 features by
// delta, and age 100 more; neither is one of 30 connected ones that cases raise by mu.
type confounding struct {
	name      string
	delta, mu float64
}

var confounded = []confounding{{"δ 0.8", 0.8, 0.4}, {"δ 1.5", 1.5, 0.4}, {"no signal δ 1.5", 1.5, 0}}

// confoundedMeasures are those of a draw, adjusted and not.
var confoundedMeasures = func() (all []string) {
	for _, way := range []string{"adjusted", "not adjusted"} {
		for _, name := range []string{"found", "F1", "false features", "false features by covariates", "AUC, same mix",
			"AUC, reversed mix", "AUC, reversed mix, batch as given"} {
			all = append(all, name+", "+way)
		}
	}
	return append(all, "AUC of the covariates alone")
}()

// A confoundedDraw knows which features cases raise, and which covariates shift.
type confoundedDraw struct {
	confounding
	rng   *rand.Rand
	truth map[int]bool
	shift map[int]float64 // by the batch
	aged  map[int]bool
}

func (d *confoundedDraw) sample(y float64, reversed bool, x []float64) (batch string, age float64) {
	given, b := 0.72, -0.5 // correlated with the label by 0.44
	if y > 0 == reversed {
		given = 1 - given
	}
	if batch = "south"; d.rng.Float64() < given {
		batch, b = "north", 0.5
	}
	age = 0.3*y + d.rng.NormFloat64()
	for j := range x {
		x[j] = d.rng.NormFloat64() + b*d.shift[j]
		if d.truth[j] && y > 0 {
			x[j] += d.mu
		}
		if d.aged[j] {
			x[j] += 0.5 * age
		}
	}
	return batch, age
}

func (c confounding) measure(t *testing.T, draw int) []float64 {
	d := &confoundedDraw{c, rand.New(rand.NewPCG(uint64(draw), uint64(10*c.delta)+uint64(100*c.mu))), map[int]bool{},
		map[int]float64{}, map[int]bool{}}
	g := graph.Grid(40, 25)
	connected := []int32{int32(d.rng.IntN(g.NumNodes()))}
	for d.truth[int(connected[0])] = true; len(d.truth) < 30; {
		arcs := g.Arcs(connected[d.rng.IntN(len(connected))])
		next := arcs[d.rng.IntN(len(arcs))].Node
		connected, d.truth[int(next)] = append(connected, next), true
	}
	for _, j := range d.rng.Perm(g.NumNodes()) {
		switch {
		case d.truth[j]:
		case len(d.shift) < 200:
			d.shift[j] = c.delta * float64(1-2*d.rng.IntN(2))
		case len(d.aged) < 100:
			d.aged[j] = true
		}
	}
	dir, table := t.TempDir(), d.table(300, false, g.NumNodes(), nil)
	var line []float64
	alone := 0.0
	for _, adjust := range []bool{true, false} {
		req := importing.Request{
			Table:  cohort.Table{Label: "status", Positive: "ill", Task: cohort.Classification, Drop: []string{"age", "batch"}},
			Trials: 5, Standardise: true,
		}
		if adjust {
			req.Drop, req.Covariates, req.Batches = nil, []string{"age"}, []string{"batch"}
		}
		data := imported(t, dir, table, g, req)
		a := must1(tuning.Tune(context.Background(), tuning.Request{Dataset: data, Methods: []string{"graphda"}, Workers: 1}))
		if adjust {
			alone = a.Expected[3].Means.AUC
		}
		line = append(line, d.judge(t, dir, a, adjust)...)
	}
	return append(line, alone)
}

// table draws samples, half of them cases, with the features that are wanted; nil: all.
func (d *confoundedDraw) table(n int, reversed bool, p int, wanted []float64) [][]string {
	x, rows := make([]float64, p), [][]string{appended([]string{"status", "batch", "age"}, p, wanted, name)}
	value := func(j int) string { return strconv.FormatFloat(x[j], 'f', 4, 64) }
	for i := range n {
		y := float64(2*(i%2) - 1)
		batch, age := d.sample(y, reversed, x)
		row := []string{map[bool]string{true: "ill", false: "well"}[y > 0], batch, strconv.FormatFloat(age, 'f', 3, 64)}
		rows = append(rows, appended(row, p, wanted, value))
	}
	return rows
}

// judge counts what a model has selected, and measures its predictions of fresh samples.
func (d *confoundedDraw) judge(t *testing.T, dir string, a *tuning.Answer, adjusted bool) []float64 {
	w := a.Model.Find(model.Ridge).W
	right, wrong, by, found := 0.0, 0.0, 0.0, 0.0
	for j, v := range w {
		switch {
		case v == 0:
		case d.truth[j]:
			right++
		default:
			wrong++
			if d.shift[j] != 0 || d.aged[j] {
				by++
			}
		}
	}
	if a.Found.Yes() {
		found = 1
	}
	line := []float64{found, 2 * right / (right + wrong + 30), wrong, by}
	must(t, a.Model.Write(filepath.Join(dir, "model.parquet")))
	for _, cohort := range []struct{ reversed, batches bool }{{false, false}, {true, false}, {true, true}} {
		path := filepath.Join(dir, "fresh.csv")
		write(t, path, d.table(studyFresh/2, cohort.reversed, len(w), w))
		r := must1(Predict(context.Background(), Request{Model: filepath.Join(dir, "model.parquet"), Samples: path,
			Batches: cohort.batches && adjusted, Words: []string{"status"}}))
		y := make([]float64, len(r.Words))
		for i, words := range r.Words {
			if y[i] = -1; words[0] == "ill" {
				y[i] = 1
			}
		}
		line = append(line, new(metrics.Evaluator).Classify(r.Scores[0], y).AUC)
	}
	return line
}
