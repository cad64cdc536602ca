package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"graphda/cmd/internal/command"
	"graphda/io/model"
	"graphda/jobs/jobstest"
	"graphda/jobs/own/tuning"
)

// full is a device without space.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// unprinted runs gdrun with a standard output that takes nothing.
func unprinted(t *testing.T, args ...string) {
	t.Helper()
	var notes bytes.Buffer
	code := command.Execute(context.Background(), program, append([]string{"gdrun"}, args...), full{}, &notes)
	if code != command.Failed {
		t.Errorf("gdrun %q: exit code %d, want %d: %s", args, code, command.Failed, &notes)
	}
}

func names(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries := must1(os.ReadDir(dir))
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") {
			names = append(names, e.Name())
		}
	}
	return names
}

// What cannot be printed is written all the same; each output is looked at before anything is computed, and a model
// that has learned on is kept.
func TestOutputsBeforePrinting(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	jobstest.WriteDataset(t, at("grid"), jobstest.Spec{Trials: 2})
	tune := []string{"tune", at("grid"), "--method", "da-iht", "--out", at("out")}
	for _, lost := range []bool{true, false} {
		must(t, os.RemoveAll(at("out")))
		if lost {
			unprinted(t, tune...)
		} else {
			ok(t, tune...)
		}
		got := names(t, at("out"))
		for _, name := range got {
			if name != modelFile && !slices.Contains(tuning.FileNames, name) {
				t.Errorf("%s is written, and not looked at before", name)
			}
		}
		for _, name := range []string{modelFile, "report.html", "expected.csv", "features.csv", "settings.csv"} {
			if !slices.Contains(got, name) {
				t.Errorf("lost %v: there is no %s", lost, name)
			}
		}
	}
	unprinted(t, "confidence", at("grid"), "--s", "3", "--f", "3", "--draws", "1", "--out", at("c.csv"))
	content(t, at("c.csv"))

	before := content(t, at("out/"+modelFile))
	jobstest.WriteFile(t, dir, "out/settings.csv", "mine\n")
	refused(t, command.Usage, tune, "settings.csv") // and not after computing
	must(t, os.RemoveAll(at("out")))
	jobstest.WriteFile(t, dir, "out/"+modelFile, before)
	m := must1(model.Read(at("out/" + modelFile)))
	m.State.Learned = 3000
	must(t, m.Write(at("out/"+modelFile)))
	refused(t, command.Usage, tune, "model.parquet has learned 3,000 samples")
	ok(t, append(tune, "--force")...)
}

// A dataset whose name cannot stand in the metadata of a model is refused before anything is computed.
func TestNamesInUTF8(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d\xff")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Skip("the file system has no such names")
	}
	jobstest.WriteDataset(t, dir, jobstest.Spec{})
	for _, args := range [][]string{{"tune", dir}, {"import", "--samples", "s", "--edges", "e", "--out", dir + "2"}} {
		refused(t, command.Usage, args, "the name of the folder is not UTF-8")
	}
}

// What a terminal would obey is printed as text, be it of an id or of a class.
func TestPredictPrintsText(t *testing.T) {
	dir := t.TempDir()
	m := &model.Model{Features: []string{"a"}, Loss: "logistic", Negative: "\x1b[31mno", Positive: "\x1b[32myes",
		Weights: []model.Weights{{Name: model.Ridge, W: []float64{1}}}}
	must(t, m.Write(filepath.Join(dir, modelFile)))
	must(t, os.WriteFile(filepath.Join(dir, "s.csv"), []byte("id,a\n\x1b]0;P1\a,1\nP2\x7f,-1\n"), 0o666))
	out := ok(t, "predict", "--model", filepath.Join(dir, modelFile), "--samples", filepath.Join(dir, "s.csv")).Stdout
	if strings.ContainsAny(out, "\x1b\a\x7f") || !strings.Contains(out, `\x1b[32myes`) || !strings.Contains(out, `P2\x7f,`) {
		t.Errorf("%q", out)
	}
}
