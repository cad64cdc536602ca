package importing

import (
	"slices"
	"strings"
	"testing"

	"graphda/graph"
	"graphda/io/samples"
	"graphda/io/seal/sealtest"
)

// A connector joins two or more measured features. Other names of features, isolated nodes and nodes that join one
// feature are not connectors. Features, their order and their values are the same as without connectors.
func TestConnectors(t *testing.T) {
	t.Chdir(t.TempDir())
	text := "id,y,a,b,c,d\n"
	for _, row := range []string{"1,0,1,2,3,4", "2,1,2,3,1,5", "3,0,4,1,2,6", "4,1,1,5,3,2", "5,0,7,2,1,3", "6,1,3,3,8,1"} {
		text += "S" + row + "\n"
	}
	write(t, "samples.csv", text)
	write(t, "aliases.csv", "alias,name\nb0,b\nq,c\nq,d\n")
	for name, c := range map[string]struct {
		edges      string
		connectors string
		joined     []string // joined features and connectors
		largest    int
		change     func(r *Request)
	}{
		"one":                      {"a,x\nx,b\nc,d\n", "x", []string{"a-x", "b-x", "c-d"}, 2, nil},
		"a star":                   {"a,x\nb,x\nc,x\nd,x\n", "x", []string{"a-x", "b-x", "c-x", "d-x"}, 4, nil},
		"one feature only":         {"a,x\nx,y\nc,d\n", "", []string{"c-d"}, 2, nil},
		"twice to the same":        {"a,x\nx,a\nc,d\n", "", []string{"c-d"}, 2, nil},
		"a loop":                   {"a,x\nx,x\nc,d\n", "", []string{"c-d"}, 2, nil},
		"two in a row":             {"a,x\nx,y\ny,b\nc,d\n", "", []string{"c-d"}, 2, nil},
		"neighbours":               {"a,x\nb,x\nx,y\ny,c\ny,d\n", "x y", []string{"a-x", "b-x", "c-y", "d-y"}, 2, nil},
		"no edge between features": {"a,x\nx,b\n", "x", []string{"a-x", "b-x"}, 2, nil},
		"an alias":                 {"a,x\nx,b0\nc,d\n", "x", []string{"a-x", "b-x", "c-d"}, 2, func(r *Request) { r.Edges.Aliases = "aliases.csv" }},
		"an alias of a feature":    {"a,b0\nb0,c\n", "", []string{"a-b", "b-c"}, 3, func(r *Request) { r.Edges.Aliases = "aliases.csv" }},
		"an alias of two":          {"a,q\nq,b\nc,d\n", "", []string{"c-d"}, 2, func(r *Request) { r.Edges.Aliases = "aliases.csv" }},
		"case":                     {"a,B\nB,c\n", "", []string{"a-b", "b-c"}, 3, func(r *Request) { r.Edges.IgnoreCase = true }},
		"order":                    {"b,z\nd,y\nz,a\ny,c\n", "y z", []string{"a-z", "b-z", "c-y", "d-y"}, 2, nil},
	} {
		write(t, "edges.csv", "source,target\n"+c.edges)
		r := request()
		r.Positive, r.Label, r.Drop, r.Connectors, r.Standardise, r.MinMatched = "", "y", nil, true, true, 1e-9
		if c.change != nil {
			c.change(&r)
		}
		result := run(t, r)
		trial := load(t, r.Out, 0)
		f, nodes := trial.Features, trial.Features.Nodes()
		var joined []string
		for _, e := range trial.Graph.Edges() {
			ends := []string{nodes[e.U], nodes[e.V]}
			joined = append(joined, ends[0]+"-"+ends[1])
		}
		slices.Sort(joined)
		if got := strings.Join(f.Connectors, " "); got != c.connectors || !slices.Equal(joined, c.joined) || result.Largest != c.largest ||
			result.Connectors != len(f.Connectors) {
			t.Errorf("%s: connectors %q, edges %q, %+v", name, got, joined, result)
		}
		if !slices.Equal(f.Names, []string{"a", "b", "c", "d"}) || result.Features != 4 || trial.Train.P != 4 || len(f.Scaling.Mean) != 4 {
			t.Errorf("%s: features %q", name, f.Names)
		}
	}
}

// If a graph file joins two connectors, or gives a connector the name of a feature, it is refused.
func TestConnectorsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		edges      []graph.Edge
		connectors []string
		says       string
	}{
		"two connectors": {[]graph.Edge{{U: 0, V: 2}, {U: 2, V: 3}}, []string{"x", "y"}, `column "target": is "y", a connector, and so is the source`},
	} {
		dir := t.TempDir()
		t.Chdir(dir)
		workplace(t)
		write(t, "samples.csv", "id,y,a,b\n1,0,1,2\n2,1,2,3\n3,0,4,1\n4,1,1,5\n5,0,7,2\n6,1,3,3\n")
		write(t, "edges.csv", "source,target\na,b\n")
		r := request()
		r.Positive, r.Label, r.Drop = "", "y", nil
		run(t, r)
		g := must1(graph.New(2+len(c.connectors), c.edges, nil))
		must(t, samples.WriteGraph("data/mine/graph.parquet", g, []string{"a", "b"}, c.connectors...))
		_, _, err := must1(samples.Open("data/mine")).LoadStructure(0)
		sealtest.WantError(t, err, c.says)
		if err := samples.WriteGraph("g.parquet", g, []string{"a", "x"}, c.connectors...); err == nil {
			t.Errorf("%s: a connector that is a feature is written", name)
		}
	}
}
