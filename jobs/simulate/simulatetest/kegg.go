package simulatetest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sbinet/npyio/npy"
	"gonum.org/v1/gonum/mat"

	"graphda/io/seal/sealtest"
	"graphda/jobs/jobstest"
)

// The made-up KEGG data have 8 genes. Gene 2 was not measured, gene 6 is constant, genes 1,
// 2 and 4 are the target, gene 7 has no edge.
const (
	Genes = "index,gene,kind,note,hsa05213\n" +
		"0,AAA,real,,0\n1,TP53,real,,1\n2,NUL1,null,,1\n3,BBB,filled,,0\n" +
		"4,MYC,real,,1\n5,CCC,real,,0\n6,FLAT,real,,0\n7,LONE,real,,0\n"
	Edges = "gene_a,gene_b,confidence,cost\n" +
		"AAA,TP53,0.9,0.5\nTP53,NUL1,,1.25\nNUL1,MYC,,0\nBBB,CCC,,1.4\nFLAT,AAA,,1\n"
	Pathways = "pathway_id,gene\nhsa05213,MYC\nhsa05213,TP53\nhsa05213,NUL1\n" +
		"hsa00001,AAA\nhsa00001,TP53\nhsa00001,BBB\nhsa00002,LONE\n"
)

// Expressions returns 40 samples of the genes: correlated columns with means and spreads of
// their own.
func Expressions() *mat.Dense {
	rng := rand.New(rand.NewPCG(3, 4))
	d := mat.NewDense(40, 8, nil)
	for i := range 40 {
		common := rng.NormFloat64()
		for j := range 8 {
			d.Set(i, j, float64(j)-3+(0.4+0.1*float64(j))*rng.NormFloat64()+0.3*common*float64(j%3))
		}
		d.Set(i, 2, 0)
		d.Set(i, 6, 0.1)
	}
	return d
}

// KEGGFiles returns the files by name, in the forms of the real ones.
func KEGGFiles(tb testing.TB) map[string][]byte {
	tb.Helper()
	return map[string][]byte{
		"genes.csv":       []byte(Genes),
		"edges.csv.gz":    sealtest.Gzip(Edges),
		"pathways.csv.gz": sealtest.Gzip(Pathways),
		"expr.npy":        NPY(tb, Expressions()),
	}
}

// WriteKEGG writes files into the folder kegg of raw.
func WriteKEGG(tb testing.TB, raw string, files map[string][]byte) {
	tb.Helper()
	for name, data := range files {
		jobstest.WriteFile(tb, raw, filepath.Join("kegg", name), string(data))
	}
}

// NPY returns the bytes of a NumPy file.
func NPY(tb testing.TB, d mat.Matrix) []byte {
	tb.Helper()
	var b bytes.Buffer
	jobstest.Must(tb, npy.Write(&b, d))
	return b.Bytes()
}

// CSV returns a matrix as CSV, with a line of names if there are any.
func CSV(d *mat.Dense, names ...string) []byte {
	var b bytes.Buffer
	if names != nil {
		fmt.Fprintln(&b, strings.Join(names, ","))
	}
	rows, _ := d.Dims()
	for i := range rows {
		for j, v := range d.RawRowView(i) {
			if j > 0 {
				b.WriteByte(',')
			}
			fmt.Fprint(&b, v)
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}
