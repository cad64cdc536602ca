package tuning

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"graphda/io/samples"
	"graphda/learners"
)

// drawn are held-out samples whose log-odds are slope·z + intercept, with scores z under each of two penalties: of
// the first they are noise.
func drawn(n int, slope, intercept float64) (held []scored) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range n {
		z, y := 2*rng.NormFloat64(), -1.0
		if rng.Float64() < 1/(1+math.Exp(-slope*z-intercept)) {
			y = 1
		}
		held = append(held, scored{z: []float64{rng.NormFloat64(), z}, y: y})
	}
	return held
}

// held are samples with these scores and targets.
func held(z, y []float64) (all []scored) {
	for i := range y {
		all = append(all, scored{z: []float64{z[i]}, y: y[i]})
	}
	return all
}

// The better penalty, the slope and the intercept of the truth are found; of noise and of scores that are the wrong way
// round no slope is left but the share of the class; and classes that are separated have log-odds with an end.
func TestCalibrate(t *testing.T) {
	const n = 20000
	h := drawn(n, 0.5, -2)
	c, err := calibrate(learners.Logistic{}, h, 0)
	must(t, err)
	positives := 0.0
	for _, s := range h {
		positives += (s.y + 1) / 2
	}
	odds := math.Log(positives / (n - positives))
	if c.penalty != 1 || math.Abs(c.slope-0.5) > 0.03 || math.Abs(c.intercept+2) > 0.1 || math.Abs(c.threshold-odds) > 1e-9 {
		t.Errorf("%+v, want penalty 1, slope 0.5, intercept -2, threshold %v", c, odds)
	}
	for name, slope := range map[string]float64{"noise": 0, "reversed": -1} {
		c, err := calibrate(learners.Logistic{}, drawn(200, slope, 0), 0)
		must(t, err)
		if c.slope > 0.01 || c.slope < leastSlope || math.Abs(c.intercept-c.threshold) > 0.01 {
			t.Errorf("%s: %+v", name, c)
		}
	}
	apart := held([]float64{-3.02, -3.01, -2.99, -2.98, -2.97}, []float64{-1, -1, 1, 1, 1})
	c, err = calibrate(learners.Logistic{}, apart, 0)
	must(t, err)
	for _, s := range apart {
		if odds := s.y * (c.slope*s.z[0] + c.intercept); odds < 0 || odds > 12 {
			t.Errorf("log-odds %v of a right prediction, %+v", odds, c)
		}
	}
	numbers := held([]float64{-1, 0, 1, 2, -2, 0.5, -0.5, 0}, []float64{-2, 0, 2, 4, -4, 1, -1, 0})
	c, err = calibrate(learners.LeastSquares{}, numbers, 0)
	must(t, err)
	if c.slope < 1.8 || c.slope > 2 || math.Abs(c.intercept) > 1e-9 {
		t.Errorf("of numbers: %+v", c)
	}
}

// Folds have as many of each class as of the others, and patients whole.
func TestFolds(t *testing.T) {
	sp := &split{loss: learners.Logistic{}}
	for i := range 120 {
		sp.train.Y = append(sp.train.Y, map[bool]float64{true: 1, false: -1}[i%4 == 0])
	}
	count := func() (counts [folds][2]int) {
		for i, f := range sp.dealt() {
			counts[f][int(sp.train.Y[i]+1)/2]++
		}
		return counts
	}
	for f, n := range count() {
		if n != [2]int{9, 3} {
			t.Errorf("fold %d has %v of the classes", f, n)
		}
	}
	for i := range sp.train.Y {
		sp.train.Patient = append(sp.train.Patient, int32(i/12*4+i%4)) // whose three samples have one label, and follow in it
	}
	of := map[int32]int{}
	for i, f := range sp.dealt() {
		if known, ok := of[sp.train.Patient[i]]; ok && known != f {
			t.Fatalf("patient %d is in folds %d and %d", sp.train.Patient[i], known, f)
		}
		of[sp.train.Patient[i]] = f
	}
	for f, n := range count() {
		if n != [2]int{9, 3} {
			t.Errorf("by patient: fold %d has %v of the classes", f, n)
		}
	}
}

// A split's test samples have no say in their own calibration, and a class that is never predicted is named.
func TestCalibrated(t *testing.T) {
	tests := make([][]scored, 3)
	for k := range tests {
		tests[k] = drawn(100, 1, 0)
		for i := range tests[k] {
			tests[k][i].id = strconv.Itoa(100*(k/2) + i)
		}
	}
	tu := &tuner{answer: &Answer{Loss: learners.Logistic{}}, first: &samples.Trial{Metadata: map[string]string{"positive": "ill"}}}
	before, err := tu.calibrated(tests)
	must(t, err)
	for i := range tests[1] {
		tests[1][i].y *= -1 // of samples that split 0 tests too
	}
	after, err := tu.calibrated(tests)
	must(t, err)
	if tu.answer.Never != "" || before[0].LogLoss > 0.6 || after[0].LogLoss != before[0].LogLoss ||
		after[2].LogLoss == before[2].LogLoss {
		t.Errorf("never %q, before %v, after %v", tu.answer.Never, before, after)
	}
	tu.held = drawn(2000, 1, -2) // by which the only split is calibrated: of scores 0 fewer than the share are positive
	_, err = tu.calibrated([][]scored{{{z: []float64{0, 0}, y: 1}, {z: []float64{0, 0}, y: -1}}})
	must(t, err)
	if tu.answer.Never != "ill" {
		t.Errorf("never predicted is %q, want ill", tu.answer.Never)
	}
}

// What may be chance is taken off the slope. Of a score it is told by splits, whose samples the setting was not chosen
// by: a clear one loses nothing, one below guessing all, and test samples of one class tell nothing.
func TestDoubt(t *testing.T) {
	h := drawn(2000, 1, 0)
	sure, err := calibrate(learners.Logistic{}, h, 0)
	must(t, err)
	half, err := calibrate(learners.Logistic{}, h, 0.5)
	must(t, err)
	none, err := calibrate(learners.Logistic{}, h, 1)
	must(t, err)
	if got := half.slope / sure.slope; got < 0.5 || got > 0.505 || none.slope != leastSlope || half.penalty != sure.penalty {
		t.Errorf("slopes %v, with doubt %v and %v", sure.slope, half.slope, none.slope)
	}
	nan := math.NaN()
	for _, test := range []struct {
		areas []float64
		want  float64
	}{
		{[]float64{0.6, 0.6, 0.6, 0.6}, (0.25 + 0.25) * 0.01 / 0.01}, // no more than chance
		{[]float64{0.9, 0.9, 0.9, 0.9}, (0.25 + 0.25) * 0.01 / 0.16},
		{[]float64{0.6, 1, 0.6, 1}, 2.0 / 3 * 0.04 / 0.09}, // they differ more than by chance
		{[]float64{0.45, 0.5}, 1}, {[]float64{0.5}, 1}, {[]float64{nan, 0.9}, 0},
	} {
		tu, found := &tuner{answer: &Answer{Loss: learners.Logistic{}}}, []Measures(nil)
		for _, a := range test.areas {
			found = append(found, Measures{AUC: a, chance: 0.01})
		}
		if got := tu.doubt(found, 0.25); math.Abs(got-test.want) > 1e-9 {
			t.Errorf("areas %v: doubt %v, want %v", test.areas, got, test.want)
		}
	}
}
