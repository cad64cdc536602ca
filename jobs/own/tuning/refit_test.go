package tuning

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"graphda/io/samples"
	"graphda/jobs/own/calibrating"
	"graphda/jobs/own/fitting"
	"graphda/learners"
)

// drawn are held-out samples whose log-odds are slope·z + intercept, with scores z under each of two penalties: of
// the first they are noise.
func drawn(n int, slope, intercept float64) (held []calibrating.Scored) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range n {
		z, y := 2*rng.NormFloat64(), -1.0
		if rng.Float64() < 1/(1+math.Exp(-slope*z-intercept)) {
			y = 1
		}
		held = append(held, calibrating.Scored{Z: []float64{rng.NormFloat64(), z}, Y: y, Weight: 1})
	}
	return held
}

// Folds have as many of each class as of the others, and patients whole.
func TestFolds(t *testing.T) {
	sp := &fitting.Split{Loss: learners.Logistic{}}
	for i := range 120 {
		sp.Train.Y = append(sp.Train.Y, map[bool]float64{true: 1, false: -1}[i%4 == 0])
	}
	count := func() (counts [fitting.Folds][2]int) {
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
		sp.Train.Patient = append(sp.Train.Patient, int32(i/12*4+i%4)) // whose three samples have one label, and follow in it
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

// A split's test samples have no say in their own calibration, and a class that is never predicted is named.
func TestCalibrated(t *testing.T) {
	tests := make([][]calibrating.Scored, 3)
	for k := range tests {
		tests[k] = drawn(100, 1, 0)
		for i := range tests[k] {
			tests[k][i].ID = strconv.Itoa(100*(k/2) + i)
		}
	}
	tu := &Tuner{Answer: &Answer{Loss: learners.Logistic{}}, first: &samples.Trial{Metadata: map[string]string{"positive": "ill"}}}
	before := must1(tu.calibrated(tests))
	for i := range tests[1] {
		tests[1][i].Y *= -1 // of samples that split 0 tests too
	}
	after := must1(tu.calibrated(tests))
	if tu.Answer.Never != "" || before[0].LogLoss > 0.6 || after[0].LogLoss != before[0].LogLoss ||
		after[2].LogLoss == before[2].LogLoss {
		t.Errorf("never %q, before %v, after %v", tu.Answer.Never, before, after)
	}
	tu.held = drawn(2000, 1, -2) // by which the only split is calibrated: of scores 0 fewer than the share are positive
	must1(tu.calibrated([][]calibrating.Scored{{{Z: []float64{0, 0}, Y: 1, Weight: 1}, {Z: []float64{0, 0}, Y: -1, Weight: 1}}}))
	if tu.Answer.Never != "ill" {
		t.Errorf("never predicted is %q, want ill", tu.Answer.Never)
	}
}

// What may be chance of a score is told by splits, whose samples the setting was not chosen
// by: a clear one loses nothing, one below guessing all, and test samples of one class tell nothing.
func TestDoubt(t *testing.T) {
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
		tu, found := &Tuner{Answer: &Answer{Loss: learners.Logistic{}}}, []fitting.Measures(nil)
		for _, a := range test.areas {
			found = append(found, fitting.Measures{AUC: a, Chance: 0.01})
		}
		if got := tu.doubt(found, 0.25); math.Abs(got-test.want) > 1e-9 {
			t.Errorf("areas %v: doubt %v, want %v", test.areas, got, test.want)
		}
	}
}
