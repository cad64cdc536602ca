package learning

import (
	"math"
	"math/rand/v2"
	"testing"

	"graphda/jobs/jobstest"
	"graphda/learners"
	"graphda/learners/cox"
)

func must1[T any](v T, err error) T { return jobstest.Must1(v, err) }

// drawn returns held-out samples with scores z under each of two penalties. Their log-odds are slope·z + intercept
// under the second penalty. Under the first, scores are noise.
func drawn(n int, slope, intercept float64) (held []Scored) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range n {
		z, y := 2*rng.NormFloat64(), -1.0
		if rng.Float64() < 1/(1+math.Exp(-slope*z-intercept)) {
			y = 1
		}
		held = append(held, Scored{Z: []float64{rng.NormFloat64(), z}, Y: y, Weight: 1})
	}
	return held
}

// held returns samples with the given scores and targets.
func held(z, y []float64) (all []Scored) {
	for i := range y {
		all = append(all, Scored{Z: []float64{z[i]}, Y: y[i], Weight: 1})
	}
	return all
}

// Calibrate finds the better penalty and the true slope and intercept. For noise, and for reversed scores, only the
// share of the class is left. For separated classes, the log-odds are finite.
func TestCalibrate(t *testing.T) {
	const n = 20000
	h := drawn(n, 0.5, -2)
	c := must1(Calibrate(learners.Logistic{}, h, 0))
	positives := 0.0
	for _, s := range h {
		positives += (s.Y + 1) / 2
	}
	odds := math.Log(positives / (n - positives))
	if c.Penalty != 1 || math.Abs(c.Slope-0.5) > 0.03 || math.Abs(c.Intercept+2) > 0.1 || math.Abs(c.Threshold-odds) > 1e-9 {
		t.Errorf("%+v, want penalty 1, slope 0.5, intercept -2, threshold %v", c, odds)
	}
	for name, slope := range map[string]float64{"noise": 0, "reversed": -1} {
		c := must1(Calibrate(learners.Logistic{}, drawn(200, slope, 0), 0))
		if c.Slope > 0.01 || c.Slope < leastSlope || math.Abs(c.Intercept-c.Threshold) > 0.01 {
			t.Errorf("%s: %+v", name, c)
		}
	}
	apart := held([]float64{-3.02, -3.01, -2.99, -2.98, -2.97}, []float64{-1, -1, 1, 1, 1})
	c = must1(Calibrate(learners.Logistic{}, apart, 0))
	for _, s := range apart {
		if odds := s.Y * (c.Slope*s.Z[0] + c.Intercept); odds < 0 || odds > 12 {
			t.Errorf("log-odds %v of a right prediction, %+v", odds, c)
		}
	}
	numbers := held([]float64{-1, 0, 1, 2, -2, 0.5, -0.5, 0}, []float64{-2, 0, 2, 4, -4, 1, -1, 0})
	c = must1(Calibrate(learners.LeastSquares{}, numbers, 0))
	if c.Slope < 1.8 || c.Slope > 2 || math.Abs(c.Intercept) > 1e-9 {
		t.Errorf("of numbers: %+v", c)
	}
}

// Calibrate removes the share of the slope that may be chance.
func TestDoubt(t *testing.T) {
	h := drawn(2000, 1, 0)
	sure := must1(Calibrate(learners.Logistic{}, h, 0))
	half := must1(Calibrate(learners.Logistic{}, h, 0.5))
	none := must1(Calibrate(learners.Logistic{}, h, 1))
	if got := half.Slope / sure.Slope; got < 0.5 || got > 0.505 || none.Slope != leastSlope || half.Penalty != sure.Penalty {
		t.Errorf("slopes %v, with doubt %v and %v", sure.Slope, half.Slope, none.Slope)
	}
}

// In each stratum, the mean survival from baselines is the observed survival, whatever the slope of the scores.
func TestBaselines(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, slope := range []float64{leastSlope, 0.5, 2} {
		var held []Scored
		var y [2][]float64
		for i := range 200 {
			s := Scored{Z: []float64{2 * r.NormFloat64()}, Y: r.ExpFloat64(), Weight: 1, Stratum: string(rune('a' + i%2))}
			if i%3 == 0 {
				s.Y *= -1
			}
			held, y[i%2] = append(held, s), append(y[i%2], s.Y)
		}
		for k, b := range (&Calibration{Slope: slope}).Baselines(held) {
			want := cox.New(y[k], nil).Baselines(make([]float64, len(y[k])))[0]
			for j, time := range b.Times {
				mean := 0.0
				for i, s := range held {
					if i%2 == k {
						mean += (*cox.Baseline)(&b).Survival(slope*s.Z[0], time) / float64(len(y[k]))
					}
				}
				if math.Abs(mean-math.Exp(-want.Hazard[j])) > 1e-9 || j > 0 && b.Hazard[j] < b.Hazard[j-1] {
					t.Fatalf("slope %v, stratum %s, time %v: mean %v, want %v", slope, b.Stratum, time, mean, math.Exp(-want.Hazard[j]))
				}
			}
		}
	}
}
