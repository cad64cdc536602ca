package reports

import (
	"path/filepath"
	"strings"
	"testing"

	"graphda/io/samples"
	"graphda/jobs/jobstest"
	"graphda/jobs/reports/figures"
	"graphda/jobs/runtest"
	"graphda/jobs/selection"
)

func TestStability(t *testing.T) {
	f := placed()
	data := dataFolder(t, jobstest.Spec{Trials: 3, Seed: 1})
	must(t, samples.WriteFeatures(filepath.Join(data, "grid", "features.parquet"), f))
	before, _, _ := strings.Cut(pageExperiment, "reports:")
	run := finished(t, data, before+"reports: [{name: stable, kind: stability}]\n")
	grid := runtest.Merge(t, run)
	printed := reportsOf(t, run)
	if len(printed) != 2 || printed[0].Main() == nil || len(printed[1].Figures) != 1 {
		t.Fatalf("it prints %d parts, want a table and a figure", len(printed))
	}
	chosen := choose(grid, ofMethod("grid", "graphda", 40), selection.W)
	want := map[string]float64{}
	for trial := range 3 {
		for j, v := range learned(t, run, chosen, trial, 40) {
			if v != 0 {
				want[f.Names[j]]++
			}
		}
	}
	found := 0
	for _, row := range printed[0].Main().Rows {
		name, n := row[0].Word, row[3].Number.Value
		if n != want[name] {
			t.Errorf("graphda selected %s in %v trials, want %v", name, n, want[name])
		}
		if n > 0 {
			found++
		}
	}
	if found != len(want) || found == 0 {
		t.Errorf("%d features of graphda are listed, want %d", found, len(want))
	}
	pictures := printed[1].Figures[0].(*figures.Pictures)
	sum, all := 0.0, 0.0
	for _, v := range pictures.Cells[0][2].Values {
		sum += v
	}
	for _, n := range want {
		all += n
	}
	if sum != all {
		t.Errorf("the picture shows %v selections, want %v", sum, all)
	}
}

// Counts over splits of the same samples are no evidence, of noise above all, and the table says so; those over
// trials of their own are not said to be none.
func TestStabilityIsNoEvidence(t *testing.T) {
	data, own := t.TempDir(), dataFolder(t, jobstest.Spec{Trials: 2})
	before, _, _ := strings.Cut(pageExperiment, "reports:")
	of := "name: noise\nloss: logistic\ndatasets: [" + importNoise(t, data, 1, 2) + "]\nmethods: [{method: da-iht, gamma: 5, s: 4}]\n"
	for folder, text := range map[string]string{data: of, own: before} {
		run := finished(t, folder, text+"reports: [{name: stable, kind: stability}]\n")
		notes := strings.Join(reportsOf(t, run)[0].Main().Notes, " ")
		if told := strings.Contains(notes, "no evidence"); told != (folder == data) {
			t.Errorf("%s: told %v: %q", text, told, notes)
		}
	}
}
