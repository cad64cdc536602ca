// Package prometheus writes gauges in the text format of Prometheus, version 0.0.4, as the textfile
// collector of its node_exporter reads them from a file *.prom:
//
//	# HELP graphda_cells Cells of the plan by state.
//	# TYPE graphda_cells gauge
//	graphda_cells{run="table1",state="done"} 1234
package prometheus

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Gauge is values of one kind, which may go up and down.
type Gauge struct {
	Name    string
	Help    string // one sentence
	Samples []Sample
}

// A Sample is a value with the labels that tell it from the gauge's others.
type Sample struct {
	Labels []Label
	Value  float64 // NaN and infinities are written as such
}

// A Label is a name with any text.
type Label struct{ Name, Value string }

// Labels makes labels of names and values that follow each other.
func Labels(pairs ...string) []Label {
	var all []Label
	for i := 0; i+1 < len(pairs); i += 2 {
		all = append(all, Label{pairs[i], pairs[i+1]})
	}
	return all
}

var (
	metricName = regexp.MustCompile(`^[a-zA-Z_:][a-zA-Z0-9_:]*$`)
	labelName  = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]*$`)
)

// Write writes gauges; those without samples are left out. Names that the format has not, and two samples
// with the same labels, which the collector refuses with the whole file, are a programming error, and panic.
func Write(w io.Writer, gauges []Gauge) error {
	b := bufio.NewWriter(w)
	seen, lines := map[string]bool{}, map[string]bool{}
	for _, g := range gauges {
		if !metricName.MatchString(g.Name) || seen[g.Name] {
			panic(fmt.Sprintf("prometheus: %q is no name of a metric, or there twice", g.Name))
		}
		seen[g.Name] = true
		if len(g.Samples) == 0 {
			continue
		}
		fmt.Fprintf(b, "# HELP %s %s\n# TYPE %s gauge\n", g.Name, helpText.Replace(valid(g.Help)), g.Name)
		for _, s := range g.Samples {
			line := g.Name + s.labels()
			if lines[line] {
				panic("prometheus: two samples of " + line)
			}
			lines[line] = true
			fmt.Fprintf(b, "%s %s\n", line, strconv.FormatFloat(s.Value, 'g', -1, 64))
		}
	}
	return b.Flush()
}

// The characters that are escaped, in help and in the quoted values of labels.
var (
	helpText  = strings.NewReplacer(`\`, `\\`, "\n", `\n`)
	labelText = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)
)

// valid replaces what is not UTF-8, which the format is.
func valid(text string) string { return strings.ToValidUTF8(text, string(utf8.RuneError)) }

// labels writes the labels in braces, in the order of their names.
func (s *Sample) labels() string {
	if len(s.Labels) == 0 {
		return ""
	}
	labels := slices.Clone(s.Labels)
	slices.SortFunc(labels, func(a, b Label) int { return strings.Compare(a.Name, b.Name) })
	parts := make([]string, len(labels))
	for i, l := range labels {
		if !labelName.MatchString(l.Name) || i > 0 && labels[i-1].Name == l.Name {
			panic(fmt.Sprintf("prometheus: %q is no name of a label, or there twice", l.Name))
		}
		parts[i] = l.Name + `="` + labelText.Replace(valid(l.Value)) + `"`
	}
	return "{" + strings.Join(parts, ",") + "}"
}
