package jobs

import (
	"graphda/jobs/usage"

	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"

	"graphda/jobs/paper"
	"graphda/jobs/selection"
	"graphda/jobs/simulate"
	"graphda/learners"
)

// An Experiment is what an experiment file says: datasets × trials × methods with their
// hyperparameter grids, and how the results are read.
type Experiment struct {
	Name        string   `yaml:"name" json:"name"`
	Title       string   `yaml:"title" json:"title,omitempty"`
	Like        string   `yaml:"like" json:"-"` // a built-in experiment that gives what this one leaves out
	Loss        string   `yaml:"loss" json:"loss"`
	Datasets    []string `yaml:"datasets" json:"datasets"`                 // names below the data folder, or paths
	Trials      []int    `yaml:"trials" json:"trials,omitempty"`           // none: all that are present
	Checkpoints []int    `yaml:"checkpoints" json:"checkpoints,omitempty"` // none: after all training samples
	Selection   []string `yaml:"selection" json:"selection,omitempty"`     // rules; the first is the reports' default
	Paper       string   `yaml:"paper" json:"paper,omitempty"`             // the reading that selection rule "paper" takes
	Methods     []Grid   `yaml:"methods" json:"methods"`
	Reports     []Report `yaml:"reports" json:"reports,omitempty"`
	Quick       *Quick   `yaml:"quick" json:"-"`           // none: the experiment has no reduced form
	Scale       string   `yaml:"-" json:"scale,omitempty"` // ScaleQuick, if it was reduced to that
}

// A Grid is a method with the values to try for each of its hyperparameters.
type Grid struct {
	Method   string   `json:"method"`
	Datasets []string `json:"datasets,omitempty"` // that it runs on; none: all of the experiment
	Trials   []int    `json:"trials,omitempty"`   // likewise
	Axes     []Axis   `json:"axes"`               // in file order; the last varies fastest
}

// An Axis is the values of one hyperparameter, as texts that its Param parses.
type Axis struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
}

// ReadExperiment reads an experiment from a YAML file, or, if there is no file of that
// name, the built-in experiment of that name, at one of Scales.
func ReadExperiment(nameOrPath, scale string) (*Experiment, error) {
	data, err := readYAML(nameOrPath)
	if errors.Is(err, os.ErrNotExist) && !strings.ContainsAny(nameOrPath, `/\.`) {
		data, err = paper.Experiment(nameOrPath)
		if err != nil {
			return nil, usage.Errorf("%s: no such file and no such built-in experiment; built in are %s", nameOrPath, strings.Join(paper.Names(), ", "))
		}
	}
	if err != nil {
		return nil, err
	}
	return ParseExperiment(nameOrPath, data, scale)
}

// ParseExperiment reads an experiment from the YAML text of the named file, at one of
// Scales. The error names the file and, where it can, the line.
func ParseExperiment(file string, data []byte, scale string) (*Experiment, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff")) // the byte order mark of some editors
	e, err := parse(file, data, nil)
	if err != nil {
		return nil, err
	}
	if e, err = e.at(scale); err != nil {
		return nil, usage.Errorf("%s: %w", file, err)
	}
	if len(e.Selection) == 0 {
		e.Selection = []string{selection.Validation}
	}
	if err := e.validate(file, data); err != nil {
		return nil, err
	}
	return e, nil
}

// parse reads an experiment and fills in what it takes from the one it is like. The
// names of those that wait for it are given.
func parse(file string, data []byte, waiting []string) (*Experiment, error) {
	e := new(Experiment)
	if err := unmarshal(data, e); err != nil {
		return nil, yamlError(file, err)
	}
	if e.Like == "" {
		return e, nil
	}
	base, err := paper.Experiment(e.Like)
	if err == nil && slices.Contains(waiting, e.Like) {
		err = fmt.Errorf("%s is like itself", e.Like)
	}
	if err != nil {
		return nil, usage.Errorf("%s:%d: like: %w", file, lineOf(data, "$.like"), err)
	}
	b, err := parse(e.Like, base, append(waiting, e.Like))
	if err != nil {
		return nil, err
	}
	e.inherit(b)
	return e, nil
}

var _ yaml.NodeUnmarshaler = (*Grid)(nil)

// UnmarshalYAML reads a mapping of "method", of "datasets" and "trials" if the grid is not
// for all of them, and of parameter names to a value or a list of values, each of which
// it checks.
func (g *Grid) UnmarshalYAML(node ast.Node) error {
	fields, ok := node.(ast.MapNode)
	if !ok {
		return faultAt(node, "a method is a mapping: method, then each parameter with its values")
	}
	var m *learners.Method
	var keys []*ast.MappingValueNode
	for it := fields.MapRange(); it.Next(); {
		if err := written(it.KeyValue().Key, it.Value()); err != nil {
			return err
		}
		var err error
		switch it.Key().String() {
		case "method":
			if m, err = learners.Lookup(scalar(it.Value())); err != nil {
				return faultAt(it.Value(), "%v", err)
			}
			g.Method = m.Name
		case "datasets":
			err = list(it.Value(), &g.Datasets)
		case "trials":
			err = list(it.Value(), &g.Trials)
		default:
			keys = append(keys, it.KeyValue())
		}
		if err != nil {
			return err
		}
	}
	if m == nil {
		return faultAt(node, "a method without its name: write method: and one of gdrun methods")
	}
	for _, field := range keys {
		if err := g.addAxis(m, field.Key.String(), field); err != nil {
			return err
		}
	}
	for i := range m.Params {
		p := &m.Params[i]
		if p.Required() && !slices.ContainsFunc(g.Axes, func(a Axis) bool { return a.Name == p.Name }) {
			return faultAt(node, "%s: %s is missing: %s", m.Name, p.Name, p.Range())
		}
	}
	return nil
}

// list reads the datasets or trials that a grid is for.
func list[T any](node ast.Node, to *[]T) error {
	if err := yaml.NodeToValue(node, to); err != nil || len(*to) == 0 {
		return faultAt(node, "want a list of one at least, as in an experiment's own")
	}
	return asWritten(node, reflect.TypeFor[[]T]())
}

func (g *Grid) addAxis(m *learners.Method, name string, field *ast.MappingValueNode) error {
	p, err := m.Param(name)
	if err != nil {
		return faultAt(field.Key, "%v", err)
	}
	axis := Axis{Name: name}
	values := []ast.Node{field.Value}
	if list, ok := field.Value.(*ast.SequenceNode); ok {
		values = list.Values
	}
	for _, v := range values {
		if err := written(v); err != nil {
			return err
		}
		x, err := p.Parse(scalar(v))
		if err != nil {
			return faultAt(v, "%s: %v", m.Name, err)
		}
		axis.Values = append(axis.Values, p.Format(x))
	}
	if len(axis.Values) == 0 {
		return faultAt(field.Key, "%s: %s has no values", m.Name, name)
	}
	g.Axes = append(g.Axes, axis)
	return nil
}

// Rules returns the experiment's selection rules, the reports' default first.
func (e *Experiment) Rules() []selection.Rule {
	var rules []selection.Rule
	for _, name := range e.Selection {
		r, err := selection.Parse(name, e.Paper, e.Loss)
		if err != nil {
			panic("jobs: an experiment that was not validated: " + err.Error())
		}
		rules = append(rules, r)
	}
	return rules
}

// readsAs tells whether the results of another experiment would be reported alike.
func (e *Experiment) readsAs(o *Experiment) bool {
	return e.Name == o.Name && e.Title == o.Title && e.Paper == o.Paper &&
		slices.Equal(e.Selection, o.Selection) && e.Scale == o.Scale && reflect.DeepEqual(e.Reports, o.Reports)
}

// runsOn tells whether the grid is for a trial of a dataset, named as in the experiment.
func (g *Grid) runsOn(dataset string, trial int) bool {
	return (len(g.Datasets) == 0 || slices.Contains(g.Datasets, dataset)) && (len(g.Trials) == 0 || slices.Contains(g.Trials, trial))
}

// maxCells is more than any plan has that one would wait for; a grid of more is a slip.
const maxCells = 2_000_000

// size is the number of combinations of a grid's values.
func (g *Grid) size() float64 {
	n := 1.0
	for _, a := range g.Axes {
		n *= float64(len(a.Values))
	}
	return n
}

// expand calls yield with every combination of the grid's values, the last axis
// fastest, as the full settings of the method. The slice given is reused.
func (g *Grid) expand(yield func(values []float64)) error {
	m, err := learners.Lookup(g.Method)
	if err != nil {
		return err
	}
	place := make([]int, len(g.Axes)) // of each axis among the method's parameters
	axes := make([][]float64, len(g.Axes))
	given := map[string]float64{}
	if n := g.size(); n > maxCells {
		return usage.Errorf("the grid of %s has %.3g combinations, want at most %d", m.Name, n, maxCells)
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

// datasetDir returns the directory of a dataset named in an experiment: below the data
// folder, or the path itself if it has a separator or there is no data folder.
func datasetDir(data, name string) (string, error) {
	dir := name
	if data != "" && !strings.ContainsRune(name, filepath.Separator) {
		dir = filepath.Join(data, name)
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		hint := ""
		if _, err := simulate.Needs(name); err == nil {
			hint = "; gdrun simulate draws it, or gdrun reproduce does all at once"
		} else if data != "" {
			hint = "; --data names the folder of the datasets"
		}
		return "", usage.Errorf("dataset %s: no directory %s%s", strconv.Quote(name), dir, hint)
	}
	return filepath.Abs(dir)
}
