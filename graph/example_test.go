package graph_test

import (
	"errors"
	"fmt"

	"graphda/graph"
)

func ExampleNew() {
	g, err := graph.New(4, []graph.Edge{{U: 0, V: 1}, {U: 1, V: 2}}, []float64{1, 0.5})
	fmt.Println(g.NumNodes(), g.NumEdges(), g.Arcs(1), err)

	_, err = graph.New(4, []graph.Edge{{U: 0, V: 1}, {U: 2, V: 2}}, nil)
	var wrong *graph.EdgeError
	fmt.Println(errors.As(err, &wrong), wrong.Edge, err)
	// Output:
	// 4 2 [{0 0} {2 1}] <nil>
	// true 1 graph: edge 1: is a self-loop at node 2
}

func ExampleGraph_Components() {
	g, _ := graph.New(4, []graph.Edge{{U: 0, V: 2}, {U: 1, V: 3}}, nil)
	fmt.Println(g.Components())
	// Output: [0 1 0 1] 2
}
