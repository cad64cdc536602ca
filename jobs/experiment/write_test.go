package experiment

import (
	"reflect"
	"testing"

	"graphda/jobs/paper"
)

// An experiment that is written as a file is read as the same one, at its scale: cells, their order, and reports.
func TestYAMLIsReadAsItWas(t *testing.T) {
	for _, name := range paper.Names() {
		for _, scale := range Scales() {
			e, err := ReadBuiltIn(name, scale)
			if err != nil {
				continue // it has no reduced form
			}
			text, err := e.YAML()
			if err != nil {
				t.Fatal(err)
			}
			got, err := Parse(name+".yaml", text, scale)
			if err != nil {
				t.Errorf("%s: %v\n%s", name, err, text)
				continue
			}
			for i := range e.Methods {
				e.Methods[i].Origin = Own
			}
			got.Quick, got.Like, e.Quick, e.Like = nil, "", nil, ""
			if !reflect.DeepEqual(got, e) {
				t.Errorf("%s, %s: read as\n%+v, want\n%+v", name, scale, got, e)
			}
		}
	}
	odd := `name: odd
title: "a: \"quoted\" title, μ < 1"
loss: least_squares
datasets: ["a b", c]
trials: [3, 1]
methods:
  - {method: graphda, datasets: [c], trials: [1], gamma: [1e-7, 10], s: 3, search: [lazy, paper]}
`
	e, err := Parse("odd.yaml", []byte(odd), ScaleFull)
	if err != nil {
		t.Fatal(err)
	}
	text, err := e.YAML()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Parse("odd.yaml", text, ScaleFull); err != nil || !reflect.DeepEqual(got, e) {
		t.Errorf("%v: read as %+v, want %+v\n%s", err, got, e, text)
	}
}
