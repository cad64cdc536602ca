package learning

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"graphda/graph"
	"graphda/io/samples"
	"graphda/jobs/metrics"
	"graphda/learners"
	"graphda/learners/cox"
	"graphda/learners/learnertest"
)

// lived draws a trial of samples with many tied times, in strata, with an age. Features 0 to 2 raise the hazard.
func lived(n int, strata, age bool) *samples.Trial {
	const p = 9
	rng := rand.New(rand.NewPCG(uint64(n), 5))
	t := &samples.Trial{Graph: graph.Grid(3, 3), Features: &samples.Features{Names: make([]string, p)},
		Metadata: map[string]string{"task": samples.Survival}}
	if age {
		t.Covariates = []samples.Covariate{{Name: "age", Number: true}}
	}
	for s, b := range []*samples.Block{&t.Train, &t.Valid, &t.Test} {
		b.P = p
		for i := range n {
			of, score := rng.IntN(2), rng.NormFloat64()
			if age {
				b.Covariates = append(b.Covariates, []string{fmt.Sprintf("%.2f", 60+10*score)})
			}
			for j := range p {
				v := rng.NormFloat64()
				if b.X = append(b.X, v); j < 3 {
					score += v
				}
			}
			time := math.Ceil(10 * float64(1+9*of) * rng.ExpFloat64() * math.Exp(-score))
			if rng.Float64() < 0.4 {
				time = -math.Ceil(time * rng.Float64())
			}
			if b.Y = append(b.Y, time); strata {
				b.Strata = append(b.Strata, string(rune('a'+of)))
			}
			b.IDs = append(b.IDs, fmt.Sprint(s, i))
		}
	}
	return t
}

// A setting learns along the gradient of the partial likelihood, with offsets in its risk sets. The test computes the
// gradient by differences, and dual averaging by its formula.
func TestLearnAgainstTheDefinition(t *testing.T) {
	method := must1(learners.Lookup("da-iht"))
	for _, c := range []struct{ strata, age bool }{{false, false}, {true, false}, {false, true}, {true, true}} {
		sp := must1(NewSplit(lived(40, c.strata, c.age), cox.Loss{}))
		b, p, n := &sp.Train, sp.Train.P, sp.Train.Rows()
		at := func(w []float64) float64 {
			scores := make([]float64, n)
			for i := range scores {
				scores[i] = floats.Dot(w, b.Row(i)) + b.OffsetOf(i)
			}
			return learnertest.PartialLoss(b.Y, b.Strata, scores)
		}
		const passes, s, f = 5, 4, 3.0
		gamma := f * math.Sqrt(passes) * sp.Variance
		w, sum := make([]float64, p), make([]float64, p)
		for pass := 1; pass <= passes; pass++ {
			next := slices.Clone(sum)
			for j := range w {
				const h = 1e-5
				up, down := slices.Clone(w), slices.Clone(w)
				up[j], down[j] = w[j]+h, w[j]-h
				next[j] += (at(up) - at(down)) / (2 * h) / float64(n)
			}
			sum = next
			if largest := floats.Norm(sum, math.Inf(1)); pass == 1 && math.Abs(largest-sp.LambdaMax) > 1e-6 {
				t.Errorf("%+v: λ_max %v, want %v", c, sp.LambdaMax, largest)
			}
			order := make([]int, p)
			for j := range order {
				order[j] = j
			}
			slices.SortFunc(order, func(a, b int) int { return cmp.Compare(math.Abs(sum[b]), math.Abs(sum[a])) })
			clear(w)
			for _, j := range order[:s] {
				w[j] = -math.Sqrt(float64(pass)) / gamma * sum[j] / float64(pass)
			}
		}
		l := must1(sp.Learn(learners.NewWorkspace(sp.Problem), Setting{Method: method, F: f, S: s}, passes))
		for j, v := range l.Model().W {
			if math.Abs(v-w[j]) > 1e-5 {
				t.Errorf("%+v: w %v, want %v", c, l.Model().W, w)
				break
			}
		}
		if c.age == (sp.Alone == nil) {
			t.Errorf("%+v: alone %v", c, sp.Alone)
		}
	}
}

// No step away from a refit lowers the loss. Selected features are shrunk, and the covariate is not.
func TestRefitsOfTimes(t *testing.T) {
	sp := must1(NewSplit(lived(60, true, true), cox.Loss{}))
	support := []int32{0, 2, 5}
	fits := must1(sp.Refits(support))
	for k, m := range fits {
		value := func(m *learners.Model) float64 {
			scores := make([]float64, sp.Train.Rows())
			for i := range scores {
				scores[i] = m.ScoreBeside(sp.Train.Row(i), sp.Train.Beside(i))
			}
			return learnertest.PartialLoss(sp.Train.Y, sp.Train.Strata, scores)/float64(len(scores)) + Penalties[k]/2*floats.Dot(m.W, m.W)
		}
		least := value(m)
		for _, h := range []float64{-1e-3, 1e-3} {
			for _, j := range support {
				other := *m
				other.W = slices.Clone(m.W)
				if other.W[j] += h; value(&other) < least {
					t.Errorf("penalty %v: less loss at %v more of feature %d", Penalties[k], h, j)
				}
			}
			other := *m
			if other.Beside = []float64{m.Beside[0] + h}; value(&other) < least {
				t.Errorf("penalty %v: less loss at %v more of the covariate", Penalties[k], h)
			}
		}
		if m.Intercept != 0 || !slices.Equal(Support(m), support) {
			t.Errorf("intercept %v, support %v", m.Intercept, Support(m))
		}
	}
}

// For times, the residuals are martingale residuals: 1 for an event, minus the expected number from
// Nelson and Aalen's hazard.
func TestRestOfTimes(t *testing.T) {
	sp := must1(NewSplit(lived(30, true, false), cox.Loss{}))
	b := &sp.Train
	for i, got := range sp.Rest() {
		want := 0.0
		if b.Y[i] > 0 {
			want = 1
		}
		for k, y := range b.Y {
			if y < 0 || y > math.Abs(b.Y[i]) || b.Strata[k] != b.Strata[i] {
				continue
			}
			atRisk := 0.0
			for l := range b.Y {
				if b.Strata[l] == b.Strata[i] && math.Abs(b.Y[l]) >= y {
					atRisk++
				}
			}
			want -= 1 / atRisk
		}
		if math.Abs(got-want) > 1e-12 {
			t.Errorf("sample %d: %v, want %v", i, got, want)
		}
	}
}

// Strata stay with their samples: in halves, folds, joined blocks and measures.
func TestStrataGoAlong(t *testing.T) {
	trial := lived(50, true, false)
	sp := must1(NewSplit(Join(trial), cox.Loss{}))
	if len(sp.Train.Strata) != 150 {
		t.Fatalf("%d strata of 150 samples", len(sp.Train.Strata))
	}
	half := must1(sp.Subset([]int{3, 1, 4}, sp.Problem, func(dst []float64, i int) { copy(dst, sp.Train.Row(i)) }))
	for k, i := range []int{3, 1, 4} {
		if half.Train.Strata[k] != sp.Train.Strata[i] {
			t.Errorf("strata %v", half.Train.Strata)
		}
	}
	fold, events := sp.Dealt(), make([]int, Folds)
	for i, f := range fold {
		if sp.Class(i) > 0 {
			events[f]++
		}
	}
	if slices.Max(events)-slices.Min(events) > 1 {
		t.Errorf("events by fold %v", events)
	}
	method := must1(learners.Lookup("graphda"))
	held := must1(sp.ScoreFold(learners.NewWorkspace(sp.Problem), Setting{Method: method, F: 1, S: 4}, 10, fold, 0))
	z, y, strata := []float64{}, []float64{}, []string{}
	for _, s := range held {
		i := slices.Index(sp.Train.Y, s.Y)
		if i < 0 || s.Stratum == "" || s.Weight != 1 {
			t.Fatalf("%+v", s)
		}
		z, y, strata = append(z, s.Z[0]), append(y, s.Y), append(strata, s.Stratum)
	}
	want, chance := metrics.Concordance(z, y, strata)
	m := Measured(cox.Loss{}, z, &samples.Block{Y: y, Strata: strata}, 0, nil)
	if m.C != want || m.Chance != chance || m.Score(cox.Loss{}) != want || want < 0.6 {
		t.Errorf("%+v, want C %v", m, want)
	}
	if base := (&Calibration{Slope: 1}).Baselines(held); len(base) != 2 || base[1].Stratum != "b" {
		t.Errorf("baselines %+v", base)
	}
}
