package experiment

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"graphda/io/message"
	"graphda/jobs/paper"
	"graphda/jobs/selection"
	"graphda/jobs/userinput"
	"graphda/learners"
)

// faults collects all faults of an experiment.
type faults struct {
	file  string
	root  *yaml.Node // root of the file's YAML; may be nil
	texts []string
}

// add adds a fault. The path names the wrong value in the YAML, such as $.reports[0].kind.
func (f *faults) add(path, format string, args ...any) {
	place := f.file
	if line := lineOf(f.root, path); line > 0 {
		place = fmt.Sprintf("%s:%d", f.file, line)
	}
	f.texts = append(f.texts, place+": "+fmt.Sprintf(format, args...))
}

// Validate checks an experiment that was read from a plan or a file's footer.
func (e *Experiment) Validate(file string) error {
	if text, err := json.Marshal(e); err != nil || len(text) > 4*maxYAMLBytes {
		return userinput.Errorf("%s: its experiment is larger than an experiment file may be", file)
	}
	return e.validate(file, nil)
}

// validate reports all faults that can be found without the data.
func (e *Experiment) validate(file string, root *yaml.Node) error {
	found := faults{file: file, root: root}
	if e == nil {
		return userinput.Errorf("%s: there is no experiment", file)
	}
	if n := len(e.Reports); n > maxReports {
		return userinput.Errorf("%s: %d reports, want at most %d", file, n, maxReports)
	}
	e.check(&found)
	for i := range e.Reports {
		e.checkReport(i, &found)
	}
	if len(found.texts) == 0 {
		return nil
	}
	return userinput.Errorf("%s", strings.Join(found.texts, "; "))
}

func (e *Experiment) check(found *faults) {
	switch {
	case e.Name == "":
		found.add("$.name", "name is missing, %s", wantName)
	case !safeName.MatchString(e.Name):
		found.add("$.name", "name %q, %s", e.Name, wantName)
	case e.taken(e.Name, found):
		found.add("$.name", "name %q, want another name: gdmerge writes another file of this name", e.Name)
	}
	_, unknown := learners.LookupLoss(e.Loss)
	switch {
	case e.Loss == "":
		found.add("$.loss", "loss is missing; known: %s", strings.Join(learners.LossNames(), ", "))
	case unknown != nil:
		found.add("$.loss", "%v", unknown)
	}
	for i, n := range []int{len(e.Datasets), len(e.Methods), len(e.Selection)} {
		if key := []string{"datasets", "methods", "selection"}[i]; n == 0 {
			found.add("$."+key, "no %s, want at least one", key)
		}
	}
	for i, t := range e.Trials {
		if t < 0 || slices.Contains(e.Trials[:i], t) {
			found.add(fmt.Sprintf("$.trials[%d]", i), "trial %d is negative or given twice", t)
		}
	}
	if !AscendingFromOne(e.Checkpoints) {
		found.add("$.checkpoints", "checkpoints %s, want ascending numbers of samples from 1", message.List(e.Checkpoints))
	}
	for i := range e.Methods {
		if err := e.Methods[i].check(); err != nil {
			found.add(fmt.Sprintf("$.methods[%d]", i), "%v", err)
		}
		same := func(g Grid) bool { return g.Program != nil && g.Method == e.Methods[i].Method }
		if slices.ContainsFunc(e.Methods[:i], same) {
			found.add(fmt.Sprintf("$.methods[%d].name", i), "program %s is listed twice", e.Methods[i].Method)
		}
		e.checkDatasets(e.Methods[i].Datasets, fmt.Sprintf("$.methods[%d].datasets", i), e.Methods[i].Method, found)
	}
	if _, err := selection.Parse(selection.Paper, e.Paper, e.Loss); err != nil && e.Paper != "" && unknown == nil &&
		!slices.Contains(e.Selection, selection.Paper) {
		found.add("$.paper", "%v", err)
	}
	for i, name := range e.Selection {
		if _, err := selection.Parse(name, e.Paper, e.Loss); err != nil && unknown == nil {
			found.add(fmt.Sprintf("$.selection[%d]", i), "%v", err)
		}
	}
}

// checkDatasets adds a fault for each dataset of a method or report that is not in the experiment. It also adds a fault
// for the first repeated dataset.
func (e *Experiment) checkDatasets(datasets []string, path, of string, found *faults) {
	for i, d := range datasets {
		if slices.Contains(datasets[:i], d) {
			found.add(path, "%s: dataset %q is listed twice", of, d)
			return
		}
		if !slices.Contains(e.Datasets, d) {
			found.add(path, "%s: dataset %q is not one of the experiment's datasets: %s", of, d, strings.Join(e.Datasets, ", "))
		}
	}
}

// AscendingFromOne reports whether checkpoints are ascending and at least 1.
func AscendingFromOne(checkpoints []int) bool {
	before := 0
	for _, k := range checkpoints {
		if k <= before {
			return false
		}
		before = k
	}
	return true
}

// RowsName is the name of the file of all rows.
const RowsName = "results"

// ownFiles are the names of tables that belong to no report. The names of a report's files may have the endings.
var (
	ownFiles = []string{RowsName, "claims", "claims-comparisons", "diagnostics", "efficiency-ends", "efficiency-learning"}
	endings  = regexp.MustCompile("^-(by-truth|curves|diagram|intervals|published|settings|tests|tests-pairs)$")
)

// taken reports whether gdmerge may write another file with the name of a report. An earlier version's plan was not
// checked for all such names.
func (e *Experiment) taken(name string, found *faults) bool {
	if found.root == nil {
		return name == RowsName
	}
	return slices.Contains(ownFiles, name) || slices.ContainsFunc(e.Reports, func(o Report) bool {
		end, longer := strings.CutPrefix(name, o.Name)
		return longer && endings.MatchString(end)
	})
}

func (e *Experiment) checkReport(i int, found *faults) {
	r := &e.Reports[i]
	path := fmt.Sprintf("$.reports[%d].", i)
	fault := func(key, format string, args ...any) {
		found.add(path+key, "report %s: %s", r.Name, fmt.Sprintf(format, args...))
	}
	switch {
	case r.Name == "":
		found.add(path+"kind", "a report's name is missing, %s", wantName)
	case !safeName.MatchString(r.Name):
		found.add(path+"name", "report name %q, %s", r.Name, wantName)
	case e.taken(r.Name, found):
		found.add(path+"name", "report %q, want another name: gdmerge writes another file of this name", r.Name)
	case slices.ContainsFunc(e.Reports[:i], func(o Report) bool { return o.Name == r.Name }):
		found.add(path+"name", "report %q is listed twice", r.Name)
	case slices.ContainsFunc(e.Reports[:i], func(o Report) bool { return Anchor(o.Name) == Anchor(r.Name) }):
		found.add(path+"name", "report %q, want another name: a report whose name differs only in dots and dashes has the "+
			"same place on the page", r.Name)
	}
	if kind, err := lookupKind(r.Kind); err != nil {
		fault("kind", "%v", err)
	} else {
		kind.check(e, r, fault)
	}
	e.checkDatasets(r.Datasets, path+"datasets", "report "+r.Name, found)
	if r.Checkpoint != 0 && len(e.Checkpoints) > 0 && !slices.Contains(e.Checkpoints, r.Checkpoint) {
		fault("checkpoint", "checkpoint %d is not one of the experiment's checkpoints: %s", r.Checkpoint,
			message.List(e.Checkpoints))
	}
	if _, ok := paper.Published(r.Published); r.Published != "" && !ok {
		fault("published", "unknown published table %q; known: %s", r.Published, strings.Join(paper.PublishedNames(), ", "))
	}
}
