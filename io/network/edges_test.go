package network

import (
	"os"
	"slices"
	"strings"
	"testing"

	"graphda/graph"
	"graphda/io/samples"
)

func writeHere(t *testing.T, name, content string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestAmong(t *testing.T) {
	t.Chdir(t.TempDir())
	writeHere(t, "words.csv", "target,source,cost\nb,a,0.5\na,b,0.5\nc,b,2\nz,a,1\ny,z,3\nc,c,1\n")
	writeHere(t, "ids.tsv", "source\ttarget\n7157\t4193\n4193\t7157\n672\t7157\n0672\t7157\n")
	for _, c := range []struct {
		path  string
		nodes []string
		want  Subgraph
		edges []graph.Edge
		costs []float64
	}{
		{"words.csv", []string{"c", "d", "b", "a"}, Subgraph{Isolated: []string{"d"}, Outside: 2, Unknown: []string{"z", "y"}, Repeated: 1, Loops: 1},
			[]graph.Edge{{U: 3, V: 2}, {U: 2, V: 0}}, []float64{0.5, 2}},
		{"ids.tsv", []string{"672", "4193", "7157"}, Subgraph{Outside: 1, Unknown: []string{"0672"}, Repeated: 1},
			[]graph.Edge{{U: 2, V: 1}, {U: 0, V: 2}}, []float64{1, 1}},
		{"ids.tsv", []string{"a"}, Subgraph{Isolated: []string{"a"}, Outside: 4, Unknown: []string{"7157", "4193", "672", "0672"}}, nil, nil},
	} {
		l, err := ReadEdges(c.path)
		if err != nil {
			t.Fatal(err)
		}
		got, err := l.Among(c.nodes)
		if err != nil {
			t.Errorf("%s: %v", c.path, err)
			continue
		}
		if !slices.Equal(got.Isolated, c.want.Isolated) || got.Outside != c.want.Outside || !slices.Equal(got.Unknown, c.want.Unknown) ||
			got.Repeated != c.want.Repeated || got.Loops != c.want.Loops {
			t.Errorf("%s: %+v, want %+v", c.path, got, c.want)
		}
		if !slices.Equal(got.Graph.Edges(), c.edges) || !slices.Equal(got.Graph.Costs(), c.costs) || got.Graph.NumNodes() != len(c.nodes) {
			t.Errorf("%s: edges %v, costs %v", c.path, got.Graph.Edges(), got.Graph.Costs())
		}
	}
}

// Nodes of a Parquet file go by their numbers as names.
func TestAmongNumbers(t *testing.T) {
	t.Chdir(t.TempDir())
	g, err := graph.New(8, []graph.Edge{{U: 7, V: 3}, {U: 3, V: 1}}, []float64{4, 5})
	if err != nil {
		t.Fatal(err)
	}
	if err := samples.WriteGraph("g.parquet", g, nil); err != nil {
		t.Fatal(err)
	}
	l, err := ReadEdges("g.parquet")
	if err != nil {
		t.Fatal(err)
	}
	got, err := l.Among([]string{"3", "7"})
	if err != nil || !slices.Equal(got.Graph.Edges(), []graph.Edge{{U: 1, V: 0}}) || got.Graph.Costs()[0] != 4 || got.Outside != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestEdgesRefuse(t *testing.T) {
	t.Chdir(t.TempDir())
	for content, want := range map[string]string{
		"source,target,cost\na,b,1\nb,a,2\n": `e.csv: line 3, column "cost": is 2 for the edge between "b" and "a", which has 1 in line 2; an edge has one cost`,
		"source,target,cost\na,b,x\n":        `e.csv: line 2, column "cost": is "x", want a finite number of at least 0`,
		"source,target\n,b\n":                `e.csv: line 2, column "source": is empty, want a node`,
		"source\na\n":                        `e.csv: has no column "target"; its columns are source`,
	} {
		writeHere(t, "e.csv", content)
		l, err := ReadEdges("e.csv")
		if err == nil {
			_, err = l.Among([]string{"a", "b"})
		}
		if err == nil || err.Error() != want {
			t.Errorf("%q: error %v, want %s", content, err, want)
		}
	}
	writeHere(t, "q.csv", "\ufeff\"source\",\"target\"\n\"a\",\"b\"\n") // as Excel writes it
	if l, err := ReadEdges("q.csv"); err != nil || strings.Join([]string{l.sources.name(0), l.targets.name(0)}, "") != "ab" {
		t.Errorf("quotes after a byte order mark: %v", err)
	}
}
