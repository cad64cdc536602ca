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

// If the network's largest part has less than a tenth of the features, a note in capitals says that the network is
// nearly empty, and what helps.
func TestNearlyEmpty(t *testing.T) {
	t.Chdir(t.TempDir())
	text := "id,y"
	for j := range 40 {
		text += ",g" + string(rune('A'+j%26)) + string(rune('a'+j/26))
	}
	for i := range 8 {
		text += "\n" + string(rune('a'+i)) + "," + string(rune('0'+i%2))
		for j := range 40 {
			text += "," + string(rune('0'+(3*i+j*j+i*j)%10)) + ".5"
		}
	}
	write(t, "samples.csv", text+"\n")
	const few = "source,target\ngAa,gBa\ngCa,x\nx,gDa\nx,gEa\nx,gFa\nx,gGa\n"
	for name, c := range map[string]struct {
		edges      string
		connectors bool
		says       string // text of the warning; "" for none
	}{
		"two":        {few, false, "THE NETWORK IS NEARLY EMPTY: its largest connected part has 2 of 40 features, and GraphDA with one tree selects only features of one part; with --connectors the largest part has 5 features, connected by 1 unmeasured node"},
		"connectors": {few, true, ""},
		"no help":    {"source,target\ngAa,gBa\ngCa,x\nx,y\n", false, "2 of 40 features, and GraphDA with one tree selects only features of one part"},
		"a tenth":    {"source,target\ngAa,gBa\ngBa,gCa\ngCa,gDa\n", false, ""},
	} {
		write(t, "edges.csv", c.edges)
		r := request()
		r.Positive, r.Label, r.Drop, r.Connectors, r.MinMatched = "", "y", nil, c.connectors, 1e-9
		first := run(t, r).Notes[0]
		if strings.HasPrefix(first, "THE NETWORK") != (c.says != "") || !strings.Contains(first, c.says) ||
			name == "no help" && strings.Contains(first, "--connectors") {
			t.Errorf("%s: %s", name, first)
		}
	}
	r := request() // without connectors, no edge joins two features
	r.Positive, r.Label, r.Drop, r.MinMatched = "", "y", nil, 1e-9
	for edges, hint := range map[string]bool{"gCa,x\nx,gDa\nx,gEa\n": true, "gCa,x\ngDa,y\n": false} {
		write(t, "edges.csv", "source,target\n"+edges)
		_, err := Import(t.Context(), r, nil)
		if err == nil || strings.Contains(err.Error(), "; with --connectors the largest part has 3 features, connected by 1 unmeasured node") != hint {
			t.Errorf("%q: %v", edges, err)
		}
	}
	r.MinMatched, r.Connectors = 0, false // too few names match: connectors do not help, but the named value does
	write(t, "edges.csv", "source,target\ngAa,gBa\ngCa,x\nx,gDa\ny,z\nz,u\nu,v\nv,w\n")
	_, err := Import(t.Context(), r, nil)
	if err == nil || strings.Contains(err.Error(), "--connectors") || !strings.Contains(err.Error(), "--min-matched 0.4 ") {
		t.Errorf("few names: %v", err)
	}
	r.MinMatched = 0.4
	run(t, r)
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
