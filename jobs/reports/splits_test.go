package reports

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"graphda/io/network"
	"graphda/io/samples"
	"graphda/jobs/jobstest"
	"graphda/jobs/own/importing"
	"graphda/jobs/own/sampletable"
	"graphda/jobs/reports/source"
	"graphda/jobs/run"
)

// importNoise imports samples whose labels have nothing to do with their features, as so many
// random splits: 90 samples, half of each class, and 30 features on a path.
func importNoise(tb testing.TB, data string, number uint64, trials int) (name string) {
	tb.Helper()
	const n, p = 90, 30
	rng := rand.New(rand.NewPCG(number, 17))
	var samples, edges strings.Builder
	samples.WriteString("y")
	edges.WriteString("source,target\n")
	for j := range p {
		fmt.Fprintf(&samples, ",f%d", j)
		if j > 0 {
			fmt.Fprintf(&edges, "f%d,f%d\n", j-1, j)
		}
	}
	for i := range n {
		fmt.Fprintf(&samples, "\n%d", 1-2*(i%2))
		for range p {
			fmt.Fprintf(&samples, ",%v", rng.NormFloat64())
		}
	}
	raw := tb.TempDir()
	edgesPath := filepath.Join(raw, "edges.csv")
	request := importing.Request{
		Table: sampletable.Table{Samples: filepath.Join(raw, "samples.csv"), Label: "y", Task: sampletable.Classification},
		Edges: network.EdgeRequest{Path: edgesPath}, Trials: trials, Seed: number, Standardise: true,
	}
	must(tb, os.WriteFile(request.Samples, []byte(samples.String()), 0o666))
	must(tb, os.WriteFile(edgesPath, []byte(edges.String()), 0o666))
	name = fmt.Sprintf("noise%03d", number)
	request.Out = filepath.Join(data, name)
	must1(importing.Import(context.Background(), request, nil))
	return name
}

// noiseExperiment compares four methods on a dataset of noise.
func noiseExperiment(name string) string {
	return fmt.Sprintf("name: noise\nloss: logistic\ndatasets: [%s]\nmethods:\n"+
		"  - {method: adam, alpha: [0.01, 0.1]}\n"+
		"  - {method: l1-rda, lambda: [0.01, 0.1], gamma: [5, 50], rho: 0}\n"+
		"  - {method: da-iht, gamma: [5, 50], s: [4, 8]}\n"+
		"  - {method: graphda, gamma: [5, 50], s: 6}\n"+
		"reports: [{name: noise, kind: classification}]\n", name)
}

// A noiseCount is how often an interval held the truth, and a test found what is not there.
type noiseCount struct{ held, intervals, found, tests int }

// judge counts the accuracies and tests of a dataset of noise, whose truth is ½ and no
// difference.
func (n *noiseCount) judge(p *source.Printed) {
	accuracy := p.Main().At("test_accuracy")
	for _, row := range p.Main().Rows {
		n.intervals++
		if v := row[accuracy].Number; v.Low <= 0.5 && 0.5 <= v.High {
			n.held++
		}
	}
	i := slices.IndexFunc(p.Tables, func(t source.Named) bool { return strings.HasSuffix(t.Name, "-tests-pairs") })
	for _, row := range p.Tables[i].Rows {
		if row[p.Tables[i].At("measure")].Word == "test_accuracy" {
			n.tests++
			if row[p.Tables[i].At("p")].Number.Value < 0.05 {
				n.found++
			}
		}
	}
}

// Of noise every accuracy is one half and no method better than another, however many splits
// of the same samples are averaged.
func TestSplitsOfNoise(t *testing.T) {
	if testing.Short() {
		t.Skip("learns from 6 datasets in 30 trials each")
	}
	var count noiseCount
	for number := range uint64(6) {
		data := t.TempDir()
		run := finished(t, data, noiseExperiment(importNoise(t, data, number, 30)))
		count.judge(&reportsOf(t, run)[0])
	}
	if share := float64(count.held) / float64(count.intervals); share < 0.9 {
		t.Errorf("%d of %d intervals hold the truth, want 90 %% at least", count.held, count.intervals)
	}
	if share := float64(count.found) / float64(count.tests); share > 0.08 {
		t.Errorf("%d of %d tests find a difference, want 8 %% at most", count.found, count.tests)
	}
}

// Trials that have the same samples in other splits are known whoever made them.
func TestSameSamplesAreSeen(t *testing.T) {
	data := dataFolder(t, jobstest.Spec{})
	first := must1(must1(samples.Open(filepath.Join(data, "grid"))).Load(0, samples.BinaryLabels))
	var second []samples.Sample
	for split, b := range []samples.Block{first.Valid, first.Test, first.Train} { // 20, 20 and 40 samples
		for i := range b.Y {
			second = append(second, samples.Sample{Split: samples.Split(split), Y: b.Y[i], X: b.Row(i)})
		}
	}
	jobstest.WriteTrial(t, filepath.Join(data, "grid"), 1, samples.SamplesHeader{Features: first.Train.P, Metadata: first.Metadata}, second)
	r := finished(t, data, strings.Replace(jobstest.Experiment, "[20, 40]", "[10, 20]", 1))
	r = must1(run.Open(r.Dir))
	grid := must1(r.Collect())
	if got := grid.Dataset("grid").Overlap(); got != 2 {
		t.Errorf("overlap %v, want 40/20, the larger of both trials", got)
	}
	for _, p := range reportsOf(t, r) {
		if !strings.Contains(strings.Join(p.Main().Notes, " "), "Nadeau and Bengio") {
			t.Errorf("notes %q", p.Main().Notes)
		}
	}
	own := newRun(t, dataFolder(t, jobstest.Spec{Trials: 2}), jobstest.Experiment, time.Hour)
	if got := must1(own.Collect()).Dataset("grid").Overlap(); got != 0 {
		t.Errorf("overlap %v of trials with samples of their own", got)
	}
}
