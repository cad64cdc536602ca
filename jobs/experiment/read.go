package experiment

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"graphda/jobs/paper"
	"graphda/jobs/selection"
	"graphda/jobs/userinput"
	"graphda/learners"
)

var _, _ yaml.Unmarshaler = (*Grid)(nil), (*Samples)(nil)

// Read reads an experiment from a YAML file at the given scale. If there is no such file, it reads the built-in
// experiment with this name.
func Read(nameOrPath, scale string) (*Experiment, error) {
	data, err := readYAML(nameOrPath)
	file := filepath.Base(nameOrPath)
	if errors.Is(err, os.ErrNotExist) && !strings.ContainsAny(nameOrPath, `/\.`) {
		file = ""
		data, err = paper.Experiment(nameOrPath)
		if err != nil {
			return nil, userinput.Errorf("%s: no such file and no such built-in experiment; known: %s", nameOrPath,
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

// Parse reads an experiment from YAML text, at the given scale. The error names the file and, if possible, the line.
func Parse(file string, data []byte, scale string) (*Experiment, error) {
	e, root, err := parse(file, data, nil)
	if err != nil {
		return nil, err
	}
	return e.finish(file, root, scale)
}

func (e *Experiment) finish(file string, root *yaml.Node, scale string) (*Experiment, error) {
	e, err := e.at(scale)
	if err != nil {
		return nil, userinput.Errorf("%s: %w", file, err)
	}
	if len(e.Selection) == 0 {
		e.Selection = []string{selection.Validation}
	}
	if err := e.validate(file, root); err != nil {
		return nil, err
	}
	return e, nil
}

// parse reads an experiment, and copies missing fields from the experiment that `like:` names. The list waiting has the
// experiments that copy from this experiment, so that a cycle is detected.
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
		err = fmt.Errorf("%s inherits from itself", e.Like)
	}
	if err != nil {
		return nil, nil, userinput.Errorf("%s:%d: like: %w", file, lineOf(root, "$.like"), err)
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

// UnmarshalYAML reads a mapping. The keys are "method", the method's parameters, and optionally "datasets" and
// "trials".
func (g *Grid) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind != yaml.MappingNode {
		return faultAt(node, "want a mapping: the key method, then each parameter with its values")
	}
	pairs, err := pairsOf(node)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(pairs, func(p pair) bool { return p.key.Value == "method" && p.value.Value == programMethod }) {
		return g.readProgram(node)
	}
	var m *learners.Method
	var parameters []pair
	for _, p := range pairs {
		if err := written(p.value); err != nil {
			return err
		}
		switch p.key.Value {
		case "method":
			if m, err = learners.Lookup(p.value.Value); err != nil {
				return faultAt(p.value, "%v", err)
			}
			g.Method = m.Name
		case "datasets":
			err = decode(p.value, reflect.ValueOf(&g.Datasets).Elem())
		case "trials":
			err = decode(p.value, reflect.ValueOf(&g.Trials).Elem())
		default:
			parameters = append(parameters, p)
		}
		if err != nil {
			return err
		}
	}
	if m == nil {
		return faultAt(node, "the key method is missing; gdrun methods lists its values")
	}
	for _, p := range parameters {
		if err := g.addAxis(m, p); err != nil {
			return err
		}
	}
	return nil // takeGrids may still add the values
}

// unmarshal decodes YAML into an experiment. It returns the root of the YAML, or nil if the text is empty.
func unmarshal(data []byte, e *Experiment) (*yaml.Node, error) {
	if len(data) > maxYAMLBytes {
		return nil, fmt.Errorf("is longer than the %d bytes that an experiment may have", maxYAMLBytes)
	}
	if err := checkCharacters(data); err != nil {
		return nil, err
	}
	var first, second yaml.Node
	d := yaml.NewDecoder(bytes.NewReader(data))
	if err := d.Decode(&first); err == io.EOF {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	if err := d.Decode(&second); err == nil && !isNull(second.Content[0]) {
		return nil, faultAt(second.Content[0], "a second document: everything after --- or ... would be left out")
	} else if err != nil && err != io.EOF {
		return nil, err
	}
	return first.Content[0], decode(first.Content[0], reflect.ValueOf(e).Elem())
}

// UnmarshalYAML reads a list of whole numbers, or "all".
func (s *Samples) UnmarshalYAML(node *yaml.Node) error {
	if node.Value == "all" {
		*s = Samples{}
		return nil
	}
	if node.Kind != yaml.SequenceNode {
		return faultAt(node, "want a list of numbers of samples, or all")
	}
	return decode(node, reflect.ValueOf((*[]int)(s)).Elem())
}
