package choice

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"graphda/graph"
	"graphda/learners"
)

func must1[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// Names are permuted among the measured nodes with edges. Each name gets another name's edges, and the
// edges keep their costs.
func TestPermute(t *testing.T) {
	g := must1(graph.New(7, []graph.Edge{{U: 0, V: 1}, {U: 1, V: 2}, {U: 1, V: 5}}, []float64{1, 2, 3}))
	n := &Network{nodes: []int32{0, 1, 2}} // 5 is not measured
	moved := 0
	for k := 1; k <= 9; k++ {
		other := must1(n.Permute(g, k))
		var degrees []int
		for j := range int32(7) {
			if degrees = append(degrees, other.Degree(j)); other.Degree(j) != g.Degree(j) {
				moved++
			}
		}
		if !slices.Equal(degrees[3:], []int{0, 0, 1, 0}) || !slices.Equal(other.Costs(), g.Costs()) {
			t.Errorf("network %d: degrees %v, costs %v", k, degrees, other.Costs())
		}
		if slices.Sort(degrees); !slices.Equal(degrees, []int{0, 0, 0, 1, 1, 1, 3}) {
			t.Errorf("network %d: degrees %v", k, degrees)
		}
		if again := must1(n.Permute(g, k)); fmt.Sprint(again.Edges()) != fmt.Sprint(other.Edges()) {
			t.Error("a network is drawn twice")
		}
	}
	if moved == 0 {
		t.Error("nothing is permuted")
	}
}

// Stability is measured among the features within reach: selecting all of them is no choice.
func TestStabilityWithinReach(t *testing.T) {
	same := [][]int32{{0, 1, 2}, {0, 1, 2}}
	if s := Stability(same, 100, 3); !math.IsNaN(s) {
		t.Errorf("all that is within reach: %v", s)
	}
	near := [][]int32{{0, 1, 2}, {0, 1, 3}}
	if wide, narrow := Stability(near, 100, 100), Stability(near, 100, 4); wide < 0.6 || math.Abs(narrow+1.0/3) > 1e-12 {
		t.Errorf("%v among 100, %v among 4", wide, narrow)
	}
}

// Among networks without information, nearly 1 in 10 passes, and Note says how often. If a network is better than all
// permuted networks, few comparisons are enough.
func TestLevel(t *testing.T) {
	const datasets = 100_000
	r, passed := rand.New(rand.NewPCG(1, 1)), 0
	at := map[int]int{} // datasets that have passed, by number of compared networks
	for range datasets {
		n := &Network{Splits: 1, Given: Benefit{Product: r.Float64()}}
		for next := n.Next(); next > 0; next = n.Next() {
			for len(n.Permuted) < next {
				n.Permuted = append(n.Permuted, Benefit{Product: r.Float64()})
			}
		}
		if n.Passes() {
			passed++
			at[len(n.Permuted)]++
		}
	}
	if share := float64(passed) / datasets; share < 0.09 || share > 0.1 {
		t.Errorf("%.4f of the datasets pass", share)
	}
	once := 0
	for _, round := range gateRounds {
		n := &Network{Permuted: make([]Benefit, round.networks)}
		if once += at[round.networks]; once > 0 && n.onceIn() != int(math.Round(float64(datasets)/float64(once))) {
			t.Errorf("after %d networks %d of %d pass, not once in %d", round.networks, once, datasets, n.onceIn())
		}
	}
}

// A network is said to help only if it passes, the chosen method uses it, and something was found. The table says the
// same as the note.
func TestNote(t *testing.T) {
	on, off := must1(learners.Lookup("graphda")), must1(learners.Lookup("adagrad"))
	passes := Network{Splits: 5, Parts: []int{9}, Given: Benefit{0.9, 0.8, 0.32}, Permuted: make([]Benefit, 11)}
	lucky := Network{Splits: 5, Parts: []int{9}, Given: Benefit{0.9, 0.8, 0.32}, Permuted: make([]Benefit, 29)}
	lucky.Permuted[3] = Benefit{0.9, 0.9, 0.36}
	fails := Network{Splits: 5, Parts: []int{9}, Permuted: make([]Benefit, 4)}
	dropped := fails
	dropped.Dropped = true
	for name, test := range map[string]struct {
		found  bool
		asked  Network
		chosen *learners.Method
		want   string
		helps  string // text in the table
	}{
		"helps": {true, passes, on, "The network helps to predict and to select steadily: it beats 11 of 11 networks with " +
			"permuted names. By chance this happens once in 12 datasets.", "yes"},
		"one is as good": {true, lucky, on, "The network helps to predict and to select steadily: it beats 28 of 29 networks " +
			"with permuted names. By chance this happens once in 10 datasets.", "yes"},
		"not used":                {true, passes, off, "A method without the network does as well as GraphDA, and was chosen.", "no"},
		"nothing found":           {false, passes, on, "", "no"},
		"nothing found, not used": {false, passes, off, "", "no"},
		"fails": {true, fails, on, "The network is not shown to help to predict and select: 4 of 4 networks with permuted " +
			"names do as well.", "no"},
		"fails, nothing found": {false, dropped, off, "", "no"},
		"dropped": {true, dropped, off, "The network is not shown to help to predict and select: 4 of 4 networks with permuted " +
			"names do as well. So GraphDA was not tried; --method graphda tries it.", "no"},
		"nearly empty": {true, Network{Features: 200, Edges: 5, Parts: []int{2, 2, 1}, Dropped: true}, off,
			"The network cannot be tested: it has 5 edges, and its largest part 2 of 200 features. So GraphDA " +
				"was not tried; --method graphda tries it.", ""},
	} {
		test.asked.Use(test.chosen)
		first, _, _ := strings.Cut(test.asked.Note("AUC", test.found), "\n")
		if first != test.want {
			t.Errorf("%s: %q, want %q", name, first, test.want)
		}
		helps, table := "", test.asked.Table("AUC", test.found)
		if table != nil {
			row := table.Rows[0]
			helps = row[len(row)-1].Text()
		}
		if helps != test.helps || (helps == "yes") != strings.Contains(first, "network helps to") {
			t.Errorf("%s: the table says %q beside %q", name, helps, first)
		}
	}
	if text := (*Network)(nil).Note("AUC", true); text != "" {
		t.Errorf("without a network: %q", text)
	}
}

// The rows of the table are the median and the best permuted network, ranked by the product that decides. They are not
// the best values of each column.
func TestTableOfNetworks(t *testing.T) {
	all := []Benefit{{0.95, 0.5, 0.225}, {0.6, 1, 0.1}, {0.9, 0.8, 0.32}}
	n := &Network{Splits: 5, Parts: []int{9}, Given: Benefit{0.9, 0.9, 0.36}, Permuted: all}
	var csv strings.Builder
	if err := n.Table("AUC", true).Write(&csv, "csv"); err != nil {
		t.Fatal(err)
	}
	want := "network,score,stability,product,permuted,as_good,helps\nas given,0.9,0.9,0.36,3,0,no\n" +
		"names permuted: median,0.95,0.5,0.225,3,0,no\nnames permuted: best,0.9,0.8,0.32,3,0,no\n"
	if csv.String() != want {
		t.Errorf("%s, want %s", csv.String(), want)
	}
	if !slices.Equal(n.Permuted, all) || n.Permuted[0].Score != 0.95 {
		t.Errorf("networks were sorted: %v", n.Permuted)
	}
}

// Networks can be compared only if some setting selects along an edge, so not if all parts have few features.
func TestTells(t *testing.T) {
	on := must1(learners.Lookup("graphda"))
	for _, test := range []struct {
		features int
		parts    []int
		want     bool
	}{
		{200, []int{2, 2, 2, 2, 2, 1}, false}, {200, []int{1}, false}, {1000, []int{6, 4, 3}, false}, {5, []int{5}, false},
		{200, []int{7, 1}, true}, {200, []int{5, 5, 5}, true}, {200, []int{83, 1}, true}, {1000, []int{901}, true},
	} {
		n := &Network{Features: test.features, Parts: test.parts}
		if n.Tells(on) != test.want {
			t.Errorf("parts %v of %d features: %v", test.parts, test.features, !test.want)
		}
	}
}
