package experiment

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"graphda/jobs/selection"
	"graphda/jobs/simulate"
	"graphda/jobs/userinput"
	"graphda/learners"
)

// Quick is the quick form of an experiment. Its nonempty fields replace the experiment's fields.
type Quick struct {
	Datasets    []string `yaml:"datasets"`
	Trials      []int    `yaml:"trials"`
	Checkpoints Samples  `yaml:"checkpoints"`
	Methods     []Grid   `yaml:"methods"`
}

// An Experiment is the content of an experiment file.
type Experiment struct {
	Name        string   `yaml:"name" json:"name"`
	Title       string   `yaml:"title" json:"title,omitempty"`
	Like        string   `yaml:"like" json:"-"` // built-in experiment from which missing fields are copied
	Loss        string   `yaml:"loss" json:"loss"`
	Datasets    []string `yaml:"datasets" json:"datasets"`                 // names in the data folder, or paths
	Trials      []int    `yaml:"trials" json:"trials,omitempty"`           // if empty, all trials of the datasets
	Checkpoints Samples  `yaml:"checkpoints" json:"checkpoints,omitempty"` // if empty, only after all samples
	Selection   []string `yaml:"selection" json:"selection,omitempty"`     // names of rules, first the default
	Paper       string   `yaml:"paper" json:"paper,omitempty"`             // benchmark, mnist or kegg; for rule "paper"
	Methods     []Grid   `yaml:"methods" json:"methods"`
	Reports     []Report `yaml:"reports" json:"reports,omitempty"`
	Quick       *Quick   `yaml:"quick" json:"-"`           // nil if there is no quick form
	Scale       string   `yaml:"-" json:"scale,omitempty"` // "" or ScaleQuick
	File        string   `yaml:"-" json:"file,omitempty"`  // name of the experiment file; "" for a built-in experiment
}

// Rules returns the experiment's selection rules, first the default of reports.
func (e *Experiment) Rules() []selection.Rule {
	var rules []selection.Rule
	for _, name := range e.Selection {
		r, err := e.Rule(name)
		if err != nil {
			panic("experiment: an experiment that was not validated: " + err.Error())
		}
		rules = append(rules, r)
	}
	return rules
}

// DatasetDir returns the directory of a dataset. A name with a separator is a path. Any other name is a directory in
// the folder data, or in the working directory if data is empty.
func DatasetDir(data, name string) (string, error) {
	dir := name
	if data != "" && !strings.ContainsRune(name, filepath.Separator) {
		dir = filepath.Join(data, name)
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		hint := ""
		if _, err := simulate.Needs(name); err == nil {
			hint = "; gdrun simulate draws it, and gdrun reproduce draws and runs everything"
		} else if data != "" {
			hint = "; --data names the folder of the datasets"
		}
		return "", userinput.Errorf("dataset %s: no folder %s%s", strconv.Quote(name), dir, hint)
	}
	return filepath.Abs(dir)
}

// AllReports returns the experiment's reports, by default a table for each dataset at the last checkpoint.
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

// ReportNames lists the names of all reports.
func (e *Experiment) ReportNames() []string {
	var names []string
	for _, rep := range e.AllReports() {
		names = append(names, rep.Name)
	}
	return names
}

// Rule returns the selection rule with this name, for the experiment's loss and paper. "" means the first rule.
func (e *Experiment) Rule(name string) (selection.Rule, error) {
	if name == "" {
		name = e.Selection[0]
	}
	rule, err := selection.Parse(name, e.Paper, e.Loss)
	if err != nil {
		return rule, &userinput.Error{Err: err}
	}
	return rule, nil
}

// CheckReports returns an error if a name is not one of ReportNames.
func (e *Experiment) CheckReports(names []string) error {
	for _, name := range names {
		if !slices.Contains(e.ReportNames(), name) {
			return userinput.Errorf("no report %q; this run has %s", name, strings.Join(e.ReportNames(), ", "))
		}
	}
	return nil
}

// Samples lists numbers of training samples. The word "all" becomes an empty slice that is not nil, so that it replaces
// inherited numbers.
type Samples []int

// firstSet returns its first argument that is not nil.
func firstSet(samples ...Samples) Samples {
	for _, s := range samples {
		if s != nil {
			return s
		}
	}
	return nil
}

func firstNonEmpty[T any](lists ...[]T) []T {
	for _, l := range lists {
		if len(l) > 0 {
			return l
		}
	}
	return nil
}
