package pcsttest

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/json"

	"graphda/graph"
)

//go:embed testdata/pcst.json.gz
var golden []byte

// A Case is an instance with the forest that independent implementations of the published scheme found.
type Case struct {
	Kind          string     `json:"kind"`
	Nodes         int        `json:"nodes"`
	Edges         [][2]int32 `json:"edges"`
	Costs         []float64  `json:"costs"`
	Prizes        []float64  `json:"prizes"`
	Root          int        `json:"root"` // −1 for none
	Clusters      int        `json:"clusters"`
	Pruning       string     `json:"pruning"`
	WantNodes     []int32    `json:"want_nodes"`
	WantEdges     []int32    `json:"want_edges"`
	WantObjective float64    `json:"want_objective"`
}

// Golden returns the 150 golden cases.
func Golden() (cases []Case) {
	r, err := gzip.NewReader(bytes.NewReader(golden))
	if err == nil {
		err = json.NewDecoder(r).Decode(&cases)
	}
	if err != nil || len(cases) != 150 {
		panic("golden cases that cannot be read whole")
	}
	return cases
}

// Graph is the instance's graph.
func (c *Case) Graph() *graph.Graph {
	edges := make([]graph.Edge, len(c.Edges))
	for e, ends := range c.Edges {
		edges[e] = graph.Edge{U: ends[0], V: ends[1]}
	}
	g, err := graph.New(c.Nodes, edges, c.Costs)
	if err != nil {
		panic(err)
	}
	return g
}
