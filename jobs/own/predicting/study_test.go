package predicting

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"

	"graphda/graph"
	"graphda/io/model"
	"graphda/io/network"
	"graphda/jobs/jobstest"
	"graphda/jobs/metrics"
	"graphda/jobs/own/cohort"
	"graphda/jobs/own/importing"
	"graphda/jobs/own/tuning"
	"graphda/learners"
)

// TestPredictStudy measures what predictions of new samples are worth, where any number of these can be drawn: the
// table of docs/own-data.md. See jobstest.Study.
func TestPredictStudy(t *testing.T) {
	var names []string
	for _, s := range studied {
		names = append(names, s.name)
	}
	t.Log("\n" + studyTable(jobstest.Study(t, names, func(k int) int { return studied[k].draws },
		func(k, draw int) []float64 { return studied[k].measure(t, draw) })))
}

// A studied setting draws samples of two classes on a grid; one class is raised on a connected set of 30 nodes.
type setting struct {
	name       string
	rows, cols int // of the grid
	n          int
	mu         float64
	positives  float64 // their share
	draws      int
}

var studied = []setting{
	{"signal .3 n 300", 25, 20, 300, 0.3, 0.5, 50},
	{"signal .5 n 300", 25, 20, 300, 0.5, 0.5, 20},
	{"noise n 150", 25, 20, 150, 0, 0.5, 50},
	{"noise n 300", 25, 20, 300, 0, 0.5, 50},
	{"10 % positive signal .5 n 400", 40, 25, 400, 0.5, 0.1, 50},
	{"5 % positive signal .7 n 400", 40, 25, 400, 0.7, 0.05, 12},
}

// studyFresh is how many new samples a model predicts.
const studyFresh = 5000

// measured are the columns after setting and draw.
var measured = []string{"slope", "ECE", "log-loss", "balanced accuracy", "AUC", "true among selected", "selected"}

// measure draws a dataset, tunes it, and measures the model's predictions of fresh samples.
func (s *setting) measure(t *testing.T, trial int) []float64 {
	rng := rand.New(rand.NewPCG(uint64(trial), uint64(s.n)<<32+uint64(1000*s.mu)))
	g := graph.Grid(s.rows, s.cols)
	truth := []int32{int32(rng.IntN(g.NumNodes()))}
	for len(truth) < 30 {
		arcs := g.Arcs(truth[rng.IntN(len(truth))])
		if next := arcs[rng.IntN(len(arcs))].Node; !slices.Contains(truth, next) {
			truth = append(truth, next)
		}
	}
	draw := func(positive bool, x []float64) {
		for j := range x {
			x[j] = rng.NormFloat64()
		}
		for _, j := range truth {
			if positive {
				x[j] += s.mu
			}
		}
	}
	dir := t.TempDir()
	x := make([]float64, g.NumNodes())
	table, edges := [][]string{{"status"}}, [][]string{{"source", "target"}}
	for j := range x {
		table[0] = append(table[0], "g"+strconv.Itoa(j))
	}
	for i := range s.n {
		positive := float64(i) < s.positives*float64(s.n)
		draw(positive, x)
		line := []string{map[bool]string{true: "ill", false: "well"}[positive]}
		for _, v := range x {
			line = append(line, strconv.FormatFloat(v, 'f', 4, 64))
		}
		table = append(table, line)
	}
	for _, e := range g.Edges() {
		edges = append(edges, []string{table[0][e.U+1], table[0][e.V+1]})
	}
	write(t, filepath.Join(dir, "s.csv"), table)
	write(t, filepath.Join(dir, "e.csv"), edges)
	req := importing.Request{
		Table: cohort.Table{Samples: filepath.Join(dir, "s.csv"), Label: "status", Positive: "ill", Task: cohort.Classification},
		Edges: network.EdgeRequest{Path: filepath.Join(dir, "e.csv")}, Trials: 5, Standardise: true, Out: filepath.Join(dir, "data"),
	}
	must1(importing.Import(context.Background(), req, nil))
	a := must1(tuning.Tune(context.Background(), tuning.Request{Dataset: req.Out, Methods: []string{"graphda"}, Workers: 1}))
	m, w := a.Model, a.Model.Find(model.Ridge)
	z, above, y := make([]float64, studyFresh), make([]float64, studyFresh), make([]float64, studyFresh)
	logLoss := 0.0
	for i := range y {
		if y[i] = -1; float64(i) < s.positives*studyFresh {
			y[i] = 1
		}
		draw(y[i] > 0, x)
		m.Scaling.Apply(x, x)
		z[i] = w.Score(x)
		above[i] = z[i] - w.Threshold
		l, _ := learners.Logistic{}.Eval(z[i], y[i])
		logLoss += l / studyFresh
	}
	line := must1(learners.RidgeBeside(learners.Logistic{}, 1, func(i int) []float64 { return z[i : i+1] }, nil, y, nil, []int32{0}, 1e-12))
	c := new(metrics.Evaluator).Classify(above, y)
	right, selected := 0.0, 0.0
	for j, v := range w.W {
		if v != 0 {
			selected++
			if slices.Contains(truth, int32(j)) {
				right++
			}
		}
	}
	return []float64{line.W[0], calibrationError(z, y), logLoss, c.BalancedAccuracy, c.AUC, right, selected}
}

// calibrationError is the expected calibration error of ten bins of equal count: the mean difference of the mean
// probability and the share of positives in a bin.
func calibrationError(z, y []float64) (sum float64) {
	const bins = 10
	order := make([]int, len(z))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(z[a], z[b]) })
	for b := range bins {
		difference := 0.0
		for _, i := range order[b*len(z)/bins : (b+1)*len(z)/bins] {
			difference += 1/(1+math.Exp(-z[i])) - (y[i]+1)/2
		}
		sum += math.Abs(difference) / float64(len(z))
	}
	return sum
}

// studyTable shows means with their standard errors; the median of calibration errors, and of slopes, where noise
// makes a few of them enormous.
func studyTable(done map[string]map[int][]float64) string {
	var b strings.Builder
	b.WriteString("| data | draws | " + strings.Join(measured, " | ") + " |\n|---|---:|" + strings.Repeat("---:|", len(measured)) + "\n")
	for _, s := range studied {
		if len(done[s.name]) < 2 {
			continue
		}
		fmt.Fprintf(&b, "| %s | %d |", s.name, len(done[s.name]))
		for k, name := range measured {
			var values []float64
			for _, v := range done[s.name] {
				values = append(values, v[k])
			}
			slices.Sort(values) // the order of a map says nothing
			mean, deviation := stat.MeanStdDev(values, nil)
			fmt.Fprintf(&b, " %.3f ± %.3f", mean, deviation/math.Sqrt(float64(len(values))))
			if name == "slope" || name == "ECE" {
				fmt.Fprintf(&b, ", median %.3f", stat.Quantile(0.5, stat.LinInterp, values, nil))
			}
			b.WriteString(" |")
		}
		b.WriteString("\n")
	}
	return b.String()
}
