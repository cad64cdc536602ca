package choice

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"graphda/graph"
	"graphda/io/message"
	"graphda/io/samples"
	"graphda/io/table"
	"graphda/jobs/own/learning"
	"graphda/learners"
)

// The gate compares the given network with networks in which the names of features are permuted. It runs the same fixed
// settings on each network, on the first GateSplits splits, and judges a network by the setting that does best on it.
// Settings chosen on the given network would favour this network.
const (
	GateSplits   = 5
	gateAllowed  = 1   // number of permuted networks that may do as well as the given network
	gateSupports = 8   // Setting.Supports in the gate
	gateReach    = 300 // with fewer features within reach, sizes shrink in proportion
)

var (
	// gateRounds are the rounds of the gate. A round ends when the given network has been compared with `networks`
	// permuted networks. The given network passes if at most `passing` of these do as well, and fails if more than
	// gateAllowed do. A network without information passes in 1/12 + 1/30 × 11/29 of the datasets, which is fewer than 1
	// of 10.
	gateRounds = []struct{ networks, passing int }{{4, -1}, {11, 0}, {29, gateAllowed}}

	gateSizes = []int{13, 30, 70}
	gateTrees = []int{0, 3} // 0 means one tree

	// Trees lists the numbers of trees with which GraphDA is tried, besides one tree, if the network passes.
	Trees = []int{3, 5}
)

// A Network says what the network does for prediction and for the stability of selections.
type Network struct {
	Features int       // number of features that vary
	Nodes    int       // number of these features that have an edge
	Parts    []int     // number of these features in each connected part, the largest part first
	Splits   int       // number of splits on which the networks were compared; 0 if they were not compared
	F        float64   // f of the gate's settings
	Given    Benefit   // benefit of the given network
	Permuted []Benefit // benefits of the networks with permuted names
	Dropped  bool      // GraphDA was not tried, because the network failed

	nodes []int32 // the features that Nodes counts
}

// A Benefit says how well GraphDA does on a network, with the setting of the gate that has the highest Product:
// stability × (score − guessing).
type Benefit struct{ Score, Stability, Product float64 }

// AsGood returns how many networks with permuted names do as well as the given one.
func (n *Network) AsGood() (count int) {
	for _, p := range n.Permuted {
		if p.Product >= n.Given.Product {
			count++
		}
	}
	return count
}

// Fails tells whether too many networks with permuted names do as well as the given one.
func (n *Network) Fails() bool { return n.AsGood() > gateAllowed }

// Next returns how many permuted networks the next round of the gate needs. It returns 0 as soon as it is decided
// whether the given network passes.
func (n *Network) Next() int {
	for _, round := range gateRounds {
		switch {
		case len(n.Permuted) < round.networks:
			return round.networks
		case len(n.Permuted) == round.networks && (n.Fails() || n.AsGood() <= round.passing):
			return 0
		}
	}
	return 0
}

// Helps tells whether the network passed: it is better than all permuted networks, or than all but one of 29.
func (n *Network) Helps() bool { return n.Splits > 0 && !n.Fails() }

// Reach returns the number of features from which a setting can select. varying is the number of features that vary. A
// method without a network can select from all features that vary. GraphDA can select from the largest parts of the
// network, one part for each tree.
func (n *Network) Reach(s learning.Setting, varying int) (sum int) {
	if n == nil || s.Method.Needs&learners.NeedsGraph == 0 {
		return varying
	}
	for _, size := range n.Parts[:min(len(n.Parts), s.Trees())] {
		sum += size
	}
	return sum
}

// TakesAll tells whether a setting that selects size features selects nearly all features within its reach. Such a
// setting makes no choice.
func (n *Network) TakesAll(s learning.Setting, size float64, varying int) bool {
	return size > 0.9*float64(n.Reach(s, varying))
}

// Survey describes the network of a split, and counts the features that vary. n is nil if the split has no network.
// Constant features are never selected.
func Survey(sp *learning.Split) (n *Network, varying int) {
	varies := make([]bool, sp.Problem.P)
	for i := range sp.Train.Rows() {
		for j, v := range sp.Train.Row(i) {
			varies[j] = varies[j] || v != sp.Train.X[j]
		}
	}
	for _, v := range varies {
		if v {
			varying++
		}
	}
	g := sp.Problem.Graph
	if g == nil {
		return nil, varying
	}
	n = &Network{Features: varying}
	label, count := g.Components()
	n.Parts = make([]int, count)
	for j, part := range label[:len(varies)] { // connectors come after the features
		if !varies[j] {
			continue
		}
		if n.Parts[part]++; g.Degree(int32(j)) > 0 {
			n.Nodes++
			n.nodes = append(n.nodes, int32(j))
		}
	}
	slices.SortFunc(n.Parts, func(a, b int) int { return b - a })
	return n, varying
}

// Permute returns g with permuted names. The measured nodes with an edge exchange their names. The permutation depends
// on k.
func (n *Network) Permute(g *graph.Graph, k int) (*graph.Graph, error) {
	name := make([]int32, g.NumNodes())
	for j := range name {
		name[j] = int32(j)
	}
	for from, to := range samples.PartRand(0, "permuted names", fmt.Sprint("network ", k)).Perm(len(n.nodes)) {
		name[n.nodes[from]] = n.nodes[to]
	}
	edges := slices.Clone(g.Edges())
	for i, e := range edges {
		edges[i] = graph.Edge{U: name[e.U], V: name[e.V]}
	}
	return graph.New(g.NumNodes(), edges, g.Costs())
}

// Settings returns the settings by which networks are compared. Their sizes are smaller if few features are in reach.
func (n *Network) Settings(m *learners.Method, f float64) (all []learning.Setting) {
	for _, trees := range gateTrees {
		s := learning.Setting{Method: m, F: f, Components: trees, Supports: gateSupports}
		share := min(1, float64(n.Reach(s, n.Features))/gateReach)
		for _, size := range gateSizes {
			s.S = max(1, int(math.Round(share*float64(size))))
			if s.S >= trees && !slices.Contains(all, s) {
				all = append(all, s)
			}
		}
	}
	return all
}

// Size says from how many features of a network GraphDA can select. connected is the number of features with an edge,
// and largest is the number of features in the largest part. Without connectors, Size does not mention them.
func Size(features, connected, largest, connectors int) string {
	joined := ""
	if connectors > 0 {
		joined = ", joined by " + message.Count(connectors, "connector")
	}
	return fmt.Sprintf("%s, %s with an edge, the largest part %s%s: GraphDA with one tree can select from these",
		message.Count(features, "feature"), message.Number(connected), message.Number(largest), joined)
}

// Note says on its first line whether the network helps, and on its second line what the network does for a score. If
// found is false, tuning has found nothing that the network could help with. decided says whether there are enough
// splits to show stability. Without a network, Note returns "".
func (n *Network) Note(score string, found, decided bool) string {
	if n == nil {
		return ""
	}
	size := "Network: " + Size(n.Features, n.Nodes, n.Parts[0], 0) + "."
	if n.Splits == 0 {
		return "It was not tested whether the network helps.\n" + size
	}
	mean, most := n.permuted()
	two := table.Fixed(2)
	first := fmt.Sprintf("The network helps: it is better than %d of %d networks with permuted names.",
		len(n.Permuted)-n.AsGood(), len(n.Permuted))
	switch {
	case !n.Helps():
		first = fmt.Sprintf("The network is not shown to help: %d of %d networks with permuted names do as well.",
			n.AsGood(), len(n.Permuted))
	case !found:
		first = "Whether the network helps cannot be told where nothing was found."
	}
	if n.Dropped {
		first += " So GraphDA was not tried; --method graphda tries it."
	}
	second := fmt.Sprintf("Prediction: %s %s against %s with permuted names (best %s).", score, two(n.Given.Score),
		two(mean.Score), two(most.Score))
	if decided {
		second += fmt.Sprintf(" Selection: stability %s against %s.", two(n.Given.Stability), two(mean.Stability))
	}
	return first + "\n" + second + " " + networkTests + " " + size
}

const networkTests = "This asks whether GraphDA predicts better and selects more steadily with the network; " +
	"gdrun confidence asks whether related features are neighbours."

// permuted returns the means and the maxima of the benefits of the networks with permuted names.
func (n *Network) permuted() (mean, most Benefit) {
	of := func(value func(*Benefit) float64) (float64, float64) {
		values := make([]float64, len(n.Permuted))
		for k := range n.Permuted {
			values[k] = value(&n.Permuted[k])
		}
		return stat.Mean(values, nil), slices.Max(values)
	}
	mean.Score, most.Score = of(func(g *Benefit) float64 { return g.Score })
	mean.Stability, most.Stability = of(func(g *Benefit) float64 { return g.Stability })
	mean.Product, most.Product = of(func(g *Benefit) float64 { return g.Product })
	return mean, most
}

// Table shows what GraphDA does on the network and on networks with permuted names. It is nil if nothing was compared.
func (n *Network) Table(score string) *table.Table {
	if n == nil || n.Splits == 0 {
		return nil
	}
	t := &table.Table{Name: "network", Title: "What the network does", Subtitle: fmt.Sprintf("the best of fixed "+
		"settings of GraphDA on each, means over %s; score: %s", message.Count(n.Splits, "split"), score)}
	type row struct {
		name string
		Benefit
	}
	mean, most := n.permuted()
	rows := []row{{"as given", n.Given}, {"names permuted: mean", mean}, {"names permuted: best", most}}
	table.Fill(t, rows, []table.Field[row]{
		table.WordField("network", "Network", func(r *row) string { return r.name }),
		table.NumberField("score", "Score", table.Fixed(3), func(r *row) float64 { return r.Score }),
		table.NumberField("stability", "Stability", table.Fixed(2), func(r *row) float64 { return r.Stability }),
		table.NumberField("product", "Product", table.Fixed(4), func(r *row) float64 { return r.Product }),
	})
	t.Notes = append(t.Notes, fmt.Sprintf("Product: stability times score above guessing, by which networks are "+
		"compared. %d of %d networks with permuted names have at least the given network's. The network is said to help if "+
		"none of %d has, or %d of %d: without a benefit, in fewer than 1 of 10 datasets.", n.AsGood(), len(n.Permuted),
		gateRounds[1].networks, gateAllowed, gateRounds[2].networks))
	return t
}
