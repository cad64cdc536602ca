package predicting

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"

	"graphda/io/model"
	"graphda/io/network"
	"graphda/io/samples"
	"graphda/jobs/importing"
	"graphda/jobs/tuning"
)

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

func write(tb testing.TB, name string, lines [][]string) {
	tb.Helper()
	var b strings.Builder
	must(tb, csv.NewWriter(&b).WriteAll(lines))
	must(tb, os.WriteFile(name, []byte(b.String()), 0o666))
}

// tuned imports a table of 60 samples, of 6 features in a chain, and tunes it; it returns the table.
func tuned(t *testing.T, standardise bool, task importing.Task) (dir string, table [][]string) {
	t.Helper()
	dir = t.TempDir()
	rng := rand.New(rand.NewPCG(1, 1))
	table = [][]string{{"id", "status", "a", "b", "c", "d", "e", "f"}}
	edges := [][]string{{"source", "target"}}
	for j := range 5 {
		edges = append(edges, []string{table[0][j+2], table[0][j+3]})
	}
	for i := range 60 {
		line, sum := []string{fmt.Sprintf("P%d", i), ""}, 0.0
		for j := range 6 {
			x := 5 + 10*rng.NormFloat64()
			line = append(line, strconv.FormatFloat(x, 'g', 6, 64))
			if j < 2 {
				sum += x - 5
			}
		}
		line[1] = strconv.FormatFloat(sum+3, 'g', 6, 64)
		if task == importing.Classification {
			line[1] = map[bool]string{true: "ill", false: "well"}[sum > 0]
		}
		table = append(table, line)
	}
	write(t, filepath.Join(dir, "s.csv"), table)
	write(t, filepath.Join(dir, "e.csv"), edges)
	req := importing.Request{Samples: filepath.Join(dir, "s.csv"), Edges: network.EdgeRequest{Path: filepath.Join(dir, "e.csv")}, Label: "status",
		Task: task, Trials: 3, Standardise: standardise, Out: filepath.Join(dir, "data")}
	if task == importing.Classification {
		req.Positive = "ill"
	}
	_, err := importing.Import(context.Background(), req, nil)
	must(t, err)
	a, err := tuning.Tune(context.Background(), tuning.Request{Dataset: req.Out, Methods: []string{"graphda"}, Passes: 2})
	must(t, err)
	must(t, a.Model.Write(filepath.Join(dir, "model.parquet")))
	return dir, table
}

// The scores of the samples that a model was made of are those of its training, in whatever order rows and
// columns are: bit for bit, or as near as a dataset that is standardised already tells its values.
func TestScoresOfTraining(t *testing.T) {
	for _, task := range []importing.Task{importing.Classification, importing.Regression} {
		for _, standardise := range []bool{false, true} {
			dir, table := tuned(t, standardise, task)
			m, err := model.Read(filepath.Join(dir, "model.parquet"))
			must(t, err)
			want := trainingScores(t, dir, m)
			for _, line := range table {
				slices.Reverse(line) // columns
			}
			slices.Reverse(table[1:])
			path := filepath.Join(dir, "new.csv")
			write(t, path, table)
			r, err := Predict(context.Background(), Request{Model: filepath.Join(dir, "model.parquet"), Samples: path, ID: "id"})
			must(t, err)
			if len(r.IDs) != 60 || len(r.Scores) != 3 || r.IDs[0] != "P59" {
				t.Fatalf("%d samples, the first %s, %d scores", len(r.IDs), r.IDs[0], len(r.Scores))
			}
			for i, id := range r.IDs {
				for k := range r.Scores {
					near := math.Abs(r.Scores[k][i]-want[id][k]) <= 1e-12*math.Abs(want[id][k])
					if !near || !standardise && r.Scores[k][i] != want[id][k] {
						t.Errorf("%s, standardised %v: %s: %s %v, in training %v", task, standardise, id, m.Weights[k].Name,
							r.Scores[k][i], want[id][k])
					}
				}
			}
		}
	}
}

// trainingScores scores the samples of the dataset as they were learned from.
func trainingScores(t *testing.T, dir string, m *model.Model) map[string][]float64 {
	t.Helper()
	ds, err := samples.Open(filepath.Join(dir, "data"))
	must(t, err)
	trial, err := ds.Load(0, samples.AnyLabels)
	must(t, err)
	found := map[string][]float64{}
	x := make([]float64, 6)
	for _, b := range []samples.Block{trial.Train, trial.Valid, trial.Test} {
		for i, id := range b.IDs {
			copy(x, b.Row(i))
			if trial.Features.Scaling != nil {
				trial.Features.Scaling.Undo(x, x)
			}
			m.Scaling.Apply(x, x)
			for k := range m.Weights {
				found[id] = append(found[id], m.Weights[k].Score(x))
			}
		}
	}
	return found
}

// The model has the means and deviations of all samples that it was fitted to, not of a split's.
func TestScalingOfAll(t *testing.T) {
	for _, standardise := range []bool{false, true} {
		dir, table := tuned(t, standardise, importing.Classification)
		m, err := model.Read(filepath.Join(dir, "model.parquet"))
		must(t, err)
		for j := range 6 {
			var values []float64
			for _, line := range table[1:] {
				v, err := strconv.ParseFloat(line[2+j], 64)
				must(t, err)
				values = append(values, v)
			}
			mean, deviation := stat.PopMeanStdDev(values, nil)
			if math.Abs(m.Scaling.Mean[j]-mean) > 1e-9 || math.Abs(m.Scaling.Deviation[j]-deviation) > 1e-9 {
				t.Errorf("standardised %v: mean %v ± %v of %s, want %v ± %v", standardise, m.Scaling.Mean[j],
					m.Scaling.Deviation[j], m.Features[j], mean, deviation)
			}
		}
	}
}

func TestWriteCSV(t *testing.T) {
	dir, table := tuned(t, false, importing.Classification)
	req := Request{Model: filepath.Join(dir, "model.parquet"), Samples: filepath.Join(dir, "s.csv"), Weights: model.Ridge}
	r, err := Predict(context.Background(), req)
	must(t, err)
	var b bytes.Buffer
	must(t, r.WriteCSV(&b))
	lines, err := csv.NewReader(&b).ReadAll()
	must(t, err)
	if got := strings.Join(lines[0], " "); got != "id score_ridge probability_ridge label_ridge" || len(lines) != 61 {
		t.Fatalf("%s, %d lines", got, len(lines))
	}
	right := 0
	for i, line := range lines[1:] {
		p, err := strconv.ParseFloat(line[2], 64)
		must(t, err)
		if line[0] != table[i+1][0] || (p >= 0.5) != (line[3] == "ill") {
			t.Errorf("line %q", line)
		}
		if line[3] == table[i+1][1] {
			right++
		}
	}
	if right < 50 {
		t.Errorf("%d of 60 are right", right)
	}
}

// What a table lacks is named; where that is allowed it is at its mean, as if the feature said nothing.
func TestAbsent(t *testing.T) {
	dir, table := tuned(t, false, importing.Classification)
	m, err := model.Read(filepath.Join(dir, "model.parquet"))
	must(t, err)
	for _, line := range table {
		line[2] = line[0] // no column a: another of the ids
	}
	path := filepath.Join(dir, "new.csv")
	table[0][2] = "other"
	write(t, path, table)
	req := Request{Model: filepath.Join(dir, "model.parquet"), Samples: path, Weights: model.Wbar}
	if _, err := Predict(context.Background(), req); err == nil || !strings.Contains(err.Error(), " features: a; its columns are") {
		t.Errorf("without feature a: %v", err)
	}
	req.Absent = true
	r, err := Predict(context.Background(), req)
	must(t, err)
	w := m.Find(model.Wbar)
	x := make([]float64, 6)
	for j := 1; j < 6; j++ {
		x[j], err = strconv.ParseFloat(table[1][2+j], 64)
		must(t, err)
	}
	x[0] = m.Scaling.Mean[0]
	scaled := make([]float64, 6)
	m.Scaling.Apply(scaled, x)
	if scaled[0] != 0 || r.Scores[0][0] != w.Score(scaled) || !slices.Equal(r.Absent, []string{"a"}) {
		t.Errorf("score %v, want %v of %v; absent %v", r.Scores[0][0], w.Score(scaled), scaled, r.Absent)
	}
}

func TestRefuses(t *testing.T) {
	dir, table := tuned(t, false, importing.Classification)
	path := filepath.Join(dir, "new.csv")
	for want, change := range map[string]func([][]string){
		"NA":                       func(lines [][]string) { lines[2][3] = "NA" },
		"line 3":                   func(lines [][]string) { lines[2][3] = "x1" },
		"has none of the":          func(lines [][]string) { copy(lines[0], []string{"id", "s", "q", "r", "t", "u", "v", "w"}) },
		"has no rows":              nil,
		`id = "nr", which is no`:   func([][]string) {},
		`weights = "v"; `:          func([][]string) {},
		"stands twice in the file": func(lines [][]string) { lines[0][3] = "a" },
	} {
		lines := [][]string{table[0]}
		if change != nil {
			lines = nil
			for _, line := range table {
				lines = append(lines, slices.Clone(line))
			}
			change(lines)
		}
		write(t, path, lines)
		req := Request{Model: filepath.Join(dir, "model.parquet"), Samples: path}
		if strings.HasPrefix(want, "id") {
			req.ID = "nr"
		}
		if strings.HasPrefix(want, "weights") {
			req.Weights = "v"
		}
		if _, err := Predict(context.Background(), req); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
