package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"graphda/cmd/internal/command"
	"graphda/jobs/jobstest"
)

// A frame is a table as another program writes it: its columns, and rows as JSON.
type frame struct {
	columns []arrow.Field
	rows    string
}

func column(name string, t arrow.DataType) arrow.Field {
	return arrow.Field{Name: name, Type: t, Nullable: true}
}

// write writes the frame as an Arrow file.
func (f frame) write(t *testing.T, path string) {
	t.Helper()
	rec, _, err := array.RecordFromJSON(memory.DefaultAllocator, arrow.NewSchema(f.columns, nil), strings.NewReader(f.rows))
	must(t, err)
	must(t, os.MkdirAll(filepath.Dir(path), 0o777))
	file, err := os.Create(path)
	must(t, err)
	w, err := ipc.NewFileWriter(file, ipc.WithSchema(rec.Schema()))
	must(t, err)
	must(t, w.Write(rec))
	must(t, w.Close())
	must(t, file.Close())
}

// The good files of a dataset of three features; each bad one differs in one place.
var goodFiles = map[string]frame{
	"graph.arrow": {
		[]arrow.Field{column("source", arrow.PrimitiveTypes.Int64), column("target", arrow.PrimitiveTypes.Int64), column("cost", arrow.PrimitiveTypes.Float64)},
		`[{"source": 0, "target": 1, "cost": 1}, {"source": 1, "target": 2, "cost": 0.5}]`,
	},
	"features.arrow": {
		[]arrow.Field{column("name", arrow.BinaryTypes.String)},
		`[{"name": "a"}, {"name": "b"}, {"name": "c"}]`,
	},
	"trial-00/samples.arrow": {
		[]arrow.Field{column("y", arrow.PrimitiveTypes.Float64), column("x", arrow.ListOf(arrow.PrimitiveTypes.Float64)), column("split", arrow.BinaryTypes.String)},
		`[{"y": 1, "x": [1, 2, 3], "split": "train"},
		  {"y": -1, "x": [4, 5, 6], "split": "train"},
		  {"y": 1, "x": [7, 8, 9], "split": "valid"},
		  {"y": -1, "x": [0, 0.5, 0], "split": "test"}]`,
	},
}

const badExperiment = `name: bad
loss: logistic
datasets: [mine]
methods:
  - {method: l1-rda, lambda: 0.1, gamma: 1, rho: 0}
`

func TestBadInput(t *testing.T) {
	const graph, features, samples = "graph.arrow", "features.arrow", "trial-00/samples.arrow"
	for _, c := range []struct {
		name, file string
		old, new   string
		want       []string // beside the file
	}{
		{"null label", samples, `"y": -1, "x": [4`, `"y": null, "x": [4`, []string{"row 1 ", `column "y"`, "null"}},
		{"NaN label", samples, `"y": -1, "x": [4`, `"y": "NaN", "x": [4`, []string{"row 1 ", `column "y"`, "NaN"}},
		{"label 0", samples, `"y": -1, "x": [4`, `"y": 0, "x": [4`, []string{"row 1 ", `column "y"`, "is 0, want −1 or +1"}},
		{"null list", samples, `[7, 8, 9]`, `null`, []string{"row 2 ", `column "x"`, "null"}},
		{"null in a list", samples, `[7, 8, 9]`, `[7, null, 9]`, []string{"row 2 ", `column "x"`, "null"}},
		{"NaN in a list", samples, `[7, 8, 9]`, `[7, 8, "NaN"]`, []string{"row 2 ", `column "x"`, "element 2 is NaN"}},
		{"Inf in a list", samples, `[7, 8, 9]`, `["+Inf", 8, 9]`, []string{"row 2 ", `column "x"`, "element 0 is +Inf"}},
		{"ragged lists", samples, `[7, 8, 9]`, `[7, 8]`, []string{"row 2 ", `column "x"`, "has 2 values, want 3"}},
		{"null split", samples, `"valid"`, `null`, []string{"row 2 ", `column "split"`, "null"}},
		{"unknown split", samples, `"valid"`, `"dev"`, []string{"row 2 ", `column "split"`, `"dev"`, "train, valid or test"}},
		{"empty split", samples, `"valid"`, `"test"`, []string{`column "split"`, `no row is "valid"`}},
		{"unknown feature", graph, `"target": 2`, `"target": 3`, []string{"row 1 ", `column "target"`, "3"}},
		{"negative feature", graph, `"source": 1`, `"source": -1`, []string{"row 1 ", `column "source"`, "-1"}},
		{"self-loop", graph, `"target": 2`, `"target": 1`, []string{"row 1 ", `column "target"`, "self-loop"}},
		{"negative cost", graph, `0.5`, `-0.5`, []string{"row 1 ", `column "cost"`, "-0.5"}},
		{"NaN cost", graph, `0.5`, `"NaN"`, []string{"row 1 ", `column "cost"`, "NaN"}},
		{"null cost", graph, `0.5`, `null`, []string{"row 1 ", `column "cost"`, "null"}},
		{"duplicate edge", graph, `"source": 1, "target": 2`, `"source": 1, "target": 0`, []string{"row 1 ", "0"}},
		{"feature twice", features, `"b"`, `"a"`, []string{"row 1 ", `column "name"`, `"a"`}},
		{"null feature", features, `"b"`, `null`, []string{"row 1 ", `column "name"`, "null"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			for name, f := range goodFiles {
				if name == c.file {
					f.rows = jobstest.Replace(t, f.rows, c.old, c.new)
				}
				f.write(t, filepath.Join("data/mine", name))
			}
			jobstest.WriteFile(t, ".", "bad.yaml", badExperiment)
			want := append([]string{filepath.Join("data/mine", c.file) + ": "}, c.want...)
			refused(t, command.Failed, []string{"cell", "--dataset", "data/mine", "--method", "l1-rda", "--set", "lambda=0.1,gamma=1,rho=0", "--out", "cell.arrow"}, want...)
			refused(t, command.Failed, []string{"plan", "bad.yaml"}, want...)
			for _, name := range []string{"cell.arrow", "runs"} {
				if _, err := os.Stat(name); err == nil {
					t.Errorf("%s is there", name)
				}
			}
		})
	}
}

// The same dataset without a fault is taken.
func TestGoodInput(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, f := range goodFiles {
		f.write(t, filepath.Join("data/mine", name))
	}
	ok(t, "cell", "--dataset", "data/mine", "--method", "l1-rda", "--set", "lambda=0.1,gamma=1,rho=0")
	jobstest.WriteFile(t, ".", "bad.yaml", badExperiment)
	ok(t, "plan", "bad.yaml")
}

// Labels of any size are targets under least squares.
func TestTargetsUnderLeastSquares(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, f := range goodFiles {
		f.rows = strings.Replace(f.rows, `"y": -1`, `"y": 2.5`, 1)
		f.write(t, filepath.Join("data/mine", name))
	}
	ok(t, "cell", "--dataset", "data/mine", "--method", "l1-rda", "--set", "lambda=0.1,gamma=1,rho=0", "--loss", "least_squares")
}

func TestIncompleteDataset(t *testing.T) {
	for name := range goodFiles {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			for other, f := range goodFiles {
				if other != name {
					f.write(t, filepath.Join("data/mine", other))
				}
			}
			want := strings.TrimSuffix(filepath.Base(name), ".arrow")
			refused(t, command.Usage, []string{"cell", "--dataset", "data/mine", "--method", "adam", "--set", "alpha=1"}, "data/mine", want)
		})
	}
}
