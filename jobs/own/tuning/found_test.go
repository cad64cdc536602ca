package tuning

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"graphda/io/model"
	"graphda/io/samples"
	"graphda/io/seal"
	"graphda/io/table"
	"graphda/jobs/jobstest"
	"graphda/jobs/metrics"
	"graphda/jobs/own/explaining"
	"graphda/jobs/own/importing"
	"graphda/jobs/own/learning"
	"graphda/learners"
)

// If there are too few splits or samples, nothing that suggests certainty is shown, in any format or in the model.
func TestTooFewShowNoCertainty(t *testing.T) {
	cases := filepath.Join(t.TempDir(), "cases")
	tuneDrawing{rows: 6, columns: 6, units: 60, each: 2, positives: 0.3, shift: 3, side: 3, splits: 6}.write(t, cases, rand.New(rand.NewPCG(1, 2)))
	for dir, want := range map[string]string{
		dataset(t, jobstest.Spec{Trials: 4}): "NOT DECIDED: with only 4 splits it cannot be said",
		cases:                                `NOT DECIDED: with only 18 patients of class "1" it cannot be said`,
	} {
		a := tune(t, Request{Dataset: dir, Methods: []string{"l1-rda"}})
		if !strings.HasPrefix(a.Verdict(), want) || a.Model.Made[model.Found] != a.Verdict() || a.Model.Frequency != nil {
			t.Errorf("%s, of the model %q with frequencies %v", a.Verdict(), a.Model.Made[model.Found], a.Model.Frequency)
		}
		shown := a.Page()
		if drawn := shown.Sections[0].Figures; !drawn[len(drawn)-1].Collapsed || strings.Contains(shown.Sections[1].Intro, "gdrun") {
			t.Errorf("the features are open, or the next step is %q", shown.Sections[1].Intro)
		}
		files := a.Files()
		for _, made := range a.Printed().Tables {
			for _, format := range table.Formats() {
				files = append(files, seal.Named{Name: made.Name + " as " + format, Fill: made.As(format)})
			}
		}
		for _, f := range files {
			var b strings.Builder
			must(t, f.Fill(&b))
			_, text, ok := strings.Cut(b.String(), "</style>") // the text of a page
			if text = strings.ToLower(text); !ok {
				text = strings.ToLower(b.String())
			}
			for _, word := range []string{"frequen", "stabil", "stable", "interval", "standard error", "std. error", "_std", " to 0.",
				"of the splits"} {
				if strings.Contains(text, word) {
					t.Errorf("%s says %q", f.Name, word)
				}
			}
		}
		if strings.Contains(a.Printed().Lead(), "standard error") {
			t.Error(a.Printed().Lead())
		}
	}
}

// A finding on samples that may come from one patient says so in the verdict, which other commands repeat.
func TestFoundUnless(t *testing.T) {
	for _, alike := range []string{"", "8 of 60 samples are much more similar to a few other samples than to the rest"} {
		for low, want := range map[float64]string{0.4: model.Nothing + ": ", 0.6: "Found" + importing.Unless(alike) + ": AUC"} {
			a := &Answer{Alike: alike, Subgraph: &explaining.Subgraph{},
				Found: Finding{Measure: "AUC", Mean: 0.7, Low: low, High: 0.8, Guess: 0.5, Splits: 9, Units: 30}}
			if got := a.Verdict(); !strings.HasPrefix(got, want) || strings.Contains(got, "unless") != (alike != "" && low > 0.5) {
				t.Errorf("%q: %s, want %s", alike, got, want)
			}
		}
	}
}

// If nothing was found, no table lists a feature's direction, and no text says that the network helps.
func TestNothingHasNoDirections(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "noise")
	tuneDrawing{rows: 6, columns: 6, units: 60, each: 1, positives: 0.5, splits: 5}.write(t, dir, rand.New(rand.NewPCG(1, 2)))
	a := tune(t, Request{Dataset: dir, Methods: []string{"graphda"}})
	printed := a.Printed()
	if !strings.HasPrefix(a.Verdict(), model.Nothing) || len(a.Features) == 0 {
		t.Fatal(a.Verdict())
	}
	var b strings.Builder
	for _, format := range table.Formats() {
		must(t, printed.Print(&b, format, 100, 0))
	}
	text := strings.ReplaceAll(b.String(), "without evidence of what raises or lowers", "")
	for _, word := range []string{"raising", "raises", "lowers", "The network helps", "not shown to help"} {
		if strings.Contains(text, word) {
			t.Errorf("a table or a note says %q", word)
		}
	}
	if len(text) == b.Len() {
		t.Error("nothing is said in the place of directions")
	}
}

// The interval counts patients, not samples.
func TestOverlapCountsPatients(t *testing.T) {
	tu := &Tuner{Answer: &Answer{}, dataset: &samples.Dataset{Trials: []int{0, 1}}}
	two, eight := samples.Block{Y: make([]float64, 40), Patient: make([]int32, 40)}, samples.Block{Y: make([]float64, 40), Patient: make([]int32, 40)}
	for i := range 40 {
		two.Patient[i], eight.Patient[i] = int32(i%2), int32(2+i%8)
	}
	if got := tu.overlap(eight, two); got != 0.25 {
		t.Errorf("2 of 8 patients overlap by %v", got)
	}
	two.Patient, eight.Patient = nil, nil
	if got := tu.overlap(eight, two); got != 1 {
		t.Errorf("40 of 40 samples overlap by %v", got)
	}
}

func TestFindingLine(t *testing.T) {
	of := func(measure string, mean, low, high, guess float64, splits int) Finding {
		return Finding{measure, mean, low, high, guess, splits, "sample", 20, "tumour"}
	}
	few, one := of("AUC", 0.95, 0.91, 0.99, 0.5, 20), of("AUC", 0.95, 0.91, 0.99, 0.5, 2)
	few.Units, one.Units, one.Unit, one.Class = 19, 1, "patient", ""
	for _, test := range []struct {
		f        Finding
		features int
		want     string
	}{
		{of("AUC", 0.953, 0.911, 0.994, 0.5, 20), 6, "Found: AUC 0.95 (0.91 to 0.99), 6 features"},
		{of("AUC", 0.6, 0.503, 0.7, 0.5, 5), 1, "Found: AUC 0.600 (0.503 to 0.700), 1 feature"},
		{of("R²", 0.3, 0.1, 0.5, 0, 5), 3, "Found: R² 0.30 (0.10 to 0.50), 3 features"},
		{of("AUC", 0.51, 0.41, 0.62, 0.5, 20), 6, "NOTHING FOUND: the 95 % interval of the AUC, 0.41 to 0.62, contains " +
			"0.5; the features selected are not evidence of anything"},
		{of("R²", -0.3, -0.5, -0.1, 0, 20), 6, "NOTHING FOUND: the 95 % interval of the R², -0.50 to -0.10, is below 0; " +
			"the features selected are not evidence of anything"},
		{of("AUC", 0.95, 0.91, 0.99, 0.5, 4), 6, "NOT DECIDED: with only 4 splits it cannot be said whether anything was " +
			"found; 5 are enough; the features selected are not evidence of anything"},
		{of("AUC", 0.95, math.NaN(), math.NaN(), 0.5, 1), 6, "NOT DECIDED: with only 1 split it cannot be said whether " +
			"anything was found; 5 are enough; the features selected are not evidence of anything"},
		{few, 6, `NOT DECIDED: with only 19 samples of class "tumour" it cannot be said whether anything was found; 20 are enough; ` +
			"the features selected are not evidence of anything"},
		{one, 6, "NOT DECIDED: with only 2 splits and 1 patient it cannot be said whether anything was found; 5 and 20 are enough; " +
			"the features selected are not evidence of anything"},
	} {
		if got := test.f.line(test.features); got != test.want {
			t.Errorf("%+v: %q, want %q", test.f, got, test.want)
		}
		if test.f.Yes() != strings.HasPrefix(test.want, "Found") {
			t.Errorf("%+v: yes is %v", test.f, test.f.Yes())
		}
	}
}

// The deciding scores are held out. Each split uses the setting that is best on its own validation samples, whatever is
// best on other splits.
func TestSettingsOfSplits(t *testing.T) {
	first, second := learning.Setting{F: 1}, learning.Setting{F: 2}
	tu := &Tuner{varying: 9, rows: 9, Answer: &Answer{Tried: []Tried{
		{Setting: first, valid: []float64{0.9, 0.5, 0.7}, supports: [][]int32{{1}, {1}, {1}}},
		{Setting: second, valid: []float64{0.5, 0.6, 0.7}, supports: [][]int32{{1}, {1}, {1}}},
		{Setting: learning.Setting{F: 3}, valid: []float64{1, 1, 1}, supports: [][]int32{nil, nil, nil}},
		{Setting: learning.Setting{F: 4}, Failed: "on split 1"},
	}}}
	if a, b, c := tu.bestOn(0).Setting, tu.bestOn(1).Setting, tu.bestOn(2).Setting; a != first || b != second || c != first {
		t.Errorf("%v, %v and %v", a, b, c)
	}
}

// The model learns from all samples, so the upper end of the interval of an AUC or C-index allows for the
// expected gain. No other number does: neither the covariates alone, nor the lower end, which decides
// whether anything was found.
func TestGrowthRaisesTheUpperEnd(t *testing.T) {
	var found []learning.Measures
	for _, v := range []float64{0.6, 0.61, 0.62, 0.63, 0.64} {
		found = append(found, learning.Measures{AUC: v, BalancedAccuracy: v, Accuracy: v, LogLoss: v, R2: v, C: v})
	}
	for _, name := range []string{model.Ridge, model.W, CovariatesAlone} {
		without, with := expectation(name, found, 0.25, 0), expectation(name, found, 0.25, 0.01)
		if name != CovariatesAlone {
			without.High.AUC, without.High.C = without.High.AUC+0.01, without.High.C+0.01
		}
		if with.Low != without.Low || with.High != without.High || with.Means != without.Means {
			t.Errorf("%s: %+v, want %+v", name, with, without)
		}
	}
}

// Settings are chosen by how scores order the samples. With few cases, w predicts no case at threshold 0, and still
// orders the samples well.
func TestChosenByAUC(t *testing.T) {
	scores, y := []float64{-3, -2.5, -2, -1, -0.5}, []float64{-1, -1, -1, -1, 1}
	m := learning.Measured(learners.Logistic{}, scores, &samples.Block{Y: y}, 0, new(metrics.Evaluator))
	if got := m.Score(learners.Logistic{}); got != 1 || m.BalancedAccuracy != 0.5 {
		t.Errorf("score %v, balanced accuracy %v", got, m.BalancedAccuracy)
	}
}

// The value of guessing comes from these samples. Data files have the deviations, and the counts of the winner.
func TestTablesAreComplete(t *testing.T) {
	if got := metrics.Entropy(0.05); math.Abs(got-0.19852) > 1e-5 {
		t.Errorf("5 %% positive: guessing has %v", got)
	}
	a := tune(t, Request{Dataset: dataset(t, jobstest.Spec{Trials: 5}), Methods: []string{"l1-rda"}})
	if a.Positives < 0.4 || a.Positives > 0.6 {
		t.Errorf("%v are positive, want about half", a.Positives)
	}
	a.Positives = 0.05
	made := a.expected()
	if notes := strings.Join(made.Notes, " "); !strings.Contains(notes, "log-loss 0.199") || strings.Contains(notes, "too good") {
		t.Errorf("notes: %s", notes)
	}
	for _, cell := range made.Rows[0][1:] { // for 5 independent trials, t = 2.776
		n := cell.Number
		half := 2.7764451 * n.Std / 2
		if n.Std <= 0 || n.Low > n.Value-half+1e-6 {
			t.Errorf("%+v: an interval of half-width %v", n, half)
		}
	}
	for _, row := range a.methods().Rows {
		if tried, asGood := row[1].Number, row[8].Number; tried == nil || asGood == nil || tried.Value < 8 ||
			row[9].Word != "" && asGood.Value < 1 {
			t.Errorf("counts of %s: %v, %v", row[0].Word, tried, asGood)
		}
	}
}

// The page's table of features is cut and says so; features.csv has them all.
func TestAllFeaturesInTheFile(t *testing.T) {
	a := tune(t, Request{Dataset: dataset(t, jobstest.Spec{Trials: 5}), Methods: []string{"l1-rda"}})
	for len(a.Features) <= listedFeatures {
		a.Features = append(a.Features, a.Features...)
	}
	n := len(a.Features)
	printed := a.Page().Sections[0].Tables[1]
	if want := fmt.Sprintf("… %d more in features.csv.", n-listedFeatures); len(printed.Rows) != listedFeatures || !slices.Contains(printed.Notes, want) {
		t.Errorf("%d rows printed, notes %q, want %q", len(printed.Rows), printed.Notes, want)
	}
	files := a.Files()
	at := slices.IndexFunc(files, func(f seal.Named) bool { return f.Name == "features.csv" })
	var b strings.Builder
	must(t, files[at].Fill(&b))
	if got := strings.Count(b.String(), "\n"); got < n+1 {
		t.Errorf("%d lines, want %d and a head", got, n)
	}
}

// drawn returns held-out samples with scores z under each of two penalties. Their log-odds are slope·z + intercept
// under the second penalty. Under the first, scores are noise.
func drawn(n int, slope, intercept float64) (held []learning.Scored) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range n {
		z, y := 2*rng.NormFloat64(), -1.0
		if rng.Float64() < 1/(1+math.Exp(-slope*z-intercept)) {
			y = 1
		}
		held = append(held, learning.Scored{Z: []float64{rng.NormFloat64(), z}, Y: y, Weight: 1})
	}
	return held
}

// Folds have equally many samples of each class, and do not divide patients.
func TestFolds(t *testing.T) {
	sp := &learning.Split{Loss: learners.Logistic{}}
	for i := range 120 {
		sp.Train.Y = append(sp.Train.Y, map[bool]float64{true: 1, false: -1}[i%4 == 0])
	}
	count := func() (counts [learning.Folds][2]int) {
		for i, f := range sp.Dealt() {
			counts[f][int(sp.Train.Y[i]+1)/2]++
		}
		return counts
	}
	for f, n := range count() {
		if n != [2]int{9, 3} {
			t.Errorf("fold %d has %v of the classes", f, n)
		}
	}
	for i := range sp.Train.Y {
		sp.Train.Patient = append(sp.Train.Patient, int32(i/12*4+i%4)) // patients of three consecutive samples with one label
	}
	of := map[int32]int{}
	for i, f := range sp.Dealt() {
		if known, ok := of[sp.Train.Patient[i]]; ok && known != f {
			t.Fatalf("patient %d is in folds %d and %d", sp.Train.Patient[i], known, f)
		}
		of[sp.Train.Patient[i]] = f
	}
	for f, n := range count() {
		if n != [2]int{9, 3} {
			t.Errorf("by patient: fold %d has %v of the classes", f, n)
		}
	}
}

// A split's test samples do not influence their own calibration. A class that is never predicted is named.
func TestCalibrated(t *testing.T) {
	tests := make([][]learning.Scored, 3)
	for k := range tests {
		tests[k] = drawn(100, 1, 0)
		for i := range tests[k] {
			tests[k][i].ID = strconv.Itoa(100*(k/2) + i)
		}
	}
	same := learning.TargetUnits{Scale: 1}
	units := []learning.TargetUnits{same, same, same}
	tu := &Tuner{Answer: &Answer{Loss: learners.Logistic{}}, whole: &learning.Split{TargetUnits: same},
		first: &samples.Trial{Metadata: map[string]string{"positive": "ill"}}}
	before := must1(tu.calibrated(tests, units))
	for i := range tests[1] {
		tests[1][i].Y *= -1 // labels of samples that split 0 tests too
	}
	after := must1(tu.calibrated(tests, units))
	if tu.Answer.Never != "" || before[0].LogLoss > 0.6 || after[0].LogLoss != before[0].LogLoss ||
		after[2].LogLoss == before[2].LogLoss {
		t.Errorf("never %q, before %v, after %v", tu.Answer.Never, before, after)
	}
	tu.held = drawn(2000, 1, -2) // calibrates the only split: at scores of 0, the probability is below the share of positives
	must1(tu.calibrated([][]learning.Scored{{{Z: []float64{0, 0}, Y: 1, Weight: 1}, {Z: []float64{0, 0}, Y: -1, Weight: 1}}}, units))
	if tu.Answer.Never != "ill" {
		t.Errorf("never predicted is %q, want ill", tu.Answer.Never)
	}
}

// The splits tell how much of a score may be chance, because the setting was not chosen by their samples. A clear score
// loses nothing, a score below guessing loses everything, and test samples of one class tell nothing.
func TestDoubt(t *testing.T) {
	nan := math.NaN()
	for _, test := range []struct {
		areas []float64
		want  float64
	}{
		{[]float64{0.6, 0.6, 0.6, 0.6}, (0.25 + 0.25) * 0.01 / 0.01}, // scores vary no more than by chance
		{[]float64{0.9, 0.9, 0.9, 0.9}, (0.25 + 0.25) * 0.01 / 0.16},
		{[]float64{0.6, 1, 0.6, 1}, 2.0 / 3 * 0.04 / 0.09}, // scores vary more than by chance
		{[]float64{0.45, 0.5}, 1}, {[]float64{0.5}, 1}, {[]float64{nan, 0.9}, 0},
	} {
		tu, found := &Tuner{Answer: &Answer{Loss: learners.Logistic{}}}, []learning.Measures(nil)
		for _, a := range test.areas {
			found = append(found, learning.Measures{AUC: a, Chance: 0.01})
		}
		if got := tu.doubt(found, 0.25); math.Abs(got-test.want) > 1e-9 {
			t.Errorf("areas %v: doubt %v, want %v", test.areas, got, test.want)
		}
	}
}
