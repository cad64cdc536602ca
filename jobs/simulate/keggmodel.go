package simulate

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"graphda/io/samples"
)

// keggClass is the number of samples in each class, over all splits.
const keggClass = 300

// The metadata of samples name the generator and, from version 2 on, the version. In version 1, all trials had the same
// shift, and unmeasured genes depended on the strategy.
const (
	keggGenerator = "kegg"
	keggVersion   = 2
)

// KEGG describes one dataset made from the paper's gene expressions. Its 600 samples have the means and covariances of
// real expressions. Half of the samples are shifted on the genes of one pathway. Every trial draws its own shift,
// because with a common shift trials would be near copies. Let v = σ² be a gene's variance. As in the published runs,
// the standard deviation of the gene's shift is v, not σ. The shift is drawn from
//
//	strategy 1 (hard)    N(0, v²)
//	strategy 2 (easy)    N(±σ, v²), with a random sign for each gene
//
// The truth is 1 at the pathway's genes and 0 elsewhere.
type KEGG struct {
	Strategy int // 1 or 2
	Trials   int // at least 1
	Seed     uint64
	Dir      string // folder of the raw files
}

// Name returns the dataset's name, "kegg-1" or "kegg-2".
func (k KEGG) Name() string { return fmt.Sprintf("kegg-%d", k.Strategy) }

// A keggModel holds what all trials of a KEGG dataset share.
type keggModel struct {
	target   []bool     // by gene: whether it is in the target pathway
	mean     []float64  // μ, by gene
	variance []float64  // v, by gene
	factor   *mat.Dense // diag(S)·Vᵀ, n × p; if R is N(0,1), R·factor has the covariances of D
}

// model fills in unmeasured genes, and factorises the expressions D: (D − μ)/√n = U·diag(S)·Vᵀ. It overwrites raw.expr.
func (k KEGG) model(raw *keggRaw) (*keggModel, error) {
	n, p := raw.expr.Rows, raw.expr.Cols
	k.fillNull(raw)
	d := mat.NewDense(n, p, raw.expr.Data)
	m := &keggModel{target: raw.target, mean: make([]float64, p), variance: make([]float64, p)}
	for j := range p { // a constant column becomes 0, with variance 0
		column := mat.Col(nil, j, d)
		m.mean[j], m.variance[j] = columnMoments(column)
		floats.AddConst(-m.mean[j], column)
		d.SetCol(j, column)
	}
	d.Scale(1/math.Sqrt(float64(n)), d)
	var svd mat.SVD
	if !svd.Factorize(d, mat.SVDThin) {
		return nil, errors.New("kegg: the singular value decomposition of the expressions does not converge")
	}
	var v mat.Dense
	svd.VTo(&v)
	values := svd.Values(nil)
	m.factor = mat.NewDense(len(values), p, nil)
	m.factor.Mul(mat.NewDiagDense(len(values), values), v.T())
	for j := range p {
		if m.variance[j] == 0 { // otherwise rounding errors would be scaled to variance 1
			for i := range values {
				m.factor.Set(i, j, 0)
			}
		}
	}
	return m, nil
}

// fillNull fills unmeasured genes with draws from N(0,1), the same in all trials and both strategies.
func (k KEGG) fillNull(raw *keggRaw) {
	rng := samples.PartRand(k.Seed, keggGenerator, "null")
	for j, null := range raw.null {
		if null {
			for i := range raw.expr.Rows {
				raw.expr.Row(i)[j] = rng.NormFloat64()
			}
		}
	}
}

// shift draws a shift for each gene of the target pathway, as KEGG describes. For other genes the shift is 0.
func (k KEGG) shift(m *keggModel, rng *rand.Rand) []float64 {
	delta := make([]float64, len(m.target))
	for j, in := range m.target {
		if !in {
			continue
		}
		centre := 0.0
		if k.Strategy == 2 {
			centre = math.Sqrt(m.variance[j])
			if rng.IntN(2) == 0 {
				centre = -centre
			}
		}
		delta[j] = centre + m.variance[j]*rng.NormFloat64()
	}
	return delta
}

// draw returns the samples of one trial, row by row, and their labels. Every gene is standardised over all samples.
func (k KEGG) draw(m *keggModel, trial int) (x, y []float64) {
	rng := samples.TrialRand(k.Seed, k.Name(), trial)
	x, y = m.sample(k.shift(m, rng), rng)
	standardise(x, len(m.mean))
	return x, y
}

// sample draws samples with the covariances of the expressions, and adds delta to positive samples.
func (m *keggModel) sample(delta []float64, rng *rand.Rand) (x, y []float64) {
	rank, p := m.factor.Dims()
	r := mat.NewDense(2*keggClass, rank, nil)
	fillNormal(rng, r.RawMatrix().Data)
	// Before the shift, all rows have the same distribution, so shuffling the labels is enough.
	y = shuffledLabels(rng, -1, 2*keggClass)
	c := mat.NewDense(2*keggClass, p, nil)
	c.Mul(r, m.factor)
	for i, label := range y {
		row := c.RawRowView(i)
		floats.Add(row, m.mean)
		if label > 0 {
			floats.Add(row, delta)
		}
	}
	return c.RawMatrix().Data, y
}
