package experiment

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// YAML returns the text of an experiment file, from which Read makes the same experiment at the same scale. Inherited
// values become the experiment's own. So if a value does not suit a dataset, plans refuse it instead of leaving it out.
func (e *Experiment) YAML() ([]byte, error) {
	var b bytes.Buffer
	var failed error
	add := func(before, key string, value any) { // JSON is valid YAML
		text, err := json.Marshal(value)
		failed = errors.Join(failed, err)
		if v := reflect.ValueOf(value); v.Kind() == reflect.Struct || v.Len() > 0 {
			fmt.Fprintf(&b, "%s%s%s\n", before, key, text)
		}
	}
	add("", "name: ", e.Name)
	add("", "title: ", e.Title)
	add("", "loss: ", e.Loss)
	add("", "datasets: ", e.Datasets)
	add("", "trials: ", e.Trials)
	add("", "checkpoints: ", e.Checkpoints)
	add("", "selection: ", e.Selection)
	add("", "paper: ", e.Paper)
	b.WriteString("methods:\n")
	for _, g := range e.Methods {
		if p := g.Program; p != nil {
			add("  - ", "method: ", programMethod)
			add("    ", "name: ", g.Method)
			add("    ", "command: ", p.Command)
			var files []string
			for _, f := range p.Files {
				files = append(files, f.Name)
			}
			add("    ", "files: ", files)
			fmt.Fprintf(&b, "    data: %s\n    timeout: %v\n    memory: %dMiB\n    processors: %d\n    deterministic: %v\n",
				p.Data, p.Timeout, p.Memory>>20, p.Processors, !p.Varies)
		} else {
			add("  - ", "method: ", g.Method)
		}
		add("    ", "datasets: ", g.Datasets)
		add("    ", "trials: ", g.Trials)
		if g.Program != nil && len(g.Axes) > 0 {
			b.WriteString("    grid:\n")
		}
		for _, a := range g.Axes {
			if g.Program != nil {
				add("      ", a.Name+": ", a.Values) // words need quotes
			} else {
				fmt.Fprintf(&b, "    %s: [%s]\n", a.Name, strings.Join(a.Values, ", "))
			}
		}
	}
	if len(e.Reports) > 0 {
		b.WriteString("reports:\n")
	}
	for _, r := range e.Reports {
		add("  - ", "", r)
	}
	if e.Scale == ScaleQuick {
		b.WriteString("quick: {} # all above is the quick form already\n")
	}
	return b.Bytes(), failed
}
