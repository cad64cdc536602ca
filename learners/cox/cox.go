// Package cox computes the loss and the gradient of Cox's proportional hazards model for survival times, fits the
// model, and estimates the probability of survival. A sample with score η has e^η times the hazard of a sample with
// score 0.
//
// An outcome is one number y. If y > 0, it is the time of an event. If y < 0, the sample is censored: it was observed
// until time −y without an event.
//
// Let the risk set R(t) be the samples of a stratum that were observed until t or longer, and d(t) the number of
// events at t. The negative log partial likelihood, summed over all strata and times, is
//
//	L = Σ_t ( d(t)·ln Σ_{R(t)} e^η − Σ_{events at t} η )
//
// D. R. Cox, Regression models and life-tables, Journal of the Royal Statistical Society B 34 (1972). Events at the
// same time share one risk set (N. E. Breslow, Covariance analysis of censored survival data, Biometrics 30, 1974).
package cox

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Loss is the loss of Cox's model. It implements learners.Loss, but is defined only for all samples together.
type Loss struct{}

// Name returns "cox".
func (Loss) Name() string { return "cox" }

// Classifies returns false.
func (Loss) Classifies() bool { return false }

// Eval panics, because a single sample has no partial likelihood: see Risks.
func (Loss) Eval(_, _ float64) (loss, dz float64) {
	panic("cox: the partial likelihood is of all samples at once")
}

// Risks holds samples, ordered to compute risk sets.
type Risks struct {
	y      []float64
	names  []string  // names of the strata, ascending
	strata [][][]int // indices of samples, by stratum and end of observation (the latest first)
}

// New returns the risks of samples with outcomes y. strata names each sample's stratum. If it is nil, all samples are
// in one stratum named "".
func New(y []float64, strata []string) *Risks {
	r, of := &Risks{y: y}, map[string][]int{}
	for i := range y {
		name := ""
		if strata != nil {
			name = strata[i]
		}
		if of[name] == nil {
			r.names = append(r.names, name)
		}
		of[name] = append(of[name], i)
	}
	slices.Sort(r.names)
	for _, name := range r.names {
		samples := of[name]
		slices.SortStableFunc(samples, func(a, b int) int { return cmp.Compare(math.Abs(y[b]), math.Abs(y[a])) })
		var times [][]int
		for k, i := range samples {
			if k == 0 || math.Abs(y[samples[k-1]]) != math.Abs(y[i]) {
				times = append(times, nil)
			}
			last := len(times) - 1
			times[last] = append(times[last], i)
		}
		r.strata = append(r.strata, times)
	}
	return r
}

func (r *Risks) events(samples []int) (n float64) {
	for _, i := range samples {
		if r.y[i] > 0 {
			n++
		}
	}
	return n
}

// walk visits the times of a stratum, the latest first. For each time it computes ln Σ e^η over the risk
// set, without overflow.
func (r *Risks) walk(times [][]int, eta []float64, visit func(k int, logSum float64)) {
	sum := math.Inf(-1)
	for k, samples := range times {
		for _, i := range samples {
			sum = addLogs(sum, eta[i])
		}
		visit(k, sum)
	}
}

func addLogs(a, b float64) float64 {
	if a < b {
		a, b = b, a
	}
	if math.IsInf(b, -1) {
		return a
	}
	return a + math.Log1p(math.Exp(b-a))
}

// Residuals writes each sample's martingale residual −∂L/∂η at the scores eta to dst, and returns L. The residual is
// the sample's number of events (1 or 0) minus the number that Breslow's estimate of the hazard expects.
func (r *Risks) Residuals(dst, eta []float64) (loss float64) {
	var sums []float64
	for _, times := range r.strata {
		sums = sums[:0]
		r.walk(times, eta, func(_ int, logSum float64) { sums = append(sums, logSum) })
		hazard := math.Inf(-1) // logarithm of the cumulative hazard so far
		for k := len(times) - 1; k >= 0; k-- {
			if n := r.events(times[k]); n > 0 {
				hazard = addLogs(hazard, math.Log(n)-sums[k])
				loss += n * sums[k]
			}
			for _, i := range times[k] {
				dst[i] = -math.Exp(eta[i] + hazard)
				if r.y[i] > 0 {
					dst[i]++
					loss -= eta[i]
				}
			}
		}
	}
	return loss
}

// Gradient writes the gradient of L/n by the weights to dst, for n samples. Residuals computes the residuals, and row
// returns the features of sample i.
func Gradient(dst, residuals []float64, row func(i int) []float64) {
	clear(dst)
	for i, v := range residuals {
		floats.AddScaled(dst, -v/float64(len(residuals)), row(i))
	}
}

// Ridge returns the d weights that minimise L/n + ridge/2·‖w‖² for scores ⟨w, row(i)⟩, by Newton's method. The last
// `free` weights are not shrunk, except for a slight penalty that decides between solutions of equal L.
func (r *Risks) Ridge(d, free int, row func(i int) []float64, ridge float64) ([]float64, error) {
	const (
		iterations = 100
		halvings   = 40
		enough     = 1e-9 // stop if the expected decrease of L/n is smaller
	)
	n := float64(len(r.y))
	w, ahead, gradient, penalty := make([]float64, d), make([]float64, d), make([]float64, d), penalties(d, free, ridge*n)
	eta, residuals := make([]float64, len(r.y)), make([]float64, len(r.y))
	value := func(at []float64) float64 {
		for i := range eta {
			eta[i] = floats.Dot(at, row(i))
		}
		sum := r.Residuals(residuals, eta)
		for j, v := range at {
			sum += penalty[j] / 2 * v * v
		}
		return sum
	}
	least := value(w)
	for range iterations {
		if d == 0 {
			break
		}
		Gradient(gradient, residuals, row)
		floats.Scale(n, gradient)
		hessian := r.hessian(d, eta, residuals, row)
		for j := range w {
			gradient[j] += penalty[j] * w[j]
			hessian.SetSym(j, j, hessian.At(j, j)+penalty[j])
		}
		step, err := solve(hessian, gradient)
		if err != nil {
			return nil, err
		}
		promised := floats.Dot(gradient, step) / 2
		if !(promised > enough*n) {
			break
		}
		share, found := 1.0, 0.0
		for k := 0; ; k++ {
			floats.AddScaledTo(ahead, w, -share, step)
			if found = value(ahead); found < least || k == halvings {
				break
			}
			share /= 2
		}
		if !(found < least) { // rounding errors hide better weights
			break
		}
		least = found
		w, ahead = ahead, w
	}
	if math.IsNaN(least) || math.IsInf(least, 0) {
		return nil, errors.New("cox: the partial likelihood is not finite")
	}
	return w, nil
}

func penalties(d, free int, penalty float64) []float64 {
	const slight = 1e-6
	all := make([]float64, d)
	for j := range all {
		if all[j] = penalty; j >= d-free {
			all[j] = slight
		}
	}
	return all
}

func solve(hessian *mat.SymDense, gradient []float64) ([]float64, error) {
	var c mat.Cholesky
	var step mat.VecDense
	if !c.Factorize(hessian) {
		return nil, errors.New("cox: the weights with the smallest loss are not unique, so they cannot be found")
	}
	if err := c.SolveVecTo(&step, mat.NewVecDense(len(gradient), gradient)); err != nil && step.IsEmpty() {
		return nil, err
	}
	return step.RawVector().Data, nil
}

// hessian returns the Hessian of L. It is the sum over samples x of the expected number of events times xxᵀ, minus the
// sum over events of mmᵀ. Here m is the mean of x over the event's risk set, weighted by e^η.
func (r *Risks) hessian(d int, eta, residuals []float64, row func(i int) []float64) *mat.SymDense {
	h := mat.NewSymDense(d, nil)
	mean := mat.NewVecDense(d, nil)
	for _, times := range r.strata {
		mean.Zero()
		sum := math.Inf(-1)
		for _, samples := range times {
			for _, i := range samples {
				x := row(i)
				sum = addLogs(sum, eta[i])
				share := math.Exp(eta[i] - sum)
				for j, m := range mean.RawVector().Data {
					mean.RawVector().Data[j] = m + share*(x[j]-m)
				}
				expected := -residuals[i]
				if r.y[i] > 0 {
					expected++
				}
				h.SymRankOne(h, expected, mat.NewVecDense(d, x))
			}
			if n := r.events(samples); n > 0 {
				h.SymRankOne(h, -n, mean)
			}
		}
	}
	return h
}

// A Baseline is the cumulative hazard of a sample with score 0 in one stratum.
type Baseline struct {
	Stratum string
	Times   []float64 // times of events, ascending
	Hazard  []float64 // cumulative hazard at each of the Times
	Last    float64   // end of the longest observation
}

// Baselines returns Breslow's estimate of each stratum's baseline, given the scores eta of the samples.
func (r *Risks) Baselines(eta []float64) (all []Baseline) {
	for s, times := range r.strata {
		b := Baseline{Stratum: r.names[s], Last: math.Abs(r.y[times[0][0]])}
		r.walk(times, eta, func(k int, logSum float64) {
			if n := r.events(times[k]); n > 0 {
				b.Times = append(b.Times, math.Abs(r.y[times[k][0]]))
				b.Hazard = append(b.Hazard, n*math.Exp(-logSum))
			}
		})
		slices.Reverse(b.Times)
		slices.Reverse(b.Hazard)
		for k := 1; k < len(b.Hazard); k++ {
			b.Hazard[k] += b.Hazard[k-1]
		}
		all = append(all, b)
	}
	return all
}

// Survival returns the probability that a sample with score eta has no event until the given time, or NaN for a time
// after Last.
func (b *Baseline) Survival(eta, time float64) float64 {
	if !(time <= b.Last) {
		return math.NaN()
	}
	k, exactly := slices.BinarySearch(b.Times, time)
	if exactly {
		k++
	}
	if k == 0 {
		return 1
	}
	return math.Exp(-b.Hazard[k-1] * math.Exp(eta))
}
