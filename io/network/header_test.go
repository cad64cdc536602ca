package network

import (
	"math"
	"slices"
	"testing"

	"graphda/io/seal/sealtest"
)

// TestAliasTables reads tables of aliases, downloaded or written by hand.
func TestAliasTables(t *testing.T) {
	t.Chdir(t.TempDir())
	for content, name := range map[string]string{
		"alias,name\n1,A\n2,B\n": "a.csv", "Entrez\tSymbol\n1\tA\n2\tB\n": "a.tsv", "1 A\n2 B\n": "a.txt", "1\tA\n2\tB\n": "a.tsv", "1 A\n2  B\n": "a.csv",
		"#string_protein_id\tpreferred_name\tprotein_size\n1\tA\t9\n2\tB\t9\n":  "a.txt",
		"#string_protein_id\talias\tsource\n1\tx\tE\n1\tA\tE\n2\tB\tE\n2\ty\tE": "a.txt",
	} {
		writeHere(t, name, content)
		_, s, err := among(EdgeRequest{Aliases: name}, "source,target\n1,2\n", "A", "B")
		if err != nil || s.Graph.NumEdges() != 1 {
			t.Errorf("%q: %+v, %v", content, s, err)
		}
	}
}

// TestNodesWithoutEdges checks that every node in the file is in the graph, with or without an edge.
func TestNodesWithoutEdges(t *testing.T) {
	for name, content := range map[string]string{
		"e.sif": "a pp b\nlonely\n", "e.csv": "source,target\na,b\nlonely,lonely\n", "e.edges": "a b\nlonely lonely\n",
		"e.graphml": `<graphml><graph><node id="a"/><node id="b"/><node id="lonely"/><edge source="a" target="b"/></graph></graphml>`,
	} {
		n, err := Read(Request{Edges: EdgeRequest{Path: sealtest.File(t, name, content)}, Values: sealtest.File(t, "v.csv", "name,value\nlonely,1\nx,2\nb,3\n"),
			Columns: []string{"value"}, Low: math.Inf(-1)})
		if err != nil || !slices.Equal(n.Names, []string{"lonely", "b", "a"}) || !slices.Equal(n.Values, []float64{1, 3, 0}) {
			t.Errorf("%s: %+v, %v", name, n, err)
		}
	}
}
