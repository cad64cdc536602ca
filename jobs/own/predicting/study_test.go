package predicting

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
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
	"graphda/learners"
)

// TestPredictStudy measures what predictions of new samples are worth, where any number of these can be drawn: the
// table of docs/own-data.md. See jobstest.Study.
func TestPredictStudy(t *testing.T) {
	t.Log("\n" + studyTable(jobstest.Study(t, studied, func(s setting) string { return s.name }, func(s setting) int { return s.draws },
		func(s setting, draw int) []float64 { return s.measure(t, draw) })))
}

// name is that of a feature.
func name(j int) string { return "g" + strconv.Itoa(j) }

// appended is a line with the texts of the features whose weight is not 0; nil: of all.
func appended(line []string, p int, w []float64, text func(j int) string) []string {
	for j := range p {
		if w == nil || w[j] != 0 {
			line = append(line, text(j))
		}
	}
	return line
}

// hits counts the features that a model has selected, and the true ones among them.
func hits(w []float64, truth []int32) (right, selected float64) {
	for j, v := range w {
		if v != 0 {
			selected++
			if slices.Contains(truth, int32(j)) {
				right++
			}
		}
	}
	return right, selected
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
	truth := jobstest.Grown(rng, g, 30)
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
	x := make([]float64, g.NumNodes())
	value := func(j int) string { return strconv.FormatFloat(x[j], 'f', 4, 64) }
	table := [][]string{appended([]string{"status"}, len(x), nil, name)}
	for i := range s.n {
		positive := float64(i) < s.positives*float64(s.n)
		draw(positive, x)
		table = append(table, appended([]string{map[bool]string{true: "ill", false: "well"}[positive]}, len(x), nil, value))
	}
	data := imported(t, t.TempDir(), table, g, importing.Request{
		Table:  cohort.Table{Label: "status", Positive: "ill", Task: cohort.Classification},
		Trials: 5, Standardise: true,
	})
	a := must1(tuning.Tune(context.Background(), tuning.Request{Dataset: data, Methods: []string{"graphda"}, Workers: 1}))
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
	right, selected := hits(w.W, truth)
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
		for k, values := range jobstest.Columns(done[s.name]) {
			b.WriteString(" " + jobstest.MeanError(values, 3))
			if measured[k] == "slope" || measured[k] == "ECE" {
				fmt.Fprintf(&b, ", median %.3f", stat.Quantile(0.5, stat.LinInterp, values, nil))
			}
			b.WriteString(" |")
		}
		b.WriteString("\n")
	}
	return b.String()
}
