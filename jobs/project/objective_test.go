package project

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"graphda/io/stp"
	"graphda/jobs/jobstest"
	"graphda/projection/pcst"
)

// An optimum is a row of optima.csv.
type optimum struct {
	class, instance, file string
	lower, upper          float64
	peer                  map[pcst.Pruning]float64 // the value of the C++ library
}

func readOptima(t *testing.T, path string) []optimum {
	t.Helper()
	f := must1(os.Open(path))
	defer f.Close()
	rows := must1(csv.NewReader(f).ReadAll())
	var optima []optimum
	for _, row := range rows[1:] {
		text := func(name string) string { return row[slices.Index(rows[0], name)] }
		number := func(name string) float64 {
			x := must1(strconv.ParseFloat(text(name), 64))
			return x
		}
		optima = append(optima, optimum{text("class"), text("instance"), text("file"), number("lower"), number("upper"),
			map[pcst.Pruning]float64{pcst.GWPruning: number("pcst_fast_gw"), pcst.StrongPruning: number("pcst_fast_strong")}})
	}
	return optima
}

// TestObjectives solves the instances of the DIMACS challenge. The prunings are 2-
// approximations; on average over PCSPG-JMP they are to be as good as the C++ library.
func TestObjectives(t *testing.T) {
	data := os.Getenv("GRAPHDA_DATA")
	if data == "" {
		t.Skip("set GRAPHDA_DATA to the folder that holds dimacs/optima.csv")
	}
	dir := filepath.Join(data, "dimacs")
	prunings := []pcst.Pruning{pcst.GWPruning, pcst.StrongPruning}
	type sums struct {
		n           int
		ours, peers float64
		worst       float64
		wins, loses int
	}
	classes := map[string]map[pcst.Pruning]*sums{}
	for _, o := range readOptima(t, filepath.Join(dir, "optima.csv")) {
		in := must1(stp.ReadFile(filepath.Join(dir, o.file)))
		s := pcst.NewSolver(in.Graph)
		if classes[o.class] == nil {
			classes[o.class] = map[pcst.Pruning]*sums{pcst.GWPruning: {}, pcst.StrongPruning: {}}
		}
		for _, pruning := range prunings {
			var f pcst.Forest
			must(t, s.Solve(&f, in.Prizes, 1, pcst.Options{Clusters: 1, Root: -1, Pruning: pruning}))
			value := valueOf(in, f.Nodes, f.Edges)
			if value < o.lower*(1-1e-9) || value > 2*o.upper*(1+1e-9) {
				t.Errorf("%s, %v: %v, want %v to %v", o.instance, pruning, value, o.lower, 2*o.upper)
			}
			c := classes[o.class][pruning]
			c.n++
			c.ours += value / o.upper
			c.peers += o.peer[pruning] / o.upper
			c.worst = max(c.worst, value/o.upper)
			if value < o.peer[pruning] {
				c.wins++
			} else if value > o.peer[pruning] {
				c.loses++
			}
		}
	}
	limits := map[pcst.Pruning]float64{pcst.GWPruning: 1.205, pcst.StrongPruning: 1.013}
	t.Logf("%-10s %-7s %9s %7s %7s %9s %6s %6s", "class", "pruning", "instances", "mean", "worst", "pcst_fast", "better", "worse")
	for _, class := range []string{"PCSPG-JMP", "PCSPG-CRR"} {
		for _, pruning := range prunings {
			c := classes[class][pruning]
			n := float64(c.n)
			t.Logf("%-10s %-7v %9d %7.4f %7.4f %9.4f %6d %6d", class, pruning, c.n, c.ours/n, c.worst, c.peers/n, c.wins, c.loses)
			if class == "PCSPG-JMP" && c.ours/n > limits[pruning] {
				t.Errorf("%s, %v: mean %.4f, want at most %v", class, pruning, c.ours/n, limits[pruning])
			}
		}
	}
}

var must = jobstest.Must

func must1[T any](v T, err error) T { return jobstest.Must1(v, err) }

// valueOf returns the objective of a tree: the costs of its edges and the prizes of the
// nodes that it lacks. Nodes are ascending.
func valueOf(in *stp.Instance, nodes, edges []int32) float64 {
	value := 0.0
	for _, e := range edges {
		value += in.Graph.Costs()[e]
	}
	rest := nodes
	for u, prize := range in.Prizes {
		if len(rest) > 0 && int(rest[0]) == u {
			rest = rest[1:]
			continue
		}
		value += prize
	}
	return value
}
