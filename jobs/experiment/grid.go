package experiment

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"time"

	"go.yaml.in/yaml/v3"

	"graphda/jobs/userinput"
	"graphda/learners"
)

// safeName matches names that are valid file names on every system, also with the endings that reports add.
var safeName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$`)

const wantName = "want at most 100 letters, digits, dots, dashes and underscores"

// A Program is a user's program that runs as a method (see package program).
type Program struct {
	Command    []string        `json:"command"`
	Files      []File          `json:"files"`
	Data       string          `json:"data"` // format of the data files: npy or csv
	Timeout    time.Duration   `json:"timeout"`
	Memory     int64           `json:"memory"` // limit in bytes
	Processors int             `json:"processors"`
	Varies     bool            `json:"not_deterministic,omitempty"` // set if the same seed may give other answers
	Greeting   json.RawMessage `json:"greeting,omitempty"`          // the program's answer when the plan was made

	once   sync.Once
	method *learners.Method
}

// A File is a file of a program, below the folder of the experiment file.
type File struct {
	Name   string `json:"name"`
	Digest string `json:"digest"` // hex SHA-256; set by Read

	Content []byte      `json:"-"` // set by Read
	Mode    os.FileMode `json:"-"` // permissions; set by Read
}

// A Grid is a method with the values to try for each of its hyperparameters.
type Grid struct {
	Method   string   `json:"method"`             // name of the method or program
	Program  *Program `json:"program,omitempty"`  // nil for a method of package learners
	Datasets []string `json:"datasets,omitempty"` // if empty, all datasets of the experiment
	Trials   []int    `json:"trials,omitempty"`   // if empty, all trials of the experiment
	Axes     []Axis   `json:"axes"`               // in file order; the last axis varies fastest
	Origin   origin
}

// An Axis lists the values of one hyperparameter, as texts for Param.Parse.
type Axis struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
}

// with returns a copy of the grid with more axes. The new axes replace axes of the same name.
func (g *Grid) with(other []Axis) Grid {
	out := *g
	out.Axes = slices.Clone(g.Axes)
	for _, a := range other {
		if i := slices.IndexFunc(out.Axes, func(b Axis) bool { return b.Name == a.Name }); i >= 0 {
			out.Axes[i] = a
		} else {
			out.Axes = append(out.Axes, a)
		}
	}
	return out
}

// lacking returns an error if a required parameter has no values.
func (g *Grid) lacking() error {
	m, err := g.Lookup()
	if err != nil {
		return err
	}
	for i := range m.Params {
		p := &m.Params[i]
		if p.Required() && !slices.ContainsFunc(g.Axes, func(a Axis) bool { return a.Name == p.Name }) {
			return fmt.Errorf("%s: %s is missing, want %s", m.Name, p.Name, p.Range())
		}
	}
	return nil
}

// check refuses an unknown method, an invalid program, and a parameter without values.
func (g *Grid) check() error {
	if err := g.Program.check(g.Method); err != nil {
		return err
	}
	for i, a := range g.Axes {
		if len(a.Values) == 0 || slices.ContainsFunc(g.Axes[:i], func(b Axis) bool { return b.Name == a.Name }) {
			return fmt.Errorf("%s: %s has no values or is given twice", g.Method, a.Name)
		}
	}
	return g.lacking()
}

func (g *Grid) addAxis(m *learners.Method, field pair) error {
	p, err := m.Param(field.key.Value)
	if err != nil {
		return faultAt(field.key, "%v", err)
	}
	axis, err := readAxis(m.Name, field, func(text string) (string, error) {
		x, err := p.Parse(text)
		return p.Format(x), err
	})
	g.Axes = append(g.Axes, axis)
	return err
}

// readAxis reads a value or a list of values. The function `parse` checks a value and returns its canonical form.
func readAxis(method string, field pair, parse func(text string) (string, error)) (Axis, error) {
	axis := Axis{Name: field.key.Value}
	values := []*yaml.Node{field.value}
	if field.value.Kind == yaml.SequenceNode {
		values = field.value.Content
	}
	for _, v := range values {
		if err := written(v); err != nil {
			return axis, err
		}
		switch {
		case isNull(v):
			return axis, faultAt(v, "%s: %s lacks a value", method, axis.Name)
		case v.Kind != yaml.ScalarNode:
			return axis, faultAt(v, "%s: %s: want a value or one list of values", method, axis.Name)
		}
		text, err := parse(v.Value)
		if err != nil {
			return axis, faultAt(v, "%s: %v", method, err)
		}
		axis.Values = append(axis.Values, text)
	}
	if len(axis.Values) == 0 {
		return axis, faultAt(field.key, "%s: %s has no values", method, axis.Name)
	}
	return axis, nil
}

// RunsOn reports whether the grid runs on a trial of a dataset.
func (g *Grid) RunsOn(dataset string, trial int) bool {
	return (len(g.Datasets) == 0 || slices.Contains(g.Datasets, dataset)) &&
		(len(g.Trials) == 0 || slices.Contains(g.Trials, trial))
}

// A plan may have at most MaxCells cells, a grid at most maxGrid combinations, and an experiment at most maxReports
// reports.
const (
	MaxCells       = 20_000_000
	MaxCheckpoints = 10_000
	maxGrid        = 2_000_000
	maxReports     = 100
)

// Expand calls `yield` for every combination of the grid's values, with the values of all the method's parameters. The
// last axis varies fastest. Expand reuses the slice, so `yield` must not keep it.
func (g *Grid) Expand(yield func(values []float64)) error {
	m, err := g.Lookup()
	if err != nil {
		return err
	}
	place := make([]int, len(g.Axes)) // index of each axis's parameter in the method
	axes := make([][]float64, len(g.Axes))
	given := map[string]float64{}
	n := 1.0 // number of combinations
	for _, a := range g.Axes {
		n *= float64(len(a.Values))
	}
	if n > maxGrid {
		return userinput.Errorf("the grid of %s has %.3g combinations, want at most %d", m.Name, n, maxGrid)
	}
	for k, a := range g.Axes {
		place[k] = slices.IndexFunc(m.Params, func(p learners.Param) bool { return p.Name == a.Name })
		if place[k] < 0 {
			return fmt.Errorf("%s has no parameter %s", m.Name, a.Name)
		}
		for _, text := range a.Values {
			v, err := m.Params[place[k]].Parse(text)
			if err != nil {
				return err
			}
			axes[k] = append(axes[k], v)
		}
		given[a.Name] = axes[k][0]
	}
	values, err := m.Fill(given)
	if err != nil {
		return err
	}
	var vary func(k int)
	vary = func(k int) {
		if k == len(axes) {
			yield(values)
			return
		}
		for _, v := range axes[k] {
			values[place[k]] = v
			vary(k + 1)
		}
	}
	vary(0)
	return nil
}

// An origin says which part of a grid is inherited from the experiment that `like:` names. If an inherited
// setting does not suit a dataset, the plan leaves it out. If the experiment's own setting does not suit a
// dataset, that is an error.
type origin uint8

// typed returns a finite number as a number, and any other text as it is.
func typed(text string) any {
	if v, err := strconv.ParseFloat(text, 64); err == nil && !math.IsInf(v, 0) && v == v {
		return v
	}
	return text
}

// Lookup returns the grid's method. For a user's program, it makes a method with the grid's parameters. All calls
// return the same pointer.
func (g *Grid) Lookup() (*learners.Method, error) {
	p := g.Program
	if p == nil {
		return learners.Lookup(g.Method)
	}
	p.once.Do(func() {
		const seconds = 5 // expected time of a cell, until cells are measured
		p.method = &learners.Method{Name: g.Method, Label: g.Method, Free: true,
			Takes: learners.Takes{Seconds: seconds, Memory: p.Memory, Processors: p.Processors}}
		for _, a := range g.Axes {
			param := learners.Param{Name: a.Name, Symbol: a.Name, Min: math.Inf(-1), Default: math.NaN()}
			if slices.ContainsFunc(a.Values, func(text string) bool { return typed(text) == any(text) }) {
				param.Words = a.Values
			}
			p.method.Params = append(p.method.Params, param)
		}
	})
	return p.method, nil
}

const (
	Own         origin = iota
	TakenValues        // only the values are inherited
	takenMethod        // the method and the values are inherited
)
