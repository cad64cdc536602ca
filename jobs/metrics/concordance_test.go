package metrics

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Of all pairs, by the definition.
func bruteConcordance(scores, y []float64, strata []string) float64 {
	right, pairs := 0.0, 0.0
	for i := range y {
		for k := range y {
			earlier := math.Abs(y[i]) < math.Abs(y[k]) || math.Abs(y[i]) == math.Abs(y[k]) && y[k] < 0
			if y[i] < 0 || !earlier || strata != nil && strata[i] != strata[k] {
				continue
			}
			pairs++
			switch {
			case scores[i] > scores[k]:
				right++
			case scores[i] == scores[k]:
				right += 0.5
			}
		}
	}
	return right / pairs
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

// Events at time 1 of k samples and censored ones later are two classes, and C is the area under their curve: the
// variance is Hanley and McNeil's of no signal.
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

// Of scores that say nothing C varies as Concordance says.
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
