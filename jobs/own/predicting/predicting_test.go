package predicting

import (
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"graphda/graph"
	"graphda/io/arrowio"
	"graphda/io/model"
	"graphda/io/samples"
	"graphda/jobs/jobstest"
	"graphda/jobs/own/importing"
	"graphda/jobs/own/sampletable"
	"graphda/jobs/own/tuning"
	"graphda/learners/cox"
)

var must = jobstest.Must

func must1[T any](v T, err error) T { return jobstest.Must1(v, err) }

func write(tb testing.TB, name string, lines [][]string) {
	tb.Helper()
	var b strings.Builder
	must(tb, csv.NewWriter(&b).WriteAll(lines))
	must(tb, os.WriteFile(name, []byte(b.String()), 0o666))
}

// imported imports a table of samples into the folder data, with a network of features g0, g1, …. It fills in the
// paths of the request.
func imported(t *testing.T, dir string, table [][]string, g *graph.Graph, req importing.Request) (data string) {
	t.Helper()
	edges := [][]string{{"source", "target"}}
	for _, e := range g.Edges() {
		edges = append(edges, []string{fmt.Sprint("g", e.U), fmt.Sprint("g", e.V)})
	}
	write(t, filepath.Join(dir, "s.csv"), table)
	write(t, filepath.Join(dir, "e.csv"), edges)
	req.Samples, req.Edges.Path, req.Out = filepath.Join(dir, "s.csv"), filepath.Join(dir, "e.csv"), filepath.Join(dir, "data")
	must1(importing.Import(context.Background(), req, nil))
	return req.Out
}

// tuned makes a table of 60 samples with 6 features in a chain, imports and tunes it, and returns the table.
func tuned(t *testing.T, standardise bool, task sampletable.Task) (dir string, table [][]string) {
	t.Helper()
	dir = t.TempDir()
	rng := rand.New(rand.NewPCG(1, 1))
	table = [][]string{{"id", "status", "g0", "g1", "g2", "g3", "g4", "g5"}}
	for i := range 60 {
		line, sum := []string{fmt.Sprintf("P%d", i), ""}, 0.0
		for j := range 6 {
			x := 5 + 10*rng.NormFloat64()
			line = append(line, strconv.FormatFloat(x, 'g', 6, 64))
			if j < 2 {
				sum += x - 5
			}
		}
		line[1] = strconv.FormatFloat(sum+3, 'g', 6, 64)
		if task == sampletable.Classification {
			line[1] = map[bool]string{true: "ill", false: "well"}[sum > 0]
		}
		table = append(table, line)
	}
	req := importing.Request{
		Table:  sampletable.Table{Label: "status", Task: task},
		Trials: 3, Standardise: standardise,
	}
	if task == sampletable.Classification {
		req.Positive = "ill"
	}
	data := imported(t, dir, table, graph.Grid(6, 1), req)
	a := must1(tuning.Tune(context.Background(), tuning.Request{Dataset: data, Methods: []string{"graphda"}, Passes: 2}))
	must(t, a.Model.Write(filepath.Join(dir, "model.parquet")))
	return dir, table
}

// Predict gives training samples the same scores as in training, in any order of rows and columns. If import
// standardised the dataset, scores agree only up to rounding.
func TestScoresOfTraining(t *testing.T) {
	for _, task := range []sampletable.Task{sampletable.Classification, sampletable.Regression} {
		for _, standardise := range []bool{false, true} {
			dir, table := tuned(t, standardise, task)
			m := must1(model.Read(filepath.Join(dir, "model.parquet")))
			want := trainingScores(t, dir, m)
			for _, line := range table {
				slices.Reverse(line) // reverses the columns
			}
			slices.Reverse(table[1:])
			path := filepath.Join(dir, "new.csv")
			write(t, path, table)
			r := must1(Predict(context.Background(), Request{Model: filepath.Join(dir, "model.parquet"), Samples: path, ID: "id", All: true}))
			if len(r.IDs) != 60 || len(r.Scores) != 3 || r.IDs[0] != "P59" {
				t.Fatalf("%d samples, the first %s, %d scores", len(r.IDs), r.IDs[0], len(r.Scores))
			}
			for i, id := range r.IDs {
				for k := range r.Scores {
					near := math.Abs(r.Scores[k][i]-want[id][k]) <= 1e-12*math.Abs(want[id][k])
					if !near || !standardise && r.Scores[k][i] != want[id][k] {
						t.Errorf("%s, standardised %v: %s: %s %v, in training %v", task, standardise, id, m.Weights[k].Name,
							r.Scores[k][i], want[id][k])
					}
				}
			}
		}
	}
}

// The mean prediction of the training samples is their mean target: with outliers, skewed targets, large units and
// covariates, and whether or not the features say anything.
func TestPredictionsHaveTheLevelOfTheTargets(t *testing.T) {
	for name, target := range map[string]func(i int, signal, noise float64) float64{
		"noise":  func(_ int, _, noise float64) float64 { return 10 + noise },
		"normal": func(_ int, signal, noise float64) float64 { return 10 + 2*signal + noise },
		"skewed": func(_ int, signal, noise float64) float64 { return math.Exp(signal + noise/2) },
		"offset": func(_ int, signal, noise float64) float64 { return 1e6 + 100*(signal+noise) },
		"outlier": func(i int, signal, noise float64) float64 {
			return map[bool]float64{true: 999, false: 10 + signal + noise}[i == 7]
		},
	} {
		for _, covariates := range [][]string{nil, {"age"}} {
			rng, mean := rand.New(rand.NewPCG(3, 4)), 0.0
			table := [][]string{{"id", "level", "age", "g0", "g1", "g2", "g3", "g4", "g5"}}
			for i := range 80 {
				x := make([]float64, 6)
				for j := range x {
					x[j] = rng.NormFloat64()
				}
				y := target(i, x[0]+x[1], rng.NormFloat64())
				mean += y / 80
				line := []string{fmt.Sprint("P", i), strconv.FormatFloat(y, 'g', -1, 64), strconv.Itoa(20 + rng.IntN(60))}
				for _, v := range x {
					line = append(line, strconv.FormatFloat(v, 'g', 6, 64))
				}
				table = append(table, line)
			}
			dir := t.TempDir()
			req := importing.Request{Table: sampletable.Table{Label: "level", Task: sampletable.Regression}, Trials: 6, Standardise: true}
			if req.Covariates = covariates; covariates == nil {
				req.Drop = []string{"age"}
			}
			data := imported(t, dir, table, graph.Grid(6, 1), req)
			a := must1(tuning.Tune(context.Background(), tuning.Request{Dataset: data, Methods: []string{"da-iht"}}))
			path, found := filepath.Join(dir, "model.parquet"), 0.0
			must(t, a.Model.Write(path))
			r := must1(Predict(context.Background(), Request{Model: path, Samples: filepath.Join(dir, "s.csv")}))
			for _, z := range r.Scores[0] {
				found += z / 80
			}
			limit := 1e-9
			if a.Unfitted { // w has an intercept of its own
				limit = 1e-3
			}
			if math.Abs(found-mean) > limit*math.Abs(mean) {
				t.Errorf("%s, covariates %v: mean prediction %v, mean target %v; %s", name, covariates, found, mean, a.Verdict())
			}
		}
	}
}

func trainingScores(t *testing.T, dir string, m *model.Model) map[string][]float64 {
	t.Helper()
	trial := must1(must1(samples.Open(filepath.Join(dir, "data"))).Load(0, samples.AnyLabels))
	found := map[string][]float64{}
	x := make([]float64, 6)
	for _, b := range []samples.Block{trial.Train, trial.Valid, trial.Test} {
		for i, id := range b.IDs {
			copy(x, b.Row(i))
			if trial.Features.Scaling != nil {
				trial.Features.Scaling.Undo(x, x)
			}
			m.Scaling.Apply(x, x)
			for k := range m.Weights {
				found[id] = append(found[id], m.Weights[k].Score(x))
			}
		}
	}
	return found
}

// A missing value is replaced by its training median and counted, for a single cell and for an absent column. If
// more than half of the weight is missing, there is a reason instead of a score.
func TestMissing(t *testing.T) {
	dir := t.TempDir()
	req := Request{Model: filepath.Join(dir, "model.parquet"), Samples: filepath.Join(dir, "new.csv")}
	m := &model.Model{Features: []string{"a", "b", "c", "d"}, Loss: "logistic", Negative: "well", Positive: "ill",
		Weights: []model.Weights{{Name: model.Ridge, W: []float64{2, -1, 1, 0}, Intercept: 0.5, Threshold: 0.75},
			{Name: model.W, W: []float64{1, 0, 0, 0}}},
		Scaling: &samples.Scaling{Mean: []float64{1, 1, 1, 1}, Deviation: []float64{2, 1, 1, 1}},
		Median:  []float64{3, 0, 2, 9}}
	must(t, m.Write(req.Model))
	write(t, req.Samples, [][]string{{"id", "d", "c", "a"}, {"P1", "0", "1", "1"}, {"P2", "0", "1", "NA"}, {"P3", "0", "", "1"},
		{"P4", "NA", "0.5", "0.5"}})
	predict := func() (text string, notes []string) {
		r := must1(Predict(context.Background(), req))
		var b strings.Builder
		must(t, r.Write(&b, "csv", 0))
		return b.String(), r.Notes()
	}
	text, notes := predict()
	if want := "id,score_ridge,probability_ridge,label_ridge,missing_ridge,reason\n" +
		"P1,1.5,0.8175744761936437,ill,0.25,\n" +
		"P2,,,,0.75,missing features have 75 % of the weight of ridge\n" +
		"P3,2.5,0.9241418199787566,ill,0.5,\n" +
		"P4,0.5,0.6224593312018546,well,0.25,\n"; text != want {
		t.Errorf("printed\n%swant\n%s", text, want)
	}
	if want := []string{
		"1 of 3 selected features is not in the file (25 % of the weight) and replaced by training medians: b",
		"2 values are missing in 2 samples and replaced by training medians",
		"1 sample is without a score, because features with more than half of the weight are missing; see the column reason",
	}; !slices.Equal(notes, want) {
		t.Errorf("noted %q, want %q", notes, want)
	}
	req.Weights = model.W
	if text, _ := predict(); !strings.HasPrefix(text, "id,score_w,label_w,missing_w,reason\nP1,0,ill,0,\n") {
		t.Errorf("by w:\n%s", text)
	}
	req.Weights, req.All = "", true
	if text, _ := predict(); !strings.Contains(text, ",score_w,probability_w,label_w,missing_w,reason\n") {
		t.Errorf("by all:\n%s", text)
	}
	m.Median, req.All = nil, false // like a model of gdrun learn, which has only means
	must(t, m.Write(req.Model))
	if text, notes := predict(); !strings.Contains(text, "\nP1,0.5,") || !strings.Contains(notes[0], "training means") {
		t.Errorf("without medians:\n%s%q", text, notes)
	}
	m.Scaling = nil
	must(t, m.Write(req.Model))
	jobstest.WantError(t, jobstest.Err(Predict(context.Background(), req)), "lacks 1 of 3 features: b")
}

// Computed by hand, with an age of mean 50 and deviation 10, a batch of two sites with equal shares, and a feature.
func TestCovariates(t *testing.T) {
	dir := t.TempDir()
	req := Request{Model: filepath.Join(dir, "model.parquet"), Samples: filepath.Join(dir, "new.csv"), Words: []string{"status"}}
	m := &model.Model{Features: []string{"a"}, Loss: "logistic", Negative: "well", Positive: "ill",
		Weights: []model.Weights{{Name: model.Ridge, W: []float64{2}, Intercept: 0.5}, {Name: model.W, W: []float64{1}, Intercept: -1}},
		Covariates: &model.Covariates{Terms: samples.Design{
			{Covariate: samples.Covariate{Name: "age", Number: true}, Mean: 50, Deviation: 10},
			{Covariate: samples.Covariate{Name: "site", Batch: true}, Levels: []string{"n", "s"}, Shares: []float64{0.5, 0.5}},
		}, Intercept: 0.25, Alone: []float64{1, 3, -3}, Ridge: []float64{4, 1, -1}}}
	must(t, m.Write(req.Model))
	write(t, req.Samples, [][]string{{"id", "site", "age", "a", "status"}, {"P1", "n", "60", "1", "ill"}, {"P2", "s", "45", "0", "well"},
		{"P3", "west", "NA", "1", "ill"}})
	for _, test := range []struct {
		batches     bool
		weights     string
		want, alone []float64
		notes       []string
	}{
		{false, model.Ridge, []float64{6.5, -1.5, 2.5}, []float64{1.25, -0.25, 0.25}, []string{`1 sample has no "age"`, `batch "site" is set to its`}},
		{true, model.Ridge, []float64{7.5, -2.5, 2.5}, []float64{4.25, -3.25, 0.25}, []string{`1 sample has no "age"`, `1 sample has a "site" that no`}},
		{false, model.W, []float64{1, -1.5, 0}, []float64{1.25, -0.25, 0.25}, []string{`1 sample has no "age"`, `batch "site"`}},
	} {
		req.Batches, req.Weights = test.batches, test.weights
		r := must1(Predict(context.Background(), req))
		for i, z := range r.Scores[0] {
			if math.Abs(z-test.want[i]) > 1e-12 || math.Abs(r.Alone[i]-test.alone[i]) > 1e-12 {
				t.Errorf("%+v: scores %v, alone %v", test, r.Scores[0], r.Alone)
			}
		}
		for _, note := range test.notes {
			if !slices.ContainsFunc(r.Notes(), func(s string) bool { return strings.HasPrefix(s, note) }) || len(r.Notes()) != 2 {
				t.Errorf("noted %q, want %q", r.Notes(), test.notes)
			}
		}
	}
}

// Computed by hand, with two strata. Each has its own hazard; one was observed until time 40, the other until 20.
// Survival is exp(−hazard·exp(score)). It is unknown after these times, and for a stratum without training samples.
func TestSurvival(t *testing.T) {
	dir := t.TempDir()
	req := Request{Model: filepath.Join(dir, "model.parquet"), Samples: filepath.Join(dir, "new.csv"), At: []float64{5, 10, 30}}
	m := &model.Model{Features: []string{"a"}, Loss: cox.Loss{}.Name(),
		Weights: []model.Weights{{Name: model.Ridge, W: []float64{math.Ln2}}, {Name: model.W, W: []float64{1}}},
		Survival: &model.Survival{Time: "days", Event: "died", Is: "1", Censored: "0", Strata: "site", Baselines: []model.Baseline{
			{Stratum: "1", Times: []float64{10, 20}, Hazard: []float64{0.25, 1}, Last: 40},
			{Stratum: "2", Times: []float64{5}, Hazard: []float64{0.5}, Last: 20}}}}
	must(t, m.Write(req.Model))
	table := [][]string{{"id", "site", "a"}, {"P1", "1.0", "0"}, {"P2", "2", "1"}, {"P3", "3", "1"}}
	write(t, req.Samples, table)
	r := must1(Predict(context.Background(), req))
	nan := math.NaN()
	for i, want := range [][]float64{{1, math.Exp(-0.25), math.Exp(-1)}, {math.Exp(-1), math.Exp(-1), nan}, {nan, nan, nan}} {
		for k, p := range want {
			if got := r.Survival[i][k]; math.Abs(got-p) > 1e-12 || math.IsNaN(got) != math.IsNaN(p) {
				t.Errorf("sample %d: survival %v, want %v", i, r.Survival[i], want)
				break
			}
		}
	}
	if notes := r.Notes(); !slices.Equal(notes, []string{
		`survival at 30 is not known for 1 sample: no training sample of their "site" was observed that long; the last was observed until 40`,
		`survival is not known for 1 sample: no training sample has their "site": 3`}) {
		t.Errorf("noted %q", notes)
	}
	var b strings.Builder
	must(t, r.Write(&b, "csv", 0))
	if want := "id,score_ridge,missing_ridge,survival_5,survival_10,survival_30,reason\nP1,0,0,1,"; !strings.HasPrefix(b.String(), want) {
		t.Errorf("printed %s", b.String())
	}
	req.At = []float64{2}
	write(t, req.Samples, table[:3])
	if notes := must1(Predict(context.Background(), req)).Notes(); !slices.Equal(notes, []string{
		`survival at 2 is 1: the first event of a training sample was at 5; is 2 in the unit of the column "days"?`}) {
		t.Errorf("noted %q", notes)
	}
	req.At = nil // now the strata are not needed
	write(t, req.Samples, [][]string{{"id", "a"}, {"P1", "0"}})
	r = must1(Predict(context.Background(), req))
	if r.Survival != nil || len(r.Notes()) > 0 {
		t.Errorf("%v, noted %q", r.Survival, r.Notes())
	}
}

// A model's file keeps its baselines unchanged.
func TestBaselinesInFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model.parquet")
	s := &model.Survival{Time: "days", Event: "died", Is: "1", Baselines: []model.Baseline{{Times: []float64{0.1, 3}, Hazard: []float64{0.1, 0.7}, Last: 3}}}
	m := &model.Model{Features: []string{"a"}, Loss: "cox", Weights: []model.Weights{{Name: model.Ridge, W: []float64{1}}}, Survival: s}
	must(t, m.Write(path))
	again := must1(model.Read(path))
	if b := again.Survival.Baseline("any"); !slices.Equal(b.Hazard, s.Baselines[0].Hazard) || again.Survival.Last() != 3 ||
		again.Survival.Is != "1" || again.Made["survival"] != "" {
		t.Errorf("%+v", again.Survival)
	}
	for _, b := range []model.Baseline{{Times: []float64{1}}, {Times: []float64{2, 1}, Hazard: []float64{1, 2}}} {
		m.Survival = &model.Survival{Baselines: []model.Baseline{b}}
		must(t, m.Write(path))
		jobstest.WantError(t, jobstest.Err(model.Read(path)), "does not ascend from 0")
	}
}

// The column reason marks samples that are far from the training samples, for readers who have no notes.
func TestFarSamplesAreMarked(t *testing.T) {
	dir := t.TempDir()
	req := Request{Model: filepath.Join(dir, "m.parquet"), Samples: filepath.Join(dir, "s.csv")}
	m := &model.Model{Features: []string{"a", "b"}, Loss: "logistic", Negative: "0", Positive: "1",
		Weights: []model.Weights{{Name: model.Ridge, W: []float64{1, 1}}},
		Scaling: &samples.Scaling{Mean: []float64{0, 0}, Deviation: []float64{1, 1}}}
	must(t, m.Write(req.Model))
	must(t, os.WriteFile(req.Samples, []byte("id,a,b\nx,1,-1\ny,12,9\nz,0,0\n"), 0o666))
	for recentre, want := range map[bool]string{false: ",,far from the training samples,,", true: ",,,,"} {
		req.Recentre = recentre
		var b strings.Builder
		must(t, must1(Predict(t.Context(), req)).Write(&b, "csv", 0))
		var reasons string
		for _, line := range strings.Split(strings.TrimSpace(b.String()), "\n")[1:] {
			reasons += "," + line[strings.LastIndex(line, ",")+1:]
		}
		if reasons+"," != want {
			t.Errorf("recentre %v: reasons %q, want %q", recentre, reasons, want)
		}
	}
}

// If samples are numbered although columns have words, a note names these columns, whatever wrote the table.
func TestNumberedSamples(t *testing.T) {
	t.Chdir(t.TempDir())
	numbers, words := []float64{1, 2}, []string{"P1", "P2"}
	for _, c := range []struct {
		names string // of columns of numbers, in lower case, and of words
		want  string
	}{
		{"g0 g1", ""}, {"g0 Code", `"Code"`}, {"g0 g1 Patient Code h", `"Patient", "Code"`}, {"g0 id Code", ""},
		{"g0 Word", ""}, {"g0 Truth", ""}, {"g0 Truth Code", `"Code"`}, {"g0 Missing", ""},
	} {
		lines, columns := [][]string{nil, nil, nil}, []arrowio.ParquetColumn{}
		for _, name := range strings.Fields(c.names) {
			of := words
			switch name {
			case "Truth":
				of = []string{"TRUE", "FALSE"}
			case "Missing":
				of = []string{"NA", "NA"}
			}
			if strings.ToLower(name) == name {
				of, columns = []string{"1", "2"}, append(columns, arrowio.Flat(name, numbers, nil))
			} else {
				columns = append(columns, arrowio.Texts(name, of))
			}
			lines[0], lines[1], lines[2] = append(lines[0], name), append(lines[1], of[0]), append(lines[2], of[1])
		}
		columns = append(columns, arrowio.Lists("x", [][]float64{{1}, {2}}))
		write(t, "s.csv", lines)
		must(t, arrowio.WriteParquet("s.parquet", nil, 2, columns...))
		for _, path := range []string{"s.csv", "s.parquet"} {
			u := &sampletable.Unlabelled{Path: path, Features: []string{"g0"}, Words: []string{"Word"}}
			if !strings.Contains(c.names, "Word") {
				u.Words = nil
			}
			var notes sampletable.Notes
			_, _, err := u.Read(context.Background(), &notes, func([]float64, []string) error { return nil })
			got := strings.Join(notes, "\n")
			if err != nil || !strings.HasSuffix(got, c.want) || (got == "") != (c.want == "") {
				t.Errorf("%s with %s: notes %q, %v, want %s", path, c.names, got, err, c.want)
			}
		}
	}
}

// Features may be true and false, as in gdrun import, whatever wrote the table.
func TestTruthsAreNumbers(t *testing.T) {
	t.Chdir(t.TempDir())
	for text, want := range map[string]string{
		"id,a,b\nx,1,5\ny,0,6\nz,,7\n":          "[[1 5] [0 6] [NaN 7]]",
		"id,a,b\nx,TRUE,5\ny,FALSE,6\nz,NA,7\n": "[[1 5] [0 6] [NaN 7]]",
		"id;b;a\nx;5,5;true\ny;6;False\nz;7;\n": "[[1 5.5] [0 6] [NaN 7]]",
		"id,a,b\nx,TRUE,5\ny,0,6\n":             "is true or false in one row and a number in another",
		"id,a,b\nx,yes,5\ny,no,6\n":             `is "yes", want a finite decimal number`,
	} {
		must(t, os.WriteFile("s.csv", []byte(text), 0o666))
		u, rows := &sampletable.Unlabelled{Path: "s.csv", Features: []string{"a", "b"}, Gaps: true}, [][]float64(nil)
		_, _, err := u.Read(t.Context(), &sampletable.Notes{}, func(x []float64, _ []string) error {
			rows = append(rows, slices.Clone(x))
			return nil
		})
		if got := fmt.Sprint(rows); err == nil && got != want || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %s, %v, want %s", text, got, err, want)
		}
	}
}
