package evaluating

import (
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"graphda/io/model"
	"graphda/io/samples"
	"graphda/jobs/jobstest"
	"graphda/jobs/metrics"
	"graphda/jobs/own/predicting"
)

var must = jobstest.Must

func must1[T any](v T, err error) T { return jobstest.Must1(v, err) }

// cohort makes n patients with some samples each; the first half are cases. Scores of cases are d deviations
// higher. shared is the patient's share of the variance.
func cohort(r *rand.Rand, n, each int, d, shared float64) *Result {
	c := &Result{Model: &model.Model{Negative: "control", Positive: "case"}, Weights: &model.Weights{Name: model.W}}
	c.Seed = r.Uint64()
	for k := range n {
		y, own := -1.0, math.Sqrt(shared)*r.NormFloat64()
		if k < n/2 {
			y, own = 1, own+d
		}
		var unit []int
		for range each {
			unit = append(unit, len(c.scores))
			c.scores = append(c.scores, own+math.Sqrt(1-shared)*r.NormFloat64())
			c.labels = append(c.labels, y)
		}
		c.units = append(c.units, unit)
	}
	c.Samples, c.Positives, c.Least, c.Patients = n*each, n/2*each, n/2, n
	return c
}

// Intervals of the AUC contain its true value about as often as promised, with and without a signal, and if the
// samples of a patient are similar. In 800 cohorts of each kind, 1.4 to 5.9 % of the intervals missed it.
func TestAreaIntervalHoldsTheTruth(t *testing.T) {
	const draws, most = 40, 7 // number of misses; 2 are expected
	for _, c := range []struct {
		each      int
		d, shared float64
	}{{1, 0, 0}, {1, 1, 0}, {4, 0, 0.8}} {
		r := rand.New(rand.NewPCG(uint64(c.each), math.Float64bits(c.d)))
		truth, misses := 0.5*math.Erfc(-c.d/2), 0 // P(N(d, 2) > 0)
		for range draws {
			e := cohort(r, 40, c.each, c.d, c.shared)
			e.measure()
			if m := &e.Measures[0]; m.Low > truth || m.High < truth {
				misses++
			}
		}
		if misses > most {
			t.Errorf("%+v: %d of %d intervals miss %.3f", c, misses, draws, truth)
		}
	}
}

// toy writes a model of two features, made from 100 samples. Its ridge weights give log-odds.
func toy(t *testing.T, m model.Model) string {
	t.Helper()
	m.Features = []string{"a", "b"}
	m.Weights = []model.Weights{{Name: model.Ridge, W: []float64{1, -1}, Intercept: 0.5, Threshold: 0.25}}
	m.Scaling = &samples.Scaling{Mean: []float64{10, 20}, Deviation: []float64{2, 4}}
	m.Median = []float64{10, 20}
	if m.Made = maps.Clone(m.Made); m.Made == nil {
		m.Made = map[string]string{}
	}
	m.Made["samples"] = "100"
	path := filepath.Join(t.TempDir(), "model.parquet")
	must(t, m.Write(path))
	return path
}

func evaluate(t *testing.T, m model.Model, table string, more func(*Request)) (*Result, error) {
	t.Helper()
	return evaluateMade(t, m, nil, table, more)
}

func evaluateMade(t *testing.T, m model.Model, made map[string]string, table string, more func(*Request)) (*Result, error) {
	t.Helper()
	m.Made = made
	path := filepath.Join(t.TempDir(), "cohort.csv")
	must(t, os.WriteFile(path, []byte(table), 0o666))
	req := Request{Request: predicting.Request{Model: toy(t, m), Samples: path, ID: "id"}, Label: "label"}
	if more != nil {
		more(&req)
	}
	return Evaluate(t.Context(), req)
}

var classes = model.Model{Loss: "logistic", Negative: "no", Positive: "1"}

// Scores are 0.5 + (a − 10)/2 − (b − 20)/4. The label is +1 from 0.25 on.
const small = "id,label,a,b\ns1,1.0,14,20\ns2,no,10,24\ns3,1,10,20\ns4,no,12,20\ns5,,9,9\ns6,1,,\n"

func TestEvaluateByHand(t *testing.T) {
	r := must1(evaluate(t, classes, small, nil))
	// The scores are s1 2.5, s2 −0.5, s3 0.5, s4 1.5. s5 has no label, and s6 has no values.
	value := map[string]float64{}
	for _, m := range r.Measures {
		value[m.ID] = m.Value
		if !math.IsNaN(m.Low) {
			t.Errorf("%s has an interval of %d samples", m.ID, r.Least)
		}
	}
	for id, want := range map[string]float64{"auc": 0.75, "accuracy": 0.75, "sensitivity": 1, "specificity": 0.5} {
		if value[id] != want {
			t.Errorf("%s %v, want %v", id, value[id], want)
		}
	}
	if r.Samples != 4 || r.Positives != 2 || !strings.HasPrefix(r.Verdict(), "NOT DECIDED: with only 2 samples of the smaller class") {
		t.Errorf("%d samples, %d positive: %s", r.Samples, r.Positives, r.Verdict())
	}
	if notes := r.Printed().Lead(); !strings.Contains(notes, ` (1 more without a value of "label"), 2 of them "1"`) ||
		!strings.Contains(notes, "1 sample is without a score") {
		t.Errorf("notes: %s", notes)
	}
}

// A feature that is two deviations higher is reported; another feature is not. Missing values are counted by class.
func TestFeaturesThatMoved(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	text := strings.Builder{}
	text.WriteString("id,label,patient,a,b\n")
	for i := range 60 {
		label := []string{"no", "1"}[i%2]
		b := number(20 + 4*r.NormFloat64())
		if i%4 == 1 {
			b = "" // for every second case
		}
		text.WriteString(strings.Join([]string{number(float64(i)), label, "p" + number(float64(i/4)),
			number(14 + 2*r.NormFloat64()), b}, ",") + "\n")
	}
	e := must1(evaluate(t, classes, text.String(), func(req *Request) { req.Patient = "patient" }))
	if e.Patients != 15 || e.Least != 15 {
		t.Errorf("%d patients, %d of the smaller class", e.Patients, e.Least)
	}
	if len(e.Features) != 2 || e.Features[0].Name != "a" || math.Abs(e.Features[0].Moved-2) > 0.4 || e.Features[0].Errors < 4 {
		t.Fatalf("features %+v", e.Features)
	}
	if b := e.Features[1]; math.Abs(b.Errors) > moved || b.Missing != [2]float64{0, 0.5} {
		t.Errorf("b: %+v", b)
	}
	files := must1(e.Files())
	if len(files) != len(FileNames)-1 { // survival.csv is only for times
		t.Errorf("%d files", len(files))
	}
	for _, f := range files {
		if err := f.Fill(io.Discard); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
}

func number(v float64) string { return strconv.FormatFloat(v, 'f', 4, 64) }

func TestEvaluateNumbers(t *testing.T) {
	table := "id,label,a,b\n1,2.5,14,20\n2,-0.5,10,24\n3,0.5,10,20\n4,1.5,12,20\n"
	r := must1(evaluate(t, model.Model{Loss: "squared"}, table, nil))
	for k, want := range []float64{1, 0, 0, 1} { // the labels equal the scores
		if got := r.Measures[k].Value; math.Abs(got-want) > 1e-12 {
			t.Errorf("%s %v, want %v", r.Measures[k].ID, got, want)
		}
	}
	if all := r.Printed().Tables; len(all) != 1 || !strings.Contains(strings.Join(all[0].Notes, ""), "none of the 2 compared features moved") {
		t.Errorf("%d tables, notes %q", len(all), all[0].Notes)
	}
	table = "id,label,a,b\n"
	for i := range 30 {
		table += fmt.Sprintf("s%d,2,%d,%d\n", i, 10+i%3, 20+i%5)
	}
	r = must1(evaluate(t, model.Model{Loss: "squared"}, table, nil))
	if v := r.Verdict(); v != "NOT DECIDED: the R² has no interval, because nearly all labels are the same" || r.Measures[1].Value < 0.1 {
		t.Error(v, r.Measures)
	}
}

// If all predictions are practically equal, as by a model without a finding, there is no slope.
func TestFlatPredictionsHaveNoSlope(t *testing.T) {
	for spread, want := range map[string]bool{"0.01": true, "0.00001": false} {
		for _, m := range []model.Model{classes, {Loss: "squared"}} {
			table := "id,label,a,b\n"
			for i, label := range []string{"1", "0", "1", "0", "0"} {
				if m.Positive != "" && label == "0" {
					label = m.Negative
				}
				table += fmt.Sprintf("s%d,%s,%v,20\n", i, label, 10+must1(strconv.ParseFloat(spread, 64))*float64((i+2)%5))
			}
			r := must1(evaluate(t, m, table, nil))
			if slope := r.named("calibration_slope").Value; math.IsNaN(slope) == want {
				t.Errorf("%s, deviations of about %s: slope %v", m.Loss, spread, slope)
			}
		}
	}
}

// If a share is 1 in every resampled cohort, it still has an interval.
func TestSharesOfOneHaveAnInterval(t *testing.T) {
	e := cohort(rand.New(rand.NewPCG(1, 2)), 40, 1, 50, 0)
	for i := range e.scores {
		e.scores[i] -= 25
	}
	e.measure()
	for _, m := range e.Measures[1:] {
		if want := math.Pow(0.025, 1.0/20); m.Value != 1 || math.Abs(m.Low-want) > 1e-12 || m.High != 1 {
			t.Errorf("%s %v, %v to %v, want a low end of %v", m.ID, m.Value, m.Low, m.High, want)
		}
	}
}

// The verdict compares the cohort with guessing or with the covariates alone, and with what tuning expected and found.
func TestVerdict(t *testing.T) {
	for _, c := range []struct {
		d         float64 // between the classes, in standard deviations
		n         int
		covariate bool // it has all of the signal
		made      string
		expected  []float64
		want      string
	}{
		{d: 1.5, n: 200, expected: []float64{0.86, 0.73, 0.95}, want: "The model carries over: AUC 0.80 (0.73 to 0.86) here; gdrun tune expected 0.86 (0.73 to 0.95), guessing has 0.5"},
		{d: 1.5, n: 200, expected: []float64{0.9991, 0.9, 0.99999}, want: "over, but is weaker than expected: AUC 0.80 (0.73 to 0.86) here; gdrun tune expected 0.999 (0.90 to 1.00), guess"},
		{d: 3.5, n: 200, expected: []float64{0.999996, 0.9, 1}, want: "carries over: AUC 0.99 (0.95 to 1.00) here; gdrun tune expected >0.9999 (0.90 to 1.00), guess"},
		{d: 9, n: 200, expected: []float64{1, 1, 1}, want: "carries over: AUC 1.00 (0.94 to 1.00) here; gdrun tune expected 1.00 (1.00 to 1.00), guess"},
		{d: 0.7, n: 600, expected: []float64{0.86, 0.73, 0.95}, want: "The model carries over, but is weaker than expected: AUC 0.7"},
		{d: 0, n: 200, expected: []float64{0.86, 0.73, 0.95}, want: "NOT SHOWN TO CARRY OVER: the 95 % interval of the AUC"},
		{d: -1.5, n: 200, want: "is not above 0.5; it is below: check that the labels are not swapped"},
		{d: 1.5, n: 200, made: model.Nothing + ": x", expected: []float64{0.5, 0.4, 0.6},
			want: "About this model gdrun tune said NOTHING FOUND: x. On this cohort: AUC 0.80 "},
		{d: 1.5, n: 200, made: "NOT DECIDED: y", want: "About this model gdrun tune said NOT DECIDED: y. On this cohort: The model carries over: AUC"},
		{d: 1.5, n: 30, made: model.Nothing + ": x", want: ": x. On this cohort: NOT DECIDED"},
		{d: 1.5, n: 30, want: "NOT DECIDED: 15 patients of the smaller class are too few for an interval, 20 are enough; but the scores separate the classes (AUC 0.92, one-sided p = 1e-05 by an exact test of ranks)"},
		{d: 0, n: 30, want: "NOT DECIDED: with only 15 patients of the smaller class it cannot be said whether the model carries over; 20 are enough"},
		{d: -1.5, n: 30, want: "20 are enough; the AUC of 0.15 is far below 0.5: check that the labels are not swapped"},
		{d: -9, n: 8, want: "it cannot be said whether the model carries over; 20 are enough"},
		{d: 9, n: 8, want: "NOT DECIDED: with only 4 patients of the smaller class it cannot be said"},
		{d: 1.5, n: 200, covariate: true, expected: []float64{0.1, 0.05, 0.15},
			want: "NOT SHOWN TO CARRY OVER: the 95 % interval of the gain in AUC over the covariates alone, 0.000 to 0.000, is not above 0"},
	} {
		e := cohort(rand.New(rand.NewPCG(1, 2)), c.n, 1, c.d, 0)
		e.Model.Weights, e.Model.Made = []model.Weights{*e.Weights}, map[string]string{}
		if c.made != "" {
			e.Model.Made[model.Found] = c.made
		}
		if c.expected != nil {
			e.Model.Made[model.Expected] = strings.Trim(fmt.Sprint(c.expected), "[]")
		}
		if c.covariate {
			e.alone = e.scores
		}
		e.measure()
		if v := e.Verdict(); !strings.Contains(v, c.want) || e.Carries() != (strings.Contains(v, "The model carries over")) {
			t.Errorf("%+v: %s", c, v)
		}
	}
}

// If a model orders the samples well, but its probabilities are worse than guessing, the verdict says both.
func TestVerdictOnProbabilities(t *testing.T) {
	for _, c := range []struct {
		n, shift int
		want     bool
	}{{60, 0, false}, {60, 8, true}, {20, 0, false}, {20, 8, true}, {20, 80, true}} {
		shift, want, table := c.shift, c.want, "id,label,a,b\n"
		for i := range c.n {
			label, a := "no", 7+shift+i%5
			if i%2 == 0 {
				label, a = "1", 10+shift+i%5
			}
			table += "S" + strconv.Itoa(i) + "," + label + "," + strconv.Itoa(a) + ",20\n"
		}
		r := must1(evaluate(t, classes, table, nil))
		decided, notes := c.n == 60, strings.Join(r.Notes, " ")
		if v := r.Verdict(); strings.HasPrefix(v, "The model carries over: AUC") != decided ||
			strings.Contains(v, "; its probabilities do not: log-loss ") != (decided && want) ||
			strings.Contains(notes, "--recentre may help") != want || strings.Contains(notes, "run gdrun evaluate") {
			t.Errorf("%+v: %s; notes %q", c, v, r.Notes)
		}
	}
}

// For times the C-index is measured, with an interval by patient, and the curve shows survival. Columns of classes
// are refused.
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
	must(t, os.WriteFile(req.Samples, []byte(table), 0o666))
	e := must1(Evaluate(context.Background(), req))
	want, _ := metrics.Concordance(e.scores, times, nil)
	m := e.Measures[0]
	if len(e.Measures) != 1 || m.ID != "c_index" || m.Value != want || !(m.Low < want && want < m.High && m.Low > 0.5) ||
		e.Positives != 60 || e.Patients != 40 || e.Least != 40 {
		t.Errorf("%+v, want %v; %d events of %d patients, %d of them with one", e.Measures, want, e.Positives, e.Patients, e.Least)
	}
	if !strings.HasPrefix(e.Verdict(), "The model carries over: C-index") ||
		!strings.Contains(e.Printed().Lead(), `80 samples of `) || !strings.Contains(e.Printed().Lead(), `60 of them with an event ("died") and 20 censored`) {
		t.Errorf("%s\n%s", e.Verdict(), e.Printed().Lead())
	}
	var names []string
	for _, f := range must1(e.Files()) {
		names = append(names, f.Name)
		if err := f.Fill(io.Discard); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
	if got := strings.Join(names, " "); got != "evaluation.csv features.csv survival.csv report.html" {
		t.Error(got)
	}
}

// Scores of noise rarely separate the classes of a small cohort, and clear scores do, with one sample for each patient
// and with several similar samples. The test is exact: on 2,000
// noise cohorts of each of 16 kinds, p was at most 0.025 in 1.7 to 2.9 % of the cohorts, 2.5 % on average.
func TestFewSamplesSeparate(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, each := range []int{1, 4} {
		found := map[float64]int{}
		for _, d := range []float64{0, 4} {
			for range 100 {
				c := cohort(r, 24, each, d, 0.8)
				if p, known := c.chance(); known && p <= level {
					found[d]++
				}
			}
		}
		if found[0] > 5 || found[4] < 95 {
			t.Errorf("%d samples of each patient: found in %v of 100 cohorts, by distance", each, found)
		}
	}
}

// Labels have the decimal sign of their file, in either file, and patients keep their names in a transposed table.
func TestWordsOfFiles(t *testing.T) {
	numbers := model.Model{Loss: "least_squares"}
	labels := filepath.Join(t.TempDir(), "labels.csv")
	must(t, os.WriteFile(labels, []byte("id;label;who\ns1;1,5;1.1\ns2;-0,5;1.10\ns3;2;01\ns4;3;1\n"), 0o666))
	const together = "id,label,who,a,b\ns1,1.5,1.1,14,20\ns2,-0.5,1.10,10,24\ns3,2,01,11,20\ns4,3,1,12,20\n"
	want := must1(evaluate(t, numbers, together, func(r *Request) { r.Patient = "who" }))
	for name, c := range map[string]struct {
		table  string
		change func(*Request)
	}{
		"decimal commas": {strings.NewReplacer(",", ";", "1.5", "1,5", "-0.5", "-0,5").Replace(together), func(*Request) {}},
		"labels":         {"id,a,b\ns1,14,20\ns2,10,24\ns3,11,20\ns4,12,20\n", func(r *Request) { r.Labels = labels }},
		"transposed": {"id,s1,s2,s3,s4\nlabel,1.5,-0.5,2,3.0\nwho,1.1,1.10,01,1\na,14,10,11,12\nb,20,24,20,20\n",
			func(r *Request) { r.Text.Transpose = true }},
	} {
		got, err := evaluate(t, numbers, c.table, func(r *Request) { r.Patient = "who"; c.change(r) })
		if err != nil || got.Patients != 4 || fmt.Sprint(got.Measures) != fmt.Sprint(want.Measures) {
			t.Errorf("%s: %+v, want %+v, %v", name, got, want, err)
		}
	}
}

// Samples with the same values are one patient under any id, if the values are too many to be equal by chance.
func TestRepeatedValues(t *testing.T) {
	dir := t.TempDir()
	m := model.Model{Loss: "logistic", Negative: "no", Positive: "1", Features: strings.Split("abcdefg", ""),
		Weights: []model.Weights{{Name: model.Ridge, W: []float64{1, -1, 1, 1, 1, 1, 1}}}, Median: make([]float64, 7), Made: map[string]string{}}
	must(t, m.Write(filepath.Join(dir, "m.parquet")))
	for _, c := range []struct {
		format, gap string // of a value, and in the place of the last value
		patient     string
		patients    int // 0 if each sample counts
	}{
		{"%.3f", "1.5", "", 60}, {"%.3f", "-2", "", 60}, {"%.0f", "1", "", 0}, {"%.0f", "1.5", "", 0}, {"%.3f", "NA", "", 0}, {"%.3f", "1.5", "row", 120},
	} {
		r := rand.New(rand.NewPCG(7, 8))
		lines := []string{"id,row,label,a,b,c,d,e,f,g"}
		for i := range 60 {
			line := []string{"no", "1"}[i%2]
			for range 6 {
				line += fmt.Sprintf(","+c.format, 5*r.NormFloat64())
			}
			lines = append(lines, fmt.Sprintf("s%d,r%d,%s,%s", i, i, line, c.gap))
		}
		for i, line := range lines[1:] {
			lines = append(lines, fmt.Sprintf("t%d,r%d%s", i, 60+i, line[strings.Index(line, ",")+len(fmt.Sprint(",r", i)):]))
		}
		must(t, os.WriteFile(filepath.Join(dir, "s.csv"), []byte(strings.Join(lines, "\n")+"\n"), 0o666))
		e := must1(Evaluate(t.Context(), Request{Label: "label", Patient: c.patient,
			Request: predicting.Request{Model: filepath.Join(dir, "m.parquet"), Samples: filepath.Join(dir, "s.csv")}}))
		noted := strings.Contains(fmt.Sprint(e.Notes), "60 samples have the id or values of an earlier sample")
		if e.Samples != 120 || e.Patients != c.patients || noted != (c.patients == 60) {
			t.Errorf("%+v: %d samples of %d patients, notes %q", c, e.Samples, e.Patients, e.Notes)
		}
	}
}

// Samples that the model learned from are no test. They are left out and counted, and a table of nothing else is refused.
func TestTrainingSamplesAreNoTest(t *testing.T) {
	m := classes
	m.Trained = model.NewTrained([]string{"a", "b"}, [][8]byte{model.Digest("s1", []float64{14, 20}),
		model.Digest("s3", []float64{10, 20}), model.Digest("s4", []float64{1, 2})})
	r := must1(evaluate(t, m, small, nil))
	if r.Samples != 2 || !strings.HasPrefix(r.Notes[0], "2 of the 6 samples equal training samples of the model: ") ||
		!strings.Contains(r.Notes[len(r.Notes)-1], "1 sample has the id of a training sample but other values") {
		t.Errorf("%d samples, notes %q", r.Samples, r.Notes)
	}
	jobstest.WantError(t, jobstest.Err(evaluate(t, m, small[:strings.Index(small, "s2")]+"s7,,1,2\n", nil)),
		"learned from all 1 sample that have a label here (same values), so they cannot test it")
}

// A verdict says if the samples may be those that the model learned from. If features have few values, equal values do
// not mean the same sample.
func TestVerdictHasItsCondition(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for name, c := range map[string]struct {
		levels  float64 // number of values of a feature
		id      string
		learned int // by gdrun learn
		want    string
	}{
		"another cohort":          {1e6, "T%d", 0, "The model carries over: AUC "},
		"of gdrun learn":          {1e6, "T%d", 7, "The model carries over, unless gdrun learn has learned from these samples (it does not record the 7 samples it learned from): AUC "},
		"ids repeat":              {1e6, "S%d", 0, "The model carries over, unless 80 of 80 samples are training samples (same id, other values): AUC "},
		"features of five values": {5, "T%d", 0, "The model carries over: AUC "},
	} {
		m, text := classes, "id,label,a,b\n"
		sample := func() []float64 {
			draw := func() float64 { return math.Floor(random.Float64()*c.levels) / c.levels }
			return []float64{4 + 12*draw(), 14 + 12*draw()}
		}
		var digests [][8]byte
		for i := range 80 {
			digests = append(digests, model.Digest(fmt.Sprint("S", i), sample()))
			x, label := sample(), "no"
			if 0.5+(x[0]-10)/2-(x[1]-20)/4+random.NormFloat64() > 0 {
				label = "1"
			}
			text += fmt.Sprintf(c.id+",%s,%g,%g\n", i, label, x[0], x[1])
		}
		m.Trained = model.NewTrained([]string{"a", "b"}, digests)
		r := must1(evaluate(t, m, text, nil))
		if c.learned > 0 {
			r.Model.State = &model.State{Learned: c.learned}
		}
		if got := r.Verdict(); r.Samples != 80 || !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %d samples, %s", name, r.Samples, got)
		}
	}
}

// Recentring sets the calibration in the large, so it is not shown.
func TestRecentredLarge(t *testing.T) {
	for _, recentre := range []bool{false, true} {
		r := must1(evaluate(t, classes, small, func(req *Request) { req.Recentre = recentre }))
		if hidden := math.IsNaN(r.named(largeID).Value); hidden != recentre || math.IsNaN(r.named("brier").Value) {
			t.Errorf("recentre %v: %+v", recentre, r.Measures)
		}
	}
}

// evaluate and tune count the C-index alike. With strata, pairs of a stratum are compared, also for the covariates alone
// and in the exact test. Without the strata's column, the two numbers are different measures, and no verdict compares
// them. The same holds if tune weighted samples, or knew their batches.
func TestSameMeasureAsTune(t *testing.T) {
	const weaker, different = "weaker than expected", "; gdrun tune %s, so the two numbers are different measures"
	batch := &model.Covariates{Terms: samples.Design{{Covariate: samples.Covariate{Name: "site", Batch: true},
		Levels: []string{"a", "b"}, Shares: []float64{0.5, 0.5}}}, Alone: []float64{1, 0}, Ridge: []float64{1, 0}}
	within := fmt.Sprintf(different, `compared times only within each "site"`)
	for _, c := range []struct {
		what             string
		strata           string // column of the strata in the model
		site             []string
		weight           string
		covariates       *model.Covariates
		withBatch, gains bool
		expected         string
		want, not        string
	}{
		{what: "one stratum", expected: "0.9 0.88 0.92", want: weaker, not: "different"},
		{what: "one stratum, as expected", expected: "0.6 0.5 0.7", want: "The model carries over: ", not: "different"},
		{what: "strata", strata: "site", site: []string{"a", "b", "c"}, expected: "0.9 0.88 0.92", want: "The model carries over: C-index 0.89 (0.84 to 0.93)", not: "different"},
		{what: "strata, weaker", strata: "site", site: []string{"a", "b", "c"}, expected: "0.999 0.998 0.9995", want: weaker, not: "different"},
		{what: "no column", strata: "site", expected: "0.9 0.88 0.92", want: within, not: weaker},
		{what: "an empty column", strata: "site", site: []string{"NA"}, expected: "0.9 0.88 0.92", want: within, not: weaker},
		{what: "no column, nothing expected", strata: "site", want: "The model carries over: ", not: "different"},
		{what: "weights", weight: "w", expected: "0.9 0.88 0.92", want: fmt.Sprintf(different, `weighted samples by "w"`), not: weaker},
		{what: "a batch", covariates: batch, site: []string{"a", "b"}, gains: true, expected: "0.4 0.39 0.41",
			want: fmt.Sprintf(different, `used each sample's "site"`), not: weaker},
		{what: "a known batch", covariates: batch, site: []string{"a", "b"}, withBatch: true, gains: true, expected: "0.4 0.39 0.41", want: weaker, not: "different"},
	} {
		r := rand.New(rand.NewPCG(5, 6))
		table := "id,days,died,a,b\n"
		if c.site != nil {
			table = "id,days,died,a,b,site\n"
		}
		for i := range 120 {
			a, speed := r.NormFloat64(), 1.0
			if c.strata != "" { // the hazards of strata differ, and a is a good score within each stratum
				speed = math.Pow(1000, float64(i%3))
			}
			days := speed * math.Exp(-a+0.35*r.NormFloat64())
			if c.strata == "" {
				days = math.Exp(-a + 1.5*r.NormFloat64())
			}
			table += fmt.Sprintf("S%d,%g,%d,%g,20", i, days, min(1, i%4), 10+2*a)
			if c.site != nil {
				table += "," + c.site[i%len(c.site)]
			}
			table += "\n"
		}
		m := model.Model{Loss: "cox", Covariates: c.covariates, Survival: &model.Survival{Time: "days", Event: "died", Is: "1",
			Censored: "0", Strata: c.strata, Baselines: []model.Baseline{{Stratum: "a", Times: []float64{1}, Hazard: []float64{1}, Last: 9}}}}
		e := must1(evaluateMade(t, m, map[string]string{model.Expected: c.expected, model.Weight: c.weight}, table,
			func(r *Request) { r.Label, r.Batches = "", c.withBatch }))
		if v := e.Verdict(); !strings.Contains(v, c.want) || strings.Contains(v, c.not) || (e.Measures[0].ID == gain) != c.gains {
			t.Errorf("%s: %s", c.what, v)
		}
		if note := strings.Join(e.measures().Notes, " "); strings.Contains(note, `Pairs are compared only within each "site".`) != (e.strata != nil) ||
			strings.Contains(note, `no values of "site"`) != (c.strata != "" && e.strata == nil) {
			t.Errorf("%s: notes %s", c.what, note)
		}
	}
}

// The C-index within strata, its interval and the exact test do not depend on the strata's hazards. If no pair can be
// compared, nothing is decided.
func TestStrata(t *testing.T) {
	results := map[float64]string{}
	for _, speed := range []float64{1, 1e6} {
		for _, n := range []int{16, 20, 24, 60} {
			c := &Result{Model: &model.Model{Survival: &model.Survival{Strata: "site"}}, Weights: &model.Weights{}}
			r := rand.New(rand.NewPCG(7, 8))
			for i := range n {
				z := r.NormFloat64()
				c.scores, c.strata = append(c.scores, z), append(c.strata, strconv.Itoa(i%2))
				c.alone = append(c.alone, float64(i%2)*speed)
				c.labels = append(c.labels, math.Exp(-z+3*r.NormFloat64())*math.Pow(speed, float64(i%2)))
				if c.units = append(c.units, []int{i}); i%5 == 0 {
					c.labels[i] *= -1
				}
			}
			c.Samples, c.Positives, c.Least = n, n, n
			c.measure()
			alone := c.Measures[0]
			c.alone = nil
			c.measure()
			p, _ := c.chance()
			low, high := c.area(0.5, 0)
			results[speed] += fmt.Sprint(n, alone, c.Measures, p, low, high)
			for i := range c.strata {
				c.strata[i] = strconv.Itoa(i)
			}
			c.measure()
			if v := c.Verdict(); n == 60 && (!strings.Contains(v, "NOT DECIDED: the C-index has no interval, because too few samples can be compared") || c.Printed().Found != nil) {
				t.Error(v)
			}
		}
	}
	if results[1] != results[1e6] {
		t.Errorf("slow strata %s\nfast strata %s", results[1], results[1e6])
	}
}
