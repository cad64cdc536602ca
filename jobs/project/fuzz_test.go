package project

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"graphda/io/dataframe"
	"graphda/io/network"
)

// FuzzProject: whatever the two tables are, there is an error or a result that every format
// takes, and whose names CSV gives back.
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
