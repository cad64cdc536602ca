package experiment

import (
	"errors"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"graphda/jobs/jobstest"
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

// Every text gives an error or an experiment that expands.
func FuzzParseExperiment(f *testing.F) {
	f.Add(jobstest.Experiment)
	for _, s := range []string{"[&a 4, *a]", "[~]", "[010]", "[20.9]", strings.Repeat("[", 20_000), strings.Repeat("{a: ", 20_000)} {
		f.Add(strings.Replace(jobstest.Experiment, "[4, 5]", s, 1))
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
	want, err := Parse("mine.yaml", []byte("name: benchmark\ntitle: 'Benchmark data: subgraphs of a grid'\n"+
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

var must = jobstest.Must

func must1[T any](v T, err error) T { return jobstest.Must1(v, err) }
