package project

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"

	"graphda/graph"
	"graphda/io/dataframe"
	"graphda/io/network"
	"graphda/io/seal"
	"graphda/jobs/jobstest"
)

var must = jobstest.Must

func must1[T any](v T, err error) T { return jobstest.Must1(v, err) }

func write(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	must(t, os.WriteFile(path, []byte(content), 0o666))
	return path
}

// checkSums compares a result's figures with sums over its rows.
func checkSums(t *testing.T, res *Result) {
	t.Helper()
	kept, total, cost := 0.0, 0.0, 0.0
	for _, r := range res.nodes() {
		kept += r.Prize
	}
	for _, r := range res.edges() {
		cost += r.Cost
	}
	for _, prize := range res.Problem.Prizes {
		total += prize
	}
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-12*total }
	if !near(res.Kept, kept) || !near(res.Total, total) || res.Cost != cost {
		t.Errorf("kept %v of %v for %v, want %v of %v for %v", res.Kept, res.Total, res.Cost, kept, total, cost)
	}
	if res.Request.Kind == PCSF && !near(res.Objective, res.Scale*cost+total-kept) {
		t.Errorf("objective %v, want %v", res.Objective, res.Scale*cost+total-kept)
	}
}

// TestSearchesOnRandomGraphs checks that the edges of each search join its nodes into trees, even for extremely
// large and small values.
func TestSearchesOnRandomGraphs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	for range 300 {
		n := 5 + r.IntN(40)
		var edges []graph.Edge
		costs := []float64{}
		for v := int32(1); int(v) < n; v++ {
			edges = append(edges, graph.Edge{U: r.Int32N(v), V: v})
			costs = append(costs, r.Float64()*math.Pow(10, float64(r.IntN(3)-2)))
		}
		g := must1(graph.New(n, edges, costs))
		p := &Problem{Name: "random", Graph: g, Weights: make([]float64, n), Prizes: make([]float64, n)}
		size := []float64{1, 1e-120, 1e120}[r.IntN(3)]
		for u := range p.Weights {
			p.Weights[u] = r.NormFloat64() * float64(r.IntN(2)) * size
			p.Prizes[u] = p.Weights[u] * p.Weights[u]
		}
		for _, kind := range []Kind{Head, Tail} {
			request := DefaultRequest(kind)
			request.Sparsity, request.Components = 1+r.IntN(n), 1+r.IntN(2)
			res := must1(p.Project(request))
			checkSums(t, res)
			if trees := len(res.Nodes) - len(res.Edges); trees != res.NumTrees || trees > request.Components {
				t.Fatalf("%+v: %d nodes and %d edges in %d trees", request, len(res.Nodes), len(res.Edges), res.NumTrees)
			}
			for _, e := range res.edges() {
				if e.Tree == 0 || !slices.Contains(res.Nodes, g.Edges()[e.Index].V) {
					t.Fatalf("%+v: edge %d ends outside the nodes %v", request, e.Index, res.Nodes)
				}
			}
		}
	}
}

// awkward returns a problem whose names need quoting in every format.
func awkward(t *testing.T) *Result {
	t.Helper()
	p, err := Open(Source{
		Graph:   network.EdgeRequest{Path: write(t, "edges.tsv", "source\ttarget\n\"a,<b>&\"\"c\"\"\"\tß\nß\t東京\n")},
		Weights: write(t, "w.tsv", "name\tvalue\n\"a,<b>&\"\"c\"\"\"\t1.5\nß\t-2\n東京\t0.1\n"),
	})
	must(t, err)
	r := DefaultRequest(PCSF)
	r.Scale = 0.25
	res := must1(p.Project(r))
	if len(res.Nodes) != 2 || len(res.Edges) != 1 {
		t.Fatalf("%+v", res)
	}
	return res
}

func TestArrow(t *testing.T) {
	res := awkward(t)
	path := filepath.Join(t.TempDir(), "result.arrow")
	must(t, res.WriteFile(path, "arrow", seal.Output{}))
	f := must1(seal.Read(path))
	if !f.Sealed {
		t.Error("the file has no seal")
	}
	r := must1(ipc.NewFileReader(bytes.NewReader(f.Data)))
	defer r.Close()
	meta := r.Schema().Metadata()
	if i := meta.FindKey("objective"); i < 0 || meta.Values()[i] != fmt.Sprint(res.Objective) {
		t.Errorf("metadata %v", meta)
	}
	rec := must1(r.Record(0))
	var text bytes.Buffer
	must(t, res.Write(&text, "csv", 0))
	rows := must1(csv.NewReader(&text).ReadAll())
	if int(rec.NumRows()) != len(rows)-1 {
		t.Fatalf("%d rows, want %d", rec.NumRows(), len(rows)-1)
	}
	for j, name := range rows[0] {
		if rec.ColumnName(j) != name {
			t.Errorf("column %d is %q, want %q", j, rec.ColumnName(j), name)
		}
		for i, row := range rows[1:] {
			if got := cell(rec.Column(j), i); got != row[j] {
				t.Errorf("row %d, %s: %q, want %q", i, name, got, row[j])
			}
		}
	}
}

// cell formats a value as the CSV table does.
func cell(a arrowColumn, i int) string {
	if a.IsNull(i) {
		return ""
	}
	switch a := a.(type) {
	case *array.Float64:
		return decimal(a.Value(i))
	case *array.Int32:
		return strconv.Itoa(int(a.Value(i)))
	case *array.String:
		return a.Value(i)
	}
	return "?"
}

type arrowColumn interface{ IsNull(i int) bool }

func TestFormatOf(t *testing.T) {
	for name, want := range map[string]string{"a.txt": "text", "a.JSON": "json", "b/a.csv": "csv", "a.graphml": "graphml", "a.arrow": "arrow", "a.text": "text"} {
		if got, err := FormatOf(name); got != want || err != nil {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	for _, name := range []string{"a", "a.png", "csv", "a.csv.gz"} {
		if got, err := FormatOf(name); err == nil {
			t.Errorf("%s: %q", name, got)
		}
	}
	if err := awkward(t).Write(&bytes.Buffer{}, "arrow", 0); err == nil {
		t.Error("arrow is written to a stream")
	}
}

// FuzzProject checks that any two tables give an error or a result. Every format must accept the result, and CSV
// must give its names back.
func FuzzProject(f *testing.F) {
	f.Add("source,target,cost\na,b,1\nb,c,0.5\n", "name,value\na,1\nb,-2\nc,3\n", 2)
	f.Add("source,target\n0,1\n1,2\n", "value\n1\n2\n0\n", 1)
	f.Add("source,target\n'=x,-y\n", "name,value\n'=x,1e-300\n-y,1e300\n", 1)
	f.Fuzz(func(t *testing.T, edges, weights string, sparsity int) {
		p, err := Open(Source{Graph: network.EdgeRequest{Path: write(t, "e.csv", edges)}, Weights: write(t, "w.csv", weights)})
		if err != nil {
			return
		}
		for _, kind := range []Kind{Tail, Top} {
			r := DefaultRequest(kind)
			r.Sparsity = sparsity
			res, err := p.Project(r)
			if err != nil {
				continue
			}
			var names []string
			for _, row := range res.nodes() {
				names = append(names, row.Name)
			}
			var table, object bytes.Buffer
			must(t, res.Write(&table, "csv", 0))
			must(t, res.Write(&object, "json", 0))
			if !json.Valid(object.Bytes()) {
				t.Fatalf("not JSON: %s", &object)
			}
			rows := must1(dataframe.Open(write(t, "f.csv", table.String()), dataframe.Options{}))
			defer rows.Close()
			kind := must1(rows.Need("kind"))
			name := must1(rows.Need("name"))
			var got []string
			for rows.Next() {
				if rows.Text(kind) == "node" {
					got = append(got, rows.Text(name))
				}
			}
			must(t, rows.Err())
			if !slices.Equal(got, names) {
				t.Fatalf("names %q, want %q", got, names)
			}
		}
	})
}

// If a note says that no prize can pay for an edge, then no tree is worth more than the best node.
func TestNoPrizePays(t *testing.T) {
	r, noted := rand.New(rand.NewPCG(4, 40)), 0
	for range 400 {
		n := 2 + r.IntN(5)
		var ends []graph.Edge
		costs := []float64{}
		for v := int32(1); int(v) < n; v++ { // the graph is a tree, so its forests are the subsets of its edges
			ends, costs = append(ends, graph.Edge{U: r.Int32N(v), V: v}), append(costs, 0.5+r.Float64())
		}
		p := &Problem{Name: "random", Graph: must1(graph.New(n, ends, costs)), Prizes: make([]float64, n), Weights: make([]float64, n)}
		for u := range p.Prizes {
			p.Prizes[u] = 2 * r.Float64() * r.Float64()
		}
		request := DefaultRequest(PCSF)
		request.Scale = r.Float64() * 2
		res := must1(p.Project(request))
		if !slices.ContainsFunc(res.Notes(), func(note string) bool { return strings.Contains(note, "no prize can pay") }) {
			continue
		}
		noted++
		for set := 1; set < 1<<len(ends); set++ { // the bits select the edges of a forest
			nodes, gain := map[int32]bool{}, 0.0
			for i, e := range p.Graph.Edges() {
				if set>>i&1 == 1 {
					nodes[e.U], nodes[e.V], gain = true, true, gain-request.Scale*p.Graph.Costs()[i]
				}
			}
			for u := range nodes {
				gain += p.Prizes[u]
			}
			if best := slices.Max(p.Prizes); len(nodes) == bits.OnesCount(uint(set))+1 && gain > best+1e-12 {
				t.Fatalf("the tree %b has %v, and the best node %v", set, gain, best)
			}
		}
	}
	if noted < 20 {
		t.Errorf("noted %d times", noted)
	}
}
