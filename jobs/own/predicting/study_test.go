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
	"graphda/jobs/jobstest"
	"graphda/jobs/metrics"
	"graphda/jobs/own/importing"
	"graphda/jobs/own/sampletable"
	"graphda/jobs/own/tuning"
	"graphda/learners"
	"graphda/learners/cox"
)

// TestPredictStudy measures the quality of predictions on simulated data, with any number of new samples. It makes
// the table of docs/measured.md. See jobstest.Study.
func TestPredictStudy(t *testing.T) {
	t.Log("\n" + studyTable(jobstest.Study(t, studied, func(s setting) string { return s.name }, func(s setting) int { return s.draws },
		func(s setting, draw int) []float64 { return s.measure(t, draw) })))
}

func name(j int) string { return "g" + strconv.Itoa(j) }

// appended appends to a line the texts of the features with a nonzero weight, or of all features if w is nil.
func appended(line []string, p int, w []float64, text func(j int) string) []string {
	for j := range p {
		if w == nil || w[j] != 0 {
			line = append(line, text(j))
		}
	}
	return line
}

// hits counts the selected features and the true features among them.
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

// A setting describes simulated data: samples of two classes on a grid, where one class is raised on a connected
// set of 30 nodes.
type setting struct {
	name       string
	rows, cols int // size of the grid
	n          int
	mu         float64
	positives  float64 // share of positives
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

// studyFresh is the number of new samples that a model predicts.
const studyFresh = 5000

// measured names the columns after setting and draw.
var measured = []string{"slope", "ECE", "log-loss", "balanced accuracy", "AUC", "true among selected", "selected"}

// measure makes a dataset, tunes it, and measures the model's predictions for new samples.
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
		Table:  sampletable.Table{Label: "status", Positive: "ill", Task: sampletable.Classification},
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

// calibrationError returns the expected calibration error over ten bins of equal size: the mean difference between
// a bin's mean probability and its share of positives.
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

// studyTable shows means with their standard errors. For calibration errors and slopes it shows medians, because
// noise makes a few of them huge.
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

// TestCovariateStudy measures the effect of covariates on simulated data. It makes the table of docs/measured.md.
// See jobstest.Study.
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

// A confounding is a batch of two levels, and an age, that are correlated with the label. The batch shifts 200
// features by delta, and age shifts another 100. None of these features is among the 30 connected features that
// are raised by mu in cases.
type confounding struct {
	name      string
	delta, mu float64
}

var confounded = []confounding{{"δ 0.8", 0.8, 0.4}, {"δ 1.5", 1.5, 0.4}, {"no signal δ 1.5", 1.5, 0}}

// confoundedMeasures names the measures of a draw, adjusted and not adjusted.
var confoundedMeasures = func() (all []string) {
	for _, way := range []string{"adjusted", "not adjusted"} {
		for _, name := range []string{"found", "F1", "false features", "false features by covariates", "AUC, same mix",
			"AUC, reversed mix", "AUC, reversed mix, batch as given"} {
			all = append(all, name+", "+way)
		}
	}
	return append(all, "AUC of the covariates alone")
}()

// A confoundedDraw has the features that are raised in cases, and the features that covariates shift.
type confoundedDraw struct {
	confounding
	rng   *rand.Rand
	truth map[int]bool
	shift map[int]float64 // by the batch
	aged  map[int]bool
}

func (d *confoundedDraw) sample(y float64, reversed bool, x []float64) (batch string, age float64) {
	given, b := 0.72, -0.5 // the batch correlates with the label by 0.44
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
			Table:  sampletable.Table{Label: "status", Positive: "ill", Task: sampletable.Classification, Drop: []string{"age", "batch"}},
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

// table makes samples, half of them cases, with the wanted features, or all features if wanted is nil.
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

// judge counts the features that a model has selected, and measures its predictions for new samples.
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

// TestSurvivalStudy measures models of times of an event on simulated data. It makes the table of
// docs/measured.md. See jobstest.Study.
func TestSurvivalStudy(t *testing.T) {
	done := jobstest.Study(t, lived, func(s lifetimes) string { return s.name }, func(s lifetimes) int { return s.draws },
		func(s lifetimes, draw int) []float64 { return s.measure(t, draw) })
	var b strings.Builder
	for _, s := range lived {
		fmt.Fprintf(&b, "\n%s, %d draws:", s.name, len(done[s.name]))
		for k, values := range jobstest.Columns(done[s.name]) {
			n := len(livedMeasures)
			fmt.Fprintf(&b, "\n  %-32s %s", livedMeasures[k%n]+", "+s.methods[k/n], jobstest.MeanError(values, 3))
		}
	}
	t.Log(b.String())
}

// livedMeasures names the measures of a draw and a method. The survival measures are the mean predicted survival
// of new samples minus Kaplan and Meier's estimate, at the times when 25 to 90 % of the events have occurred.
// "less training" subtracts the estimate from the training samples instead of the new samples.
var livedMeasures = []string{"found", "F1", "C, fresh samples", "selected", "slope, fresh samples", "survival at 25 %",
	"survival at 50 %", "survival at 75 %", "survival at 90 %", "less training, 25 %", "less training, 50 %",
	"less training, 75 %", "less training, 90 %"}

// Predicted survival is right on average, apart from the training samples' own deviation, with which it varies. If
// the baselines were computed with the scores fitted to the training samples, it would be 0.03 to 0.04 too low.
func TestSurvivalOfFreshSamples(t *testing.T) {
	s := lifetimes{rows: 8, cols: 6, n: 150, beta: 0.25, events: 0.55, methods: []string{"graphda"}, splits: 3}
	const draws = 5
	var mean [4]float64
	for draw := range draws {
		for k, v := range s.measure(t, draw)[9:] {
			mean[k] += v / draws
		}
	}
	t.Logf("%.3f", mean)
	for _, v := range mean {
		if math.Abs(v) > 0.02 {
			t.Errorf("%.3f, want 0", mean)
		}
	}
}

// offSurvival returns the mean survival that a model predicts for the samples of a file, minus Kaplan and Meier's
// estimate from outcomes y.
func offSurvival(t *testing.T, req Request, y []float64) (off []float64) {
	events := slices.DeleteFunc(slices.Clone(y), func(y float64) bool { return y < 0 })
	slices.Sort(events)
	for _, share := range []float64{0.25, 0.5, 0.75, 0.9} {
		req.At = append(req.At, stat.Quantile(share, stat.Empirical, events, nil))
	}
	r := must1(Predict(context.Background(), req))
	order := slices.Clone(y)
	slices.SortFunc(order, func(a, b float64) int { return cmp.Compare(math.Abs(a), math.Abs(b)) })
	for k, at := range req.At {
		met, mean := 1.0, 0.0
		for i, y := range order {
			if y > 0 && y <= at {
				met *= 1 - 1/float64(len(order)-i)
			}
		}
		for _, all := range r.Survival {
			mean += all[k] / float64(len(r.Survival))
		}
		off = append(off, mean-met)
	}
	return off
}

// A lifetimes makes Weibull times, censored at uniform times. Connected features raise the hazard, each by a
// factor e^beta per standard deviation.
type lifetimes struct {
	name          string
	rows, cols, n int
	beta, events  float64 // events: share of samples with an event
	methods       []string
	splits, draws int
}

var lived = []lifetimes{
	{"55 % events, n 300", 40, 25, 300, 0.25, 0.55, []string{"graphda", "l1-rda"}, 5, 20},
	{"30 % censored, n 300", 40, 25, 300, 0.25, 0.7, []string{"graphda"}, 5, 20},
	{"50 % censored, n 300", 40, 25, 300, 0.25, 0.5, []string{"graphda"}, 5, 20},
	{"45 % censored, n 300, p 200", 20, 10, 300, 0.25, 0.55, []string{"graphda"}, 5, 20},
	{"noise, 55 % events, n 150", 20, 10, 150, 0, 0.55, []string{"graphda"}, 10, 40},
}

// sample returns the time of a sample with a score, and whether it ends with an event.
func (s *lifetimes) sample(rng *rand.Rand, score, until float64) (time float64, event string) {
	time = math.Pow(rng.ExpFloat64()/math.Exp(score), 1/1.5)
	if c := until * rng.Float64(); c < time {
		return c, "0"
	}
	return time, "1"
}

// until returns the largest time of censoring that gives the wanted share of events.
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
	rows, trained := table(s.n, nil)
	data := imported(t, dir, rows, g, importing.Request{
		Table:  sampletable.Table{Label: "days", Event: "died", Task: sampletable.Survival},
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
		line = append(line, offSurvival(t, r.Request, y)...)
		line = append(line, offSurvival(t, r.Request, trained)...)
	}
	return line
}
