package network

import (
	"math"
	"slices"
	"testing"

	"graphda/graph"
	"graphda/io/seal/sealtest"
)

// readText reads a network from the content of two CSV files.
func readText(t *testing.T, edges, values string) (*Network, error) {
	t.Helper()
	return Read(Request{Edges: EdgeRequest{Path: sealtest.File(t, "edges.csv", edges)}, Values: sealtest.File(t, "values.csv", values),
		Columns: []string{"value", "weight"}, Low: math.Inf(-1)})
}

func TestRead(t *testing.T) {
	tests := []struct {
		name, edges, values string
		names               []string
		want                []float64
		ends                []graph.Edge
		isolated, unvalued  int
	}{
		{"names", "source,target,cost\na,b,2\nc,a,0.5\n", "name,value\nb,-1\na,2.5\nd,4\n",
			[]string{"b", "a", "d", "c"}, []float64{-1, 2.5, 4, 0}, []graph.Edge{{U: 0, V: 1}, {U: 1, V: 3}}, 1, 1},
		{"names of whole numbers", "source,target\n7157,4193\n4193,1017\n", "weight,name\n1,4193\n2,7157\n",
			[]string{"4193", "7157", "1017"}, []float64{1, 2, 0}, []graph.Edge{{U: 0, V: 1}, {U: 0, V: 2}}, 0, 1},
		{"indices", "source,target\n0,2\n", "index,value\n1,5\n0,6\n",
			nil, []float64{6, 5, 0}, []graph.Edge{{U: 0, V: 2}}, 1, 1},
		{"indices and names", "source,target\n0,2\n", "index,name,value\n1,x,5\n0,y,6\n",
			[]string{"y", "x", "2"}, []float64{6, 5, 0}, []graph.Edge{{U: 0, V: 2}}, 1, 1},
		{"rows", "source,target\n0,2\n1,2\n", "value\n5\n6\n7\n",
			nil, []float64{5, 6, 7}, []graph.Edge{{U: 0, V: 2}, {U: 1, V: 2}}, 0, 0},
		{"rows with names", "source,target\n0,2\n1,2\n", "name,value\nx,5\ny,6\nz,7\n",
			[]string{"x", "y", "z"}, []float64{5, 6, 7}, []graph.Edge{{U: 0, V: 2}, {U: 1, V: 2}}, 0, 0},
		{"names and indices mixed", "source,target\na,1\n", "name,value\n1,5\n",
			[]string{"1", "a"}, []float64{5, 0}, []graph.Edge{{U: 0, V: 1}}, 0, 1},
		{"white space and quotes", "\ufeffsource , target\n a ,\"b, c\"\n", "value,name\n1e3, \"b, c\"\n",
			[]string{"b, c", "a"}, []float64{1000, 0}, []graph.Edge{{U: 0, V: 1}}, 0, 1},
		{"leading zeros", "source,target\n007,7\n", "name,value\n7,1\n",
			[]string{"7", "007"}, []float64{1, 0}, []graph.Edge{{U: 0, V: 1}}, 0, 1},
		{"an intercept", "source,target\n7157,4193\n", "name,value\n4193,1\n(intercept),9\n7157,2\n",
			[]string{"4193", "7157"}, []float64{1, 2}, []graph.Edge{{U: 0, V: 1}}, 0, 0},
		{"repeated edges and self-loops", "source,target,cost\na,b,2\nb,a,2\nc,c,1\n", "name,value\nc,1\n",
			[]string{"c", "a", "b"}, []float64{1, 0, 0}, []graph.Edge{{U: 1, V: 2}}, 1, 2},
		{"names of columns", "gene_a,gene_b\na,b\n", "name,value\nb,1\n", []string{"b", "a"}, []float64{1, 0}, []graph.Edge{{U: 0, V: 1}}, 0, 1},
		{"no edges", "source,target\n", "value\n1\n2\n", nil, []float64{1, 2}, nil, 2, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			n := must1(readText(t, test.edges, test.values))
			if !slices.Equal(n.Names, test.names) || !slices.Equal(n.Values, test.want) || !slices.Equal(n.Graph.Edges(), test.ends) {
				t.Errorf("names %q, values %v, edges %v, want %q, %v, %v", n.Names, n.Values, n.Graph.Edges(), test.names, test.want, test.ends)
			}
			if len(n.Isolated) != test.isolated || n.Unvalued != test.unvalued || n.Graph.NumNodes() != len(test.want) {
				t.Errorf("isolated: %q; %d unvalued of %d", n.Isolated, n.Unvalued, n.Graph.NumNodes())
			}
		})
	}
}

// Values of a stream that Arrow's JavaScript library wrote; names that a spreadsheet would take
// for formulas, as gdrun writes them.
func TestReadNames(t *testing.T) {
	n, err := Read(Request{Edges: EdgeRequest{Path: sealtest.File(t, "e.csv", "source,target\ng1_1,g4_4\n")}, Values: "../samples/testdata/arrow/js.arrows",
		Columns: []string{"value"}})
	if err != nil || n.Names[4] != "g4_4" || n.Values[4] != 2 || len(n.Isolated) != 58 {
		t.Errorf("%+v, %v", n, err)
	}
	n, err = readText(t, "source,target\n'=1+1,'@x\n", "name,value\n'=1+1,-2\n'+y,3\n")
	if err != nil || !slices.Equal(n.Names, []string{"=1+1", "+y", "@x"}) || n.Values[0] != -2 {
		t.Errorf("%+v, %v", n, err)
	}
}

// Edges by other names of nodes that have values, and of nodes that have none.
func TestReadOtherNames(t *testing.T) {
	r := Request{Edges: EdgeRequest{Path: sealtest.File(t, "e.csv", "source,target\np53,mdm2\nCDKN1A,p53\nP21,x\nX,mdm2\n"), IgnoreCase: true,
		Aliases: sealtest.File(t, "a.csv", "alias,name\np53,TP53\nP21,CDKN1A\n")},
		Values: sealtest.File(t, "v.csv", "name,value\nTP53,1\nMDM2,2\n"), Columns: []string{"value"}}
	n := must1(Read(r))
	// of the four that values do not have, p21 is cdkn1a and x is X
	if want := []graph.Edge{{U: 0, V: 1}, {U: 0, V: 2}, {U: 1, V: 3}, {U: 2, V: 3}}; !slices.Equal(n.Names, []string{"TP53", "MDM2", "CDKN1A", "X"}) ||
		!slices.Equal(n.Graph.Edges(), want) || n.Unvalued != 2 || n.Unmatched != nil {
		t.Errorf("names %q, edges %v, %d unvalued, unmatched %q", n.Names, n.Graph.Edges(), n.Unvalued, n.Unmatched)
	}
}
