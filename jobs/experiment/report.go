package experiment

import (
	"strings"

	"graphda/learners"
)

// A Report is a table or a figure made of an experiment's results. A report that an
// experiment only names is that of the experiment it is like.
type Report struct {
	Name       string   `yaml:"name" json:"name"`
	Kind       string   `yaml:"kind" json:"kind"`                       // one of Kinds
	Title      string   `yaml:"title" json:"title,omitempty"`           // none: the experiment's
	Datasets   []string `yaml:"datasets" json:"datasets,omitempty"`     // none: all
	Methods    []string `yaml:"methods" json:"methods,omitempty"`       // none: all
	Trials     []int    `yaml:"trials" json:"trials,omitempty"`         // shown one by one; none: the first
	Checkpoint int      `yaml:"checkpoint" json:"checkpoint,omitempty"` // 0: the last one
	Measure    string   `yaml:"measure" json:"measure,omitempty"`       // on the vertical axis, such as f1
	Parameter  string   `yaml:"parameter" json:"parameter,omitempty"`   // on the horizontal axis, such as s
	Models     []string `yaml:"models" json:"models,omitempty"`         // w, wbar; none: w
	Log        bool     `yaml:"log" json:"log,omitempty"`               // a logarithmic vertical axis
	Columns    int      `yaml:"columns" json:"columns,omitempty"`       // of panels; 0: as many as look well
	Published  string   `yaml:"published" json:"published,omitempty"`   // a published table to compare with
}

// isNumber tells whether a method has a parameter of that name whose values are numbers.
func isNumber(parameter string) bool {
	for _, m := range learners.Methods {
		if p, err := m.Param(parameter); err == nil && p.Words == nil {
			return true
		}
	}
	return false
}

// Anchor is the name of a report's place on the page.
func Anchor(name string) string { return strings.ReplaceAll(name, ".", "-") }
