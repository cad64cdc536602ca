package experiment

import (
	"os"
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

var must = jobstest.Must

func must1[T any](v T, err error) T { return jobstest.Must1(v, err) }
