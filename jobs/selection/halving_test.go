package selection

import (
	"math/rand/v2"
	"slices"
	"testing"

	"graphda/io/results"
)

// ofBoth makes a row of the validation accuracies and mistakes of both models.
func ofBoth(accuracy, mistakes, accuracyBar, mistakesBar float64) *results.Row {
	r := row(accuracy, nan, mistakes, nan)
	r.Wbar.ValidAccuracy, r.Wbar.Mistakes = accuracyBar, mistakesBar
	return r
}

// In turn the best for w and the best for w̄ go on, of equals by the rule those with fewer mistakes, then the
// first of the plan, or the last.
func TestSurvivors(t *testing.T) {
	rows := []*results.Row{
		ofBoth(0.7, 5, 0.5, 9), // third for w
		ofBoth(0.8, 9, 0.6, 9), // second for w: more mistakes
		ofBoth(0.6, 1, 0.9, 9), // best for w̄
		failed(ofBoth(1, 0, 1, 0)),
		ofBoth(0.8, 5, 0.6, 9), // best for w; third for w̄, as in the plan
		nil,
		ofBoth(nan, 0, 0.6, 8), // second for w̄; nothing for w
	}
	orders := map[string][]int{Validation: {4, 2, 1, 6, 0}, ValidationLast: {4, 2, 1, 6, 0}}
	for name, order := range orders {
		rule := mustParse(t, name, "", "logistic")
		for count := range 8 {
			want := make([]bool, len(rows))
			for _, i := range order[:min(count, len(order))] {
				want[i] = true
			}
			if got := rule.Survivors(rows, count); !slices.Equal(got, want) {
				t.Errorf("%s, %d go on: %v, want %v", name, count, got, want)
			}
		}
	}
	equal := []*results.Row{ofBoth(0.8, 1, 0.8, 1), ofBoth(0.8, 1, 0.8, 1), ofBoth(0.8, 1, 0.8, 1)}
	for name, want := range map[string][]bool{Validation: {true, true, false}, ValidationLast: {false, true, true}} {
		if got := mustParse(t, name, "", "logistic").Survivors(equal, 2); !slices.Equal(got, want) {
			t.Errorf("%s of equals: %v, want %v", name, got, want)
		}
	}
}

// Whoever is the best at a checkpoint goes on, for both models, if two may; as many go on as may and have not
// failed; and one who goes on does so with more.
func TestSurvivorsOfAnyRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 5))
	for _, name := range []string{Validation, ValidationLast, OracleF1} {
		rule := mustParse(t, name, "", "logistic")
		for range 300 {
			rows := make([]*results.Row, rng.IntN(12))
			alive := 0
			for i := range rows {
				v := func() float64 { return []float64{nan, 1, 2, 3}[rng.IntN(4)] }
				if rows[i] = ofBoth(v(), v(), v(), v()); rng.IntN(5) == 0 {
					failed(rows[i])
				} else {
					alive++
				}
			}
			var before []bool
			for count := range 14 {
				got := rule.Survivors(rows, count)
				n := 0
				for i, on := range got {
					if on {
						n++
					}
					if before != nil && before[i] && !on {
						t.Fatalf("%s: row %d goes on with %d others and not with one more", name, i, count-2)
					}
				}
				if n != min(count, alive) {
					t.Fatalf("%s: %d go on, want %d of %d", name, n, count, alive)
				}
				for _, m := range Models {
					if best := rule.Best(rows, m); count >= 2 && best >= 0 && !got[best] {
						t.Fatalf("%s: the best for %v does not go on among %d", name, m, count)
					}
				}
				before = got
			}
		}
	}
}
