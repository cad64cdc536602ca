package learners

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"
)

var marginal = Method{
	Name: "marginal", Label: "Marginal", Source: "Fan 2008, independence rule; Welch 1947; Benjamini 1995",
	Update: "w_i = (mean of x_i at +1 − mean at −1)/variance within, or the slope of y on x_i, where a t-test with " +
		"Benjamini–Hochberg at q selects i;  w_i = 0 elsewhere",
	Params: []Param{required("q", "q", "level of the tests: the intended share of false features").above(0).below(1)},
	Once:   true, Plain: true,
	New: func(ws *Workspace, s Settings) Rule {
		p := ws.problem.P
		return &marginalRule{ws: ws, q: s.Get("q"), classes: [2]moments{newMoments(p), newMoments(p)},
			products: make([]float64, p)}
	},
}

// marginalRule tests one feature at a time, as a baseline. It selects features by two-sided t-tests and the step-up
// procedure of Benjamini and Hochberg (Controlling the false discovery rate, JRSS B 1995). For two classes it uses
// Welch's test, and for numbers it tests the correlation. The weights follow the independence rule of Fan and Fan,
// High-dimensional classification using features annealed independence rules, Annals of Statistics 2008. The score is
// the log-odds if features are independent and normal with the same variance in both classes. A feature that is
// constant in each class is never selected. A round takes about ten passes over the features.
type marginalRule struct {
	ws      *Workspace
	q       float64
	classes [2]moments // moments of class −1 and class +1; for numbers, classes[0] has all samples

	// For targets y that are numbers: Σ (x_i − mean of x_i)(y − mean of y), the mean of y, and Σ (y − mean of y)².
	products              []float64
	meanTarget, deviation float64
}

var _ Rule = (*marginalRule)(nil)

// moments are running means of features, and sums of squared deviations from the means: Welford, Note on a method for
// calculating corrected sums of squares and products, Technometrics 1962.
type moments struct {
	n             int
	mean, squares []float64
}

func newMoments(p int) moments { return moments{mean: make([]float64, p), squares: make([]float64, p)} }

func (m *moments) add(x []float64) {
	m.n++
	n := float64(m.n)
	for i, v := range x {
		d := v - m.mean[i]
		m.mean[i] += d / n
		m.squares[i] += d * (v - m.mean[i])
	}
}

func (r *marginalRule) Step(m *Model, g Gradient, _ int) error {
	negative, positive := &r.classes[0], &r.classes[1]
	test := r.welch
	switch {
	case g.Labels && g.Target > 0:
		positive.add(g.X)
	case g.Labels:
		negative.add(g.X)
	default:
		test = r.correlation
		r.addNumber(g.X, g.Target)
	}
	m.clear()
	m.Support = r.choose(slices.Grow(m.Support, len(g.X)), test)
	m.Intercept = r.meanTarget
	if g.Labels { // log-odds of the classes; each class counts half a sample more
		m.Intercept = math.Log(float64(positive.n)+0.5) - math.Log(float64(negative.n)+0.5)
	}
	for _, i := range m.Support {
		middle := negative.mean[i]
		if g.Labels {
			middle = (negative.mean[i] + positive.mean[i]) / 2
		}
		m.W[i], _, _ = test(int(i))
		m.Intercept -= m.W[i] * middle
	}
	return nil
}

func (r *marginalRule) addNumber(x []float64, y float64) {
	all := &r.classes[0]
	all.add(x)
	d := y - r.meanTarget
	for i, v := range x {
		r.products[i] += (v - all.mean[i]) * d
	}
	r.meanTarget += d / float64(all.n)
	r.deviation += d * (y - r.meanTarget)
}

// choose appends the selected features to `support`. Exact p-values take long. So choose first selects by the normal
// distribution, which has lighter tails than t, and computes exact p-values only for these features. It skips p-values
// that are certainly above q.
func (r *marginalRule) choose(support []int32, test func(i int) (weight, square, df float64)) []int32 {
	p := r.ws.scratch[:0]                       // p-values of the features in support
	least := math.Erfcinv(min(1, r.q*(1+1e-9))) // smallest |t|/√2 for which a p-value is computed
	a, b := &r.classes[0], &r.classes[1]
	n, m := float64(a.n), float64(b.n)
	na, nb := 2*least*least*(1-1e-9)/((n-1)*n), 2*least*least*(1-1e-9)/((m-1)*m)
	for i := range a.mean {
		if d := b.mean[i] - a.mean[i]; n > 1 && m > 1 && d*d < na*a.squares[i]+nb*b.squares[i] {
			continue // the t statistic is certainly too small
		}
		if _, square, _ := test(i); square >= 2*least*least {
			support, p = append(support, int32(i)), append(p, math.Erfc(math.Sqrt(square/2)))
		}
	}
	support, p = r.stepUp(support, p)
	for k, i := range support {
		_, square, df := test(int(i))
		p[k] = mathext.RegIncBeta(df/2, 0.5, df/(df+square))
	}
	support, _ = r.stepUp(support, p)
	return support
}

// stepUp keeps the features that the procedure of Benjamini and Hochberg selects at level q, with their p-values. It
// selects p-values up to the largest q·k/n for which exactly k of the n p-values are at most q·k/n. Features outside
// support have p-values above q.
func (r *marginalRule) stepUp(support []int32, p []float64) ([]int32, []float64) {
	n := len(r.products)
	for k := n; ; {
		cut, below := r.q*float64(k)/float64(n), 0
		for _, v := range p {
			if v <= cut {
				below++
			}
		}
		if below < k {
			k = below
			continue
		}
		kept := 0
		for j, v := range p {
			if v <= cut {
				support[kept], p[kept] = support[j], v
				kept++
			}
		}
		return support[:kept], p[:kept]
	}
}

// welch tests feature i. It returns the weight, t² (0 if undefined) and the degrees of freedom.
func (r *marginalRule) welch(i int) (weight, square, df float64) {
	a, b := &r.classes[0], &r.classes[1]
	within := a.squares[i] + b.squares[i]
	if a.n < 2 || b.n < 2 || !(within > 0) {
		return 0, 0, 1
	}
	n, m := float64(a.n), float64(b.n)
	difference := b.mean[i] - a.mean[i]
	u, v := a.squares[i]/(n-1)/n, b.squares[i]/(m-1)/m // squared standard errors of the means
	s, t := u/(u+v), v/(u+v)
	return difference / (within / (n + m - 2)), difference / (u + v) * difference, 1 / (s*s/(n-1) + t*t/(m-1))
}

// correlation replaces welch for numbers. The weight is the slope of the regression on feature i alone.
func (r *marginalRule) correlation(i int) (weight, square, df float64) {
	n, squares := float64(r.classes[0].n), r.classes[0].squares[i]
	if n < 3 || !(squares > 0) || !(r.deviation > 0) {
		return 0, 0, 1
	}
	weight = r.products[i] / squares
	share := min(weight*r.products[i]/r.deviation, 1) // r²
	return weight, share / (1 - share) * (n - 2), n - 2
}

func (r *marginalRule) Remember(m *Memory) {
	for k, name := range []string{"negative", "positive"} {
		m.Count("samples_"+name, &r.classes[k].n)
		m.Vector("mean_"+name, r.classes[k].mean)
		m.Vector("squares_"+name, r.classes[k].squares)
	}
	m.Vector("products", r.products)
	m.Number("target_mean", &r.meanTarget)
	m.Number("target_squares", &r.deviation)
}
