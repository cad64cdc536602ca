package canvas

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
)

// looseness is the smallest distance between connected parts, in units of an edge's length.
const looseness = 0.8

// Arrange returns a place for each of n nodes, in units of an edge's length. The distance of two connected nodes is
// about the number of edges on their shortest path. Connected parts are side by side, the largest first.
func Arrange(n int, edges [][2]int) []vg.Point {
	near := make([][]int, n)
	for _, e := range Simplified(edges) {
		near[e[0]], near[e[1]] = append(near[e[0]], e[1]), append(near[e[1]], e[0])
	}
	at := make([]vg.Point, n)
	seen := make([]bool, n)
	var parts [][]int
	for v := range n {
		if seen[v] {
			continue
		}
		steps := walk(near, v)
		var part []int
		for u, d := range steps {
			if d >= 0 {
				part, seen[u] = append(part, u), true
			}
		}
		unfold(near, part, at)
		parts = append(parts, part)
	}
	slices.SortStableFunc(parts, func(a, b []int) int { return cmp.Compare(len(b), len(a)) })
	pack(parts, at)
	return at
}

// Simplified returns the edges without loops and repeated edges.
func Simplified(edges [][2]int) [][2]int {
	seen := make(map[[2]int]bool, len(edges))
	var out [][2]int
	for _, e := range edges {
		if key := [2]int{min(e[0], e[1]), max(e[0], e[1])}; e[0] != e[1] && !seen[key] {
			seen[key] = true
			out = append(out, e)
		}
	}
	return out
}

// walk returns each node's distance from the node first, in edges, or −1 without a path.
func walk(near [][]int, first int) []int32 {
	steps := make([]int32, len(near))
	for i := range steps {
		steps[i] = -1
	}
	steps[first] = 0
	for queue := []int{first}; len(queue) > 0; queue = queue[1:] {
		for _, u := range near[queue[0]] {
			if steps[u] < 0 {
				steps[u] = steps[queue[0]] + 1
				queue = append(queue, u)
			}
		}
	}
	return steps
}

// unfold places the nodes of a part by stress majorization (E. R. Gansner, Y. Koren, S. North, Graph drawing by stress
// majorization, 2005). It starts with two distant nodes at the left and the right.
func unfold(near [][]int, part []int, at []vg.Point) {
	farthest := func(from ...[]int32) int {
		return slices.MaxFunc(part, func(a, b int) int {
			least := func(v int) int32 {
				return slices.MinFunc(from, func(x, y []int32) int { return cmp.Compare(x[v], y[v]) })[v]
			}
			return cmp.Compare(least(a), least(b))
		})
	}
	left := walk(near, farthest(walk(near, part[0])))
	right := walk(near, farthest(left))
	below := walk(near, farthest(left, right))
	steps := make([][]int32, len(part))
	for i, v := range part {
		sin, cos := math.Sincos(2.4 * float64(i)) // moves nodes at the same place apart
		at[v] = vg.Point{X: vg.Length(float64(left[v]-right[v])/2 + 0.3*cos), Y: vg.Length(float64(below[v]) + 0.3*sin)}
		steps[i] = walk(near, v)
	}
	for range 60 + 30000/len(part) { // more rounds would make no visible difference
		for i, v := range part {
			var sum vg.Point
			weights := vg.Length(0)
			for _, u := range part {
				d := at[v].Sub(at[u])
				length := vg.Length(math.Hypot(float64(d.X), float64(d.Y)))
				if u == v || length == 0 {
					continue
				}
				want := vg.Length(steps[i][u])
				weight := 1 / (want * want)
				sum = sum.Add(at[u].Add(d.Scale(want / length)).Scale(weight))
				weights += weight
			}
			if weights > 0 {
				at[v] = sum.Scale(1 / weights)
			}
		}
	}
}

func pack(parts [][]int, at []vg.Point) {
	area, limit := vg.Length(0), vg.Length(0)
	for _, part := range parts {
		size := Around(part, at).Size()
		area, limit = area+size.X*size.Y, max(limit, size.X)
	}
	limit = max(limit, 1.2*vg.Length(math.Sqrt(float64(area))))
	var x, bottom, lowest vg.Length
	for _, part := range parts {
		box := Around(part, at)
		size := box.Size()
		if x > 0 && x+size.X > limit {
			x, bottom = 0, lowest
		}
		for _, v := range part {
			at[v] = at[v].Add(vg.Point{X: x - box.Min.X, Y: bottom - box.Max.Y})
		}
		x, lowest = x+size.X, min(lowest, bottom-size.Y)
	}
}

// Around returns a box around the nodes, with a margin of looseness/2.
func Around(nodes []int, at []vg.Point) vg.Rectangle {
	r := vg.Rectangle{Min: at[nodes[0]], Max: at[nodes[0]]}
	for _, v := range nodes {
		r.Min = vg.Point{X: min(r.Min.X, at[v].X), Y: min(r.Min.Y, at[v].Y)}
		r.Max = vg.Point{X: max(r.Max.X, at[v].X), Y: max(r.Max.Y, at[v].Y)}
	}
	half := vg.Point{X: looseness / 2, Y: looseness / 2}
	return vg.Rectangle{Min: r.Min.Sub(half), Max: r.Max.Add(half)}
}

// Separate moves overlapping nodes apart, within the rectangle r.
func Separate(at []vg.Point, radii []vg.Length, r vg.Rectangle) {
	const between, rounds = 0.8, 60
	for range rounds {
		moved := false
		for i := range at {
			for j := range i {
				d := at[i].Sub(at[j])
				length := vg.Length(math.Hypot(float64(d.X), float64(d.Y)))
				push := (radii[i] + radii[j] + between - length) / 2
				if push <= 0 {
					continue
				}
				moved = true
				if length == 0 { // at the same place: the direction depends on i
					d, length = Polar(vg.Point{}, 1, float64(i)), 1
				}
				d = d.Scale(push / length)
				at[i], at[j] = at[i].Add(d), at[j].Sub(d)
			}
		}
		for i, p := range at {
			at[i].X = max(r.Min.X+radii[i], min(r.Max.X-radii[i], p.X))
			at[i].Y = max(r.Min.Y+radii[i], min(r.Max.Y-radii[i], p.Y))
		}
		if !moved {
			return
		}
	}
}

// Spread moves ascending heights as little as possible, until neighbours differ by at least `apart` and all heights are
// between low and high.
func Spread(at []vg.Length, low, high, apart vg.Length) {
	const rounds = 200
	for range rounds {
		for i := 1; i < len(at); i++ {
			if push := (apart - at[i] + at[i-1]) / 2; push > 0 {
				at[i-1], at[i] = at[i-1]-push, at[i]+push
			}
		}
		for i := range at {
			at[i] = max(low+apart*vg.Length(i), min(high-apart*vg.Length(len(at)-1-i), at[i]))
		}
	}
}
