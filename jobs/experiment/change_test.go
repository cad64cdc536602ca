package experiment

import (
	"reflect"
	"slices"
	"testing"
)

// A built-in experiment with one thing changed is otherwise the same, at both scales.
func TestReadChanged(t *testing.T) {
	for _, scale := range Scales() {
		base := must1(ReadBuiltIn("table1", scale))
		lazy := Axis{"search", []string{"lazy"}}
		e := must1(ReadChanged("table1", scale, Change{Set: []Axis{lazy}}))
		searched := 0
		for i, g := range e.Methods {
			want := base.Methods[i]
			if g.Method == "graphda" || g.Method == "graphstoiht" {
				searched++
				want = want.with([]Axis{lazy})
			}
			if !reflect.DeepEqual(g.Axes, want.Axes) || g.Method != want.Method {
				t.Errorf("%s, %s: %v, want %v", scale, g.Method, g.Axes, want.Axes)
			}
		}
		if searched < 2 || len(e.Methods) != len(base.Methods) {
			t.Errorf("%s: %d of %d grids have the search", scale, searched, len(e.Methods))
		}
		if !e.ReadsAs(base) || !slices.Equal(e.Datasets, base.Datasets) || !slices.Equal(e.Trials, base.Trials) {
			t.Errorf("%s: more than the search has changed: %+v", scale, e)
		}
	}
}

// The flags say what a file says that is like the experiment.
func TestReadChangedIsLikeAFile(t *testing.T) {
	change := Change{Methods: []string{"da-iht", "graphda"}, Checkpoints: Samples{200, 400},
		Set: []Axis{{"search", []string{"lazy"}}, {"s", []string{"20", "26"}}}, Datasets: []string{"graph02-mu0.3"}}
	got := must1(ReadChanged("benchmark", ScaleFull, change))
	want, err := Parse("mine.yaml", []byte("name: benchmark\ntitle: 'Benchmark data: four subgraphs of a grid'\n"+
		"like: benchmark\ndatasets: [graph02-mu0.3]\ncheckpoints: [200, 400]\nmethods:\n"+
		"  - {method: da-iht, s: [20, 26]}\n  - {method: graphda, search: lazy, s: [20, 26]}\n"), ScaleFull)
	must(t, err)
	for _, e := range []*Experiment{got, want} {
		e.Quick, e.Like = nil, ""
		for i := range e.Methods {
			e.Methods[i].Origin = 0
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("flags: %+v\nfile:  %+v", got, want)
	}
}
