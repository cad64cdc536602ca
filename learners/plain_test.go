package learners_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"graphda/graph"
	"graphda/learners"
	"graphda/projection"
)

// A plainRound holds the quantities in the update formulas. The last entry of every vector is the intercept.
type plainRound struct {
	pr   *learners.Problem
	p    int
	t    float64
	v    func(name string) float64 // a parameter's value
	w    []float64                 // w_{t−1}
	g    []float64                 // g_t
	gbar []float64                 // ḡ_t
	all  [][]float64               // g_1 … g_t
	x    [][]float64               // x_1 … x_t
	y    []float64                 // y_1 … y_t
	loss learners.Loss

	searches learners.SearchStats
}

// plainUpdates are the update formulas of the methods. They keep nothing between rounds: sums over rounds are
// computed anew each time.
var plainUpdates = map[string]func(r *plainRound) []float64{
	"l1-rda": func(r *plainRound) []float64 {
		lambda := r.v("lambda") + r.v("gamma")*r.v("rho")/math.Sqrt(r.t)
		w := r.dual(r.gbar)
		for i, g := range r.gbar[:r.p] {
			w[i] = 0
			if math.Abs(g) > lambda {
				w[i] = r.a() * (g - math.Copysign(lambda, g))
			}
		}
		return w
	},
	"da-gl":  func(r *plainRound) []float64 { return r.groups(0) },
	"da-sgl": func(r *plainRound) []float64 { return r.groups(1) },
	"adagrad": func(r *plainRound) []float64 {
		w := make([]float64, r.p+1)
		for i, g := range r.gbar {
			h := 0.0
			for _, past := range r.all {
				h += past[i] * past[i]
			}
			shrunk := math.Abs(g)
			if i < r.p {
				shrunk = max(shrunk-r.v("lambda"), 0)
			}
			w[i] = -math.Copysign(r.v("eta")*r.t/(r.v("delta")+math.Sqrt(h))*shrunk, g)
		}
		return w
	},
	"adam": func(r *plainRound) []float64 {
		beta1, beta2 := r.v("beta1"), r.v("beta2")
		for i := range r.w {
			mean, square := 0.0, 0.0
			for k, past := range r.all {
				age := float64(len(r.all) - 1 - k)
				mean += (1 - beta1) * math.Pow(beta1, age) * past[i]
				square += (1 - beta2) * math.Pow(beta2, age) * past[i] * past[i]
			}
			mean /= 1 - math.Pow(beta1, r.t)
			square /= 1 - math.Pow(beta2, r.t)
			r.w[i] -= r.v("alpha") * mean / (math.Sqrt(square) + r.v("epsilon"))
		}
		return r.w
	},
	"stoiht": func(r *plainRound) []float64 {
		eta := r.v("eta") / math.Sqrt(r.t)
		for i := range r.w {
			r.w[i] -= eta * r.g[i]
		}
		return r.keep(r.w, r.top(r.w))
	},
	"graphstoiht": func(r *plainRound) []float64 {
		eta := r.v("eta") / math.Sqrt(r.t)
		head := r.keep(r.g, r.head(r.g))
		for i := range r.w {
			r.w[i] -= eta * head[i]
		}
		return r.keep(r.w, r.tail(r.w))
	},
	"da-iht": func(r *plainRound) []float64 { return r.dual(r.keep(r.gbar, r.top(r.gbar))) },
	"graphda": func(r *plainRound) []float64 {
		b := r.dual(r.keep(r.gbar, r.head(r.gbar)))
		return r.keep(b, r.tail(b))
	},
	"best-subset": func(r *plainRound) []float64 { return r.dual(r.keep(r.gbar, r.pr.Truth)) },
	"marginal":    func(r *plainRound) []float64 { return r.marginal() },
}

// marginal tests each feature with all samples so far, sorts the p-values, and selects up to the last p-value that
// Benjamini and Hochberg allow.
func (r *plainRound) marginal() []float64 {
	w := make([]float64, r.p+1)
	weights, middles, ps := make([]float64, r.p), make([]float64, r.p), make([]float64, r.p)
	positive := 0.0
	for _, y := range r.y {
		if y > 0 {
			positive++
		}
	}
	for i := range ps {
		if r.loss.Classifies() {
			weights[i], middles[i], ps[i] = r.welch(i)
		} else {
			weights[i], middles[i], ps[i] = r.slope(i)
		}
	}
	w[r.p] = math.Log(positive+0.5) - math.Log(r.t-positive+0.5)
	if !r.loss.Classifies() {
		w[r.p] = stat.Mean(r.y, nil)
	}
	sorted := slices.Sorted(slices.Values(ps))
	cut := -1.0
	for k, p := range sorted {
		if p <= r.v("q")*float64(k+1)/float64(r.p) {
			cut = p
		}
	}
	for i, p := range ps {
		if p <= cut {
			w[i] = weights[i]
			w[r.p] -= weights[i] * middles[i]
		}
	}
	return w
}

func (r *plainRound) welch(i int) (weight, middle, p float64) {
	var classes [2][]float64
	for k, y := range r.y {
		c := 0
		if y > 0 {
			c = 1
		}
		classes[c] = append(classes[c], r.x[k][i])
	}
	n, m := float64(len(classes[0])), float64(len(classes[1]))
	if n < 2 || m < 2 {
		return 0, 0, 1
	}
	mean, variance := stat.MeanVariance(classes[0], nil)
	other, spread := stat.MeanVariance(classes[1], nil)
	if variance+spread == 0 {
		return 0, 0, 1
	}
	u, v := variance/n, spread/m
	t := distuv.StudentsT{Sigma: 1, Nu: (u + v) * (u + v) / (u*u/(n-1) + v*v/(m-1))}
	pooled := ((n-1)*variance + (m-1)*spread) / (n + m - 2)
	return (other - mean) / pooled, (mean + other) / 2, 2 * t.Survival(math.Abs(other-mean)/math.Sqrt(u+v))
}

func (r *plainRound) slope(i int) (weight, middle, p float64) {
	column := make([]float64, len(r.x))
	for k := range column {
		column[k] = r.x[k][i]
	}
	mean, variance := stat.MeanVariance(column, nil)
	if r.t < 3 || variance == 0 {
		return 0, 0, 1
	}
	rho := stat.Correlation(column, r.y, nil)
	t := distuv.StudentsT{Sigma: 1, Nu: r.t - 2}
	return stat.Covariance(column, r.y, nil) / variance, mean, 2 * t.Survival(math.Abs(rho)*math.Sqrt((r.t-2)/(1-rho*rho)))
}

// a returns a_t = −√t/γ.
func (r *plainRound) a() float64 { return -math.Sqrt(r.t) / r.v("gamma") }

func (r *plainRound) dual(v []float64) []float64 {
	w := slices.Clone(v)
	for i := range w {
		w[i] *= r.a()
	}
	return w
}

// keep returns v on the support and on the intercept, and zero elsewhere.
func (r *plainRound) keep(v []float64, support []int32) []float64 {
	w := make([]float64, r.p+1)
	for _, i := range support {
		w[i] = v[i]
	}
	w[r.p] = v[r.p]
	return w
}

func (r *plainRound) top(v []float64) []int32 {
	order := make([]int32, r.p)
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(i, j int32) int { return cmp.Compare(math.Abs(v[j]), math.Abs(v[i])) })
	return order[:int(r.v("s"))]
}

func (r *plainRound) head(v []float64) []int32 { return r.project(v, projection.HeadWindow(r.p, 0.1)) }

func (r *plainRound) tail(v []float64) []int32 {
	return r.project(v, projection.TailWindow(int(r.v("s")), 0.1))
}

func (r *plainRound) project(v []float64, window projection.Window) []int32 {
	var found projection.Result
	err := projection.NewSearch(r.pr.Graph).Project(&found, v[:r.p], window, projection.Options{Clusters: 1, MaxIter: 20})
	if err != nil {
		panic(err)
	}
	r.searches.Solves += found.Solves
	if !window.Contains(len(found.Nodes)) && found.Status != projection.Zero {
		r.searches.Unbracketed++
	}
	return found.Nodes
}

// groups is the group lasso on explicit copies: w̃ has one entry per membership, each with its feature's gradient.
// A feature in no group is a group of its own. A feature's weight is the sum of its copies. inner is r_G of the
// sparse group lasso.
func (r *plainRound) groups(inner float64) []float64 {
	lambda := r.v("lambda")
	groups := slices.Clone(r.pr.Groups)
	for i := range int32(r.p) {
		if !slices.ContainsFunc(r.pr.Groups, func(g []int32) bool { return slices.Contains(g, i) }) {
			groups = append(groups, []int32{i})
		}
	}
	w := r.keep(r.dual(r.gbar), nil)
	for _, group := range groups {
		copies := make([]float64, len(group))
		square := 0.0
		for k, i := range group {
			c := max(math.Abs(r.gbar[i])-lambda*inner, 0)
			copies[k] = math.Copysign(c, r.gbar[i])
			square += c * c
		}
		norm := math.Sqrt(square)
		if norm == 0 {
			continue
		}
		factor := max(1-lambda*math.Sqrt(float64(len(group)))/norm, 0)
		for k, i := range group {
			w[i] += r.a() * factor * copies[k]
		}
	}
	return w
}

// plainPass runs a pass with recursive averages, and calls look after every sample, when r.w is w_t.
func plainPass(m *learners.Method, values []float64, loss learners.Loss, pr *learners.Problem, d *data, look func(r *plainRound)) {
	settings := learners.Settings{Method: m, Values: values}
	r := &plainRound{pr: pr, loss: loss, p: pr.P, v: settings.Get, w: make([]float64, pr.P+1), gbar: make([]float64, pr.P+1)}
	for k, x := range d.x {
		x = append(slices.Clone(x), 1)
		r.x, r.y = append(r.x, x), append(r.y, d.y[k])
		z := 0.0
		for i, w := range r.w {
			z += w * x[i]
		}
		_, dz := loss.Eval(z, d.y[k])
		r.t = float64(k + 1)
		r.g = make([]float64, pr.P+1)
		for i := range r.g {
			r.g[i] = dz * x[i]
			r.gbar[i] = ((r.t-1)*r.gbar[i] + r.g[i]) / r.t
		}
		r.all = append(r.all, r.g)
		r.w = plainUpdates[m.Name](r)
		look(r)
	}
}

type data struct {
	x [][]float64
	y []float64
}

// newData draws n samples of normal features; the features in zero are always 0. The true features determine the
// targets.
func newData(r *rand.Rand, pr *learners.Problem, loss learners.Loss, n int, zero ...int32) *data {
	d := &data{}
	for range n {
		x := make([]float64, pr.P)
		for i := range x {
			x[i] = r.NormFloat64()
		}
		y := 0.2 + 0.3*r.NormFloat64()
		for _, i := range pr.Truth {
			y += x[i] / 2
		}
		for _, i := range zero {
			x[i] = 0
		}
		if loss.Classifies() {
			y = math.Copysign(1, y)
		}
		d.x, d.y = append(d.x, x), append(d.y, y)
	}
	return d
}

// randomProblem returns a problem on a random graph with several components. Sometimes all edges cost 0. The
// groups overlap and leave features out.
func randomProblem(t *testing.T, r *rand.Rand) *learners.Problem {
	t.Helper()
	p := 8 + r.IntN(30)
	pr := &learners.Problem{P: p, Groups: [][]int32{}, Truth: []int32{}}
	var edges []graph.Edge
	costs := []float64{}
	priced := float64(min(1, r.IntN(4)))
	for u := range int32(p) {
		for v := range u {
			if r.IntN(p) < 3 {
				edges = append(edges, graph.Edge{U: u, V: v})
				costs = append(costs, priced*(0.5+r.Float64()))
			}
		}
		if r.IntN(5) == 0 {
			pr.Truth = append(pr.Truth, u)
		}
	}
	pr.Graph = must1(graph.New(p, edges, costs))
	for range r.IntN(8) {
		group := []int32{}
		for _, i := range r.Perm(p)[:r.IntN(6)] { // may be empty
			group = append(group, int32(i))
		}
		pr.Groups = append(pr.Groups, group)
	}
	return pr
}

// TestAgainstPlain compares the iterates of every method with its update formula, on random problems with random
// parameters.
func TestAgainstPlain(t *testing.T) {
	for _, m := range learners.Methods {
		for _, loss := range learners.Losses {
			t.Run(fmt.Sprintf("%s/%s", m.Name, loss.Name()), func(t *testing.T) {
				if plainUpdates[m.Name] == nil {
					t.Fatalf("plainUpdates in plain_test.go lacks %s; add its update as its paper writes it, to compare its code with", m.Name)
				}
				r := rand.New(rand.NewPCG(3, 7))
				for range 12 {
					pr := randomProblem(t, r)
					params := drawParams(t, r, m, pr.P)
					values := must1(m.Fill(params))
					l := must1(learners.NewWorkspace(pr).NewLearner(learners.Settings{Method: m, Values: values}, loss))
					d := newData(r, pr, loss, 30, 2)
					plainPass(m, values, loss, pr, d, func(want *plainRound) {
						k := l.Samples()
						must(t, l.Learn(d.x[k], d.y[k]))
						if l.Searches() != want.searches {
							t.Fatalf("%v: searches %+v after %d samples, want %+v", params, l.Searches(), k+1, want.searches)
						}
						for i, v := range append(slices.Clone(l.Model().W), l.Model().Intercept) {
							if !(math.Abs(v-want.w[i]) <= 1e-12*(1+math.Abs(want.w[i]))) {
								t.Fatalf("%v: entry %d of w_%d is %v, want %v", params, i, k+1, v, want.w[i])
							}
						}
					})
				}
			})
		}
	}
}

// drawParams draws the parameters of a method; sometimes λ is 0.
func drawParams(t *testing.T, r *rand.Rand, m *learners.Method, p int) map[string]float64 {
	t.Helper()
	params := among(m, map[string]float64{
		"lambda": 0.1 * r.Float64() * float64(min(1, r.IntN(4))),
		"gamma":  50 + 100*r.Float64(),
		"rho":    0.001 * r.Float64(),
		"eta":    0.02 * r.Float64(),
		"alpha":  0.1 * r.Float64(),
		"s":      float64(1 + r.IntN(p/2)),
		"beta1":  r.Float64(),
		"q":      0.05 + 0.9*r.Float64(),
	})
	for _, param := range m.Params {
		if _, ok := params[param.Name]; !ok && param.Required() {
			t.Fatalf("drawParams lacks %s of method %s; add a value", param.Name, m.Name)
		}
	}
	return params
}
