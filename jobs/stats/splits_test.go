package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestPairedSplitsByHand(t *testing.T) {
	const ratio = 0.25
	nan := math.NaN()
	statistic := 0.6 / math.Sqrt(0.015)
	for _, c := range []struct {
		name    string
		a, b    []float64
		overlap float64
		want    float64
	}{
		{"two pairs", []float64{1.5, 2.7}, []float64{1, 2}, ratio, 1 - 2/math.Pi*math.Atan(statistic)},
		{"the other way", []float64{1, 2}, []float64{1.5, 2.7}, ratio, 1 - 2/math.Pi*math.Atan(statistic)},
		{"no pair differs but by rounding", []float64{0.1 + 0.2, 1}, []float64{0.3, 1}, ratio, 1},
		{"all differences alike", []float64{0.8, 0.4}, []float64{0.7, 0.3}, ratio, nan},
		{"one pair", []float64{1}, []float64{2}, ratio, nan},
		{"no pair", nil, nil, ratio, nan},
		{"undefined value", []float64{1, nan}, []float64{2, 2}, ratio, nan},
		{"unknown overlap", []float64{1, 3}, []float64{2, 2}, nan, nan},
	} {
		p := PairedSplits(c.a, c.b, c.overlap)
		if math.IsNaN(p) != math.IsNaN(c.want) || !math.IsNaN(p) && !near(p, c.want, 1e-12) {
			t.Errorf("%s: p = %v, want %v", c.name, p, c.want)
		}
	}
}

// Values with the correlation that is assumed of splits, n₂/(n₁ + n₂), have intervals that
// hold their mean as often as they say, and tests that reject as seldom.
func TestSplitsHaveTheirLevel(t *testing.T) {
	const draws, ratio = 4000, 1.0 / 3
	for n := 3; n <= 20; n++ {
		rng := rand.New(rand.NewPCG(uint64(n), 9))
		held, rejected := 0, 0
		values, zero := make([]float64, n), make([]float64, n)
		for range draws {
			common := math.Sqrt(ratio) * rng.NormFloat64()
			for i := range values {
				values[i] = common + rng.NormFloat64()
			}
			if i := MeanInterval(values, ratio); i.Low <= 0 && 0 <= i.High {
				held++
			}
			if PairedSplits(values, zero, ratio) < 1-confidence {
				rejected++
			}
		}
		if share := float64(held) / draws; share < 0.93 || share > 0.97 || held+rejected != draws {
			t.Errorf("%v of the intervals of %d values hold the mean, and %d of %d tests reject it, want .93 to .97 and the rest",
				share, n, rejected, draws)
		}
	}
}

// The interval of areas is that of their mean, but not narrower than chance makes it.
func TestAreaInterval(t *testing.T) {
	const overlap, chance = 0.25, 41.0 / (12 * 2 * 38) // tests of 2 and 38 samples
	alike := make([]float64, 20)
	for i := range alike {
		alike[i] = 0.7 + 0.001*float64(i%2)
	}
	got, mean := AreaInterval(alike, overlap, chance), 0.7005
	for _, end := range []float64{got.Low, got.High} {
		// Ends are areas whose mean over the trials would lie 1.96 standard errors from this mean.
		if off, want := math.Abs(mean-end), 1.959964*math.Sqrt((1.0/20+overlap)*chance*4*end*(1-end)); math.Abs(off-want) > 1e-6 {
			t.Errorf("the interval %v ends %v from the mean, want %v", got, off, want)
		}
	}
	if !(got.Low < mean && mean < got.High) {
		t.Errorf("%v does not hold %v", got, mean)
	}
	spread := []float64{0.1, 0.9, 0.2, 0.8, 0.4}
	if got, want := AreaInterval(spread, overlap, 1e-6), MeanInterval(spread, overlap); got != want {
		t.Errorf("areas that differ: %v, want %v", got, want)
	}
	if got := AreaInterval([]float64{0.7}, overlap, chance); !math.IsNaN(got.Low) || !math.IsNaN(got.High) {
		t.Errorf("one area: %v", got)
	}
}
