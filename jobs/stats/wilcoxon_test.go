package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// signedRank tests whether differences are symmetric about zero.
func signedRank(differences ...float64) SignedRank {
	return Wilcoxon(differences, make([]float64, len(differences)))
}

func near(got, want, tolerance float64) bool { return math.Abs(got-want) <= tolerance }

// Published examples with the results of other programs.
func TestWilcoxonPublishedExamples(t *testing.T) {
	// SciPy, documentation of scipy.stats.wilcoxon: Darwin's maize.
	s := signedRank(6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75)
	if s.Minus != 24 || s.Plus != 96 || s.Pairs != 15 || !s.Exact || !near(s.P, 0.041259765625, 1e-15) {
		t.Errorf("maize: %+v, want W⁻ = 24 and p = 0.041259765625", s)
	}
	// R, help page of wilcox.test: Hamilton's depression scale; V = 40, one-sided p = 0.01953.
	s = Wilcoxon(
		[]float64{1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30},
		[]float64{0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29})
	if s.Plus != 40 || !near(s.P, 2*0.01953125, 1e-15) {
		t.Errorf("depression: %+v, want W⁺ = 40 and p = 0.0390625", s)
	}
}

// Critical values as in textbooks: the largest W with a two-sided p of at most 0.05 and 0.01.
func TestWilcoxonCriticalValues(t *testing.T) {
	const never = -1
	for n, critical := range map[int][2]int{
		5: {never, never}, 6: {0, never}, 7: {2, never}, 8: {3, 0}, 9: {5, 1}, 10: {8, 3}, 11: {10, 5}, 12: {13, 7}, 13: {17, 9},
		14: {21, 12}, 15: {25, 15}, 16: {29, 19}, 17: {34, 23}, 18: {40, 27}, 19: {46, 32}, 20: {52, 37}, 25: {89, 68}, 50: {434, 373},
	} {
		ranks := make([]int, n)
		for i := range ranks {
			ranks[i] = 2 * (i + 1)
		}
		for k, alpha := range []float64{0.05, 0.01} {
			w := never
			for countedP(ranks, 2*(w+1)) <= alpha {
				w++
			}
			if w != critical[k] {
				t.Errorf("n = %d, α = %v: critical value %d, want %d", n, alpha, w, critical[k])
			}
		}
	}
}

// bruteForce tries all signs of the ranks, to check the counting.
func bruteForce(differences []float64) (plus, p float64) {
	var sizes []float64
	for _, d := range differences {
		if d != 0 {
			sizes = append(sizes, d)
		}
	}
	ranks := make([]float64, len(sizes))
	total := 0.0
	for i, d := range sizes { // rank: the number of smaller sizes, half the number of equal sizes, and ½
		for _, e := range sizes {
			switch {
			case math.Abs(e) < math.Abs(d):
				ranks[i]++
			case math.Abs(e) == math.Abs(d):
				ranks[i] += 0.5
			}
		}
		ranks[i] += 0.5
		total += ranks[i]
		if d > 0 {
			plus += ranks[i]
		}
	}
	as := 0
	for signs := range 1 << len(ranks) {
		sum := 0.0
		for i, r := range ranks {
			if signs>>i&1 == 1 {
				sum += r
			}
		}
		if math.Abs(sum-total/2) >= math.Abs(plus-total/2) {
			as++
		}
	}
	return plus, float64(as) / float64(int(1)<<len(ranks))
}

func TestWilcoxonAgainstAllSigns(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for k := range 400 {
		d := make([]float64, rng.IntN(13))
		values := []float64{2, 4, 8, 1000}[k%4] // few values, many ties and zeros
		for i := range d {
			d[i] = math.Floor(rng.Float64()*values) - math.Floor(values/3)
		}
		s := signedRank(d...)
		plus, p := bruteForce(d)
		if s.Plus != plus || !near(s.P, p, 1e-14) || s.Pairs+s.Zeros != len(d) || !s.Exact {
			t.Fatalf("%v: %+v, want W⁺ = %v and p = %v", d, s, plus, p)
		}
		if n := float64(s.Pairs); s.Plus+s.Minus != n*(n+1)/2 {
			t.Fatalf("%v: W⁺ + W⁻ = %v, want the sum of %v ranks", d, s.Plus+s.Minus, n)
		}
	}
}

// Where counting ends, counting and the normal approximation nearly agree.
func TestWilcoxonApproximation(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for k := range 200 {
		d := make([]float64, ExactPairs+1+rng.IntN(60))
		for i := range d {
			if k%2 == 0 {
				d[i] = rng.NormFloat64() + 0.2
			} else {
				d[i] = float64(rng.IntN(9)) - 3.5 // four sizes, with many ties
			}
		}
		s := signedRank(d...)
		if s.Exact {
			t.Fatalf("%d pairs were counted", len(d))
		}
		differences := make([]difference, len(d))
		for i := range d {
			differences[i].size = math.Abs(d[i])
		}
		ranks := doubledRanks(differences)
		exact := countedP(ranks, int(2*min(s.Plus, s.Minus)))
		if !near(s.P, exact, 0.003) || exact > 1e-4 && !near(s.P/exact, 1, 0.5) {
			t.Errorf("%d pairs: p = %v, counted %v", len(d), s.P, exact)
		}
		// The variance and the continuity correction are written as in textbooks.
		n := float64(len(d))
		variance := n * (n + 1) * (2*n + 1) / 24
		ties := map[int]float64{}
		for _, r := range ranks {
			ties[r]++
		}
		for _, size := range ties {
			variance -= (size*size*size - size) / 48
		}
		z := (n*(n+1)/4 - min(s.Plus, s.Minus) - 0.5) / math.Sqrt(variance)
		if want := min(1, math.Erfc(z/math.Sqrt2)); !near(s.P, want, 1e-12) {
			t.Errorf("%d pairs: p = %v, want %v by the textbook", len(d), s.P, want)
		}
	}
}

// 0.8 − 0.7, 0.4 − 0.3 and 0.3 − 0.2 are three different numbers in binary.
func TestWilcoxonTiesOfRounding(t *testing.T) {
	tenth := 0.1 // as a variable: the constant 0.1 + 0.2 would be exactly 0.3
	s := Wilcoxon([]float64{0.8, 0.4, 0.2, tenth + 0.2}, []float64{0.7, 0.3, 0.3, 0.3})
	if s.Plus != 4 || s.Minus != 2 || s.Zeros != 1 {
		t.Errorf("%+v, want three ties of rank 2 and a zero", s)
	}
}

func TestWilcoxonOfFew(t *testing.T) {
	for n := range 7 {
		d := slices.Repeat([]float64{1}, n)
		if s := signedRank(d...); s.P != LeastP(n) || s.P < 0.05 != (n >= 6) {
			t.Errorf("%d pairs: p = %v, the least is %v", n, s.P, LeastP(n))
		}
	}
	if s := signedRank(0, 0, 0); s.P != 1 || s.Pairs != 0 || s.Zeros != 3 {
		t.Errorf("no differences: %+v, want p = 1", s)
	}
	inf := math.Inf(1)
	if s := signedRank(1, inf, inf, -2); s.Plus != 8 || s.Minus != 2 {
		t.Errorf("%+v, want infinities with the largest ranks", s)
	}
	if s := signedRank(1, math.NaN()); !math.IsNaN(s.P) {
		t.Errorf("p = %v of NaN", s.P)
	}
}

// Slices of different length are a programming error.
func TestValuesWithoutPartners(t *testing.T) {
	for name, test := range map[string]func(a, b []float64){
		"Wilcoxon":     func(a, b []float64) { Wilcoxon(a, b) },
		"PairedSplits": func(a, b []float64) { PairedSplits(a, b, 0.25) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s takes two values and one for pairs", name)
				}
			}()
			test([]float64{1, 2}, []float64{1})
		}()
	}
}

func TestRanks(t *testing.T) {
	tenth := 0.1 // as a variable: the constant 0.1 + 0.2 would be exactly 0.3
	for _, c := range []struct{ values, want []float64 }{
		{nil, []float64{}},
		{[]float64{7}, []float64{1}},
		{[]float64{0.3, 0.1, 0.2}, []float64{3, 1, 2}},
		{[]float64{5, 2, 5, 1, 5}, []float64{4, 2, 4, 1, 4}},
		{[]float64{tenth + 0.2, 0.3, 0.5, -0.5}, []float64{2.5, 2.5, 4, 1}}, // equal up to rounding
	} {
		if got := Ranks(c.values); !slices.Equal(got, c.want) {
			t.Errorf("ranks of %v are %v, want %v", c.values, got, c.want)
		}
	}
}

func TestCliques(t *testing.T) {
	for _, c := range []struct {
		n      int
		differ [][2]int
		want   [][2]int
	}{
		{0, nil, nil},
		{1, nil, nil},
		{3, nil, [][2]int{{0, 2}}},
		{3, [][2]int{{0, 2}}, [][2]int{{0, 1}, {1, 2}}},
		{4, [][2]int{{0, 1}, {0, 2}, {0, 3}}, [][2]int{{1, 3}}},
		{4, [][2]int{{1, 2}}, [][2]int{{0, 1}, {2, 3}}}, // although 0 and 3 do not differ
		{2, [][2]int{{0, 1}}, nil},
		{5, [][2]int{{0, 3}, {0, 4}, {1, 4}}, [][2]int{{0, 2}, {1, 3}, {2, 4}}},
	} {
		differ := func(i, j int) bool { return slices.Contains(c.differ, [2]int{i, j}) }
		if got := Cliques(c.n, differ); !slices.Equal(got, c.want) {
			t.Errorf("%d things that differ in %v: %v, want %v", c.n, c.differ, got, c.want)
		}
	}
}

// Computed by hand; R's p.adjust(p, "holm") gives the same.
func TestHolm(t *testing.T) {
	for _, c := range []struct{ p, want []float64 }{
		{nil, []float64{}},
		{[]float64{0.25}, []float64{0.25}},
		{[]float64{0.01, 0.02, 0.03, 0.04}, []float64{0.04, 0.06, 0.06, 0.06}},
		{[]float64{0.5, 0.25, 0.75}, []float64{1, 0.75, 1}},
		{[]float64{0.03125, math.NaN(), 0.0625}, []float64{0.0625, math.NaN(), 0.0625}},
	} {
		got := Holm(c.p)
		if !slices.EqualFunc(got, c.want, func(a, b float64) bool { return near(a, b, 1e-15) || math.IsNaN(a) && math.IsNaN(b) }) {
			t.Errorf("Holm(%v) = %v, want %v", c.p, got, c.want)
		}
	}
}

// Holm's method is the closure of Bonferroni's: a hypothesis is rejected if every set of hypotheses that contains
// it is rejected. So its p-value is the largest p-value of these sets.
func TestHolmIsClosedBonferroni(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		p := make([]float64, 1+rng.IntN(7))
		for i := range p {
			p[i] = math.Floor(20*rng.Float64()*rng.Float64()) / 20 // with ties
		}
		before := slices.Clone(p)
		got := Holm(p)
		for i := range p {
			want := 0.0
			for set := range 1 << len(p) {
				if set>>i&1 == 0 {
					continue
				}
				least, size := 1.0, 0.0
				for j := range p {
					if set>>j&1 == 1 {
						least = min(least, p[j])
						size++
					}
				}
				want = max(want, min(1, size*least))
			}
			if !near(got[i], want, 1e-15) {
				t.Fatalf("Holm(%v)[%d] = %v, want %v", p, i, got[i], want)
			}
		}
		if !slices.Equal(p, before) {
			t.Fatal("the argument was changed")
		}
	}
}
