package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestMeanIntervalUndefined(t *testing.T) {
	huge, nan := math.MaxFloat64, math.NaN()
	for _, values := range [][]float64{nil, {1}, {1, nan}, {1, math.Inf(-1)}, {huge, -huge, huge}} {
		for _, overlap := range []float64{0, 0.25} {
			if i := MeanInterval(values, overlap); !math.IsNaN(i.Low) || !math.IsNaN(i.High) {
				t.Errorf("interval of %v is %v, want none", values, i)
			}
		}
	}
	if i := MeanInterval([]float64{1, 2}, nan); !math.IsNaN(i.Low) {
		t.Errorf("interval %v without the overlap, want none", i)
	}
	if i := MeanInterval([]float64{0.1, 0.1, 0.1}, 0); i != (Interval{0.1, 0.1}) {
		t.Errorf("interval of equal values is %v", i)
	}
	for _, scale := range []float64{1e-300, 1e300} { // cubes of differences must not overflow
		values := []float64{1 * scale, 2 * scale, 4 * scale}
		i := bootstrap(values, 1.96)
		if !(i.Low >= scale && i.Low < i.High && i.High <= 4*scale) {
			t.Errorf("interval at scale %v is %v", scale, i)
		}
	}
}

// Computed by hand. For two values, Student's t has one degree of freedom and is the Cauchy distribution. For 19
// values, every table gives the quantile 2.1009.
func TestMeanIntervalOfFewByHand(t *testing.T) {
	// For 0.5 and 0.7, s² = 0.02. The variance of their mean is s²/2 if they are independent, and s²·(1/2 + 1/4) for
	// splits with one test sample per four training samples.
	for overlap, variance := range map[float64]float64{0: 0.01, 0.25: 0.015} {
		half := math.Tan(math.Pi*0.475) * math.Sqrt(variance)
		if i := MeanInterval([]float64{0.7, 0.5}, overlap); !near(i.Low, 0.6-half, 1e-9) || !near(i.High, 0.6+half, 1e-9) {
			t.Errorf("overlap %v: interval %v, want 0.6 ± %v", overlap, i, half)
		}
		if se := StandardError(0.1, 2, overlap); !near(se, math.Sqrt(variance), 1e-15) {
			t.Errorf("overlap %v: standard error %v, want %v", overlap, se, math.Sqrt(variance))
		}
	}
	values := make([]float64, 19) // −9 … 9: s² = 570/18
	for k := range values {
		values[k] = float64(k - 9)
	}
	half := 2.1009 * math.Sqrt(570.0/18/19)
	if i := MeanInterval(values, 0); !near(i.Low, -half, 1e-3) || !near(i.High, half, 1e-3) {
		t.Errorf("interval %v, want 0 ± %v", i, half)
	}
}

// Resampled means that equal the mean count half below and half above it, in spite of rounding. So symmetric
// values have a symmetric interval.
func TestMeanIntervalOfSymmetricValues(t *testing.T) {
	for _, centre := range []float64{0.869, 0.88, 166.35, -1e6} {
		var values []float64
		for range 10 {
			values = append(values, centre-0.13, centre+0.13)
		}
		i := MeanInterval(values, 0)
		if !near(centre-i.Low, 0.13*2.093/math.Sqrt(19), 0.011) || !near(i.High-centre, centre-i.Low, 0.014) {
			t.Errorf("%v: from %v to %v", centre, i.Low-centre, i.High-centre)
		}
	}
}

func TestMeanIntervalIsDeterministic(t *testing.T) {
	values := slices.Repeat([]float64{0.3, 0.1, 0.25, 0.7, 0.2}, 4)
	before := slices.Clone(values)
	want := MeanInterval(values, 0)
	if !slices.Equal(values, before) {
		t.Error("the argument was changed")
	}
	slices.Reverse(values)
	if got := MeanInterval(values, 0); got != want {
		t.Errorf("%v in another order, %v before", got, want)
	}
}

// bca computes the interval from all nⁿ resamples, by Efron's formulas as printed. The jackknife leaves out each
// value in turn, and the quantile is counted.
func bca(values []float64) Interval {
	n := len(values)
	var means []float64
	var draw func(k int, sum float64)
	draw = func(k int, sum float64) {
		if k == n {
			means = append(means, sum/float64(n))
			return
		}
		for _, v := range values {
			draw(k+1, sum+v)
		}
	}
	draw(0, 0)
	slices.Sort(means)
	total := 0.0
	for _, v := range values {
		total += v
	}
	mean := total / float64(n)
	below := 0.0
	for _, m := range means {
		switch {
		case math.Abs(m-mean) < 1e-12:
			below += 0.5
		case m < mean:
			below++
		}
	}
	var squares, cubes float64
	for _, v := range values {
		d := mean - (total-v)/float64(n-1)
		squares += d * d
		cubes += d * d * d
	}
	a := cubes / 6 / math.Pow(squares, 1.5)
	z0 := math.Sqrt2 * math.Erfinv(2*below/float64(len(means))-1)
	end := func(z float64) float64 {
		p := 0.5 * math.Erfc(-(z0+(z0+z)/(1-a*(z0+z)))/math.Sqrt2)
		return means[min(int(p*float64(len(means))), len(means)-1)]
	}
	return Interval{end(-1.959963984540054), end(1.959963984540054)}
}

func TestBootstrapAgainstAllResamples(t *testing.T) {
	for _, values := range [][]float64{
		{0.81, 0.83, 0.86, 0.78, 0.8, 0.84},
		{1, 1.3, 1.1, 1.7, 9.5, 2.2, 0.4}, // skewed to the right
		{-5.5, -1, -0.8, -2.1, 0, -0.3},   // to the left
	} {
		got, want := bootstrap(slices.Sorted(slices.Values(values)), 1.96), bca(values)
		spread := want.High - want.Low
		if !near(got.Low, want.Low, 0.05*spread) || !near(got.High, want.High, 0.05*spread) {
			t.Errorf("%v: %v, want about %v", values, got, want)
		}
	}
}

// About 95 % of the 95 % intervals contain the mean, from three values to as many as the paper has.
func TestMeanIntervalCovers(t *testing.T) {
	const draws = 1000 // each with ten thousand resamples at 20 values
	for n := 3; n <= BootstrapFrom; n++ {
		rng := rand.New(rand.NewPCG(uint64(n), 8))
		held := 0
		values := make([]float64, n)
		for range draws {
			for i := range values {
				values[i] = 3 + rng.NormFloat64()
			}
			if i := MeanInterval(values, 0); i.Low <= 3 && 3 <= i.High {
				held++
			}
		}
		share := float64(held) / draws
		t.Logf("%d values: %v", n, share)
		if share < 0.93 || share > 0.97 {
			t.Errorf("%v of the intervals of %d normal values hold their mean, want .93 to .97", share, n)
		}
	}
}

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

// Values are drawn with the assumed correlation of splits, n₂/(n₁ + n₂). Their intervals contain the mean as often
// as promised, and tests reject as rarely as promised.
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

// AreaInterval is the interval of the mean, but at least as wide as chance requires.
func TestAreaInterval(t *testing.T) {
	const overlap, chance = 0.25, 41.0 / (12 * 2 * 38) // test splits of 2 and 38 samples
	alike := make([]float64, 20)
	for i := range alike {
		alike[i] = 0.7 + 0.001*float64(i%2)
	}
	got, mean := AreaInterval(alike, overlap, chance), 0.7005
	for _, end := range []float64{got.Low, got.High} {
		// If an end were the true area, the observed mean would lie 1.96 standard errors away.
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

// Growth continues a measure that is c/n below its limit: here it is 1 − 3/n.
func TestGrowth(t *testing.T) {
	for _, c := range []struct {
		few, more, all int
		gain, want     float64
	}{
		{60, 80, 100, 3.0/60 - 3.0/80, 3.0/80 - 3.0/100},
		{10, 20, 100, 3.0/10 - 3.0/20, 3.0/20 - 3.0/100},
		{60, 80, 80, 0.1, 0},  // nothing is left to learn from
		{80, 80, 100, 0.1, 0}, // without validation samples, nothing is known of the gain
		{0, 80, 100, 0.1, 0},
		{60, 80, 100, -0.1, 0},
		{60, 80, 100, math.NaN(), 0},
	} {
		if got := Growth(c.gain, c.few, c.more, c.all); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("Growth(%v, %d, %d, %d) = %v, want %v", c.gain, c.few, c.more, c.all, got, c.want)
		}
	}
}
