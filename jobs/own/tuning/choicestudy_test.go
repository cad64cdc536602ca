package tuning

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"

	"graphda/graph"
	"graphda/io/samples"
	"graphda/jobs/jobstest"
	"graphda/jobs/metrics"
)

// A choiceDrawing draws 200 samples of 300 features, half of them cases, with 20 splits 60 : 20 : 20. In cases, the
// true features are shifted up or down. They are in modules, grown on the network, or anywhere.
type choiceDrawing struct {
	name      string
	free      bool    // set if the network is scale-free; otherwise it is a grid
	modules   []int   // sizes of the modules
	scattered int     // number of true features in no module
	shift     float64 // shift in standard deviations
	tiles     float64 // correlation of the features of a 5 × 5 tile
	cut       float64 // share of the edges that the network lacks
	wrong     bool    // set if the network's names are permuted
}

func choiceDrawings() (all []choiceDrawing) {
	one := []int{20}
	for _, d := range []choiceDrawing{
		{name: "grid", modules: one, shift: 0.45},
		{name: "scale-free", free: true, modules: one, shift: 0.45},
		{name: "three", modules: []int{7, 7, 7}, shift: 0.45},
		{name: "five", modules: []int{5, 5, 5, 5, 5}, shift: 0.45},
		{name: "blocks", modules: one, shift: 0.6, tiles: 0.5},
		{name: "part", modules: one, shift: 0.45, cut: 0.4},
		{name: "large", modules: []int{60}, shift: 0.35},
		{name: "weak", modules: one, shift: 0.3},
		{name: "scattered", scattered: 20, shift: 0.45},
		{name: "partly scattered", modules: []int{10}, scattered: 10, shift: 0.45},
		{name: "noise"},
	} {
		wrong := d
		wrong.wrong, wrong.name = true, d.name+", wrong network"
		all = append(all, d, wrong)
	}
	return all
}

// TestChoiceStudy measures which features tune chooses, with the right network and with permuted names. It makes the
// table of docs/choice.md. See jobstest.Study.
func TestChoiceStudy(t *testing.T) {
	t.Log("\n" + choiceTable(jobstest.Study(t, choiceDrawings(), func(d choiceDrawing) string { return d.name },
		func(choiceDrawing) int { return 20 },
		func(d choiceDrawing, draw int) []float64 { return d.tune(t, draw) })))
}

// tune returns whether GraphDA was chosen, whether the network passes the gate, the F1 and number of the model's
// features, its AUC on fresh samples, whether something was found, and the AUC that tune shows, with its interval.
func (d choiceDrawing) tune(t *testing.T, draw int) []float64 {
	r := samples.PartRand(uint64(draw), d.name, "choice")
	if d.wrong { // the same samples as with the right network
		r = samples.PartRand(uint64(draw), strings.TrimSuffix(d.name, ", wrong network"), "choice")
	}
	g := d.graph(r)
	truth, sign := d.truth(r, g), make([]float64, g.NumNodes())
	for _, j := range truth {
		sign[j] = math.Copysign(d.shift, r.Float64()-0.5)
	}
	x, y := d.samples(r, 200, sign)
	dir := filepath.Join(t.TempDir(), "mine")
	jobstest.WriteStructure(t, dir, d.network(r, g), nil)
	tuneDrawing{units: 200, each: 1, positives: 0.5, splits: choiceSplits()}.split(t, dir, r, x, y)
	a := must1(Tune(context.Background(), Request{Dataset: dir}))
	must(t, os.RemoveAll(dir))
	hits := 0.0
	for _, n := range a.Subgraph.Nodes {
		if slices.Contains(truth, n.Feature) && a.Model.Find("w").W[n.Feature] != 0 {
			hits++
		}
	}
	x, y = d.samples(r, 2000, sign)
	scores, z := make([]float64, len(y)), make([]float64, len(x[0]))
	for i := range x {
		a.Model.Scaling.Apply(z, x[i])
		scores[i] = a.Model.Weights[0].Score(z)
	}
	size := float64(a.Subgraph.Selected())
	return []float64{yes(a.Chosen.Method.Name == "graphda"), yes(a.Network.Passes() && a.Found.Yes()),
		2 * hits / (size + float64(len(truth))), size,
		new(metrics.Evaluator).Classify(scores, y).AUC, yes(a.Found.Yes()), a.Found.Mean, a.Found.Low, a.Found.High}
}

func yes(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// choiceSplits returns GRAPHDA_STUDY_SPLITS, or 20 if the variable is not set.
func choiceSplits() int {
	if n, err := strconv.Atoi(os.Getenv("GRAPHDA_STUDY_SPLITS")); err == nil {
		return n
	}
	return 20
}

func (d choiceDrawing) graph(r *rand.Rand) *graph.Graph {
	if !d.free {
		return graph.Grid(20, 15)
	}
	edges := []graph.Edge{{U: 0, V: 1}}
	for v := int32(2); v < 300; v++ {
		e := edges[r.IntN(len(edges))] // an end of a random edge, so in proportion to its degree
		first := e.U
		if r.IntN(2) == 0 {
			first = e.V
		}
		edges = append(edges, graph.Edge{U: first, V: v})
		if second := edges[r.IntN(len(edges)-1)].U; second != first {
			edges = append(edges, graph.Edge{U: second, V: v})
		}
	}
	return must1(graph.New(300, edges, nil))
}

func (d choiceDrawing) truth(r *rand.Rand, g *graph.Graph) (truth []int32) {
	for _, size := range d.modules {
		for {
			module := jobstest.Grown(r, g, size)
			apart := !slices.ContainsFunc(module, func(j int32) bool {
				return slices.Contains(truth, j) || slices.ContainsFunc(g.Arcs(j), func(a graph.Arc) bool {
					return slices.Contains(truth, a.Node)
				})
			})
			if apart {
				truth = append(truth, module...)
				break
			}
		}
	}
	for _, j := range r.Perm(g.NumNodes()) {
		if d.scattered > 0 && !slices.Contains(truth, int32(j)) {
			truth = append(truth, int32(j))
			d.scattered--
		}
	}
	return truth
}

// network returns the network that tune gets, made from the graph.
func (d choiceDrawing) network(r *rand.Rand, g *graph.Graph) *graph.Graph {
	name, edges := r.Perm(g.NumNodes()), []graph.Edge(nil)
	for _, e := range g.Edges() {
		if r.Float64() < d.cut {
			continue
		}
		if d.wrong {
			e = graph.Edge{U: int32(name[e.U]), V: int32(name[e.V])}
		}
		edges = append(edges, e)
	}
	return must1(graph.New(g.NumNodes(), edges, nil))
}

// samples draws samples. The first half are cases.
func (d choiceDrawing) samples(r *rand.Rand, n int, sign []float64) (x [][]float64, y []float64) {
	noise := tuneDrawing{rows: 15, columns: 20, tiles: d.tiles}
	for i := range n {
		row, label := noise.noise(r), -1.0
		if i < n/2 {
			label = 1
			for j, s := range sign {
				row[j] += s
			}
		}
		x, y = append(x, row), append(y, label)
	}
	return x, y
}

func choiceTable(done map[string]map[int][]float64) string {
	var b strings.Builder
	b.WriteString("| draws | n | GraphDA chosen | said to help | F1 | features | AUC, fresh | found | shown | inside |\n")
	for _, d := range choiceDrawings() {
		n, columns := len(done[d.name]), jobstest.Columns(done[d.name])
		if n == 0 {
			continue
		}
		inside := 0
		for i, auc := range columns[4] {
			if columns[7][i] <= auc && auc <= columns[8][i] {
				inside++
			}
		}
		fmt.Fprintf(&b, "| %s | %d | %.2f | %.2f | %s | %.0f | %s | %.0f | %.3f | %d |\n", d.name, n,
			stat.Mean(columns[0], nil), stat.Mean(columns[1], nil), jobstest.MeanError(columns[2], 3), stat.Mean(columns[3], nil),
			jobstest.MeanError(columns[4], 3), float64(n)*stat.Mean(columns[5], nil), stat.Mean(columns[6], nil), inside)
	}
	return b.String()
}
