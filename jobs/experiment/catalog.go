package experiment

import (
	"fmt"
	"slices"

	"graphda/jobs/paper"
	"graphda/jobs/simulate"
	"graphda/jobs/userinput"
)

// paperTrials is the paper's number of trials, and the default of built-in experiments.
const paperTrials = 20

// A CatalogEntry describes a built-in experiment.
type CatalogEntry struct {
	Name    string           `json:"name"`
	Title   string           `json:"title"`
	Reports []CatalogReport  `json:"reports"`
	Scales  map[string]Scope `json:"scales"`
	Raw     []string         `json:"raw,omitempty"` // folders of raw files from which the datasets are made
}

// A CatalogReport is a table or figure of the experiments in ServedBy.
type CatalogReport struct {
	Name     string   `json:"name"`
	Kind     string   `json:"kind"`
	ServedBy []string `json:"served_by"`
}

// A Scope is the size of an experiment at one scale.
type Scope struct {
	Datasets int `json:"datasets"`
	Trials   int `json:"trials"` // number of trials per dataset
	Cells    int `json:"cells"`  // number of cells in all
}

// ServedBy returns a map from each report's name to the built-in experiments with this report.
func ServedBy() (map[string][]string, error) {
	servedBy := map[string][]string{}
	for _, name := range paper.Names() {
		e, err := ReadBuiltIn(name, ScaleFull)
		if err != nil {
			return nil, err
		}
		for _, r := range e.AllReports() {
			servedBy[r.Name] = append(servedBy[r.Name], name)
		}
	}
	return servedBy, nil
}

// Catalog lists the built-in experiments.
func Catalog() ([]CatalogEntry, error) {
	servedBy, err := ServedBy()
	if err != nil {
		return nil, err
	}
	var entries []CatalogEntry
	for _, name := range paper.Names() {
		entry, err := catalogEntry(name, servedBy)
		if err != nil {
			return nil, err
		}
		entries = append(entries, entry)
	}
	return entries, nil
}

func catalogEntry(name string, servedBy map[string][]string) (CatalogEntry, error) {
	entry := CatalogEntry{Name: name, Scales: map[string]Scope{}}
	for _, scale := range Scales() {
		e, err := ReadBuiltIn(name, scale)
		if err != nil {
			return entry, err
		}
		if entry.Scales[scale], err = e.scope(); err != nil {
			return entry, err
		}
		if scale != ScaleFull {
			continue
		}
		entry.Title = e.Title
		for _, r := range e.AllReports() {
			entry.Reports = append(entry.Reports, CatalogReport{r.Name, r.Kind, servedBy[r.Name]})
		}
		for _, d := range e.Datasets {
			if raw, err := simulate.Needs(d); err != nil {
				return entry, fmt.Errorf("%s: %w", name, err)
			} else if raw != "" && !slices.Contains(entry.Raw, raw) {
				entry.Raw = append(entry.Raw, raw)
			}
		}
	}
	return entry, nil
}

// ReadBuiltIn reads a built-in experiment at the given scale, even if there is a file with the same name.
func ReadBuiltIn(name, scale string) (*Experiment, error) {
	data, err := paper.Experiment(name)
	if err != nil {
		return nil, &userinput.Error{Err: err}
	}
	return Parse(name, data, scale)
}

// TrialNumbers returns the experiment's trials, by default the paper's 20.
func (e *Experiment) TrialNumbers() []int {
	if len(e.Trials) > 0 {
		return e.Trials
	}
	all := make([]int, paperTrials)
	for i := range all {
		all[i] = i
	}
	return all
}

func (e *Experiment) scope() (Scope, error) {
	s := Scope{Datasets: len(e.Datasets), Trials: len(e.TrialNumbers())}
	for i := range e.Methods {
		g, settings := &e.Methods[i], 0
		if err := g.Expand(func([]float64) { settings++ }); err != nil {
			return s, err
		}
		for _, d := range e.Datasets {
			for _, t := range e.TrialNumbers() {
				if g.RunsOn(d, t) {
					s.Cells += settings
				}
			}
		}
	}
	return s, nil
}
