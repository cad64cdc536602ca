// Package jobstest writes small datasets and experiment files for tests. The graphs are small grids, so a cell runs
// for less than a millisecond. Study runs a simulation study (study.go).
package jobstest

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"graphda/graph"
	"graphda/io/samples"
	"graphda/io/seal/sealtest" // also keeps temporary files in memory
)

// A Spec describes a dataset on a square grid. The true features are the 2 × 2 square in the corner of node 0. Groups
// of features are 2 × 2 squares. The zero Spec is a classification problem on 4 × 4 nodes, with one trial of 40
// training, 20 validation and 20 test samples.
type Spec struct {
	Side               int
	Train, Valid, Test int
	Trials             int
	Seed               uint64
	Targets            bool              // makes y a linear function of x instead of a label
	NoTruth            bool              // leaves truth and groups out of the features file
	Metadata           map[string]string // added to the samples' metadata
}

func (s *Spec) setDefaults() {
	s.Side, s.Trials = cmp.Or(s.Side, 4), cmp.Or(s.Trials, 1)
	s.Train, s.Valid, s.Test = cmp.Or(s.Train, 40), cmp.Or(s.Valid, 20), cmp.Or(s.Test, 20)
}

// WriteDataset writes a dataset into the directory dir.
func WriteDataset(tb testing.TB, dir string, s Spec) {
	tb.Helper()
	s.setDefaults()
	WriteStructure(tb, dir, graph.Grid(s.Side, s.Side), s.features())
	for trial := range s.Trials {
		s.writeTrial(tb, dir, trial)
	}
}

func (s *Spec) truth(i int) float64 {
	if i%s.Side < 2 && i/s.Side < 2 {
		return 1
	}
	return 0
}

func (s *Spec) features() *samples.Features {
	half := (s.Side + 1) / 2
	f := &samples.Features{Groups: make([][]int32, half*half)}
	for i := range s.Side * s.Side {
		f.Names = append(f.Names, fmt.Sprintf("n%d", i))
		f.Truth = append(f.Truth, s.truth(i))
		k := i/s.Side/2*half + i%s.Side/2
		f.Groups[k] = append(f.Groups[k], int32(i))
	}
	if s.NoTruth {
		f.Truth, f.Groups = nil, nil
	}
	return f
}

func (s *Spec) writeTrial(tb testing.TB, dir string, trial int) {
	tb.Helper()
	p := s.Side * s.Side
	header := samples.SamplesHeader{Features: p, Metadata: map[string]string{"seed": fmt.Sprint(s.Seed)}}
	maps.Copy(header.Metadata, s.Metadata)
	rng := rand.New(rand.NewPCG(s.Seed, uint64(trial)))
	var all []samples.Sample
	for i := range s.Train + s.Valid + s.Test {
		split := samples.Train
		if i >= s.Train {
			split = samples.Valid
		}
		if i >= s.Train+s.Valid {
			split = samples.Test
		}
		y := float64(1 - 2*rng.IntN(2))
		sum, x := 0.0, make([]float64, p)
		for j := range x {
			x[j] = rng.NormFloat64()
			if !s.Targets {
				x[j] += 0.5 * y * s.truth(j)
			}
			sum += x[j] * s.truth(j)
		}
		if s.Targets {
			y = sum + 0.1*rng.NormFloat64()
		}
		all = append(all, samples.Sample{Split: split, Y: y, X: x})
	}
	WriteTrial(tb, dir, trial, header, all)
}

// WriteTrial writes the samples of a trial into the folder of its dataset.
func WriteTrial(tb testing.TB, dir string, trial int, header samples.SamplesHeader, all []samples.Sample) {
	tb.Helper()
	dir = filepath.Join(dir, fmt.Sprintf("trial-%02d", trial))
	Must(tb, os.MkdirAll(dir, 0o777))
	w := Must1(samples.NewSamplesWriter(filepath.Join(dir, "samples.parquet"), header))
	for _, s := range all {
		Must(tb, w.Append(s))
	}
	Must(tb, w.Close())
}

// WriteStructure writes the features and the graph of a dataset into its folder. Without features, it names them G0,
// G1, ….
func WriteStructure(tb testing.TB, dir string, g *graph.Graph, features *samples.Features) {
	tb.Helper()
	if features == nil {
		features = &samples.Features{}
		for j := range g.NumNodes() {
			features.Names = append(features.Names, fmt.Sprint("G", j))
		}
	}
	Must(tb, os.MkdirAll(dir, 0o777))
	Must(tb, samples.WriteFeatures(filepath.Join(dir, "features.parquet"), features))
	Must(tb, samples.WriteGraph(filepath.Join(dir, "graph.parquet"), g, nil))
}

// Experiment is an experiment on the dataset "grid", with three methods, two checkpoints and two selection rules.
// Each trial has 11 cells.
const Experiment = `name: tiny
title: A tiny experiment
loss: logistic
datasets: [grid]
checkpoints: [20, 40]
selection: [validation, oracle-f1]
methods:
  - method: l1-rda
    lambda: [0.001, 0.01]
    gamma: [5, 10]
    rho: 0
  - method: graphda
    gamma: [5, 10, 20]
    s: [4, 5]
  - method: adam
    alpha: 0.01
reports:
  - {name: tiny, kind: classification}
  - {name: tiny-early, kind: classification, checkpoint: 20}
`

// Diverging is an experiment on the dataset "grid" with real targets. Two of its four cells fail: one before the first
// checkpoint, and one between the first and the second.
const Diverging = `name: diverging
loss: least_squares
datasets: [grid]
checkpoints: [2, 20, 40]
methods:
  - method: stoiht
    eta: [0.01, 1e300, 1e20, 0.02]
    s: 4
`

// WriteFile writes a file below dir and returns its path.
func WriteFile(tb testing.TB, dir, name, text string) string {
	tb.Helper()
	path := filepath.Join(dir, name)
	Must(tb, os.MkdirAll(filepath.Dir(path), 0o777))
	Must(tb, os.WriteFile(path, []byte(text), 0o666))
	return path
}

// Replace replaces the first occurrence of `old` in a text. The test fails if there is none.
func Replace(tb testing.TB, text, old, new string) string {
	tb.Helper()
	if !strings.Contains(text, old) {
		tb.Fatalf("the text does not hold %q", old)
	}
	return strings.Replace(text, old, new, 1)
}

var (
	Must      = sealtest.Must
	WantError = sealtest.WantError
)

// Must1 returns v, and panics on an error.
func Must1[T any](v T, err error) T { return sealtest.Must1(v, err) }

// Err returns only the error of a call.
func Err[T any](v T, err error) error { return sealtest.Err(v, err) }

// WantText checks that a text contains all parts.
func WantText(tb testing.TB, text string, parts ...string) {
	tb.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			tb.Errorf("there is no %q in\n%.4000s", part, text)
		}
	}
}

// Folder writes the dataset "grid" into a new folder and returns the folder's path.
func Folder(tb testing.TB, s Spec) string {
	tb.Helper()
	dir := tb.TempDir()
	WriteDataset(tb, filepath.Join(dir, "grid"), s)
	return dir
}

// FilesBelow returns the paths of all files below a folder.
func FilesBelow(tb testing.TB, dir string) (paths []string) {
	tb.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		tb.Fatal(err)
	}
	return paths
}

// Searches is like Experiment, but has two values of the parameter "search", which is not tuned.
var Searches = strings.Replace(Experiment, "s: [4, 5]\n", "s: [4, 5]\n    search: [paper, warm]\n    omega: 0.2\n", 1)

// SwapTrial replaces a trial of the dataset "grid" with the same trial of another dataset, which has the Spec s.
func SwapTrial(tb testing.TB, data string, trial string, s Spec) {
	tb.Helper()
	other := Folder(tb, s)
	Must(tb, os.RemoveAll(filepath.Join(data, "grid", trial)))
	Must(tb, os.Rename(filepath.Join(other, "grid", trial), filepath.Join(data, "grid", trial)))
}

// Numbers is an experiment on the dataset "grid". It has no reports.
const Numbers = `name: numbers
loss: logistic
datasets: [grid]
methods:
  - method: da-iht
    gamma: [1e2, 0.1, 1e-7, 1e21, 123456789, 0.30000000000000004]
    s: 3
  - method: adam
    alpha: 5e-1
  - method: graphstoiht
    eta: 1
    s: [4]
`
