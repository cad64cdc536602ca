package choice

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"graphda/jobs/own/learning"
	"graphda/learners"
)

// A Grid holds the values of a method's parameters that tuning tries.
type Grid struct {
	Method *learners.Method
	F      []float64 // empty if the method cannot learn the outcome
	least  float64   // smallest f that Extend adds
	r      []float64 // values of the regulariser; empty if the method has none
	S      []int     // values of s; empty if the method does not project
	Root   int
	exact  bool
	fewest int // smallest number of features that a setting may select
	most   int // largest number of features that a setting may select

	Components []int   // numbers of trees, besides one tree
	Shared     float64 // value of f with several trees
}

// A recipe has the values of a method that tuning tries first, for labels, numbers and event times.
type recipe struct {
	method                string
	labels, values, times candidates
}

type candidates struct{ f, r []float64 }

// recipes lists the methods that tuning tries. On the paper's data and on networks of 2,000 features, these few values
// did as well as the paper's full grids.
var recipes = []recipe{
	{"graphda", candidates{f: []float64{3, 30}}, candidates{f: []float64{0.3, 1, 3}}, candidates{f: slow}},
	{"da-iht", candidates{f: []float64{3, 30}}, candidates{f: []float64{0.3, 1, 3}}, candidates{f: slow}},
	{"l1-rda", candidates{[]float64{3, 30}, []float64{0.2, 0.35, 0.5, 0.7}},
		candidates{[]float64{1, 3}, []float64{0.01, 0.05, 0.1, 0.2, 0.5}},
		candidates{slow, []float64{0.2, 0.35, 0.5, 0.7}}},
	{"adagrad", candidates{[]float64{3, 30}, []float64{0.2, 0.35, 0.5, 0.7}},
		candidates{[]float64{0.3, 1}, []float64{0.05, 0.1, 0.2, 0.5}}, candidates{}},
	{"da-gl", candidates{[]float64{3, 30}, []float64{0.1, 0.2, 0.35, 0.5}},
		candidates{[]float64{1, 3}, []float64{0.1, 0.2, 0.35, 0.5}}, candidates{slow, []float64{0.1, 0.2, 0.35, 0.5}}},
	// marginal takes no steps, so f does not matter
	{"marginal", candidates{f: []float64{0}, r: levels}, candidates{f: []float64{0}, r: levels}, candidates{}},
}

// slow lists values of f for event times. For these, learning diverges with f = 0.3 or less.
var slow = []float64{1, 3, 30}

// largest is the largest f that Extend adds. From there on, w is so small that it hardly changes the gradients.
const largest = 30

// levels lists the levels q of marginal tests. Extend adds no level above the last one.
var levels = []float64{0.05, 0.1, 0.3}

// Sizes lists the numbers of features that tuning tries first, for methods that project.
var Sizes = []int{13, 20, 30, 45, 70, 100}

// Methods returns the names of the methods that can be tuned.
func Methods() []string {
	var names []string
	for _, r := range recipes {
		names = append(names, r.method)
	}
	return names
}

// NewGrid returns a method's first grid, for an outcome and p features.
func NewGrid(name string, outcome *learning.Outcome, p int) (*Grid, error) {
	i := slices.IndexFunc(recipes, func(r recipe) bool { return r.method == name })
	if i < 0 {
		return nil, fmt.Errorf("method %q, want one of %s", name, strings.Join(Methods(), ", "))
	}
	method, err := learners.Lookup(name)
	if err != nil {
		return nil, err
	}
	c, least := recipes[i].values, 0.0
	switch outcome {
	case learning.Classes:
		c = recipes[i].labels
	case learning.Times:
		c, least = recipes[i].times, slow[0]
	}
	g := &Grid{Method: method, F: slices.Clone(c.f), least: least, r: slices.Clone(c.r), fewest: 1, most: p}
	if _, err := method.Param("s"); err == nil {
		for _, s := range Sizes {
			if s <= p {
				g.S = append(g.S, s)
			}
		}
		if len(g.S) == 0 {
			g.S = []int{p}
		}
	}
	return g, nil
}

// Limit makes the grid's settings select exactly `size` features or, if size is 0, at most `most`. If both are 0, there
// is no limit.
func (g *Grid) Limit(size, most int) {
	if size == 0 && most == 0 || len(g.S) == 0 {
		return
	}
	if g.exact, g.most = true, max(size, most); size > 0 {
		g.fewest, g.S = size, []int{size}
		return
	}
	g.S = append(slices.DeleteFunc(g.S, func(s int) bool { return s >= most }), most)
}

// Settings returns all combinations of the grid's values for one tree, and the settings with several trees.
func (g *Grid) Settings() []learning.Setting {
	r, s := g.r, g.S
	if len(r) == 0 {
		r = []float64{0}
	}
	if len(s) == 0 {
		s = []int{0}
	}
	var all []learning.Setting
	for _, f := range g.F {
		for _, share := range r {
			for _, size := range s {
				all = append(all, learning.Setting{Method: g.Method, F: f, R: share, S: size, Root: g.Root, Exact: g.exact})
			}
		}
	}
	for _, trees := range g.Components {
		for _, size := range s {
			if size >= trees {
				all = append(all, learning.Setting{Method: g.Method, F: g.Shared, S: size, Components: trees, Exact: g.exact})
			}
		}
	}
	return all
}

// Extend adds a value beyond an end of F, r or S if the value at this end is best. It returns a note for each added
// value. Sizes stay between g.fewest and g.most.
func (g *Grid) Extend(best learning.Setting) []string {
	var notes []string
	note := func(name, value, added string) {
		notes = append(notes, fmt.Sprintf("%s: %s = %s was best and lies at the end of its grid, so %s was tried "+
			"too", g.Method.Label, name,
			value, added))
	}
	short := func(v float64) string { return fmt.Sprintf("%.3g", v) }
	if f, added, ok := beyond(g.F, best.F, max(best.F/10, g.least), min(best.F*10, largest)); ok && best.Components == 0 {
		g.F = f
		note("f", fmt.Sprint(best.F), fmt.Sprint(added))
	}
	sparser := (1 + best.R) / 2
	if best.Strength() == "q" {
		sparser = min(sparser, slices.Max(levels))
	}
	if r, added, ok := beyond(g.r, best.R, best.R/2, sparser); ok {
		g.r = r
		note(best.Strength(), short(best.R), short(added))
	}
	roundUp := (3*best.S/2 + 4) / 5 * 5
	if s, added, ok := beyond(g.S, best.S, max(g.fewest, best.S*3/5), min(g.most, roundUp)); ok {
		g.S = s
		note("s", fmt.Sprint(best.S), fmt.Sprint(added))
	}
	return notes
}

// beyond adds `below` to ascending values if the first value is best, and `above` if the last value is best.
func beyond[T cmp.Ordered](values []T, best, below, above T) (extended []T, added T, ok bool) {
	n := len(values)
	switch {
	case n == 0:
		return values, added, false
	case best == values[0] && below < best:
		return slices.Insert(slices.Clone(values), 0, below), below, true
	case best == values[n-1] && above > best:
		return append(slices.Clone(values), above), above, true
	}
	return values, added, false
}
