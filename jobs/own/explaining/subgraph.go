package explaining

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"graphda/graph"
	"graphda/io/model"
	"graphda/io/network"
	"graphda/learners"
)

// A Subgraph has the features that a model selects, and the edges between them.
type Subgraph struct {
	Nodes   []Node // ordered by part, then by falling weight
	Edges   []Edge // in network order
	Parts   int
	Nothing bool   // set if gdrun tune found nothing
	Outcome string // what positive weights raise
	Ratio   RatioOf
	Notes   []network.Attribute // columns added by Annotate
}

// A Node is a feature of the subgraph.
type Node struct {
	Feature   int32 // index of the feature; unmeasured connectors come after all features
	Name      string
	Weight    float64
	Ratio     float64  // odds ratio or hazard ratio; NaN for a connector
	Frequency float64  // share of tune's splits that selected the feature; NaN if unknown
	Degree    int      // number of edges in the whole network; 0 without a network
	Part      int      // number of the node's part; see the function Parts
	Connects  bool     // set if the node is a connector
	Notes     []string // values of the attributes in Subgraph.Notes
}

// An Edge joins the nodes with indices Source and Target.
type Edge struct {
	Source, Target int
	Cost           float64
}

// Select returns the features that a model selects. Without a network, each feature is a part of its own.
func Select(m *model.Model) (*Subgraph, error) {
	if m.State == nil {
		return nil, errors.New("has no network, because it was made without the state of a learner; run gdrun tune again")
	}
	method, err := learners.Lookup(m.State.Method)
	if err != nil {
		return nil, err
	}
	var nodes []int32
	for j, w := range m.Weights[0].W {
		if w != 0 {
			nodes = append(nodes, int32(j))
		}
	}
	g := m.State.Graph
	if g == nil {
		if g, err = graph.New(len(m.Features), nil, nil); err != nil {
			return nil, err
		}
	}
	if method.Needs&learners.NeedsGraph != 0 {
		joining, err := connectors(g, nodes)
		if err != nil {
			return nil, err
		}
		nodes = slices.Sorted(slices.Values(slices.Concat(nodes, joining)))
	}
	part, count, err := Parts(g, nodes)
	if err != nil {
		return nil, err
	}
	s := &Subgraph{Parts: count, Outcome: Outcome(m.Loss, m.Positive), Ratio: "odds",
		Nothing: strings.HasPrefix(m.Made[model.Found], model.Nothing)}
	if m.Survival != nil {
		s.Outcome, s.Ratio = Outcome(m.Loss, m.Survival.Event), "hazard"
	}
	for _, j := range nodes {
		n := Node{Feature: j, Ratio: math.NaN(), Frequency: math.NaN(), Part: part[j]}
		if k := int(j) - len(m.Features); k >= 0 {
			n.Name = m.State.Connectors[k]
		} else if n.Name, n.Weight = m.Features[j], m.Weights[0].W[j]; m.Frequency != nil {
			n.Frequency = m.Frequency[j]
		}
		if n.Connects = n.Weight == 0; !n.Connects {
			n.Ratio = Ratio(m, j)
		}
		if m.State.Graph != nil {
			n.Degree = m.State.Graph.Degree(j)
		}
		s.Nodes = append(s.Nodes, n)
	}
	slices.SortStableFunc(s.Nodes, func(a, b Node) int {
		return cmp.Or(cmp.Compare(a.Part, b.Part), cmp.Compare(math.Abs(b.Weight), math.Abs(a.Weight)))
	})
	s.addEdges(g)
	return s, nil
}

func (s *Subgraph) addEdges(g *graph.Graph) {
	place := map[int32]int{}
	for i, n := range s.Nodes {
		place[n.Feature] = i
	}
	for i, e := range g.Edges() {
		u, uok := place[e.U]
		v, vok := place[e.V]
		if uok && vok {
			s.Edges = append(s.Edges, Edge{u, v, g.Costs()[i]})
		}
	}
}

// Parts numbers the components of the subgraph of the given nodes, which must be ascending. The largest component has
// number 1. Ties are in the order of the first nodes.
func Parts(g *graph.Graph, nodes []int32) (part map[int32]int, count int, err error) {
	part = map[int32]int{}
	if len(nodes) == 0 {
		return part, 0, nil
	}
	sub, _, err := g.Induced(nodes) // node i of sub is nodes[i]
	if err != nil {
		return nil, 0, err
	}
	label, count := sub.Components()
	sizes, order := make([]int, count), make([]int, count)
	for i := range order {
		order[i] = i
	}
	for _, l := range label {
		sizes[l]++
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(sizes[b], sizes[a]) })
	rank := make([]int, count)
	for k, l := range order {
		rank[l] = k + 1
	}
	for i, node := range nodes {
		part[node] = rank[label[i]]
	}
	return part, count, nil
}

// connectors returns nodes that join the parts of the given nodes. It repeatedly adds the first node that joins the
// most parts.
func connectors(g *graph.Graph, nodes []int32) (found []int32, err error) {
	for {
		part, _, err := Parts(g, slices.Sorted(slices.Values(slices.Concat(nodes, found))))
		if err != nil {
			return nil, err
		}
		of := make([]int, g.NumNodes()) // number of each node's part; 0 outside the parts
		for u, k := range part {
			of[u] = k
		}
		best, most := int32(-1), 1
		for u := range int32(len(of)) {
			var joined []int
			for _, a := range g.Arcs(u) {
				if k := of[a.Node]; of[u] == 0 && k > 0 && !slices.Contains(joined, k) {
					joined = append(joined, k)
				}
			}
			if len(joined) > most {
				best, most = u, len(joined)
			}
		}
		if best < 0 {
			return found, nil
		}
		found = append(found, best)
	}
}

// role returns "connector", or the Effect of the node's weight.
func (s *Subgraph) role(n *Node) string {
	if n.Connects {
		return "connector"
	}
	return s.Effect(n.Weight)
}

func (n *Node) about(ratio RatioOf) string {
	text := fmt.Sprintf("%s: weight %.3g", n.Name, n.Weight)
	if !math.IsNaN(n.Ratio) {
		text += fmt.Sprintf(", %s %.3g", ratio.text(), n.Ratio)
	}
	if n.Connects {
		text = n.Name + ": no weight, connects others"
	}
	if !math.IsNaN(n.Frequency) {
		text += fmt.Sprintf(", selected in %.0f %% of the splits", 100*n.Frequency)
	}
	return text
}
