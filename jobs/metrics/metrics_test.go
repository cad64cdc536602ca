package metrics

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"graphda/io/results"
)

var nan = math.NaN()

// equal compares floats. NaN equals NaN.
func equal(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }

// close compares all measures with near.
func (c Classification) close(o Classification) bool {
	return near(c.Accuracy, o.Accuracy) && near(c.BalancedAccuracy, o.BalancedAccuracy) && near(c.AUC, o.AUC)
}

func TestClassify(t *testing.T) {
	for _, c := range []struct {
		name           string
		scores, labels []float64
		want           Classification
	}{
		// By hand: the positives score {2, −1}, the negatives {−3, 1, 0}. 2 and −3 are right: 2/5. The recalls are 1/2
		// and 1/3: mean 5/12. Of the 6 pairs, 2 > {−3, 1, 0} and −1 > {−3}: 4/6.
		{"mixed", []float64{2, -1, -3, 1, 0}, []float64{1, 1, -1, -1, -1},
			Classification{0.4, 5.0 / 12, 4.0 / 6}},
		{"zero score is positive", []float64{0, 0}, []float64{1, -1}, Classification{0.5, 0.5, 0.5}},
		{"negative zero is positive", []float64{math.Copysign(0, -1), -1}, []float64{1, -1}, Classification{1, 1, 1}},
		{"perfect ranking, wrong threshold", []float64{-1, -2}, []float64{1, -1}, Classification{0.5, 0.5, 1}},
		{"all tied", []float64{-1, -1, -1}, []float64{1, -1, -1}, Classification{2.0 / 3, 0.5, 0.5}},
		{"infinite", []float64{math.Inf(1), math.Inf(-1)}, []float64{1, -1}, Classification{1, 1, 1}},
		{"one class", []float64{1, -1}, []float64{1, 1}, Classification{0.5, nan, nan}},
		{"NaN is wrong for both labels", []float64{nan, nan, 1}, []float64{1, -1, 1}, Classification{1.0 / 3, 0.25, nan}},
		{"no samples", nil, []float64{}, Classification{nan, nan, nan}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := new(Evaluator).Classify(c.scores, c.labels)
			if !got.close(c.want) {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

// Data of Hanley and McNeil (1982), Table I: ratings 1 to 5 of 51 abnormal and 58 normal images. They give the
// area as 0.893.
func TestAUCHanleyMcNeil(t *testing.T) {
	var scores, labels []float64
	for label, counts := range map[float64][5]int{+1: {3, 2, 2, 11, 33}, -1: {33, 6, 6, 11, 2}} {
		for rating, n := range counts {
			for range n {
				scores, labels = append(scores, float64(rating)), append(labels, label)
			}
		}
	}
	if got := new(Evaluator).Classify(scores, labels).AUC; math.Abs(got-0.893) > 0.0005 {
		t.Errorf("AUC %v, published 0.893", got)
	}
}

// wins returns the share of pairs in which the first sample has the higher score. Equal scores count half.
func wins(scores []float64, isPair func(i, k int) bool) float64 {
	var won, pairs float64
	for i := range scores {
		for k := range scores {
			if !isPair(i, k) {
				continue
			}
			pairs++
			switch {
			case scores[i] > scores[k]:
				won++
			case scores[i] == scores[k]:
				won += 0.5
			}
		}
	}
	return won / pairs
}

// bruteAUC computes the AUC from all pairs.
func bruteAUC(scores, labels []float64) float64 {
	return wins(scores, func(i, k int) bool { return labels[i] > 0 && labels[k] < 0 })
}

// near compares floats up to the last bit or two.
func near(a, b float64) bool { return equal(a, b) || math.Abs(a-b) < 1e-15 }

// draw makes n samples; many scores are tied.
func draw(r *rand.Rand, n int) (scores, labels []float64) {
	for range n {
		scores = append(scores, float64(r.IntN(n)-n/3)/4)
		labels = append(labels, float64(2*r.IntN(2)-1))
	}
	return scores, labels
}

// The accuracy is compared with a count, the AUC with all pairs, and the balanced accuracy with the AUC of hard labels.
func TestClassifyAgainstAllPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var e Evaluator // one for all cases: no state may leak
	for i := range 500 {
		scores, labels := draw(r, 1+r.IntN(60))
		hard, right := make([]float64, len(scores)), 0.0
		for j, z := range scores {
			if hard[j] = -1; z >= 0 {
				hard[j] = 1
			}
			if hard[j] == labels[j] {
				right++
			}
		}
		want := Classification{right / float64(len(scores)), bruteAUC(hard, labels), bruteAUC(scores, labels)}
		if got := e.Classify(scores, labels); !got.close(want) {
			t.Fatalf("case %d: %+v, want %+v\nscores %v\nlabels %v", i, got, want, scores, labels)
		}
	}
}

// A sample with a whole weight counts like that many copies, also in ties, with one class, and without samples.
func TestClassifyWeighted(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var e Evaluator
	for range 300 {
		scores, labels := draw(r, 1+r.IntN(20))
		var copies, of, weights []float64
		for i := range scores {
			weights = append(weights, float64(r.IntN(4)))
			for range int(weights[i]) {
				copies, of = append(copies, scores[i]), append(of, labels[i])
			}
		}
		got, want := e.ClassifyWeighted(scores, labels, weights), e.Classify(copies, of)
		if !got.close(want) {
			t.Fatalf("%v %v by %v: %+v, want %+v", scores, labels, weights, got, want)
		}
		if got := e.ClassifyWeighted(scores, labels, nil); !near(got.AUC, e.Classify(scores, labels).AUC) {
			t.Fatalf("without weights: %+v", got)
		}
	}
}

func TestClassifyDoesNotAllocateOrTouchItsInput(t *testing.T) {
	scores, labels := draw(rand.New(rand.NewPCG(7, 8)), 400)
	kept := slices.Clone(scores)
	var e Evaluator
	e.Classify(scores, labels)
	if n := testing.AllocsPerRun(20, func() { e.Classify(scores, labels) }); n != 0 {
		t.Errorf("Classify: %v allocs/op after the first, want 0", n)
	}
	if !slices.Equal(scores, kept) {
		t.Error("the scores have changed")
	}
}

func TestMSE(t *testing.T) {
	if got := MSE([]float64{1, 2, -1}, []float64{0, 2, 1}); got != 5.0/3 { // (1 + 0 + 4)/3
		t.Errorf("MSE = %v, want 5/3", got)
	}
	if got := MSE(nil, nil); !math.IsNaN(got) {
		t.Errorf("MSE of nothing = %v, want NaN", got)
	}
}

func TestSupport(t *testing.T) {
	for _, c := range []struct {
		name     string
		w, truth []float64
		want     Support
	}{
		// S = {0, 1, 4}, S* = {1, 3}: precision 1/3, recall 1/2, F1 = 2/(3+2).
		{"by hand", []float64{-1, 2, 0, 0, 1e-300}, []float64{0, 0.3, 0, -1, 0}, Support{3, 1.0 / 3, 0.5, 0.4}},
		// The paper's Table 1, Adam: all 1,089 features, 26 true: 0.024, 1.000, 0.047.
		{"all selected", ones(1089), append(ones(26), make([]float64, 1063)...), Support{1089, 26.0 / 1089, 1, 52.0 / 1115}},
		{"nothing selected", []float64{0, 0}, []float64{1, 0}, Support{0, 0, 0, 0}},
		{"nothing true", []float64{1, 0}, []float64{0, 0}, Support{1, 0, 0, 0}},
		{"neither", []float64{0}, []float64{0}, Support{0, 0, 0, 0}},
		{"unknown truth", []float64{1, 0}, nil, Support{1, nan, nan, nan}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := SupportOf(c.w, c.truth)
			if got.Nonzeros != c.want.Nonzeros || !equal(got.Precision, c.want.Precision) ||
				!equal(got.Recall, c.want.Recall) || !equal(got.F1, c.want.F1) {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

func TestDifferentLengthsPanic(t *testing.T) {
	for name, f := range map[string]func(){
		"Classify":  func() { new(Evaluator).Classify(ones(2), ones(3)) },
		"MSE":       func() { MSE(ones(2), ones(3)) },
		"SupportOf": func() { SupportOf(ones(2), ones(3)) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s takes slices of different lengths", name)
				}
			}()
			f()
		}()
	}
}

func ones(n int) []float64 { return slices.Repeat([]float64{1}, n) }

// bruteConcordance computes C from all pairs, by its definition.
func bruteConcordance(scores, y []float64, strata []string) float64 {
	return wins(scores, func(i, k int) bool {
		earlier := math.Abs(y[i]) < math.Abs(y[k]) || math.Abs(y[i]) == math.Abs(y[k]) && y[k] < 0
		return y[i] >= 0 && earlier && (strata == nil || strata[i] == strata[k])
	})
}

func TestConcordanceAgainstAllPairs(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 400 {
		n := 1 + rng.IntN(30)
		scores, y, strata := make([]float64, n), make([]float64, n), make([]string, n)
		for k := range y {
			scores[k], strata[k] = float64(rng.IntN(8)), string(rune('a'+rng.IntN(3)))
			if y[k] = float64(1 + rng.IntN(n)); rng.IntN(3) == 0 {
				y[k] *= -1
			}
		}
		for _, of := range [][]string{nil, strata} {
			if got, _ := Concordance(scores, y, of); !near(got, bruteConcordance(scores, y, of)) {
				t.Fatalf("case %d: C %v, want %v\nscores %v\ny %v\nstrata %v", i, got, bruteConcordance(scores, y, of), scores, y, of)
			}
		}
	}
}

// If k samples have an event at time 1 and all others are censored later, C is the AUC of two classes. Its
// variance is Mann and Whitney's for random scores.
func TestConcordanceOfClasses(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	scores, labels := draw(rng, 50)
	y, positive := make([]float64, 50), 0.0
	for i, label := range labels {
		if y[i] = -2; label > 0 {
			y[i] = 1
			positive++
		}
	}
	c, chance := Concordance(scores, y, nil)
	if want := new(Evaluator).Classify(scores, labels).AUC; !near(c, want) {
		t.Errorf("C %v, the AUC is %v", c, want)
	}
	if want := 51 / (12 * positive * (50 - positive)); math.Abs(chance-want) > 1e-15 {
		t.Errorf("variance %v, want %v", chance, want)
	}
}

// For random scores, C varies as Concordance says.
func TestConcordanceOfChance(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const n, draws = 60, 4000
	y, strata := make([]float64, n), make([]string, n)
	for i := range y {
		y[i], strata[i] = float64(1+rng.IntN(40)), string(rune('a'+i%2))
		if rng.IntN(3) == 0 {
			y[i] *= -1
		}
	}
	squares, chance := 0.0, 0.0
	for range draws {
		scores := make([]float64, n)
		for i := range scores {
			scores[i] = rng.Float64()
		}
		var c float64
		c, chance = Concordance(scores, y, strata)
		squares += (c - 0.5) * (c - 0.5) / draws
	}
	if ratio := squares / chance; math.Abs(ratio-1) > 0.1 { // 4 standard errors
		t.Errorf("C varies by %v, Concordance says %v", squares, chance)
	}
}

func TestConcordanceOfNothing(t *testing.T) {
	for name, c := range map[string]struct{ scores, y []float64 }{
		"no samples":    {nil, nil},
		"all censored":  {[]float64{1, 2}, []float64{-1, -2}},
		"a NaN score":   {[]float64{nan, 2, 3}, []float64{1, 2, 3}},
		"events at one": {[]float64{1, 2}, []float64{4, 4}},
	} {
		if got, chance := Concordance(c.scores, c.y, nil); !math.IsNaN(got) || !math.IsNaN(chance) {
			t.Errorf("%s: C %v, variance %v", name, got, chance)
		}
	}
}

// There are two scores: 3 of 4 samples at +1 are positive, and 1 of 5 at −1. The fit goes through both log-odds,
// ln 3 and −ln 4, so its slope is (ln 3 + ln 4)/2.
func TestCalibrateByHand(t *testing.T) {
	z := []float64{1, 1, 1, 1, -1, -1, -1, -1, -1}
	y := []float64{1, 1, 1, -1, 1, -1, -1, -1, -1}
	c := Calibrate(z, y)
	if want := math.Log(12) / 2; math.Abs(c.Slope-want) > 1e-9 {
		t.Errorf("slope %v, want %v", c.Slope, want)
	}
	right, wrong := math.Log1p(math.Exp(-1)), math.Log1p(math.Exp(1))
	if want := (7*right + 2*wrong) / 9; math.Abs(c.LogLoss-want) > 1e-12 {
		t.Errorf("log-loss %v, want %v", c.LogLoss, want)
	}
	p := 1 / (1 + math.Exp(-1))
	if want := (7*(1-p)*(1-p) + 2*p*p) / 9; math.Abs(c.Brier-want) > 1e-12 {
		t.Errorf("Brier %v, want %v", c.Brier, want)
	}
	// 4 of 9 samples are positive, so the probabilities at a + z must add up to 4.
	if sum := 4*Probability(c.Large+1) + 5*Probability(c.Large-1); math.Abs(sum-4) > 1e-9 {
		t.Errorf("in the large %v: %v expected, 4 are there", c.Large, sum)
	}
}

// Multiplying log-odds divides the slope. Adding a constant changes Large by as much.
func TestCalibrateTurnsWithTheScores(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var z, y []float64
	for range 400 {
		s := r.NormFloat64()
		label := -1.0
		if r.Float64() < Probability(s) {
			label = 1
		}
		z, y = append(z, s), append(y, label)
	}
	c := Calibrate(z, y)
	other := make([]float64, len(z))
	for i := range z {
		other[i] = 3*z[i] + 0.5
	}
	if got := Calibrate(other, y).Slope; math.Abs(3*got-c.Slope) > 1e-8 {
		t.Errorf("slope %v of three times the log-odds, %v of the log-odds", got, c.Slope)
	}
	for i := range z {
		other[i] = z[i] + 0.5
	}
	if got := Calibrate(other, y).Large; math.Abs(got+0.5-c.Large) > 1e-8 {
		t.Errorf("in the large %v of the log-odds + 0.5, %v of the log-odds", got, c.Large)
	}
}

func TestCalibrateWithoutFit(t *testing.T) {
	for name, c := range map[string]struct{ z, y []float64 }{
		"one class":  {[]float64{1, -1, 2}, []float64{1, 1, 1}},
		"separated":  {[]float64{2, 1, -1, -2}, []float64{1, 1, -1, -1}},
		"constant z": {[]float64{1, 1, 1}, []float64{1, -1, 1}},
		"nothing":    {nil, nil},
	} {
		if got := Calibrate(c.z, c.y).Slope; !math.IsNaN(got) {
			t.Errorf("%s: slope %v, want none", name, got)
		}
	}
	if got := Calibrate([]float64{1, -1}, []float64{1, 1}).Large; !math.IsNaN(got) {
		t.Errorf("one class: in the large %v, want none", got)
	}
	if got := Calibrate([]float64{1000, -1000}, []float64{1, 1}); got.LogLoss != 500 || got.Brier != 0.5 {
		t.Errorf("far log-odds: %+v", got)
	}
}

// Each measure has a column of results or derives from one, and every column has a measure.
func TestMeasures(t *testing.T) {
	row := results.NoMetrics()
	for _, c := range results.MetricColumns {
		*c.At(&row) = 0.5
		if m := MeasureOf(c.Name); m.Value(&row, 1) != 0.5 {
			t.Errorf("%s is not its column", c.Name)
		}
	}
	for _, name := range MeasureNames() {
		if v := MeasureOf(name).Value(&row, 10); v != v {
			t.Errorf("%s has no value", name)
		}
	}
}
