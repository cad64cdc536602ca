package tuning

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"graphda/io/network"
	"graphda/io/samples"
	"graphda/jobs/metrics"
	"graphda/jobs/own/importing"
	"graphda/jobs/own/learning"
	"graphda/jobs/own/sampletable"
)

// A weighed is a table of samples with weights, and a covariate. Some values are missing.
type weighed struct{ rows [][]string } // split, patient, label, weight, age and features

const weighedHead = "id,split,who,y,w,age,a,b,c,d,e,f"

// drawWeighed draws n samples whose weights are small whole numbers, perhaps 0.
func drawWeighed(rng *rand.Rand, n int, numbers bool) (d weighed) {
	for i := range n {
		y := float64(i % 2)
		row := []string{[]string{"train", "train", "valid", "test"}[i/2%4], fmt.Sprint("P", i), fmt.Sprint(y),
			fmt.Sprint(rng.IntN(4)), fmt.Sprint(20 + rng.IntN(60))}
		for j := range 6 {
			v := fmt.Sprint(rng.NormFloat64() + 2*y*float64(j%2) + 5)
			if rng.IntN(15) == 0 {
				v = "NA"
			}
			row = append(row, v)
		}
		if numbers {
			row[2] = fmt.Sprint(y + rng.NormFloat64())
		}
		d.rows = append(d.rows, row)
	}
	return d
}

// imported imports the rows that become makes from each row. random tells whether splits are drawn.
func (d *weighed) imported(t *testing.T, r importing.Request, random bool, become func(row []string) [][]string) string {
	t.Helper()
	dir := t.TempDir()
	table := []string{weighedHead}
	for i, row := range d.rows {
		for k, row := range become(slices.Clone(row)) {
			id := fmt.Sprintf("s%03d", i)
			if k > 0 {
				id += fmt.Sprint("_", k)
			}
			table = append(table, id+","+strings.Join(row, ","))
		}
	}
	r.Samples, r.Edges.Path = filepath.Join(dir, "samples.csv"), filepath.Join(dir, "edges.csv")
	r.Label, r.Weight, r.Patient, r.Covariates, r.Missing = "y", "w", "who", []string{"age"}, sampletable.MissingMedian
	if r.Out, r.Seed = filepath.Join(dir, "mine"), 3; random {
		r.Drop, r.Trials = []string{"split"}, 3
	}
	must(t, os.WriteFile(r.Samples, []byte(strings.Join(table, "\n")+"\n"), 0o666))
	must(t, os.WriteFile(r.Edges.Path, []byte("source,target\na,b\nb,c\nc,d\nd,e\ne,f\n"), 0o666))
	must1(importing.Import(context.Background(), r, nil))
	return r.Out
}

func weighedRequest(numbers bool) importing.Request {
	r := importing.Request{Table: sampletable.Table{Task: sampletable.Classification}, Edges: network.EdgeRequest{},
		Standardise: true}
	if numbers {
		r.Task = sampletable.Regression
	}
	return r
}

func same(row []string) [][]string { return [][]string{row} }

// Multiplying all weights, and adding samples of weight 0, change no model, bit for bit.
func TestWeightsAreRelative(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for k := range 4 {
		d := drawWeighed(rng, 64, k%2 == 1)
		var models [3][]byte
		for i, become := range []func(row []string) [][]string{
			same,
			func(row []string) [][]string {
				if row[3] == "0" {
					return nil
				}
				return same(row)
			},
			func(row []string) [][]string {
				row[3] = map[string]string{"0": "0", "1": "0.25", "2": "0.5", "3": "0.75"}[row[3]]
				return same(row)
			},
		} {
			r := weighedRequest(k%2 == 1)
			r.Standardise = k > 1
			dir := d.imported(t, r, true, become)
			a := tune(t, Request{Dataset: dir, Methods: []string{"da-iht"}, Passes: 2})
			path := filepath.Join(t.TempDir(), "m.parquet")
			a.Model.Made["dataset_digest"] = "" // the digest contains the weights
			must(t, a.Model.Write(path))
			models[i] = must1(os.ReadFile(path))
		}
		if !slices.Equal(models[0], models[1]) || !slices.Equal(models[0], models[2]) {
			t.Errorf("data %d: the models differ", k)
		}
	}
}

// k copies of a sample, all of one patient, count like one sample of weight k: in fill values, scaling, parameters of
// settings, refits and measures.
func TestCopiesAreWeights(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for k := range 8 {
		d := drawWeighed(rng, 64, k%2 == 1)
		r := weighedRequest(k%2 == 1)
		r.Standardise = k%4 > 1
		var found [2][]float64
		for i, become := range []func(row []string) [][]string{same, func(row []string) [][]string {
			n := int(row[3][0] - '0')
			row[3] = "1"
			return slices.Repeat([][]string{row}, n)
		}} {
			ds := must1(samples.Open(d.imported(t, r, false, become)))
			data := must1(ds.Load(0, samples.AnyLabels))
			found[i] = append(found[i], data.Features.Fill...)
			loss := must1(learning.LossFor(data, ""))
			joined := learning.Join(data).Train
			found[i] = append(found[i], samples.Medians(6, joined.Rows(), joined.Row, joined.Weight)...)
			sp := must1(learning.NewSplit(data, loss))
			for _, s := range []*samples.Scaling{data.Features.Scaling, sp.Scaling} {
				if s != nil {
					found[i] = slices.Concat(found[i], s.Mean, s.Deviation)
				}
			}
			found[i] = append(found[i], sp.Center, sp.Scale, sp.Variance, sp.LambdaMax, sp.Alone.Intercept)
			found[i] = append(append(found[i], sp.Alone.Beside...), sp.Design[0].Mean, sp.Design[0].Deviation)
			fits := must1(sp.Refits([]int32{1, 3, 4}))
			for _, m := range fits {
				found[i] = append(append(append(found[i], m.W...), m.Beside...), m.Intercept)
			}
			m := sp.Predict(fits[1].Score, &sp.Test, &metrics.Evaluator{})
			for _, v := range []float64{m.AUC, m.LogLoss, m.Accuracy, m.R2} {
				if v == v {
					found[i] = append(found[i], v)
				}
			}
		}
		if !floats.EqualFunc(found[0], found[1], func(a, b float64) bool { return math.Abs(a-b) < 1e-5*(1+math.Abs(a)) }) {
			t.Errorf("data %d: weights make %v, copies %v", k, found[0], found[1])
		}
	}
}
