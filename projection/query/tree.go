package query

import (
	"math"
	"slices"
)

// A trees is a forest whose best parts are looked for. Its nodes are numbered so that parents come before children.
type trees struct {
	nodes  []int32 // of the graph
	parent []int32 // −1 of the first node of a tree
	root   []int32 // the first node of the tree
	child  []int32 // the first; the others follow it
	edge   []int32 // to the parent, of the graph
	worth  []float64
	cost   []float64 // of the edge to the parent
	steps  []int32   // what a node takes of a limit
	must   []int32   // nodes below, itself included, that must be in the part
	gain   []float64 // worth of the best part that has this node at its top
}

// strong returns which nodes are in the best parts, one of each tree: what must be in is, and a tree of which nothing
// is worth more than 0 has none.
func (t *trees) strong() []bool {
	t.gain = slices.Clone(t.worth)
	best := make([]int32, len(t.nodes)) // by root: the top of the best part, −1 for none
	for i := len(t.nodes) - 1; i >= 0; i-- {
		if p := t.parent[i]; p >= 0 && t.taken(i) {
			t.gain[p] += t.gain[i] - t.cost[i]
		}
		best[i] = -1
	}
	for i := range t.nodes {
		r := t.root[i]
		if t.must[i] < t.must[r] {
			continue
		}
		if b := best[r]; b < 0 && (t.gain[i] > 0 || t.must[r] > 0) || b >= 0 && t.gain[i] > t.gain[b] {
			best[r] = int32(i)
		}
	}
	in := make([]bool, len(t.nodes))
	for i, p := range t.parent {
		in[i] = best[t.root[i]] == int32(i) || p >= 0 && in[p] && t.taken(i)
	}
	return in
}

// taken tells whether the branch at node i belongs to the best part that has its parent.
func (t *trees) taken(i int) bool { return t.must[i] > 0 || t.gain[i] > t.cost[i] }

// within returns which nodes are in the best parts that take at most limit steps, one of each tree at most; nil if what
// must be in takes more. It takes time and memory of O(nodes × limit).
func (t *trees) within(limit int) []bool {
	k := knapsack{trees: t, limit: limit, tables: make([][]float64, len(t.nodes)), choice: make([][]int32, len(t.nodes))}
	type pick struct {
		top  []int32 // by steps that a tree takes: the top of its part
		took []int32 // by steps in all: those of the tree, −1 for none
	}
	var picks []pick
	total := []float64{0} // best value of the trees so far, by steps
	var best []float64    // of the parts of this tree
	var tops []int32
	for i := len(t.nodes) - 1; i >= 0; i-- { // a tree's nodes follow one another, its root first
		f := k.own(i)
		if t.must[i] == t.must[t.root[i]] {
			best, tops = better(best, tops, f, int32(i))
		}
		if p := t.parent[i]; p >= 0 {
			k.hang(i, int(p))
			continue
		}
		var took []int32
		total, took = combine(total, best, 0, t.must[i] == 0, limit)
		picks = append(picks, pick{tops, took})
		best, tops = nil, nil
	}
	j := len(total) - 1
	if math.IsInf(total[j], -1) {
		return nil
	}
	in := make([]bool, len(t.nodes))
	for _, p := range slices.Backward(picks) {
		j = min(j, len(p.took)-1)
		if i := int(p.took[j]); i >= 0 {
			j -= i
			k.mark(in, p.top[min(i, len(p.top)-1)], i)
		}
	}
	return in
}

// better returns, by steps, the larger of two values and the top that it is of.
func better(best []float64, tops []int32, f []float64, top int32) ([]float64, []int32) {
	for j := range max(len(best), len(f)) {
		if j == len(best) {
			best, tops = append(best, math.Inf(-1)), append(tops, -1)
			if j > 0 {
				best[j], tops[j] = best[j-1], tops[j-1]
			}
		}
		if v := f[min(j, len(f)-1)]; v > best[j] {
			best[j], tops[j] = v, top
		}
	}
	return best, tops
}

// A knapsack finds the best parts of trees by the steps they take.
type knapsack struct {
	*trees
	limit  int
	tables [][]float64 // by node: value of the best part that has it at its top, by steps at most
	choice [][]int32   // by node: steps it gets of those of its parent and the children hung before, −1 for none
}

// own returns the table of a node whose children have been hung to it.
func (k *knapsack) own(i int) []float64 {
	if k.tables[i] == nil {
		f := make([]float64, min(k.limit, int(k.steps[i]))+1)
		for j := range f {
			if f[j] = k.worth[i]; j < int(k.steps[i]) {
				f[j] = math.Inf(-1)
			}
		}
		k.tables[i] = f
	}
	return k.tables[i]
}

// hang takes the best of a child's branch into the table of its parent.
func (k *knapsack) hang(i, p int) {
	k.tables[p], k.choice[i] = combine(k.own(p), k.tables[i], k.cost[i], k.must[i] == 0, k.limit)
	k.tables[i] = nil
}

// combine returns, by steps at most, the best of a with a part of b added at a cost, or without one if that may be, and
// the steps that b gets, −1 for none.
func combine(a, b []float64, cost float64, optional bool, limit int) (sum []float64, took []int32) {
	size := min(limit+1, len(a)+len(b)-1)
	sum, took = make([]float64, size), make([]int32, size)
	for j := range sum {
		sum[j], took[j] = math.Inf(-1), -1
		if optional {
			sum[j] = a[min(j, len(a)-1)]
		}
		for i := max(0, j-len(a)+1); i <= min(j, len(b)-1); i++ {
			if v := a[j-i] + b[i] - cost; v > sum[j] {
				sum[j], took[j] = v, int32(i)
			}
		}
	}
	return sum, took
}

// mark marks the best part that has node i at its top and takes at most j steps.
func (k *knapsack) mark(in []bool, i int32, j int) {
	in[i] = true
	for c := k.child[i]; c > 0 && int(c) < len(k.parent) && k.parent[c] == i; c++ { // the child hung last comes first
		j = min(j, len(k.choice[c])-1)
		if took := k.choice[c][j]; took >= 0 {
			k.mark(in, c, int(took))
			j -= int(took)
		}
	}
}
