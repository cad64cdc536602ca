package pcst_test

import (
	"fmt"

	"graphda/graph"
	"graphda/projection/pcst"
)

// This is the example of the package comment, a path a–b–c. With the second prizes it pays to join the path's
// ends.
func ExampleSolver_Solve() {
	g, _ := graph.New(3, []graph.Edge{{U: 0, V: 1}, {U: 1, V: 2}}, []float64{4, 4})
	s := pcst.NewSolver(g) // one for each goroutine, for any number of prizes
	opt := pcst.Options{Clusters: 1, Root: -1, Pruning: pcst.GWPruning}
	var f pcst.Forest
	for _, prizes := range [][]float64{{3, 0, 2}, {9, 0, 5}} {
		err := s.Solve(&f, prizes, 1, opt)
		fmt.Println(f.Nodes, f.Edges, err)
	}
	// Output:
	// [0] [] <nil>
	// [0 1 2] [0 1] <nil>
}
