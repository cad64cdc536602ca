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
	"graphda/jobs/userinput"
)

// An experiment's name means the file of that name, or else the built-in experiment. An experiment read from a
// file names the file.
func TestRead(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct{ path, name, file string }{{"table1", "table1", ""}, {"table1", "tiny", "table1"}, {"./mine.yaml", "tiny", "mine.yaml"}} {
		if c.name == "tiny" {
			must(t, os.WriteFile(c.path, []byte(jobstest.Experiment), 0o666))
		}
		if e := must1(Read(c.path, ScaleFull)); e.Name != c.name || e.File != c.file {
			t.Errorf("%s: experiment %s of file %q, want %+v", c.path, e.Name, e.File, c)
		}
	}
	if _, err := Read("nothing.yaml", ScaleFull); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v, want ErrNotExist", err)
	}
}

// An edit changes one thing in jobstest.Experiment and lists what the error must contain.
type edit struct {
	name     string
	old, new string
	want     []string // the first is the line
}

var badExperiments = []edit{
	{"no list", "datasets: [grid]", "datasets: grid", []string{"tiny.yaml:4: ", "want a list"}},
	{"value on a line of its own", "gamma: [5, 10, 20]", "gamma:\n      - 5\n      - -1", []string{"tiny.yaml:15: ", "gamma = -1", "above 0"}},
	{"Inf", "alpha: 0.01", "alpha: Inf", []string{"tiny.yaml:16: ", "alpha", "a number above 0"}},
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
	{"a zero byte", "logistic", "log\x00istic", []string{"tiny.yaml:3: ", "byte 0x00 is not text"}},
	{"broken UTF-8", "logistic", "log\xffistic", []string{"tiny.yaml:3: ", "byte 0xff is not text"}},
	{"second document", "reports:", "---\nreports:", []string{"tiny.yaml:18: ", "second document"}},
	{"after the end", "reports:", "...\nreports:", []string{"tiny.yaml:18: ", "second document"}},
	{"deep brackets", "A tiny experiment", strings.Repeat("[", 200_000), []string{"tiny.yaml:2: ", "max depth"}},
	{"deep mappings", "A tiny experiment", strings.Repeat("{a: ", 50_000), []string{"tiny.yaml:2: ", "max depth"}},
	{"deep lists without brackets", "title: A tiny experiment", strings.Repeat("- ", 100_000), []string{"tiny.yaml:2: ", "did not find expected key"}},
	{"deep keys without brackets", "title: A tiny experiment", strings.Repeat("? ", 100_000), []string{"tiny.yaml:2: ", "max depth"}},
	{"too long", "A tiny experiment", strings.Repeat("x", 1<<18), []string{"tiny.yaml: ", "262144 bytes"}},
}

// Words and numbers are read as they are written if YAML does not change them. One document is read; it may begin
// with a byte order mark.
func TestParseExperimentAsWritten(t *testing.T) {
	text := jobstest.Replace(t, jobstest.Experiment, "title: A tiny experiment", "title: \"010\"\ntrials:")
	text = jobstest.Replace(t, text, "datasets: [grid]", "datasets: [grid, 42, true, 1e3, 2026-01-01, 010, 1.50]")
	text = jobstest.Replace(t, text, "[20, 40]", "['20', 40]")
	e := must1(Parse("tiny.yaml", []byte("\ufeff---\n"+text+"---\n# the end\n"), ScaleFull))
	if rules := e.Rules(); len(rules) != 2 || rules[0].Name() != "validation" {
		t.Errorf("rules %v, want the reports' default first", rules)
	}
	if e.Title != "010" || e.Trials != nil || !slices.Equal(e.Checkpoints, []int{20, 40}) || !slices.Equal(e.Datasets, []string{"grid", "42", "true", "1e3", "2026-01-01", "010", "1.50"}) {
		t.Errorf("got %+v", e)
	}
}

// A file is not read beyond the size limit of experiments.
func TestReadExperimentWithoutEnd(t *testing.T) {
	path := filepath.Join(t.TempDir(), "long.yaml")
	f := must1(os.Create(path))
	must(t, f.Truncate(1<<30)) // the file has no blocks on the disk
	must(t, f.Close())
	_, err := Read(path, ScaleFull)
	wantError(t, err, path, "262144 bytes")
}

func TestParseExperimentRefuses(t *testing.T) {
	for _, e := range badExperiments {
		t.Run(e.name, func(t *testing.T) {
			_, err := Parse("tiny.yaml", []byte(jobstest.Replace(t, jobstest.Experiment, e.old, e.new)), ScaleFull)
			wantError(t, err, e.want...)
			var config *userinput.Error
			if !errors.As(err, &config) {
				t.Errorf("error %v, want a ConfigError", err)
			}
			if err != nil && !strings.HasPrefix(err.Error(), e.want[0]) {
				t.Errorf("error %q does not begin with its place %q", err, e.want[0])
			}
		})
	}
}

// Every text gives an error or an experiment that expands.
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

// A report that would show nothing is refused before the first cell runs.
func TestReportsThatShowNothing(t *testing.T) {
	regression := strings.Replace(jobstest.Experiment, "loss: logistic", "loss: least_squares", 1)
	for _, c := range []struct{ text, report, want string }{
		{jobstest.Experiment, "kind: models, models: [wbar]", "tiny.yaml:20: ; kind models cannot have the key models"},
		{jobstest.Experiment, "kind: truth, log: true", "tiny.yaml:20: ; kind truth cannot have the key log"},
		{jobstest.Experiment, "kind: network, columns: 3", "tiny.yaml:20: ; kind network cannot have the key columns"},
		{jobstest.Experiment, "kind: regret, models: [w]", "tiny.yaml:20: ; kind regret cannot have the key models"},
		{jobstest.Experiment, "kind: checkpoints, measure: f1, columns: -3", "tiny.yaml:20: ; -3 columns"},
		{jobstest.Experiment, "kind: parameter, measure: f1, parameter: search", `tiny.yaml:20: ; numeric parameter "search"`},
		{jobstest.Experiment, "kind: parameter, measure: f1, parameter: t", `tiny.yaml:20: ; numeric parameter "t"`},
		{jobstest.Experiment, "kind: checkpoints, measure: f1, methods: [da-iht, stoiht]", "tiny.yaml:20: ; none of the report's methods"},
		{jobstest.Experiment, "kind: datasets", "tiny.yaml:20: ; kind datasets needs a measure and a parameter"},
		{jobstest.Experiment, "kind: ranks, measure: f1", "tiny.yaml:20: ; kind ranks needs at least 5 datasets, and there are"},
		{regression, "kind: mistakes", "tiny.yaml:20: ; kind mistakes needs a loss for classes"},
	} {
		_, err := Parse("tiny.yaml", []byte(c.text+"  - {name: more, "+c.report+"}\n"), ScaleFull)
		wantError(t, err, append(strings.Split(c.want, "; "), "report more: ")...)
	}
	_, err := Parse("tiny.yaml", []byte(jobstest.Experiment+"  - {name: tiny.early, kind: truth}\n"), ScaleFull)
	wantError(t, err, "tiny.yaml:20: ", `"tiny.early"`, "dots and dashes")
}

// Inherited reports are dropped if the experiment lacks their methods.
func TestReportsOfOtherMethods(t *testing.T) {
	e := must1(Parse("mine.yaml", []byte("name: mine\nlike: kegg\nmethods: [{method: adam, alpha: 0.1}]\n"), ScaleFull))
	if len(e.Reports) != 1 || e.Reports[0].Name != "kegg" {
		t.Errorf("reports %+v, want the table alone: the other reports name methods that the experiment does not have", e.Reports)
	}
}

// A report of ranks needs several datasets. A quick form with too few drops the report without a message.
func TestReportsOfTooFewDatasets(t *testing.T) {
	const text = "name: mine\nlike: table1\ndatasets: [a, b, c, d, e]\nquick: {datasets: [a, b]}\n" +
		"reports: [{name: places, kind: ranks, measure: f1}, {name: rest, kind: truth}]\n"
	for scale, want := range map[string]int{ScaleFull: 2, ScaleQuick: 1} {
		e := must1(Parse("mine.yaml", []byte(text), scale))
		if len(e.Reports) != want {
			t.Errorf("%s: reports %+v, want %d", scale, e.Reports, want)
		}
	}
}

// A change to one thing leaves the rest of a built-in experiment as it is, at both scales.
func TestReadChanged(t *testing.T) {
	for _, scale := range Scales() {
		base := must1(ReadBuiltIn("table1", scale))
		lazy := Axis{"search", []string{"lazy"}}
		e := must1(ReadChanged("table1", scale, Change{Set: []Axis{lazy}}))
		searched := 0
		for i, g := range e.Methods {
			want := base.Methods[i]
			if g.Method == "graphda" || g.Method == "graphstoiht" {
				searched++
				want = want.with([]Axis{lazy})
			}
			if !reflect.DeepEqual(g.Axes, want.Axes) || g.Method != want.Method {
				t.Errorf("%s, %s: %v, want %v", scale, g.Method, g.Axes, want.Axes)
			}
		}
		if searched < 2 || len(e.Methods) != len(base.Methods) {
			t.Errorf("%s: %d of %d grids have the search", scale, searched, len(e.Methods))
		}
		if !e.ReadsAs(base) || !slices.Equal(e.Datasets, base.Datasets) || !slices.Equal(e.Trials, base.Trials) {
			t.Errorf("%s: more than the search has changed: %+v", scale, e)
		}
	}
}

// Flags do the same as a file with `like:` and the same values.
func TestReadChangedIsLikeAFile(t *testing.T) {
	change := Change{Methods: []string{"da-iht", "graphda"}, Checkpoints: Samples{200, 400},
		Set: []Axis{{"search", []string{"lazy"}}, {"s", []string{"20", "26"}}}, Datasets: []string{"graph02-mu0.3"}}
	got := must1(ReadChanged("benchmark", ScaleFull, change))
	want, err := Parse("mine.yaml", []byte("name: benchmark\ntitle: 'Benchmark data: four subgraphs of a grid'\n"+
		"like: benchmark\ndatasets: [graph02-mu0.3]\ncheckpoints: [200, 400]\nmethods:\n"+
		"  - {method: da-iht, s: [20, 26]}\n  - {method: graphda, search: lazy, s: [20, 26]}\n"), ScaleFull)
	must(t, err)
	for _, e := range []*Experiment{got, want} {
		e.Quick, e.Like = nil, ""
		for i := range e.Methods {
			e.Methods[i].Origin = 0
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("flags: %+v\nfile:  %+v", got, want)
	}
}

var must, wantError = jobstest.Must, jobstest.WantError

func must1[T any](v T, err error) T { return jobstest.Must1(v, err) }
