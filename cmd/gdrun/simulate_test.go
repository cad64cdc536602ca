package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"graphda/io/samples"
	"graphda/jobs/simulate/simulatetest"
)

// rawHere goes to an empty folder in which the made-up raw files are in raw.
func rawHere(t *testing.T) {
	t.Helper()
	t.Setenv("GRAPHDA_DATA", "")
	t.Chdir(t.TempDir())
	simulatetest.WriteMNIST(t, "raw", simulatetest.Pictures()...)
	simulatetest.WriteKEGG(t, "raw", simulatetest.KEGGFiles(t))
}

func datasets(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestSimulateMNIST(t *testing.T) {
	rawHere(t)
	args := []string{"simulate", "mnist", "--digit", "7", "--digit", "3", "--digit=7", "--model", "all", "--trials", "2", "--train", "10", "--valid", "4", "--test", "4", "--seed", "7", "--out", "d"}
	o := ok(t, append(slices.Clone(args), "--raw", "raw")...)
	want := "d/mnist-3-normalized: 2 trials of 18 samples, digit 3, normalized\n" +
		"d/mnist-3-constant: 2 trials of 18 samples, digit 3, constant\n" +
		"d/mnist-3-gaussian: 2 trials of 18 samples, digit 3, gaussian\n" +
		"d/mnist-7-normalized: 2 trials of 18 samples, digit 7, normalized\n" +
		"d/mnist-7-constant: 2 trials of 18 samples, digit 7, constant\n" +
		"d/mnist-7-gaussian: 2 trials of 18 samples, digit 7, gaussian\n"
	if o.stdout != want {
		t.Errorf("stdout\n%swant\n%s", o.stdout, want)
	}
	if !strings.HasPrefix(o.stderr, "12 of 12 trials in ") || strings.Count(o.stderr, "\n") != 1 {
		t.Errorf("stderr %q", o.stderr)
	}
	ds, err := samples.Open("d/mnist-7-gaussian")
	must(t, err)
	trial, err := ds.Load(1, samples.AnyLabels)
	must(t, err)
	if trial.Train.Rows() != 10 || trial.Metadata["seed"] != "7" || trial.Metadata["image"] != "7" {
		t.Errorf("%d training samples, metadata %v", trial.Train.Rows(), trial.Metadata)
	}
	before := tree(t)
	t.Setenv("GRAPHDA_DATA", "raw") // in place of --raw
	ok(t, args...)
	ok(t, append(slices.Clone(args), "--raw", "absent", "--images", "raw/mnist/train-images-idx3-ubyte.gz", "--labels", "raw/mnist/train-labels-idx1-ubyte")...)
	if after := tree(t); !slices.Equal(after, before) {
		t.Errorf("the same files, named otherwise, give %v, before there were %v", after, before)
	}
	o = ok(t, "simulate", "mnist", "--trials", "1", "--out", "e")
	if o.stdout != "e/mnist-0-normalized: 1 trial of 1400 samples, digit 0, normalized\n" {
		t.Errorf("by default: %q", o.stdout)
	}
}

func TestSimulateKEGG(t *testing.T) {
	rawHere(t)
	o := ok(t, "simulate", "kegg", "--raw", "raw", "--strategy", "all", "--trials", "1", "--out", "d")
	if want := "d/kegg-1: 1 trial of 600 samples, strategy 1\nd/kegg-2: 1 trial of 600 samples, strategy 2\n"; o.stdout != want {
		t.Errorf("stdout %q, want %q", o.stdout, want)
	}
	if !strings.HasPrefix(o.stderr, "2 of 2 trials in ") {
		t.Errorf("stderr %q", o.stderr)
	}
	ok(t, "simulate", "kegg", "--dir", filepath.Join("raw", "kegg"), "--trials", "1", "--out", "e")
	if got := datasets(t, "e"); !slices.Equal(got, []string{"kegg-1"}) {
		t.Errorf("by default: %v", got)
	}
	// What comes out is a dataset like any other, also with a gene that has no edge.
	ok(t, "cell", "--dataset", "d/kegg-2", "--method", "graphda", "--set", "gamma=10,s=3", "--checkpoints", "20,200")
	ok(t, "cell", "--dataset", "d/kegg-2", "--method", "da-gl", "--set", "gamma=10,lambda=0.01")
}
