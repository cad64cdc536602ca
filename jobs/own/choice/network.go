package choice

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"graphda/graph"
	"graphda/io/message"
	"graphda/io/samples"
	"graphda/io/table"
	"graphda/jobs/own/learning"
	"graphda/learners"
)

// The gate compares the given network with networks in which the names of features are permuted. It runs the same fixed
// settings on each network, on the first GateSplits splits, and compares the best result of each network. The settings
// are fixed because settings chosen on the given network would favour it.
const (
	GateSplits   = 5
	gateAllowed  = 1   // number of permuted networks that may do as well as the given network
	gateSupports = 8   // largest Setting.Supports of the gate's settings
	gateReach    = 300 // with fewer features in reach, the gate chooses proportionally fewer features
)

var (
	// gateRounds are the rounds of the gate. A round ends when the gate has run on `networks` permuted networks. The
	// given network passes if at most `passing` permuted networks match it, and fails if more than gateAllowed do. A
	// network without information passes by the end of the round with probability 1/onceIn. This is 1/12 for the second
	// round, and 1/12 + 1/30 × 11/29 for the third.
	gateRounds = []struct{ networks, passing, onceIn int }{{4, -1, 0}, {11, 0, 12}, {29, gateAllowed, 10}}

	gateSizes = []int{13, 30, 70}
	gateTrees = []int{0, 3} // 0 means one tree

	// Trees lists the numbers of trees that GraphDA tries besides one tree, if the network passes.
	Trees = []int{3, 5}
)

// A Network describes the given network, and how well GraphDA does on it and on permuted networks.
type Network struct {
	Features int   // number of features that vary
	Nodes    int   // number of varying features that have an edge
	Edges    int   // number of the network's edges
	Parts    []int // numbers of varying features in the connected parts, in falling order
	Splits   int   // number of splits on which networks were compared; 0 without a comparison
	F        float64
	Given    Benefit
	Permuted []Benefit
	Dropped  bool // set if GraphDA was not tried because the network did not pass

	used  bool    // set if the chosen method uses the network
	nodes []int32 // indices of the features that Nodes counts
}

// A Benefit says how well GraphDA does on a network, with the gate's setting of the largest Product. Product is
// stability × (score − guessing).
type Benefit struct{ Score, Stability, Product float64 }

// AsGood returns the number of permuted networks that do at least as well as the given network.
func (n *Network) AsGood() (count int) {
	for _, p := range n.Permuted {
		if p.Product >= n.Given.Product {
			count++
		}
	}
	return count
}

// Fails reports whether too many permuted networks do as well as the given network.
func (n *Network) Fails() bool { return n.AsGood() > gateAllowed }

// Next returns the number of permuted networks at which the gate's next round ends. It returns 0 when the gate has
// decided.
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

// Passes reports whether networks were compared, and the given network did not fail.
func (n *Network) Passes() bool { return n.Splits > 0 && !n.Fails() }

// Helps reports whether the network passes, and the chosen model's method uses it.
func (n *Network) Helps() bool { return n.Passes() && n.used }

// Use records which method was chosen.
func (n *Network) Use(chosen *learners.Method) {
	if n != nil {
		n.used = chosen.Needs&learners.NeedsGraph != 0
	}
}

// Reach returns how many of the varying features a setting can select. GraphDA can select features in the largest parts
// of the network, one part for each tree. Without a network a setting can select all features.
func (n *Network) Reach(s learning.Setting, varying int) (sum int) {
	if n == nil || s.Method.Needs&learners.NeedsGraph == 0 {
		return varying
	}
	for _, size := range n.Parts[:min(len(n.Parts), s.Trees())] {
		sum += size
	}
	return sum
}

// TakesAll reports whether a setting selects nearly all features that it can select, and so makes no choice.
func (n *Network) TakesAll(s learning.Setting, size float64, varying int) bool {
	return size > 0.9*float64(n.Reach(s, varying))
}

// Survey describes the network of a split, or returns nil without a network. It also counts the features that vary,
// because no method selects a constant feature.
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
	n = &Network{Features: varying, Edges: g.NumEdges()}
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

// Permute returns g with permuted names. Only varying features with an edge exchange their names. k numbers the
// permutations.
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

// Settings returns the settings that the gate runs on each network. They find at most two supports in a pass.
func (n *Network) Settings(m *learners.Method, f float64, passes int) (all []learning.Setting) {
	for _, trees := range gateTrees {
		s := learning.Setting{Method: m, F: f, Components: trees, Supports: min(2*passes, gateSupports)}
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

// Tells reports whether the gate can compare networks: at least one setting must select along an edge.
func (n *Network) Tells(m *learners.Method) bool {
	return slices.ContainsFunc(n.Settings(m, 1, 1), func(s learning.Setting) bool { return s.S > s.Trees() })
}

// Untested says why the gate cannot compare networks.
func (n *Network) Untested() string {
	return fmt.Sprintf("The network cannot be tested: it has %s, and its largest part %s of %s.",
		message.Count(n.Edges, "edge"), message.Number(n.Parts[0]), message.Count(n.Features, "feature"))
}

// Size describes a network by its numbers of features and connectors. `joining` counts the connectors in the largest
// part.
func Size(features, connected, largest, joining, connectors int) string {
	joined := ""
	switch {
	case connectors > joining:
		joined = fmt.Sprintf(", joined by %s of %s", message.Number(joining), message.Count(connectors, "connector"))
	case connectors > 0:
		joined = ", joined by " + message.Count(connectors, "connector")
	}
	return fmt.Sprintf("%s, %s with an edge, %s in the largest part%s; GraphDA with one tree selects from this part",
		message.Count(features, "feature"), message.Number(connected), message.Number(largest), joined)
}

// Note says whether the network helps the chosen model. Further lines compare the networks. It returns "" if there is
// no network, or if nothing was found.
func (n *Network) Note(score string, found bool) string {
	if n == nil || !found {
		return ""
	}
	count, first, second := len(n.Permuted), "", ""
	switch {
	case n.Splits == 0:
		first = n.Untested()
	case !n.Passes():
		first = fmt.Sprintf("The network is not shown to help to predict and select: %d of %d networks with permuted names "+
			"do as well.", n.AsGood(), count)
	case !n.used:
		first = "A method without the network does as well as GraphDA, and was chosen."
	default:
		first = fmt.Sprintf("The network helps to predict and to select steadily: it beats %d of %d networks with permuted "+
			"names. By chance this happens once in %d datasets.", count-n.AsGood(), count, n.onceIn())
	}
	if n.Dropped {
		first += " So GraphDA was not tried; --method graphda tries it."
	}
	if n.Splits > 0 {
		median, best := n.permuted()
		second = fmt.Sprintf("GraphDA has %s with the network. With permuted names it has %s on the median network, and %s "+
			"on the best of %d. %s ", n.Given.text(score), median.text(score), best.text(score), count, networkTests)
	}
	return first + "\n" + second + "Network: " + Size(n.Features, n.Nodes, n.Parts[0], 0, 0) + "."
}

const networkTests = "This asks whether GraphDA predicts better and selects more steadily with the network; " +
	"gdrun confidence asks whether related features lie together in it."

func (b *Benefit) text(score string) string {
	return fmt.Sprintf("%s %.2f and stability %.2f", score, b.Score, b.Stability)
}

// onceIn returns n if, by the end of this round, a network without information passes in one of n datasets.
func (n *Network) onceIn() int {
	for _, round := range gateRounds {
		if len(n.Permuted) == round.networks {
			return round.onceIn
		}
	}
	return 0
}

// permuted returns the median and the best benefit of the permuted networks.
func (n *Network) permuted() (median, best Benefit) {
	all := slices.Clone(n.Permuted)
	slices.SortStableFunc(all, func(a, b Benefit) int { return cmp.Compare(b.Product, a.Product) })
	return all[(len(all)-1)/2], all[0]
}

// Table compares GraphDA on the given network and on permuted networks. It returns nil if no networks were compared. If
// tuning found nothing, the table does not say that the network helps.
func (n *Network) Table(score string, found bool) *table.Table {
	if n == nil || n.Splits == 0 {
		return nil
	}
	t := &table.Table{Name: "network", Title: "What the network does", Subtitle: fmt.Sprintf("for each network, the "+
		"best of GraphDA's fixed settings; means over %s; score: %s", message.Count(n.Splits, "split"), score)}
	type row struct {
		name string
		Benefit
	}
	median, best := n.permuted()
	rows := []row{{"as given", n.Given}, {"names permuted: median", median}, {"names permuted: best", best}}
	count := func(key string, n int) table.Field[row] {
		return table.CountField(key, "", func(*row) int { return n }).Data()
	}
	table.Fill(t, rows, []table.Field[row]{
		table.WordField("network", "Network", func(r *row) string { return r.name }),
		table.NumberField("score", "Score", table.Fixed(3), func(r *row) float64 { return r.Score }),
		table.NumberField("stability", "Stability", table.Fixed(2), func(r *row) float64 { return r.Stability }),
		table.NumberField("product", "Product", table.Fixed(4), func(r *row) float64 { return r.Product }),
		count("permuted", len(n.Permuted)), count("as_good", n.AsGood()),
		table.WordField("helps", "", func(*row) string { return yesNo(found && n.Helps()) }).Data(),
	})
	t.Notes = append(t.Notes, fmt.Sprintf("Product: stability times the score above guessing. It "+
		"decides which permuted network is the median and which is the best. %d of %d networks with permuted names have at "+
		"least the product of the given network. The network passes if none of %d permuted networks have that much, or at "+
		"most %d of %d. A useless network passes in fewer than 1 of 10 datasets. tune says that the network helps if it "+
		"passes and the chosen method uses it.", n.AsGood(), len(n.Permuted), gateRounds[1].networks, gateAllowed,
		gateRounds[2].networks))
	return t
}

func yesNo(is bool) string {
	if is {
		return "yes"
	}
	return "no"
}
