package simulate

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"graphda/graph"
	"graphda/io/samples"
	"graphda/jobs/simulate/simulatetest"
)

// fewKEGG returns a small dataset from made-up files.
func fewKEGG(tb testing.TB, strategy int) KEGG {
	tb.Helper()
	return KEGG{Strategy: strategy, Trials: 2, Seed: 1, Dir: must1(KEGGDir(simulatetest.Raw(tb)))}
}

func (k KEGG) mustModel(tb testing.TB) *keggModel {
	tb.Helper()
	return must1(k.model(must1(readKEGG(k.Dir))))
}

// completed returns the expressions after fillNull.
func (k KEGG) completed(tb testing.TB) *mat.Dense {
	tb.Helper()
	raw := must1(readKEGG(k.Dir))
	k.fillNull(raw)
	return mat.NewDense(raw.expr.Rows, raw.expr.Cols, raw.expr.Data)
}

func TestReadKEGG(t *testing.T) {
	r := must1(readKEGG(fewKEGG(t, 1).Dir))
	f := r.features()
	edges := []graph.Edge{{U: 0, V: 1}, {U: 1, V: 2}, {U: 2, V: 4}, {U: 3, V: 5}, {U: 6, V: 0}}
	genes := strings.Fields("AAA TP53 NUL1 BBB MYC CCC FLAT LONE")
	for what, c := range map[string][2]any{
		"genes": {r.genes, genes}, "nodes": {r.graph.NumNodes(), 8}, "edges": {r.graph.Edges(), edges},
		"costs": {r.graph.Costs(), []float64{0.5, 1.25, 0, 1.4, 1}}, "truth": {f.Truth, []float64{0, 1, 1, 0, 1, 0, 0, 0}},
		"groups": {f.Groups, [][]int32{{1, 2, 4}, {0, 1, 3}, {7}}}, "names": {f.Names, genes},
		"measured": {f.Measured, []bool{true, true, false, true, true, true, true, true}}, // all but NUL1
	} {
		if !reflect.DeepEqual(c[0], c[1]) {
			t.Errorf("%s %v, want %v", what, c[0], c[1])
		}
	}
	if !mat.Equal(mat.NewDense(40, 8, r.expr.Data), simulatetest.Expressions()) {
		t.Error("the expressions are not those of the file")
	}
}

// The factor reproduces the covariances of the expressions, up to rounding.
func TestFactor(t *testing.T) {
	k := fewKEGG(t, 1)
	d := k.completed(t)
	m := k.mustModel(t)
	var want mat.SymDense
	stat.CovarianceMatrix(&want, d, nil)
	want.ScaleSym(39.0/40, &want) // divide by n, not n − 1
	var got mat.Dense
	got.Mul(m.factor.T(), m.factor)
	if !mat.EqualApprox(&got, &want, 1e-12) {
		t.Errorf("covariances\n%.4f\nwant\n%.4f", mat.Formatted(&got), mat.Formatted(&want))
	}
	for j := range 8 {
		if mean := stat.Mean(mat.Col(nil, j, d), nil); math.Abs(m.mean[j]-mean) > 1e-12 {
			t.Errorf("gene %d has mean %v, want %v", j, m.mean[j], mean)
		}
		if j != 2 && !slices.Equal(mat.Col(nil, j, d), mat.Col(nil, j, simulatetest.Expressions())) {
			t.Errorf("gene %d was measured and has other expressions", j)
		}
	}
	// The unmeasured gene has 40 draws of N(0,1).
	if mean, variance := stat.MeanVariance(mat.Col(nil, 2, d), nil); math.Abs(mean) > 0.6 || variance < 0.4 || variance > 2 {
		t.Errorf("mean %v and variance %v in place of what was not measured", mean, variance)
	}
	if slices.ContainsFunc(mat.Col(nil, 6, m.factor), func(v float64) bool { return v != 0 }) {
		t.Errorf("a constant gene varies by %v", mat.Col(nil, 6, m.factor))
	}
}

// Over many draws, both classes have the covariances of the expressions, and their means differ by δ.
func TestMomentsKEGG(t *testing.T) {
	k := fewKEGG(t, 2)
	m := k.mustModel(t)
	d := k.completed(t)
	const draws = 100
	delta := k.shift(m, samples.TrialRand(1, "shift", 0))
	classes := [2]*mat.Dense{mat.NewDense(draws*keggClass, 8, nil), mat.NewDense(draws*keggClass, 8, nil)}
	next := [2]int{}
	for trial := range draws {
		x, y := m.sample(delta, samples.TrialRand(1, "moments", trial))
		for i, label := range y {
			c := int(label+1) / 2
			classes[c].SetRow(next[c], x[i*8:(i+1)*8])
			next[c]++
		}
	}
	if next != [2]int{draws * keggClass, draws * keggClass} {
		t.Fatalf("%v samples of each class", next)
	}
	var want, got mat.SymDense
	stat.CovarianceMatrix(&want, d, nil)
	want.ScaleSym(39.0/40, &want)
	for c, x := range classes {
		got.Reset()
		stat.CovarianceMatrix(&got, x, nil)
		for i := range 8 {
			// The standard errors from 30,000 samples are σ/173 and about σσ/173·√(1 + ρ²).
			mean := m.mean[i] + float64(c)*delta[i]
			if z := stat.Mean(mat.Col(nil, i, x), nil) - mean; math.Abs(z) > 4.5/173*math.Sqrt(want.At(i, i))+1e-12 {
				t.Errorf("class %d: gene %d has mean %v beside %v", c, i, mean+z, mean)
			}
			for j := range i + 1 {
				scale := math.Sqrt(want.At(i, i) * want.At(j, j))
				if z := got.At(i, j) - want.At(i, j); math.Abs(z) > 6.5/173*scale+1e-12 {
					t.Errorf("class %d: genes %d and %d have covariance %v, want %v", c, i, j, got.At(i, j), want.At(i, j))
				}
			}
		}
	}
}

// The shift is centred at 0 or ±σ and has the gene's variance as its standard deviation. It is 0 outside the target.
func TestShift(t *testing.T) {
	variance := []float64{0.5, 2, 0.25, 4}
	target := []bool{true, false, true, true}
	m := &keggModel{target: target, variance: variance}
	rng := rand.New(rand.NewPCG(5, 6))
	const n = 4000
	for strategy := 1; strategy <= 2; strategy++ {
		for j, v := range variance {
			positive, spread := 0, make([]float64, n)
			for i := range spread {
				spread[i] = KEGG{Strategy: strategy}.shift(m, rng)[j]
				if spread[i] > 0 {
					positive++
				}
			}
			mean, got := stat.PopMeanVariance(spread, nil)
			want := 0.0
			if target[j] {
				want = v * v
				if strategy == 2 {
					want += v
				}
			}
			// The fourth moment of a mixture of two normals is at most 3 times the squared variance.
			if math.Abs(mean) > 4.5*math.Sqrt(want/n) || math.Abs(got-want) > 4.5*want*math.Sqrt(2.0/n) {
				t.Errorf("strategy %d, v = %v: shifts of mean %v and variance %v, want %v", strategy, v, mean, got, want)
			}
			if target[j] && (positive < n/2-150 || positive > n/2+150) {
				t.Errorf("strategy %d, v = %v: %d of %d shifts are positive", strategy, v, positive, n)
			}
		}
	}
	// If the variance is small, strategy 2 clearly separates the two signs: σ = 10 v.
	m = &keggModel{target: []bool{true}, variance: []float64{0.01}}
	for range 100 {
		if d := (KEGG{Strategy: 2}).shift(m, rng)[0]; math.Abs(math.Abs(d)-0.1) > 0.05 {
			t.Errorf("strategy 2 shifts by %v, want about ±0.1", d)
		}
	}
}

func TestWriteKEGG(t *testing.T) {
	k := fewKEGG(t, 2)
	m := k.mustModel(t)
	metadata := map[string]string{"generator": "kegg", "strategy": "2", "target": "hsa05213", "seed": "1", "generator_version": "2"}
	checkWritten(t, k, sizes{200, 200, 200}, metadata, func(trial int, got *samples.Trial) {
		x, y := k.draw(m, trial)
		checkDrawn(t, got, x, y)
		if !slices.Equal(got.Graph.Costs(), []float64{0.5, 1.25, 0, 1.4, 1}) || got.Features.Names[4] != "MYC" || got.Features.Truth[4] != 1 || len(got.Features.Groups) != 3 {
			t.Errorf("costs %v, features %+v", got.Graph.Costs(), got.Features)
		}
	})
}

// These values were printed by this program. If they change, all data sets change: the generator, the hash of the
// seed, or the order of the draws is different. They depend on a factorisation, which may round differently on
// another machine.
func TestGoldenKEGG(t *testing.T) {
	k := fewKEGG(t, 1)
	m := k.mustModel(t)
	x, y := k.draw(m, 1)
	delta := k.shift(m, samples.TrialRand(k.Seed, k.Name(), 1))
	got := []float64{delta[1], delta[2], delta[4], x[0], x[1], x[len(x)-1], y[0], y[1], y[2], y[3]}
	want := []float64{-0.072799958169, -0.287698303129, 0.332305967955, 0.041685600921, -1.361556831624, -0.271994578162, -1, -1, 1, -1}
	if !slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) <= 1e-9 }) {
		t.Errorf("%.12f, want %.12f", got, want)
	}
}

// The counts are from the README of the real files.
func TestRealKEGG(t *testing.T) {
	dir := must1(KEGGDir(realData(t)))
	raw := must1(readKEGG(dir))
	isolated, target := 0, 0
	for i := range raw.genes {
		if raw.graph.Degree(int32(i)) == 0 {
			isolated++
		}
		if raw.target[i] {
			target++
		}
	}
	members, inTarget := 0, []int32(nil)
	for _, p := range raw.pathways {
		members += len(p)
		if len(p) == target && !slices.ContainsFunc(p, func(g int32) bool { return !raw.target[g] }) {
			inTarget = p
		}
	}
	_, components := raw.graph.Components()
	got := []int{len(raw.genes), raw.graph.NumEdges(), len(raw.pathways), target, isolated, components, members, raw.expr.Rows, raw.expr.Cols}
	if want := []int{5374, 79657, 225, 50, 121, 122, 21452, 195, 5374}; !slices.Equal(got, want) {
		t.Errorf("genes, edges, pathways, target genes, isolated genes, components, memberships, rows and columns: %v, want %v", got, want)
	}
	if inTarget == nil {
		t.Error("the target genes are no pathway")
	}
	k := DefaultKEGG()
	m := must1(k.model(raw))
	complete := must1(readKEGG(dir))
	k.fillNull(complete)
	d := mat.NewDense(195, 5374, complete.expr.Data)
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 { // a sample of 14 million covariances
		i, j := rng.IntN(5374), rng.IntN(5374)
		a, b := mat.Col(nil, i, d), mat.Col(nil, j, d)
		want := stat.Covariance(a, b, nil) * 194 / 195
		if got := mat.Dot(m.factor.ColView(i), m.factor.ColView(j)); math.Abs(got-want) > 1e-9 {
			t.Fatalf("genes %d and %d have covariance %v, want %v", i, j, got, want)
		}
	}
}
