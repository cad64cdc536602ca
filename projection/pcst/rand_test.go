package pcst

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"graphda/graph"
)

func randomGraph(r *rand.Rand) (*graph.Graph, string) {
	kind := r.IntN(5)
	var edges []graph.Edge
	n := 1 + r.IntN(30)
	has := map[[2]int32]bool{}
	add := func(u, v int) {
		u, v = min(u, v), max(u, v)
		k := [2]int32{int32(u), int32(v)}
		if u != v && !has[k] {
			has[k] = true
			edges = append(edges, graph.Edge{U: int32(u), V: int32(v)})
		}
	}
	name := ""
	switch kind {
	case 0:
		name = "er"
		for range r.IntN(3 * n) {
			add(r.IntN(n), r.IntN(n))
		}
	case 1:
		name = "grid"
		w, h := 1+r.IntN(7), 1+r.IntN(7)
		n = w * h
		edges = append(edges, graph.Grid(w, h).Edges()...)
	case 2:
		name = "tree"
		for u := 1; u < n; u++ {
			add(u, r.IntN(u))
		}
	case 3:
		name = "forest"
		for u := 1; u < n; u++ {
			if r.IntN(5) > 0 {
				add(u, r.IntN(u))
			}
		}
	case 4:
		name = "geo"
		x := make([][2]float64, n)
		for i := range x {
			x[i] = [2]float64{r.Float64(), r.Float64()}
		}
		for u := range n {
			for v := range u {
				if math.Hypot(x[u][0]-x[v][0], x[u][1]-x[v][1]) < 1.5/math.Sqrt(float64(n)) {
					add(u, v)
				}
			}
		}
	}
	costs := make([]float64, len(edges))
	ck := r.IntN(5)
	for i := range costs {
		switch ck {
		case 0:
			costs[i] = r.Float64()
		case 1:
			costs[i] = math.Exp(2 * r.NormFloat64())
		case 2:
			costs[i] = 1
		case 3:
			costs[i] = float64(r.IntN(4))
		case 4:
			costs[i] = r.Float64()
			if r.IntN(4) == 0 {
				costs[i] = 0
			}
		}
	}
	g, err := graph.New(n, edges, costs)
	if err != nil {
		panic(err)
	}
	return g, fmt.Sprint(name, ck)
}

func randomPrizes(r *rand.Rand, n int) ([]float64, string) {
	p := make([]float64, n)
	k := r.IntN(5)
	for i := range p {
		x := r.NormFloat64()
		switch k {
		case 0:
			p[i] = x * x
		case 1:
			p[i] = x * x
			if r.IntN(2) == 0 {
				p[i] = 0
			}
		case 2:
			p[i] = math.Exp(3 * x)
		case 3:
			p[i] = float64(r.IntN(4)) / 2
		case 4:
			p[i] = r.Float64() * .3
			if r.IntN(10) == 0 {
				p[i] = 5
			}
		}
	}
	return p, fmt.Sprint("p", k)
}

func TestAgainstIntJudge(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	bad, badF, totF := 0, 0, 0
	for i := range 30000 {
		g, name := randomGraph(r)
		s := NewSolver(g)
		for range 2 {
			prizes, pn := randomPrizes(r, g.NumNodes())
			scale := math.Exp(r.NormFloat64())
			opt := Options{Clusters: 1 + r.IntN(4), Root: -1, Pruning: Pruning(r.IntN(3))}
			if r.IntN(4) == 0 {
				opt.Clusters, opt.Root = 0, r.IntN(g.NumNodes())
			}
			var f Forest
			must(t, s.Solve(&f, prizes, scale, opt))
			ip := make([]int64, len(prizes))
			for u := range ip {
				ip[u] = judgeUnits(&s.rate, prizes[u])
			}
			ic := make([]int64, g.NumEdges())
			for e := range ic {
				ic[e] = s.edges[e].cost
			}
			p := newPlain(g, ip, ic, opt)
			p.grow()
			want := p.forest(nil, nil)
			if s.wide {
				continue
			}
			if !slices.Equal(f.Nodes, want.Nodes) || !slices.Equal(f.Edges, want.Edges) {
				bad++
				if bad < 5 {
					t.Errorf("%d %s %s %+v n %d\n got %v %v\nwant %v %v", i, name, pn, opt, g.NumNodes(), f.Nodes, f.Edges, want.Nodes, want.Edges)
				}
			}
			if (name[len(name)-1] == '0' || name[len(name)-1] == '1') && pn != "p3" && pn != "p4" {
				fc := make([]float64, g.NumEdges())
				for e := range fc {
					fc[e] = g.Costs()[e] * scale
				}
				q := newPlain(g, prizes, fc, opt)
				q.grow()
				want := q.forest(nil, nil)
				totF++
				if !slices.Equal(f.Nodes, want.Nodes) || !slices.Equal(f.Edges, want.Edges) {
					badF++
				}
			}
		}
	}
	t.Log("int bad", bad, "float bad", badF, totF)
}

func judgeUnits(r *rate, p float64) int64 {
	d := int64(min(r.far(p)+0.5, maxTime))
	if d == 0 && p > 0 {
		return 1
	}
	return d
}
