package confidence

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"graphda/graph"
	"graphda/io/samples"
	"graphda/jobs/jobstest"
	"graphda/jobs/own/learning"
	"graphda/jobs/own/tuning"
	"graphda/learners"
)

// covariates writes a dataset of 120 samples with an age and a batch. The batch has the given share of the cases, and
// the rest of the other samples. It shifts features 0 to 3 of 6 × 6. Cases shift features 20 to 23 by the signal.
func covariates(t *testing.T, trials int, share, signal float64, levels [2]string) string {
	t.Helper()
	r := rand.New(rand.NewPCG(4, 9))
	list := []samples.Covariate{{Name: "site", Batch: true}, {Name: "age", Number: true}}
	var all []samples.Sample
	for i := range 120 {
		s := samples.Sample{ID: fmt.Sprint("S", i), Y: float64(2*(i%2) - 1), X: make([]float64, 36)}
		batch := 0
		if (float64(i/2) < share*60) == (s.Y > 0) {
			batch = 1
		}
		for j := range s.X {
			s.X[j] = r.NormFloat64()
			if j < 4 {
				s.X[j] += 2 * float64(batch)
			}
			if j >= 20 && j < 24 && s.Y > 0 {
				s.X[j] += signal
			}
		}
		s.Covariates = []string{levels[batch], fmt.Sprintf("%.1f", 60+r.NormFloat64())}
		if i%20 == 7 {
			s.Covariates[1] = ""
		}
		all = append(all, s)
	}
	return told(t, r, trials, list, all)
}

func tuned(t *testing.T, req tuning.Request) *tuning.Answer {
	t.Helper()
	return must1(tuning.Tune(context.Background(), req))
}

// told writes samples of 6 × 6 features with their covariates as a dataset.
func told(t *testing.T, r *rand.Rand, trials int, list []samples.Covariate, all []samples.Sample) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "mine")
	jobstest.WriteStructure(t, dir, graph.Grid(6, 6), nil)
	for trial := range trials {
		header := samples.SamplesHeader{Features: 36, IDs: true, Covariates: list, Metadata: map[string]string{samples.SameSamplesKey: "yes"}}
		samples.TellCovariates(header.Metadata, list)
		var shuffled []samples.Sample
		for k, i := range r.Perm(len(all)) {
			s := all[i]
			if s.Split = samples.Train; k < 24 {
				s.Split = samples.Test
			} else if k < 48 {
				s.Split = samples.Valid
			}
			shuffled = append(shuffled, s)
		}
		jobstest.WriteTrial(t, dir, trial, header, shuffled)
	}
	return dir
}

// The offsets solve the score equations of the training samples, so the gradient at w = 0 is uncorrelated with every
// covariate. Renaming or reordering levels changes no offset. Half-samples and folds fit offsets of their own.
func TestAdjust(t *testing.T) {
	var offsets [][]float64
	for _, levels := range [][2]string{{"a", "b"}, {"z", "b"}} {
		data := must1(must1(samples.Open(covariates(t, 1, 0.7, 0, levels))).Load(0, samples.BinaryLabels))
		sp := must1(learning.NewSplit(data, learners.Logistic{}))
		half := must1(sp.Subset([]int{0, 3, 5, 7, 9, 11, 20, 21, 22, 24, 30, 31}, sp.Problem, func(dst []float64, i int) { copy(dst, sp.Train.Row(i)) }))
		for _, part := range []*learning.Split{sp, half} {
			for k := range part.Train.Adjusted[0] {
				sum := 0.0
				for i, y := range part.Train.Y {
					_, dz := part.Loss.Eval(part.Train.Offset[i], y)
					sum += dz * part.Train.Adjusted[i][k]
				}
				if math.Abs(sum) > 2e-3 {
					t.Errorf("column %d of %d samples: Σ(p̂ − y)c = %v", k, part.Train.Rows(), sum)
				}
			}
		}
		offsets = append(offsets, append(sp.Train.Offset, sp.Test.Offset...))
	}
	for i, v := range offsets[0] {
		if math.Abs(v-offsets[1][i]) > 1e-3 {
			t.Errorf("sample %d: offset %v, with other names %v", i, v, offsets[1][i])
		}
	}
}

// Covariates that determine the label are refused. With --force, tune finds nothing in features that only follow the
// covariates, and confidence keeps none of them. A warning names covariates that predict the label well.
func TestCovariatesTellAll(t *testing.T) {
	dir := covariates(t, 6, 1, 0, [2]string{"a", "b"})
	req := tuning.Request{Dataset: dir, Methods: []string{"da-iht"}}
	_, err := tuning.Tune(context.Background(), req)
	_, other := Find(context.Background(), Request{Dataset: dir, False: 1, F: 3, S: 6})
	for _, err := range []error{err, other} {
		jobstest.WantError(t, err, "the covariates alone (batch site and age) have AUC 1.000; want less than 0.97")
	}
	req.Force = true
	if a := tuned(t, req); !strings.HasPrefix(a.Verdict(), "NOTHING FOUND: ") || !strings.Contains(a.Printed().Lead(), "These alone have AUC 1.000") {
		t.Errorf("%s\n%s", a.Verdict(), a.Printed().Lead())
	}
	c := must1(Find(context.Background(), Request{Dataset: covariates(t, 2, 0.8, 0, [2]string{"a", "b"}), False: 1, F: 3, S: 6}))
	if !strings.Contains(c.Printed().Lead(), "Adjusted for batch site and age.") {
		t.Error(c.Printed().Lead())
	}
	for _, f := range c.Features {
		if f.Kept && f.Name < "G4" && len(f.Name) == 2 {
			t.Errorf("kept is %s, which follows the batch: %+v", f.Name, f)
		}
	}
}

// A training sample of weight 2 counts like two equal samples: in calibration and in the association with the label. See
// also TestCopiesAreWeights in package tuning. Multiplying all weights changes nothing.
func TestWeights(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 2))
	for _, loss := range learners.Losses {
		var once, twice samples.Block
		once.P, twice.P = 3, 3
		for i := range 40 {
			x, y, weight := []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}, float64(2*(i%2)-1), 1.5
			x[0] += y
			if i < 10 {
				weight = 3
				twice.X, twice.Y = append(twice.X, x...), append(twice.Y, y)
			}
			once.X, once.Y, once.Weight = append(once.X, x...), append(once.Y, y), append(once.Weight, weight)
			twice.X, twice.Y = append(twice.X, x...), append(twice.Y, y)
		}
		var of [2][]float64
		for k, b := range []samples.Block{once, twice} {
			features := &samples.Features{Names: make([]string, 3), Scaling: &samples.Scaling{}} // standardised already
			sp := must1(learning.NewSplit(&samples.Trial{Features: features, Train: b, Valid: b, Test: b}, loss))
			c := must1(learning.Calibrate(loss, learning.Score(&sp.Test, must1(sp.Refits([]int32{0, 2}))), 0.1))
			sizes := newAssociation(sp).of(nil)
			of[k] = []float64{c.Threshold, c.Intercept, sizes[0] / sizes[1]}
		}
		if !floats.EqualFunc(of[0], of[1], func(a, b float64) bool { return math.Abs(a-b) < 1e-4*(1+math.Abs(b)) }) {
			t.Errorf("%s: threshold, intercept and association %v, want %v", loss.Name(), of[0], of[1])
		}
	}
	none := samples.Block{P: 1, X: []float64{1, 2}, Y: []float64{1, -1}, Weight: []float64{0, 0}}
	_, err := learning.NewSplit(&samples.Trial{Features: &samples.Features{Names: []string{"G"}}, Train: none}, learners.Logistic{})
	if err == nil || err.Error() != "all train samples of a split have weight 0, want one above 0" {
		t.Error(err)
	}
}
