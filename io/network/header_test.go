package network

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"graphda/io/seal/sealtest"
)

func writeHere(t *testing.T, name, content string) {
	t.Helper()
	must(t, os.WriteFile(name, []byte(content), 0o666))
}

// TestFirstRow checks that a first row is never lost without a note. It is an edge, it names the columns, or the
// file is refused with a message that offers both interpretations.
func TestFirstRow(t *testing.T) {
	t.Chdir(t.TempDir())
	const note, edge = "is read as names of columns", "its first row is read as an edge"
	for _, c := range []struct {
		name, content string
		edges         int    // 0 if the file is refused
		says          string // the note, or the refusal
	}{
		{"e.csv", "source,target\nx,y\n", 1, ""},
		{"e.csv", "from,to\nx,y\n", 1, ""},
		{"e.csv", "gene1,gene2\nTP53,MDM2\n", 1, note},
		{"e.csv", "gene1,gene2\ngene2,gene3\n", 0, "If they are nodes, add a first row source,target. If they are columns, add --source gene1 --target gene2"},
		{"e.csv", "V1,V2\nV3,V4\n", 0, "may be names of columns or of nodes"},
		{"e.csv", "node1,node2\nnode17,x\n", 0, "may be names of columns or of nodes"},
		{"e.csv", "id1,id2\nx,id2\n", 0, "may be names of columns or of nodes"},
		{"e.csv", "protein1,protein2,combined_score\nprotein7,protein8,900\n", 1, "of e.csv: combined_score"},
		{"e.csv", "gene1,gene2,0.5\ngene3,gene4,0.7\n", 2, edge},
		{"e.csv", "TF,target\nTF,x\n", 0, "may be names of columns or of nodes"},
		{"e.csv", "TF,target,weight\nTF,x,1\n", 1, "of e.csv: weight"},
		{"e.csv", "TF,target\nSP1,x\n", 1, note},
		{"e.csv", "A,B\nC,D\n", 0, "may be names of columns or of nodes"},
		{"e.csv", "a,b\n1,2\n", 1, note},
		{"e.csv", "TP53,MDM2\nMDM2,EGFR\n", 2, edge},
		{"e.csv", "1,2,3\n2,3,4\n3,4,5\n4,5,1\n", 0, "may be row numbers or nodes"},
		{"e.txt", "\"1\" 2 3\n\"2\" 3 4\n\"3\" 4 5\n\"4\" 5 1\n", 0, "If they are row numbers, remove them"},
		{"e.edges", "0 2 3\n1 3 4\n2 4 5\n3 5 1\n", 0, "may be row numbers or nodes"},
		{"e.edges", "source target weight\n0 2 3\n1 3 4\n2 4 5\n3 5 1\n", 4, note},
		{"e.csv", "TP53,MDM2,\nMDM2,EGFR,\n", 2, edge},
		{"e.csv", "1,2,1\n2,3,1\n3,4,1\n4,5,1\n", 4, edge},
		{"e.csv", "1,2,3\n2,3,4\n3,4,5\n4,5,9\n", 4, edge},
		{"e.csv", "A1,B1,C1\nB1,C1,D1\nC1,D1,A1\nD1,A1,B1\n", 0, "looks like an adjacency list"},
		{"e.csv", "TP53,MDM2\nKRAS,EGFR\n", 0, "if the first row is an edge, add a row before it"},
		{"e.csv", "x,gene,score\nx,y,1\n", 0, "has no columns source and target"},
		{"e.txt", "a b 0.9 U\nb c 0.8 D\n", 2, edge},
		{"e.csv", "a1 b1\nb1 c1\n", 2, edge},
		{"e.tsv", "A_HUMAN\t1\tB_HUMAN\t2\t0.7\tx\n", 0, "if the first row is an edge, add a row before it"},
		{"e.edgelist", "gene1 gene2\ngene2 gene3\n", 2, ""},
		{"e.edges", "V1 V2\nV3 V4\n", 2, ""},
		{"e.ncol", "a b\nc d\n", 2, ""},
		{"e.edges", "source target weight\nx y 1\n", 1, note},
		{"e.edges", "node1 node2 weight\na b 0.9\nnode1 c 1\n", 2, note},
		{"e.edges", "Name_X Name_Y score\na b 0.9\n", 1, note},
		{"e.edges", "x y\na b 0.9\n", 2, ""},
		{"e.sif", "PARTICIPANT_A\tINTERACTION_TYPE\tPARTICIPANT_B\nx\tpp\ty\n", 1, note},
		{"e.csv", "src,dst\nx,y\n", 1, note},
		{"e.sif", "protein1 pp protein2\nTP53 pp MDM2\n", 2, "is read as an edge"},
		{"e.sif", "source\tinteraction\ttarget\nx\tpp\ty\n", 1, note},
		{"e.sif", "node1 pp node2\nnode3 pp node4\n", 2, ""},
	} {
		l, _, err := among(EdgeRequest{Path: c.name}, c.content)
		if c.edges == 0 {
			sealtest.WantError(t, err, c.says)
			continue
		}
		must(t, err)
		notes := strings.Join(l.Notes(&Subgraph{}), "\n")
		if len(l.rows) != c.edges || !strings.Contains(notes, c.says) || c.says == "" && strings.Contains(notes, "first row") {
			t.Errorf("%q: %d edges, notes %q, want %d and %q", c.content, len(l.rows), notes, c.edges, c.says)
		}
	}
}

// TestMatrix checks that an adjacency matrix is refused as one, and that a list of edges is not.
func TestMatrix(t *testing.T) {
	t.Chdir(t.TempDir())
	for content, matrix := range map[string]bool{
		",a,b,c\na,0,1,0\nb,1,0,1\nc,0,1,0\n":                      true,
		",a,b\na,0,1\nb,1,0\n":                                     true,
		"name,A,B,C\nC,0,1,0\nA,,0,1\nB,0,1,0\n":                   true, // in another order, with a gap
		"\"x\",\"y\",\"z\"\n\"x\",0,1,0\n\"y\",1,0,1\n\"z\",0,1,0": true, // as R writes it
		"x,y,z,__index_level_0__\n0,1,0,x\n1,0,1,y\n0,1,0,z\n":     true,
		"a,b,c\n0,1,0\n1,0,1\n0,1,0\n":                             true,
		"V1,V2,V3\n0,1,0\n1,0,1\n0,1,0\n":                          true,
		"0,1,0\n1,0,1\n0,1,0\n":                                    true,
		"0 2.5 3\n2.1 0 4\n3 4.2 0\n":                              true, // not symmetric
		"1,0,0,0\n0,1,0,1\n1,0,1,0\n0,0,0,1\n":                     true,
		"1,2,0.5\n2,3,0.1\n1,3,0.7\n":                              false,
		"source,target,cost\n0,1,2\n1,0,2\n2,2,0\n":                false,
		"V1,V2,weight\n1,2,3\n2,3,1\n3,1,3\n":                      false,
		"0,1\n1,2\n":                                               false,
	} {
		_, _, err := among(EdgeRequest{}, content)
		if got := err != nil && strings.Contains(err.Error(), "looks like an adjacency matrix; want a list of edges"); got != matrix || !got && err != nil {
			t.Errorf("%q: %v", content, err)
		}
	}
}

// TestAdjacencyList checks that an adjacency list is refused, and that an edge list with weights is not.
func TestAdjacencyList(t *testing.T) {
	for content, refused := range map[string]bool{
		"a b c\nb c\nc d\n":                 true,
		"# networkx\na b c\nb c d\nc d a\n": true,
		"a,b,c\nb,c,a\n":                    true,
		"0 1 2 3\n1 2\n2 3\n":               true,
		"0 1 2\n1 2 0\n":                    false, // perhaps weights
		"0 1 7\n1 2\n":                      false,
		"a b 1\nb c 2\n":                    false,
		"a b\nb c\n":                        false,
		"a b {'weight': 3}\nb c {}\n":       false,
		"a b pp\nb c pd\n":                  false,
	} {
		_, err := ReadEdges(EdgeRequest{Path: sealtest.File(t, "e.edgelist", content)})
		if got := err != nil && strings.Contains(err.Error(), "looks like an adjacency list"); got != refused || !got && err != nil {
			t.Errorf("%q: %v", content, err)
		}
	}
	if _, err := ReadEdges(EdgeRequest{Path: sealtest.File(t, "e.sif", "a b c\nb c a\n")}); err != nil {
		t.Error(err)
	}
}

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

// TestValueTables checks that each value goes to the node with its name. Nodes without a row have no value.
func TestValueTables(t *testing.T) {
	const words, numbers = "source,target\na,b\nb,c\n", "source,target\n0,1\n1,2\n2,3\n"
	for _, c := range []struct{ edges, values, want, unmatched, says string }{
		{words, "name,value\nb,2\na,1\nzz,9\n", "b=2 a=1 c=0", "zz", ""},
		{words, "a,1\nb,2\n", "a=1 b=2 c=0", "", "its first row is read as values"},
		{words, "a 1\nb 2\n", "a=1 b=2 c=0", "", "its first row is read as values"},
		{words, ",0\na,1\nb,2\n", "a=1 b=2 c=0", "", ""}, // as pandas writes it
		{words, ",value\na,1\nb,2\n", "a=1 b=2 c=0", "", ""},
		{words, "NODEID prize\na 1\nb 2\n", "a=1 b=2 c=0", "", ""}, // as SPRAS writes it
		{words, "name,value\na,1\nb,\nc,NA\n", "a=1 b=0 c=0", "", "2 of 3 rows have no value and count as 0"},
		{words, "name,value\na,\nb,NA\n", "", "", `column "value": has no values`},
		{words, "index,name,value\n7,b,2\n8,a,1\n", "b=2 a=1 c=0", "", ""},
		{words, "a,1,x\nb,2,y\n", "", "", "add a first row that names the columns, such as name,value"},
		{words, "name,value\na,-1\n", "", "", "leave out nodes with negative scores"},
		{words, "a,-1\nb,2\n", "", "", "leave out nodes with negative scores"},
		{numbers, "index,name,value\n0,3,9\n1,2,8\n", "3=9 2=8 0=0 1=0", "", ""},
		{numbers, "index,name,value\n3,G3,9\n1,G1,8\n", "0=0 G1=8 2=0 G3=9", "", ""},
		{numbers, "index,name,value\n0,3,1\n1,2,2\n2,1,3\n3,0,4\n", "", "", "has columns index and name, and the numbers in "},
		{numbers, "index,name,value\n0,0,1\n1,1,2\n2,2,3\n3,3,4\n", "0=1 1=2 2=3 3=4", "", ""},
		{numbers, "index,value\n2,5\n7,9\n", "0=0 1=0 2=5 3=0", "7", ""},
		{numbers, ",value\n2,5\n7,9\n", "2=5 0=0 1=0 3=0", "7", ""},
		{numbers, "name,value\nw,1\nx,2\ny,3\nz,4\n", "w=1 x=2 y=3 z=4", "", "by number: row 0 is node 0"},
		{numbers, "value\n5\n7\n8\n9\n", "0=5 1=7 2=8 3=9", "", ""},
		{numbers, "value,score\n5,0.5\n7,0.2\n8,0.3\n9,7\n", "0=5 1=7 2=8 3=9", "", ""},
		{numbers, "degree,value\n1,5\n2,7\n2,8\n1,9\n", "0=5 1=7 2=8 3=9", "", ""},
		{numbers, "node,value\n3,5\n2,7\n1,8\n0,9\n", "", "", `column "node": may name the nodes; call the column name, or index`},
		{numbers, "value,gene\n5,TP53\n7,MYC\n8,B\n9,C\n", "", "", `column "gene": may name the nodes`},
		{numbers, "degree,entrez,value\n1,7157,5\n2,12,7\n2,13,8\n1,14,9\n", "", "", `column "entrez": may name the nodes`},
		{numbers, ",value\n1,5\n2,7\n3,8\n4,9\n", "", "", "one file numbers the nodes from 0, the other from 1"},
		{"source,target\n1,2\n2,3\n", ",value\n0,5\n1,7\n2,8\n", "", "", "one file numbers the nodes from 0, the other from 1"},
		{"source,target\n1,2\n2,3\n", "name,value\n2,5\n1,7\n3,8\n", "2=5 1=7 3=8", "", ""},
		{"source,target\n1.0,2.0\n2.0,3.0\n", "name,value\n2,5\n1.0,7\n3,8\n", "2=5 1=7 3=8", "", ""},
		{"source,target\n7157,4193\n", "index,name,value\n0,7157,1\n1,4193,2\n2,x,3\n", "7157=1 4193=2", "x", ""},
	} {
		n, err := Read(Request{Edges: EdgeRequest{Path: sealtest.File(t, "edges.csv", c.edges)}, Values: sealtest.File(t, "values.csv", c.values),
			Columns: []string{"value", "prize"}, Low: 0})
		if c.want == "" {
			sealtest.WantError(t, err, c.says)
			continue
		}
		must(t, err)
		var got []string
		for u, x := range n.Values {
			name := fmt.Sprint(u)
			if n.Names != nil {
				name = n.Names[u]
			}
			got = append(got, fmt.Sprintf("%s=%v", name, x))
		}
		if strings.Join(got, " ") != c.want || strings.Join(n.Unmatched, " ") != c.unmatched || !strings.Contains(strings.Join(n.Notes, "\n"), c.says) {
			t.Errorf("%q: %q, unmatched %q, notes %q", c.values, got, n.Unmatched, n.Notes)
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
