package experiment

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"graphda/jobs/paper"
	"graphda/jobs/selection"
	"graphda/jobs/simulate"
	"graphda/jobs/usage"
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
	Checkpoints Samples  `yaml:"checkpoints" json:"checkpoints,omitempty"` // none: after all training samples
	Selection   []string `yaml:"selection" json:"selection,omitempty"`     // rules; the first is the reports' default
	Paper       string   `yaml:"paper" json:"paper,omitempty"`             // the reading that selection rule "paper" takes
	Methods     []Grid   `yaml:"methods" json:"methods"`
	Reports     []Report `yaml:"reports" json:"reports,omitempty"`
	Quick       *Quick   `yaml:"quick" json:"-"`           // none: the experiment has no reduced form
	Scale       string   `yaml:"-" json:"scale,omitempty"` // ScaleQuick, if it was reduced to that
	File        string   `yaml:"-" json:"file,omitempty"`  // name of the file it was read from; none: it is built in
}

// Read reads an experiment from a YAML file, or, if there is no file of that
// name, the built-in experiment of that name, at one of Scales.
func Read(nameOrPath, scale string) (*Experiment, error) {
	data, err := readYAML(nameOrPath)
	file := filepath.Base(nameOrPath)
	if errors.Is(err, os.ErrNotExist) && !strings.ContainsAny(nameOrPath, `/\.`) {
		file = ""
		data, err = paper.Experiment(nameOrPath)
		if err != nil {
			return nil, usage.Errorf("%s: no such file and no such built-in experiment; known: %s", nameOrPath,
				strings.Join(paper.Names(), ", "))
		}
	}
	if err != nil {
		return nil, err
	}
	e, err := Parse(nameOrPath, data, scale)
	if err != nil {
		return nil, err
	}
	e.File = file
	return e, e.readFiles(filepath.Dir(nameOrPath))
}

// Parse reads an experiment from the YAML text of the named file, at one of
// Scales. The error names the file and, where it can, the line.
func Parse(file string, data []byte, scale string) (*Experiment, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff")) // the byte order mark of some editors
	e, root, err := parse(file, data, nil)
	if err != nil {
		return nil, err
	}
	return e.finish(file, root, scale)
}

// finish returns the experiment at a scale, validated.
func (e *Experiment) finish(file string, root *yaml.Node, scale string) (*Experiment, error) {
	e, err := e.at(scale)
	if err != nil {
		return nil, usage.Errorf("%s: %w", file, err)
	}
	if len(e.Selection) == 0 {
		e.Selection = []string{selection.Validation}
	}
	if err := e.validate(file, root); err != nil {
		return nil, err
	}
	return e, nil
}

// parse reads an experiment and fills in what it takes from the one it is like. The
// names of those that wait for it are given. The text's root tells lines.
func parse(file string, data []byte, waiting []string) (e *Experiment, root *yaml.Node, err error) {
	e = new(Experiment)
	if root, err = unmarshal(data, e); err != nil {
		return nil, nil, yamlError(file, err)
	}
	if e.Like == "" {
		return e, root, e.takeGrids(new(Experiment), file, root)
	}
	base, err := paper.Experiment(e.Like)
	if err == nil && slices.Contains(waiting, e.Like) {
		err = fmt.Errorf("%s is like itself", e.Like)
	}
	if err != nil {
		return nil, nil, usage.Errorf("%s:%d: like: %w", file, lineOf(root, "$.like"), err)
	}
	b, _, err := parse(e.Like, base, append(waiting, e.Like))
	if err != nil {
		return nil, nil, err
	}
	if err := e.takeGrids(b, file, root); err != nil {
		return nil, nil, err
	}
	e.inherit(b)
	return e, root, nil
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

// ReadsAs tells whether the results of another experiment would be reported alike.
func (e *Experiment) ReadsAs(o *Experiment) bool {
	return e.Name == o.Name && e.Title == o.Title && e.Paper == o.Paper &&
		slices.Equal(e.Selection, o.Selection) && e.Scale == o.Scale && reflect.DeepEqual(e.Reports, o.Reports) &&
		e.limits() == o.limits()
}

// DatasetDir returns the directory of a dataset named in an experiment: below the data
// folder, or the path itself if it has a separator or there is no data folder.
func DatasetDir(data, name string) (string, error) {
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

// AllReports returns the experiment's reports, or, if it names none, a table of each
// dataset at the last checkpoint.
func (e *Experiment) AllReports() []Report {
	if len(e.Reports) > 0 {
		return e.Reports
	}
	kind := "regression"
	if loss, err := learners.LookupLoss(e.Loss); err == nil && loss.Classifies() {
		kind = "classification"
	}
	return []Report{{Name: e.Name, Kind: kind}}
}

// ReportNames lists the names of the reports that a run of the experiment gives.
func (e *Experiment) ReportNames() []string {
	var names []string
	for _, rep := range e.AllReports() {
		names = append(names, rep.Name)
	}
	return names
}

// Rule returns the selection rule of that name in the experiment's terms; the empty name
// is the experiment's default.
func (e *Experiment) Rule(name string) (selection.Rule, error) {
	if name == "" {
		name = e.Selection[0]
	}
	rule, err := selection.Parse(name, e.Paper, e.Loss)
	if err != nil {
		return rule, &usage.Error{Err: err}
	}
	return rule, nil
}

// CheckReports refuses names that are not among ReportNames.
func (e *Experiment) CheckReports(names []string) error {
	for _, name := range names {
		if !slices.Contains(e.ReportNames(), name) {
			return usage.Errorf("no report %q; this run has %s", name, strings.Join(e.ReportNames(), ", "))
		}
	}
	return nil
}
