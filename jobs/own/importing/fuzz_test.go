package importing

import (
	"context"
	"testing"
)

// FuzzImport checks that any two tables give an error, or a dataset that agrees with the result.
func FuzzImport(f *testing.F) {
	f.Add(ownSplit, someEdges)
	f.Add("status,a,b,split\ncase,1,2,train\ncontrol,3,4,valid\ncase,5,6,test\n", "source,target\na,b\n")
	f.Add("status,'=a,split\ncase,1,train\ncontrol,2,train\n1,3,test\n", "source,target\n'=a,-b\n")
	f.Fuzz(func(t *testing.T, samples, edges string) {
		t.Chdir(t.TempDir())
		write(t, "samples.csv", samples)
		write(t, "edges.csv", edges)
		r := request()
		for _, r.Drop = range [][]string{nil, {"id"}} {
			result, err := Import(context.Background(), r, nil)
			if err != nil {
				continue
			}
			got := load(t, r.Out, 0)
			for i, n := range []int{got.Train.Rows(), got.Valid.Rows(), got.Test.Rows()} {
				if n != result.Splits[i].Samples {
					t.Fatalf("%d samples of split %d, told %d", n, i, result.Splits[i].Samples)
				}
			}
			if p, m := len(got.Features.Names), got.Graph.NumEdges(); p != result.Features || m != result.Edges {
				t.Fatalf("%d features and %d edges, told %+v", p, m, result)
			}
			return
		}
	})
}
