package projection_test

import (
	"fmt"

	"graphda/graph"
	"graphda/projection"
)

// The tail projection selects four entries in one tree.
func ExampleSearch_Project() {
	s := projection.NewSearch(graph.Grid(3, 3))
	w := []float64{
		0, 2, 0,
		0, -3, 0,
		1, 2, 0,
	}
	var r projection.Result
	err := s.Project(&r, w, projection.TailWindow(4, 0.1), projection.Options{Clusters: 1, MaxIter: 20})
	fmt.Println(r.Nodes, r.Status, err)
	// Output: [1 4 6 7] bracketed <nil>
}
