package network

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"graphda/graph"
	"graphda/io/samples"
	"graphda/io/tabular"
)

func write(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	data := []byte(content)
	if strings.HasSuffix(name, ".gz") {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		z.Write(data)
		z.Close()
		data = b.Bytes()
	}
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// gzipped is write for a file whose name does not tell that it is compressed.
func gzipped(t *testing.T, name, content string) string {
	t.Helper()
	path := write(t, name+".gz", content)
	if err := os.Rename(path, strings.TrimSuffix(path, ".gz")); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(path, ".gz")
}

// readText reads a network from the content of two CSV files.
func readText(t *testing.T, edges, values string) (*Network, error) {
	t.Helper()
	return Read(Request{Graph: write(t, "edges.csv", edges), Values: write(t, "values.csv", values),
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
			[]string{"b", "a", "d", "c"}, []float64{-1, 2.5, 4, 0}, []graph.Edge{{U: 1, V: 0}, {U: 3, V: 1}}, 1, 1},
		{"names of whole numbers", "source,target\n7157,4193\n4193,1017\n", "weight,name\n1,4193\n2,7157\n",
			[]string{"4193", "7157", "1017"}, []float64{1, 2, 0}, []graph.Edge{{U: 1, V: 0}, {U: 0, V: 2}}, 0, 1},
		{"indices", "source,target\n0,2\n", "index,value\n1,5\n0,6\n",
			nil, []float64{6, 5, 0}, []graph.Edge{{U: 0, V: 2}}, 1, 1},
		{"indices and names", "source,target\n0,2\n", "index,name,value\n1,x,5\n0,y,6\n",
			[]string{"y", "x", "2"}, []float64{6, 5, 0}, []graph.Edge{{U: 0, V: 2}}, 1, 1},
		{"rows", "source,target\n0,2\n1,2\n", "value\n5\n6\n7\n",
			nil, []float64{5, 6, 7}, []graph.Edge{{U: 0, V: 2}, {U: 1, V: 2}}, 0, 0},
		{"rows with names", "source,target\n0,2\n1,2\n", "name,value\nx,5\ny,6\nz,7\n",
			[]string{"x", "y", "z"}, []float64{5, 6, 7}, []graph.Edge{{U: 0, V: 2}, {U: 1, V: 2}}, 0, 0},
		{"names and indices mixed", "source,target\na,1\n", "name,value\n1,5\n",
			[]string{"1", "a"}, []float64{5, 0}, []graph.Edge{{U: 1, V: 0}}, 0, 1},
		{"white space and quotes", "\ufeffsource , target\n a ,\"b, c\"\n", "value,name\n1e3, \"b, c\"\n",
			[]string{"b, c", "a"}, []float64{1000, 0}, []graph.Edge{{U: 1, V: 0}}, 0, 1},
		{"leading zeros", "source,target\n007,7\n", "name,value\n7,1\n",
			[]string{"7", "007"}, []float64{1, 0}, []graph.Edge{{U: 1, V: 0}}, 0, 1},
		{"an intercept", "source,target\n7157,4193\n", "name,value\n4193,1\n(intercept),9\n7157,2\n",
			[]string{"4193", "7157"}, []float64{1, 2}, []graph.Edge{{U: 1, V: 0}}, 0, 0},
		{"no edges", "source,target\n", "value\n1\n2\n", nil, []float64{1, 2}, nil, 2, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			n, err := readText(t, test.edges, test.values)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(n.Names, test.names) || !slices.Equal(n.Values, test.want) || !slices.Equal(n.Graph.Edges(), test.ends) {
				t.Errorf("names %q, values %v, edges %v, want %q, %v, %v", n.Names, n.Values, n.Graph.Edges(), test.names, test.want, test.ends)
			}
			if n.Isolated != test.isolated || n.Unvalued != test.unvalued || n.Graph.NumNodes() != len(test.want) {
				t.Errorf("%d isolated, %d unvalued of %d", n.Isolated, n.Unvalued, n.Graph.NumNodes())
			}
		})
	}
}

// Values of a stream that Arrow's JavaScript library wrote; names that a spreadsheet would take
// for formulas, as gdrun writes them.
func TestReadNames(t *testing.T) {
	n, err := Read(Request{Graph: write(t, "e.csv", "source,target\ng1_1,g4_4\n"), Values: "../samples/testdata/arrow/js.arrows",
		Columns: []string{"value"}})
	if err != nil || n.Names[4] != "g4_4" || n.Values[4] != 2 || n.Isolated != 58 {
		t.Errorf("%+v, %v", n, err)
	}
	n, err = readText(t, "source,target\n'=1+1,'@x\n", "name,value\n'=1+1,-2\n'+y,3\n")
	if err != nil || !slices.Equal(n.Names, []string{"=1+1", "+y", "@x"}) || n.Values[0] != -2 {
		t.Errorf("%+v, %v", n, err)
	}
}

// TestReadKinds reads the same network from every kind of file.
func TestReadKinds(t *testing.T) {
	edges, values := "source,target,cost\na,b,0.25\n", "name,value\na,1\nb,2\n"
	tabs := strings.NewReplacer(",", "\t")
	parquet := filepath.Join(t.TempDir(), "graph.parquet")
	g, err := graph.New(2, []graph.Edge{{U: 0, V: 1}}, []float64{0.25})
	if err != nil {
		t.Fatal(err)
	}
	if err := samples.WriteGraph(parquet, g, []string{"a", "b"}); err != nil {
		t.Fatal(err)
	}
	features := filepath.Join(t.TempDir(), "features.parquet")
	if err := samples.WriteFeatures(features, &samples.Features{Names: []string{"a", "b"}, Truth: []float64{1, 2}}); err != nil {
		t.Fatal(err)
	}
	for _, pair := range [][2]string{
		{write(t, "e.csv", edges), write(t, "v.csv", values)},
		{write(t, "e.csv.gz", edges), write(t, "v.tsv", tabs.Replace(values))},
		{write(t, "e.tsv.gz", tabs.Replace(edges)), features},
		{parquet, write(t, "v.csv", values)},
		{parquet, features},
		{gzipped(t, "e.csv", edges), gzipped(t, "v.tsv", tabs.Replace(values))},
	} {
		n, err := Read(Request{Graph: pair[0], Values: pair[1], Columns: []string{"value", "truth"}})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(n.Names, []string{"a", "b"}) || !slices.Equal(n.Values, []float64{1, 2}) || !slices.Equal(n.Graph.Costs(), []float64{0.25}) {
			t.Errorf("%s and %s: %+v", pair[0], pair[1], n)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	const edges, values = "source,target,cost\na,b,1\nb,c,2\n", "name,value\na,1\nb,2\nc,3\n"
	tests := []struct{ name, edges, values, want string }{
		{"no header", "", values, "edges.csv: is empty"},
		{"no source", "from,target\na,b\n", values, `edges.csv: has no column "source"; its columns are from, target`},
		{"no value", edges, "name,prize\na,1\n", `values.csv: has no column "value" or "weight"; its columns are name, prize`},
		{"no name", edges, "value\n1\n", `values.csv: has no column "name", which tells the nodes of`},
		{"a column twice", "source,target,source\na,b,c\n", values, `edges.csv: column "source": stands twice`},
		{"ragged", "source,target\na,b\na\n", values, "edges.csv: line 3: has 1 fields, want 2 as in line 1"},
		{"a quote", "source,target\na,\"b\n", values, "edges.csv: line"},
		{"empty node", "source,target\na,\n", values, `edges.csv: line 2, column "target": is empty`},
		{"cost", "source,target,cost\na,b,1\nb,c,cheap\n", values, `edges.csv: line 3, column "cost": is "cheap", want a finite number of at least 0`},
		{"negative cost", "source,target,cost\na,b,-1\n", values, `line 2, column "cost": is -1, want a finite number of at least 0`},
		{"infinite", edges, "name,value\na,inf\n", `values.csv: line 2, column "value": is "inf", want a finite number`},
		{"missing value", edges, "name,value\na,\n", `line 2, column "value": is "", want a finite number`},
		{"node twice", edges, "name,value\na,1\n\nb,1\na,2\n", `values.csv: line 5, column "name": is "a", as in line 2`},
		{"self-loop", "source,target\na,a\n", values, `edges.csv: line 2, column "target": is "a" as the source is: a self-loop`},
		{"edge twice", "source,target\na,b\nb,c\nb,a\n", values, `edges.csv: line 4: repeats the edge of line 2, between "b" and "a"`},
		{"index beyond the rows", "source,target\n0,3\n", "value\n1\n2\n3\n", `line 2, column "target": is node 3, want 0 to 2`},
		{"negative index", "source,target\n0,-1\n", "value\n1\n2\n3\n", `is node -1, want 0 to 2`},
		{"huge index", "source,target\n0,1\n", "index,value\n99999999999,1\n", `column "index": is node 99999999999`},
		{"index twice", "source,target\n0,1\n", "index,value\n1,1\n1,2\n", `line 3, column "index": is "1", as in line 2`},
		{"index of words", "source,target\n0,1\n", "index,value\nx,1\n", `column "index": has words`},
		{"no nodes", "source,target\n", "name,value\n", "there are no nodes"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := readText(t, test.edges, test.values)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
		})
	}
}

func TestReadRefusesFiles(t *testing.T) {
	good := write(t, "v.csv", "name,value\na,1\n")
	for _, test := range []struct{ path, want string }{
		{write(t, "e.xlsx", ""), "want a name that ends with .csv"},
		{write(t, "e.parquet.gz", "x"), "want a name that ends with .csv"},
		{write(t, "e.parquet", "no parquet"), "not a Parquet file"},
	} {
		if _, err := Read(Request{Graph: test.path, Values: good, Columns: []string{"value"}}); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.path, err, test.want)
		}
	}
	bad := filepath.Join(t.TempDir(), "bad.csv.gz")
	if err := os.WriteFile(bad, []byte("plain text"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(Request{Graph: bad, Values: good, Columns: []string{"value"}}); err == nil || !strings.Contains(err.Error(), "bad.csv.gz") {
		t.Errorf("no gzip: %v", err)
	}
	for _, name := range []string{"gone.csv", "gone.parquet", "gone.doc"} {
		_, err := Read(Request{Graph: filepath.Join(t.TempDir(), name), Values: good, Columns: []string{"value"}})
		if !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
	low := Request{Graph: write(t, "e.csv", "source,target\na,b\n"), Values: write(t, "p.csv", "name,value\na,-1\n"), Columns: []string{"value"}}
	if _, err := Read(low); err == nil || !strings.Contains(err.Error(), "at least 0") {
		t.Errorf("a negative prize: %v", err)
	}
}

// FuzzText reads whatever calls itself CSV.
func FuzzText(f *testing.F) {
	f.Add("source,target,cost\na,b,2\nc,a,0.5\n", "name,value\nb,-1\na,2.5\n")
	f.Add("source,target\n0,2\n1,2\n", "value\n5\n6\n7\n")
	f.Add("source,target\n0,2\n", "index,name,value\n1,x,5\n0,y,6\n")
	f.Add("source,target\n\"a\n", "\xff,value\n")
	path := filepath.Join(f.TempDir(), "fuzz.csv")
	f.Fuzz(func(t *testing.T, edges, values string) {
		var tables [2]*table
		r := Request{Columns: []string{"value"}, Low: math.Inf(-1)}
		for i, content := range []string{edges, values} {
			if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
				t.Fatal(err)
			}
			in, err := tabular.Open(path, tabular.Options{})
			if err != nil {
				return
			}
			defer in.Close()
			if tables[i], err = []*layout{graphLayout, r.layout()}[i].readFrom("fuzz.csv", in); err != nil {
				return
			}
		}
		b := &builder{edges: tables[0], rows: tables[1]}
		if b.readEnds() != nil || b.number() != nil {
			return
		}
		n, err := b.network(r)
		if err != nil {
			return
		}
		if len(n.Values) != n.Graph.NumNodes() || n.Names != nil && len(n.Names) != len(n.Values) {
			t.Fatalf("%+v", n)
		}
	})
}
