package projection

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"graphda/graph"
	"graphda/io/dataframe"
	"graphda/projection/pcst"
)

// keggGraph reads the network of the paper's KEGG experiment, which is not part of the
// project. It skips where GRAPHDA_DATA does not name its folder.
func keggGraph(b *testing.B) (g *graph.Graph, target []int32) {
	b.Helper()
	folder := os.Getenv("GRAPHDA_DATA")
	if folder == "" {
		b.Skip("GRAPHDA_DATA does not name the folder of the KEGG files")
	}
	genes := openTable(b, filepath.Join(folder, "kegg", "genes.csv"), "gene", "hsa05213")
	index := map[string]int32{}
	for genes.Next() {
		i := int32(len(index))
		index[genes.Text(0)] = i
		if genes.Text(1) == "1" {
			target = append(target, i)
		}
	}
	must(b, genes.Err())
	rows := openTable(b, filepath.Join(folder, "kegg", "edges.csv.gz"), "gene_a", "gene_b", "cost")
	var edges []graph.Edge
	var costs []float64
	for rows.Next() {
		c := must1(rows.Number(2))
		edges, costs = append(edges, graph.Edge{U: index[rows.Text(0)], V: index[rows.Text(1)]}), append(costs, c)
	}
	must(b, rows.Err())
	return newGraph(b, len(index), edges, costs), target
}

func openTable(b *testing.B, path string, columns ...string) *dataframe.Table {
	b.Helper()
	t := must1(dataframe.OpenColumns(path, columns...))
	b.Cleanup(func() { t.Close() })
	return t
}

// BenchmarkKEGG solves on the KEGG network for squares of normal numbers, and projects
// sums of gradients as a learner of 50 genes does.
func BenchmarkKEGG(b *testing.B) {
	g, target := keggGraph(b)
	r := rand.New(rand.NewPCG(1, 9))
	n := g.NumNodes()
	b.Run("solve", func(b *testing.B) {
		prizes := make([][]float64, 64)
		for i := range prizes {
			prizes[i] = make([]float64, n)
			for u := range prizes[i] {
				x := r.NormFloat64()
				prizes[i][u] = x * x
			}
		}
		s := pcst.NewSolver(g)
		var f pcst.Forest
		i := 0
		for b.Loop() {
			must(b, s.Solve(&f, prizes[i%64], 1, pcst.Options{Clusters: 1, Root: -1, Pruning: pcst.GWPruning}))
			i++
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(i)/float64(g.NumEdges()), "ns/edge")
	})
	for _, search := range []string{"paper", "warm", "lazy"} {
		b.Run("cell/search="+search, func(b *testing.B) { benchmarkKEGGCell(b, g, target, search) })
	}
}

// benchmarkKEGGCell runs the projections of a graphda cell: 200 samples, s = 50,
// max_iter = 30. The samples are normal numbers, raised in the target genes of every
// other sample.
func benchmarkKEGGCell(b *testing.B, g *graph.Graph, target []int32, search string) {
	n := g.NumNodes()
	s := NewSearch(g)
	head, tail := HeadWindow(n, 0.1), TailWindow(50, 0.1)
	solves := 0
	for b.Loop() {
		r := rand.New(rand.NewPCG(1, 10))
		sum, v, w := make([]float64, n), make([]float64, n), make([]float64, n)
		optHead, optTail := Options{Clusters: 1, MaxIter: 30}, Options{Clusters: 1, MaxIter: 30}
		if search != "paper" {
			optHead.Warm, optTail.Warm = new(Warm), new(Warm)
		}
		if search == "lazy" {
			optHead.Kept, optTail.Cut = &Kept{Least: 0.98}, 1.5
		}
		var found Result
		solves = 0
		for t := 1; t <= 200; t++ {
			y := float64(1 - t%2*2)
			x := make([]float64, n)
			z := 0.0
			for i := range x {
				x[i] = r.NormFloat64()
			}
			if y > 0 {
				for _, i := range target {
					x[i]++
				}
			}
			for i := range x {
				z += w[i] * x[i]
			}
			scale := -y / (1 + math.Exp(y*z))
			for i := range x {
				sum[i] += scale * x[i]
			}
			must(b, s.Project(&found, sum, head, optHead))
			solves += found.Solves
			clear(v)
			for _, i := range found.Nodes {
				v[i] = sum[i]
			}
			must(b, s.Project(&found, v, tail, optTail))
			solves += found.Solves
			clear(w)
			for _, i := range found.Nodes {
				w[i] = -v[i] / (100 * math.Sqrt(float64(t)))
			}
		}
	}
	b.ReportMetric(float64(solves), "solves/cell")
}
