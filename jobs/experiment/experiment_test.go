package experiment

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"graphda/jobs/jobstest"
	"graphda/jobs/paper"
	"graphda/jobs/usage"
)

func TestParseExperiment(t *testing.T) {
	e, err := Parse("tiny.yaml", []byte(jobstest.Experiment), ScaleFull)
	must(t, err)
	if e.Name != "tiny" || e.Loss != "logistic" || !slices.Equal(e.Checkpoints, []int{20, 40}) || len(e.Reports) != 2 {
		t.Errorf("got %+v", e)
	}
	if len(e.Methods) != 3 {
		t.Fatalf("%d methods, want 3", len(e.Methods))
	}
	rda := e.Methods[0]
	want := []Axis{{"lambda", []string{"0.001", "0.01"}}, {"gamma", []string{"5", "10"}}, {"rho", []string{"0"}}}
	if rda.Method != "l1-rda" || !slices.EqualFunc(rda.Axes, want, func(a, b Axis) bool { return a.Name == b.Name && slices.Equal(a.Values, b.Values) }) {
		t.Errorf("got %+v, want axes %+v in file order", rda, want)
	}
	if rules := e.Rules(); len(rules) != 2 || rules[0].Name() != "validation" || rules[1].Name() != "oracle-f1" {
		t.Errorf("rules %v", rules)
	}
}

func TestSelectionDefaults(t *testing.T) {
	e, err := Parse("tiny.yaml", []byte(jobstest.Replace(t, jobstest.Experiment, "selection: [validation, oracle-f1]\n", "")), ScaleFull)
	must(t, err)
	if !slices.Equal(e.Selection, []string{"validation"}) {
		t.Errorf("selection %v, want validation", e.Selection)
	}
}

func TestBuiltInExperiments(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range paper.Names() {
		for _, scale := range Scales() {
			e, err := Read(name, scale)
			if err != nil {
				t.Errorf("%s at scale %s: %v", name, scale, err)
				continue
			}
			if e.Name != name || len(e.Reports) == 0 || len(e.Datasets) == 0 || len(e.Methods) == 0 {
				t.Errorf("%s at scale %s: %+v", name, scale, e)
			}
		}
	}
	must(t, os.WriteFile("table1", []byte(jobstest.Experiment), 0o666))
	e, err := Read("table1", ScaleFull)
	must(t, err)
	if e.Name != "tiny" {
		t.Errorf("the built-in %s was read, want the file of that name", e.Name)
	}
}

func TestReadExperimentMissing(t *testing.T) {
	t.Chdir(t.TempDir())
	_, err := Read("nothing", ScaleFull)
	var config *usage.Error
	if !errors.As(err, &config) {
		t.Errorf("error %v, want a ConfigError", err)
	}
	wantError(t, err, "nothing", "benchmark", "table1")
	if _, err := Read("nothing.yaml", ScaleFull); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v, want ErrNotExist", err)
	}
}

func TestReadTellsItsFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine.yaml")
	must(t, os.WriteFile(path, []byte(jobstest.Experiment), 0o644))
	e, err := Read(path, ScaleFull)
	must(t, err)
	if e.File != "mine.yaml" {
		t.Errorf("file %q, want mine.yaml", e.File)
	}
	if e, err = Read("table1", ScaleQuick); err != nil || e.File != "" {
		t.Errorf("a built-in experiment has file %q (error %v), want none", e.File, err)
	}
}

// An edit changes one thing of jobstest.Experiment, and says what the error must say.
type edit struct {
	name     string
	old, new string
	want     []string // the first is the place
}

var badExperiments = []edit{
	{"unknown key", "title: A tiny", "tittle: A tiny", []string{"tiny.yaml:2: ", "tittle", "an experiment has name, title, like, loss, datasets"}},
	{"unknown key of a report", "checkpoint: 20}", "checkpiont: 20}", []string{"tiny.yaml:19: ", "checkpiont", "a report has name, kind, title, datasets"}},
	{"not YAML", "datasets: [grid]", "datasets: [grid", []string{"tiny.yaml:", "a list is not closed"}},
	{"no list", "datasets: [grid]", "datasets: grid", []string{"tiny.yaml:4: ", "want a list"}},
	{"wrong type", "checkpoints: [20, 40]", "checkpoints: many", []string{"tiny.yaml:5: "}},
	{"key twice", "title: A tiny experiment", "name: again", []string{"tiny.yaml:2: ", `"name" is given twice, for the first time in line 1`}},
	{"bad name", "name: tiny\n", "name: ti ny\n", []string{"tiny.yaml:1: ", `"ti ny"`, "letters, digits, dots"}},
	{"reserved name", "name: tiny\n", "name: results\n", []string{"tiny.yaml:1: ", `"results", want another`}},
	{"no name", "name: tiny\n", "", []string{"tiny.yaml: ", "name is missing"}},
	{"bad loss", "loss: logistic", "loss: hinge", []string{"tiny.yaml:3: ", `"hinge"`, "logistic", "least_squares"}},
	{"no loss", "loss: logistic\n", "", []string{"tiny.yaml: ", "least_squares"}},
	{"no datasets", "datasets: [grid]\n", "", []string{"tiny.yaml: ", "no datasets"}},
	{"empty datasets", "datasets: [grid]", "datasets: []", []string{"tiny.yaml:4: ", "no datasets"}},
	{"trial twice", "datasets: [grid]", "datasets: [grid]\ntrials: [0, 1, 0]", []string{"tiny.yaml:5: ", "trial 0 is negative or given twice"}},
	{"negative trial", "datasets: [grid]", "datasets: [grid]\ntrials: [-1]", []string{"tiny.yaml:5: ", "trial -1"}},
	{"checkpoints not ascending", "[20, 40]", "[40, 20]", []string{"tiny.yaml:5: ", "40, 20", "ascending"}},
	{"checkpoint twice", "[20, 40]", "[20, 20]", []string{"tiny.yaml:5: ", "ascending"}},
	{"checkpoint zero", "[20, 40]", "[0, 40]", []string{"tiny.yaml:5: ", "from 1"}},
	{"bad selection", "oracle-f1]", "best]", []string{"tiny.yaml:6: ", `"best"`, "validation-last", "oracle-f1"}},
	{"rule paper without a reading", "oracle-f1]", "paper]", []string{"tiny.yaml:6: ", "paper", "benchmark", "mnist", "kegg"}},
	{"bad reading", "oracle-f1]", "paper]\npaper: cifar", []string{"tiny.yaml:6: ", `"cifar"`, "benchmark"}},
	{"unknown method", "method: graphda", "method: grapda", []string{"tiny.yaml:12: ", `unknown method "grapda"`, `did you mean "graphda"`, "l1-rda", "best-subset"}},
	{"method without a name", "- method: adam\n    alpha", "- alpha", []string{"tiny.yaml:15: ", "without its name", "gdrun methods"}},
	{"method not a mapping", "- method: adam\n    alpha: 0.01", "- adam", []string{"tiny.yaml:15: ", "mapping"}},
	{"no methods", jobstest.Experiment[strings.Index(jobstest.Experiment, "methods:"):strings.Index(jobstest.Experiment, "reports:")], "", []string{"tiny.yaml: ", "no methods"}},
	{"unknown parameter", "alpha: 0.01", "alfa: 0.01", []string{"tiny.yaml:16: ", `unknown parameter "alfa"`, `did you mean "alpha"`, "beta1"}},
	{"parameter of another method", "rho: 0", "s: 3", []string{"tiny.yaml:11: ", `"s"`, "l1-rda has lambda, gamma, rho"}},
	{"missing parameter", "    rho: 0\n", "", []string{"tiny.yaml:8: ", "l1-rda: rho is missing", "at least 0"}},
	{"value out of range", "gamma: [5, 10, 20]", "gamma: [5, 0, 20]", []string{"tiny.yaml:13: ", "graphda: gamma = 0", "above 0"}},
	{"value on a line of its own", "gamma: [5, 10, 20]", "gamma:\n      - 5\n      - -1", []string{"tiny.yaml:15: ", "gamma = -1", "above 0"}},
	{"fraction of a node", "s: [4, 5]", "s: [4, 5.5]", []string{"tiny.yaml:14: ", "s = 5.5", "whole number"}},
	{"not a number", "alpha: 0.01", "alpha: small", []string{"tiny.yaml:16: ", `alpha = "small"`, "a number above 0"}},
	{"null", "alpha: 0.01", "alpha:", []string{"tiny.yaml:16: ", "alpha", "alpha has no values"}},
	{"NaN", "alpha: 0.01", "alpha: .nan", []string{"tiny.yaml:16: ", "alpha", "a number above 0"}},
	{"Inf", "alpha: 0.01", "alpha: Inf", []string{"tiny.yaml:16: ", "alpha", "a number above 0"}},
	{"too large", "alpha: 0.01", "alpha: 1e999", []string{"tiny.yaml:16: ", "alpha", "a number above 0"}},
	{"a list in a list", "gamma: [5, 10, 20]", "gamma: [5, [10, 20]]", []string{"tiny.yaml:13: ", "gamma", "one list of values"}},
	{"a mapping for a value", "alpha: 0.01", "alpha: {from: 1, to: 2}", []string{"tiny.yaml:16: ", "alpha", "one list of values"}},
	{"anchor", "alpha: 0.01", "alpha: &a [0.01]", []string{"tiny.yaml:16: ", "write the values out"}},
	{"alias", "s: [4, 5]", "s: [&a 4, *a]", []string{"tiny.yaml:14: ", "write the values out"}},
	{"merge key", "method: adam", "<<: {method: adam}", []string{"tiny.yaml:15: ", "write the values out"}},
	{"anchor outside methods", "[20, 40]", "&a [20, 40]", []string{"tiny.yaml:5: ", "write the values out"}},
	{"tag", "[20, 40]", "[20, !!int 40]", []string{"tiny.yaml:5: ", "write the values out"}},
	{"fraction of a sample", "[20, 40]", "[20.9, 40]", []string{"tiny.yaml:5: ", `"20.9"`, "a whole number in decimal digits"}},
	{"octal checkpoint", "[20, 40]", "[010, 40]", []string{"tiny.yaml:5: ", `"010"`, "decimal digits"}},
	{"hexadecimal on a line of its own", "[20, 40]", "\n  - 20\n  - 0x28", []string{"tiny.yaml:7: ", `"0x28"`}},
	{"power of ten", "[20, 40]", "[20, 1e3]", []string{"tiny.yaml:5: ", `"1e3"`}},
	{"digits in groups", "[20, 40]", "[20, 1_000]", []string{"tiny.yaml:5: ", `"1_000"`}},
	{"octal in quotes", "[20, 40]", "['020', 40]", []string{"tiny.yaml:5: ", `"020"`}},
	{"null checkpoint", "[20, 40]", "[~, 40]", []string{"tiny.yaml:5: ", `"~"`}},
	{"checkpoint beyond integers", "[20, 40]", "[20, 99999999999999999999]", []string{"tiny.yaml:5: ", `"99999999999999999999"`}},
	{"fraction of a trial", "datasets: [grid]", "datasets: [grid]\ntrials: [1.7]", []string{"tiny.yaml:5: ", `"1.7"`}},
	{"fraction of a grid's trial", "alpha: 0.01", "alpha: 0.01\n    trials: [1.7]", []string{"tiny.yaml:17: ", `"1.7"`}},
	{"fraction in the quick form", "reports:", "quick:\n  trials: [0, 1.5]\nreports:", []string{"tiny.yaml:18: ", `"1.5"`}},
	{"fraction of a report's checkpoint", "checkpoint: 20}", "checkpoint: 20.5}", []string{"tiny.yaml:19: ", `"20.5"`}},
	{"null dataset", "datasets: [grid]", "datasets: [grid, ~]", []string{"tiny.yaml:4: ", "~", "put it in quotes"}},
	{"a zero byte", "logistic", "log\x00istic", []string{"tiny.yaml:3: ", "the byte 0x00 is no text"}},
	{"broken UTF-8", "logistic", "log\xffistic", []string{"tiny.yaml:3: ", "the byte 0xff is no text"}},
	{"second document", "reports:", "---\nreports:", []string{"tiny.yaml:18: ", "second document"}},
	{"after the end", "reports:", "...\nreports:", []string{"tiny.yaml:18: ", "second document"}},
	{"deep brackets", "A tiny experiment", strings.Repeat("[", 200_000), []string{"tiny.yaml:2: ", "max depth"}},
	{"deep mappings", "A tiny experiment", strings.Repeat("{a: ", 50_000), []string{"tiny.yaml:2: ", "max depth"}},
	{"deep lists without brackets", "title: A tiny experiment", strings.Repeat("- ", 100_000), []string{"tiny.yaml:2: ", "did not find expected key"}},
	{"deep keys without brackets", "title: A tiny experiment", strings.Repeat("? ", 100_000), []string{"tiny.yaml:2: ", "max depth"}},
	{"too long", "A tiny experiment", strings.Repeat("x", 1<<18), []string{"tiny.yaml: ", "262144 bytes"}},
	{"unknown word", "s: [4, 5]", "s: [4, 5]\n    search: [guess]", []string{"tiny.yaml:15: ", `search = "guess"`, "one of paper"}},
	{"empty list", "gamma: [5, 10, 20]", "gamma: []", []string{"tiny.yaml:13: ", "graphda: gamma has no values"}},
	{"parameter twice", "    rho: 0", "    rho: 0\n    lambda: 3", []string{"tiny.yaml:12: ", "lambda"}},
	{"report without a name", "{name: tiny,", "{", []string{"tiny.yaml:", "report has no name", "letters"}},
	{"report with a path for a name", "{name: tiny,", "{name: ../tiny,", []string{"tiny.yaml:18: ", `"../tiny"`, "letters"}},
	{"report twice", "name: tiny-early", "name: tiny", []string{"tiny.yaml:19: ", `"tiny" is there twice`}},
	{"report named as the rows", "name: tiny-early", "name: results", []string{"tiny.yaml:19: ", "results.csv"}},
	{"bad kind", "kind: classification}", "kind: ranking}", []string{"tiny.yaml:18: ", `"ranking"`, "classification, regression, checkpoints"}},
	{"report at no checkpoint", "checkpoint: 20}", "checkpoint: 30}", []string{"tiny.yaml:19: ", "30", "20, 40"}},
	{"bad published table", "checkpoint: 20}", "published: table9}", []string{"tiny.yaml:19: ", `"table9"`, "graph01", "graph04"}},
}

// What is read is what is written: words and numbers that YAML leaves alone, and one document.
func TestParseExperimentAsWritten(t *testing.T) {
	text := jobstest.Replace(t, jobstest.Experiment, "title: A tiny experiment", "title: \"010\"\ntrials:")
	text = jobstest.Replace(t, text, "datasets: [grid]", "datasets: [grid, 42, true, 1e3, 2026-01-01, 010, 1.50]")
	text = jobstest.Replace(t, text, "[20, 40]", "['20', 40]")
	e, err := Parse("tiny.yaml", []byte("---\n"+text+"---\n# the end\n"), ScaleFull)
	must(t, err)
	if e.Title != "010" || e.Trials != nil || !slices.Equal(e.Checkpoints, []int{20, 40}) || !slices.Equal(e.Datasets, []string{"grid", "42", "true", "1e3", "2026-01-01", "010", "1.50"}) {
		t.Errorf("got %+v", e)
	}
}

// A file is not read beyond what an experiment may have.
func TestReadExperimentWithoutEnd(t *testing.T) {
	path := filepath.Join(t.TempDir(), "long.yaml")
	f, err := os.Create(path)
	must(t, err)
	must(t, f.Truncate(1<<40)) // no block of it is on the disk
	must(t, f.Close())
	_, err = Read(path, ScaleFull)
	wantError(t, err, path, "262144 bytes")
}

func TestParseExperimentRefuses(t *testing.T) {
	for _, e := range badExperiments {
		t.Run(e.name, func(t *testing.T) {
			_, err := Parse("tiny.yaml", []byte(jobstest.Replace(t, jobstest.Experiment, e.old, e.new)), ScaleFull)
			wantError(t, err, e.want...)
			var config *usage.Error
			if !errors.As(err, &config) {
				t.Errorf("error %v, want a ConfigError", err)
			}
			if err != nil && !strings.HasPrefix(err.Error(), e.want[0]) {
				t.Errorf("error %q does not begin with its place %q", err, e.want[0])
			}
		})
	}
}

func TestParseExperimentTellsAllFaults(t *testing.T) {
	text := jobstest.Replace(t, jobstest.Experiment, "loss: logistic", "loss: hinge")
	text = jobstest.Replace(t, text, "[20, 40]", "[40, 20]")
	_, err := Parse("tiny.yaml", []byte(text), ScaleFull)
	wantError(t, err, "tiny.yaml:3: ", "tiny.yaml:5: ")
}

// Whatever the text, there is an error or an experiment that expands.
func FuzzParseExperiment(f *testing.F) {
	f.Add(jobstest.Experiment)
	for _, e := range badExperiments {
		f.Add(strings.Replace(jobstest.Experiment, e.old, e.new, 1))
	}
	for _, text := range []string{"", "[]", "methods: [{method: adam, alpha: &a [1], beta1: *a}]", "methods:\n- &m {method: adam, alpha: 1}\n- {<<: *m}", "a: *b", "- - -", "loss: A\ndatasets: !00\n0 \n  -0"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		e, err := Parse("f.yaml", []byte(text), ScaleFull)
		if err != nil {
			if strings.Contains(err.Error(), "\n") || !strings.HasPrefix(err.Error(), "f.yaml") {
				t.Errorf("error %q, want one line that begins with the file", err)
			}
			return
		}
		for i := range e.Methods {
			if err := e.Methods[i].Expand(func([]float64) {}); err != nil {
				t.Errorf("accepted, but %v", err)
			}
		}
	})
}

func TestDatasetDirectory(t *testing.T) {
	data := dataFolder(t, jobstest.Spec{})
	want := filepath.Join(data, "grid")
	for _, c := range []struct{ data, name string }{{data, "grid"}, {data, want}, {"", want}, {"elsewhere", want}} {
		if dir, err := DatasetDir(c.data, c.name); err != nil || dir != want {
			t.Errorf("datasetDir(%q, %q) = %q, %v", c.data, c.name, dir, err)
		}
	}
	_, err := DatasetDir(data, "gird")
	wantError(t, err, `"gird"`, "--data")
}

// Some editors begin a file with a byte order mark.
func TestParseExperimentWithByteOrderMark(t *testing.T) {
	with, err := Parse("tiny.yaml", []byte("\ufeff"+jobstest.Experiment), ScaleFull)
	must(t, err)
	without, err := Parse("tiny.yaml", []byte(jobstest.Experiment), ScaleFull)
	must(t, err)
	if !reflect.DeepEqual(with, without) {
		t.Errorf("%+v, want %+v", with, without)
	}
}
