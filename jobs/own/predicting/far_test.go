package predicting

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"graphda/io/model"
	"graphda/io/samples"
	"graphda/jobs/jobstest"
)

// Notes name features with values of another unit or platform, and single samples that are far away. They name
// --recentre if it helps.
func TestFar(t *testing.T) {
	dir := t.TempDir()
	m := &model.Model{Features: []string{"a", "b"}, Loss: "logistic", Negative: "no", Positive: "yes",
		Weights: []model.Weights{{Name: model.Ridge, W: []float64{2, -1}}},
		Scaling: &samples.Scaling{Mean: []float64{10, 20}, Deviation: []float64{2, 4}},
		Covariates: &model.Covariates{Terms: samples.Design{{Covariate: samples.Covariate{Name: "age", Number: true},
			Mean: 60, Deviation: 10}}, Alone: []float64{0.1}, Ridge: []float64{0.1}}}
	path := filepath.Join(dir, "model.parquet")
	must(t, m.Write(path))
	usual := func(i int) (a, b, age float64) { return 9 + float64(i%3), 18 + float64(i%5), 55 + float64(i%11) }
	for name, c := range map[string]struct {
		n        int
		change   func(i int, a, b, age *float64)
		recentre bool
		want     string // in the notes; "" for no notes
		not      string
	}{
		"usual":    {n: 20},
		"one":      {n: 1},
		"platform": {n: 20, change: func(_ int, a, b, _ *float64) { *a += 12; *b -= 24 }, want: "2 of 3 columns of the model are more than 4 standard deviations from the training mean in most samples; mean distances: b (-6), a (+5.97); is this another unit or platform? --recentre uses"},
		"few":      {n: 5, change: func(_ int, a, _, _ *float64) { *a += 12 }, want: "1 of 3 columns", not: "--recentre"},
		"unit":     {n: 20, change: func(_ int, a, b, _ *float64) { *a *= 1000; *b *= 1000 }, want: "is this another unit or platform?", not: "--recentre"},
		"scale":    {n: 20, change: func(i int, a, _, _ *float64) { *a = 10 + float64(2*(i%2)-1)*100 }, want: "1 of 3 columns"},
		"months":   {n: 20, change: func(_ int, _, _, age *float64) { *age *= 12 }, want: "age (+"},
		"sample":   {n: 20, change: func(i int, a, b, _ *float64) { *a += 12 * float64(i/19); *b += 30 * float64(i/19) }, want: "1 sample is far from the training samples, so predictions for them are unreliable: S19"},
		"recentred": {n: 20, change: func(_ int, a, b, _ *float64) { *a += 12; *b -= 24 }, recentre: true,
			want: "recentred: the samples' own means", not: "columns of the model"},
		"scaled": {n: 20, change: func(i int, a, _, _ *float64) { *a = 40 + float64(2*(i%2)-1)*12 }, recentre: true,
			want: "1 of 3 columns of the model vary more than 4 times as much as in the training samples: a (6); is this another " +
				"unit or platform? Recentring does not help"},
		"sure": {n: 20, change: func(_ int, a, b, _ *float64) { *a = 17.8; *b = 4.4 }, want: "all probabilities are 0 or all are 1"},
	} {
		text := "id,a,b,age\n"
		for i := range c.n {
			a, b, age := usual(i)
			if c.change != nil {
				c.change(i, &a, &b, &age)
			}
			text += fmt.Sprintf("S%d,%g,%g,%g\n", i, a, b, age)
		}
		file := filepath.Join(dir, "s.csv")
		must(t, os.WriteFile(file, []byte(text), 0o666))
		r := must1(Predict(t.Context(), Request{Model: path, Samples: file, ID: "id", Recentre: c.recentre}))
		notes := strings.Join(r.Notes(), "\n")
		if (c.want == "") != (notes == "") || !strings.Contains(notes, c.want) || c.not != "" && strings.Contains(notes, c.not) {
			t.Errorf("%s: %s", name, notes)
		}
		mean := 0.0 // of the features' contributions
		for i, z := range r.Scores[0] {
			mean += (z - r.Alone[i]) / float64(c.n)
		}
		if c.recentre && (mean > 1e-12 || mean < -1e-12) {
			t.Errorf("%s: the mean score is %v, want the intercept", name, mean)
		}
	}
	one := filepath.Join(dir, "one.csv")
	must(t, os.WriteFile(one, []byte("id,a,b,age\nx,1,2,3\n"), 0o666))
	jobstest.WantError(t, jobstest.Err(Predict(t.Context(), Request{Model: path, Samples: one, Recentre: true})),
		"has 1 sample with a score; want at least 2")
}

// With --recentre, a laboratory that adds a constant to all its values gets the same scores, whatever values are missing.
func TestRecentreShift(t *testing.T) {
	dir := t.TempDir()
	path, file := filepath.Join(dir, "model.parquet"), filepath.Join(dir, "s.csv")
	m := &model.Model{Features: []string{"a", "b", "c"}, Loss: "logistic", Negative: "no", Positive: "yes",
		Weights: []model.Weights{{Name: model.Ridge, W: []float64{2, -1, 0.5}, Intercept: 0.25}}, Median: []float64{11, 19, 7},
		Scaling: &samples.Scaling{Mean: []float64{10, 20, 5}, Deviation: []float64{2, 4, 1}}}
	must(t, m.Write(path))
	for _, absent := range []bool{false, true} {
		var first [][]float64
		for _, add := range []float64{0, 3, -50} {
			text := "id,a,b,c\n"
			if absent {
				text = "id,a,b,other\n"
			}
			for i := range 12 {
				cells := []string{fmt.Sprint(9 + float64(i%3) + add), fmt.Sprint(18 + float64(i%5) + add), fmt.Sprint(5 + add)}
				if i%4 == 1 {
					cells[1] = "NA"
				}
				text += fmt.Sprintf("S%d,%s\n", i, strings.Join(cells, ","))
			}
			must(t, os.WriteFile(file, []byte(text), 0o666))
			r := must1(Predict(t.Context(), Request{Model: path, Samples: file, ID: "id", Recentre: true}))
			if first == nil {
				first = r.Scores
			}
			if !floats.EqualApprox(r.Scores[0], first[0], 1e-9) {
				t.Errorf("absent %v, %+v: scores %v, want %v", absent, add, r.Scores, first)
			}
		}
	}
}
