package network

import (
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"graphda/graph"
	"graphda/io/seal/sealtest"
)

// among reads content, as e.csv or under the request's path, and returns the subgraph on the nodes.
func among(r EdgeRequest, content string, nodes ...string) (*EdgeList, *Subgraph, error) {
	if r.Path == "" {
		r.Path = "e.csv"
	}
	if err := os.WriteFile(r.Path, []byte(content), 0o666); err != nil {
		return nil, nil, err
	}
	l, err := ReadEdges(r)
	if err != nil {
		return nil, nil, err
	}
	s, err := l.Among(nodes)
	return l, s, err
}

func TestCosts(t *testing.T) {
	made := func(costs ...float64) []float64 { // 1 on average
		center(costs)
		return costs
	}
	t.Chdir(t.TempDir())
	for _, c := range []struct {
		r       EdgeRequest
		content string
		want    []float64 // costs of a–b, a–c and b–c
	}{
		{EdgeRequest{Confidence: "s"}, "from,to,s,cost\na,b,900,7\na,c,0,7\nb,c,400,7\n", made(0.5, 1/(1.7/3), 0.6/(1.7/3))},
		{EdgeRequest{Confidence: "s"}, "from,to,s\na,b,1\na,c,0.25\nb,c,0.5\n", made(0.5, 0.75/(1.25/3), 0.5/(1.25/3))},
		{EdgeRequest{Confidence: "s"}, "from,to,s\na,b,1.0000001\na,c,0.25\nb,c,0.5\n", made(0.5, 0.75/(1.25/3), 0.5/(1.25/3))},
		{EdgeRequest{Confidence: "s", Cost: Log}, "from,to,s\na,b,1\na,c,0.1\nb,c,0\n", made(0.5, 1, 2)},
		{EdgeRequest{Confidence: "s", Cost: Inverse}, "from,to,s\na,b,10\na,c,5\nb,c,0\n", made(0.5, 0.5, 300/103.0)},
		{EdgeRequest{Confidence: "s", Cost: Degree}, "from,to,s\na,b,900\na,c,0\nb,c,400\nb,d,400\n", made(math.Sqrt(6)*0.5, 2/(2.3/4), math.Sqrt(6)*0.6/(2.3/4), math.Sqrt(3)*0.6/(2.3/4))},
		{EdgeRequest{Cost: Degree}, "from,to,cost\na,b,7\na,c,7\nb,c,7\nb,d,7\n", []float64{math.Sqrt(6), 2, math.Sqrt(6), math.Sqrt(3)}},
		{EdgeRequest{Duplicates: DuplicatesMin}, "from,to,cost\na,b,1\nb,a,4\na,c,1\nb,c,1\n", []float64{1, 1, 1}},
		{EdgeRequest{Duplicates: DuplicatesMax}, "from,to,cost\na,b,1\nb,a,4\na,c,1\nb,c,1\n", []float64{4, 1, 1}},
		{EdgeRequest{Duplicates: DuplicatesMean}, "from,to,cost\na,b,1\nb,a,4\na,c,1\nb,c,1\n", []float64{2.5, 1, 1}},
	} {
		_, s, err := among(c.r, c.content, "a", "b", "c", "d")
		if err != nil {
			t.Errorf("%+v: %v", c.r, err)
			continue
		}
		want := c.want
		if c.r.Cost == Degree && c.r.Confidence == "" {
			sum := 0.0
			for _, x := range want {
				sum += x
			}
			for i := range want {
				want[i] *= 4 / sum
			}
		}
		for i, x := range s.Graph.Costs() {
			if math.Abs(x-want[i]) > 1e-12 {
				t.Errorf("%+v: costs %v, want %v", c.r, s.Graph.Costs(), want)
				break
			}
		}
		if (s.Made[1][1] > 0) != (c.r.Confidence != "") {
			t.Errorf("%+v: made %v", c.r, s.Made)
		}
		if (s.Merged == 2) != (c.r.Duplicates != "") {
			t.Errorf("%+v: %d merged", c.r, s.Merged)
		}
	}
	if _, _, err := among(EdgeRequest{Duplicates: "sum"}, "from,to\na,b\n", "a", "b"); err == nil || !strings.Contains(err.Error(), "min, max, mean or error") {
		t.Errorf("an unknown way to join edges: %v", err)
	}
}

// TestEdgeOrder checks that a graph does not depend on the order of rows or the direction of edges.
func TestEdgeOrder(t *testing.T) {
	t.Chdir(t.TempDir())
	rows := []string{"a,b,0.3", "b,c,0.7", "c,d,0.1", "d,a,0.9", "b,a,0.2", "a,b,0.1", "d,b,1"}
	var want *Subgraph
	for turn := range len(rows) {
		var content strings.Builder
		content.WriteString("source,target,cost\n")
		for i := range rows {
			f := strings.Split(rows[(i+turn)%len(rows)], ",")
			if turn%2 == 1 {
				f[0], f[1] = f[1], f[0]
			}
			content.WriteString(strings.Join(f, ",") + "\n")
		}
		_, s, err := among(EdgeRequest{Duplicates: DuplicatesMean}, content.String(), "d", "c", "b", "a")
		must(t, err)
		if want == nil {
			want = s
		}
		if !slices.Equal(s.Graph.Edges(), want.Graph.Edges()) || !slices.Equal(s.Graph.Costs(), want.Graph.Costs()) {
			t.Errorf("turned by %d: edges %v, costs %v", turn, s.Graph.Edges(), s.Graph.Costs())
		}
	}
}

// TestReadNames reads values from a stream that Arrow's JavaScript library wrote. The names look like spreadsheet
// formulas and are encoded as gdrun writes them.
func TestReadNames(t *testing.T) {
	n, err := Read(Request{Edges: EdgeRequest{Path: sealtest.File(t, "e.csv", "source,target\ng1_1,g4_4\n")}, Values: "../samples/testdata/arrow/js.arrows",
		Columns: []string{"value"}})
	if err != nil || n.Names[1] != "g4_4" || n.Values[1] != 2 || len(n.Unmatched) != 58 {
		t.Errorf("%+v, %v", n, err)
	}
	n, err = Read(Request{Edges: EdgeRequest{Path: sealtest.File(t, "e.csv", "source,target\n'=1+1,'@x\n")},
		Values: sealtest.File(t, "v.csv", "name,value\n'=1+1,-2\n'+y,3\n"), Columns: []string{"value"}, Low: math.Inf(-1)})
	if err != nil || !slices.Equal(n.Names, []string{"=1+1", "@x"}) || n.Values[0] != -2 {
		t.Errorf("%+v, %v", n, err)
	}
}

// TestWholeNames checks that a whole number is the same name in every file, although a program has written it as a
// float.
func TestWholeNames(t *testing.T) {
	t.Chdir(t.TempDir())
	const graph = `<graphml><graph><node id="7157.0"/><node id="4e+03"/><edge source="7157.0" target="4e+03"/></graph></graphml>`
	for _, c := range [][3]string{
		{"e.csv", "source,target\n7157.0,4000.0\n", ""},
		{"e.sif", "7157.0 pp 4000\n", ""},
		{"e.graphml", graph, ""},
		{"e.csv", "source,target\np,7157\n", "alias,name\np,4000.0\n"},
		{"e.csv", "source,target\n12,7157\n", "alias,name\n12.0,4000\n"},
	} {
		r := EdgeRequest{Path: c[0]}
		if c[2] != "" {
			r.Aliases = sealtest.File(t, "a.csv", c[2])
		}
		for _, names := range [][]string{{"7157", "4000"}, {"7157.0", "4000"}} {
			if _, s, err := among(r, c[1], names...); err != nil || s.Graph.NumEdges() != 1 || s.Unknown != nil {
				t.Errorf("%q among %q: %+v, %v", c[1], names, s, err)
			}
		}
	}
	_, s, err := among(EdgeRequest{}, "source,target\n1.10,1.1\n001,1\n", "1.10", "1.1", "001", "1")
	if err != nil || s.Graph.NumEdges() != 2 || s.Matched != 4 {
		t.Errorf("names that are no whole numbers, or have zeros before them: %+v, %v", s, err)
	}
}

// TestNumberedFrom checks that an edge list with nodes from 0 is refused if the names count from 1, and the reverse.
func TestNumberedFrom(t *testing.T) {
	t.Chdir(t.TempDir())
	from0, from1 := "source,target\n0,1\n1,2\n2,3\n", "source,target\n1,2\n2,3\n3,4\n"
	for _, c := range []struct {
		edges   string
		names   string
		refused bool
	}{
		{from0, "1 2 3 4", true}, {from1, "0 1 2 3", true}, {from0, "0 1 2 3", false}, {from1, "1 2 3 4", false},
		{from0, "0 1 2 3 4", false}, {from0, "1 2 3 x", false}, {from1, "1 2 3", false}, {from1 + "0,4\n", "1 2 3 4", false},
	} {
		_, _, err := among(EdgeRequest{}, c.edges, strings.Fields(c.names)...)
		if got := err != nil && strings.Contains(err.Error(), "one file numbers the nodes from 0"); got != c.refused || !got && err != nil {
			t.Errorf("%q among %s: %v", c.edges, c.names, err)
		}
	}
}

// TestReadOtherNames reads edges with aliases for nodes that have values and for nodes that have none.
func TestReadOtherNames(t *testing.T) {
	r := Request{Edges: EdgeRequest{Path: sealtest.File(t, "e.csv", "source,target\np53,mdm2\nCDKN1A,p53\nP21,x\nX,mdm2\n"), IgnoreCase: true,
		Aliases: sealtest.File(t, "a.csv", "alias,name\np53,TP53\nP21,CDKN1A\n")},
		Values: sealtest.File(t, "v.csv", "name,value\nTP53,1\nMDM2,2\n"), Columns: []string{"value"}}
	n := must1(Read(r))
	// of the four names without values, p21 is cdkn1a and x is X
	if want := []graph.Edge{{U: 0, V: 1}, {U: 0, V: 2}, {U: 1, V: 3}, {U: 2, V: 3}}; !slices.Equal(n.Names, []string{"TP53", "MDM2", "CDKN1A", "X"}) ||
		!slices.Equal(n.Graph.Edges(), want) || n.Unvalued != 2 || n.Unmatched != nil {
		t.Errorf("names %q, edges %v, %d unvalued, unmatched %q", n.Names, n.Graph.Edges(), n.Unvalued, n.Unmatched)
	}
}

var must = sealtest.Must

func must1[T any](v T, err error) T { return sealtest.Must1(v, err) }
