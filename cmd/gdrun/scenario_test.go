package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"graphda/cmd/internal/reporting"
	"graphda/cmd/internal/scenario"
	"graphda/jobs/simulate/simulatetest"
)

// What every command prints. testdata/scenarios has the texts, testdata/slurm the commands of
// a Slurm that runs nothing.
func TestScenarios(t *testing.T) {
	scenario.Run(t, "testdata/scenarios", commands(t))
}

// The commands of the pages in docs print what these show.
func TestManualPages(t *testing.T) {
	all := commands(t)
	all["gdmerge"] = scenario.Program(reporting.Gdmerge)
	all["owndata"] = ownData
	scenario.Pages(t, "../../docs/*.md", all)
	scenario.Pages(t, "../../README.md", all)
}

// commands are those of scenarios, with the environment that they run in.
func commands(t *testing.T) map[string]scenario.Command {
	t.Helper()
	fake := must1(filepath.Abs("testdata/slurm"))
	ownDataPage = must1(filepath.Abs("../../docs/own-data.md"))
	t.Setenv("PATH", fake+":"+os.Getenv("PATH"))
	t.Setenv("GRAPHDA_DATA", "")
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); strings.HasPrefix(name, "SLURM_") || strings.HasPrefix(name, "SBATCH_") {
			t.Setenv(name, "") // of the job that the tests may run in
			must(t, os.Unsetenv(name))
		}
	}
	t.Setenv("BIN", filepath.Dir(must1(os.Executable()))) // where gdrun looks for gdmerge
	return map[string]scenario.Command{
		"gdrun": scenario.Program(program), "grid": scenario.Grid, "rawfiles": rawFiles, "arrow": arrowFile,
	}
}

var ownDataPage string // as a path that holds whatever the current folder is

// ownData makes the tables of the page on own data, by the page's own script: $ owndata.
func ownData(t *testing.T, _ []string, _, _ io.Writer) int {
	t.Helper()
	_, script, _ := strings.Cut(content(t, ownDataPage), "-- make.awk --\n")
	script, _, _ = strings.Cut(script, "```")
	must(t, exec.Command("awk", script).Run())
	return 0
}

// rawFiles makes files of MNIST and KEGG up: $ rawfiles raw.
func rawFiles(t *testing.T, args []string, _, _ io.Writer) int {
	t.Helper()
	simulatetest.WriteMNIST(t, args[1], simulatetest.Pictures()...)
	simulatetest.WriteKEGG(t, args[1], simulatetest.KEGGFiles(t))
	return 0
}

// arrowTypes are the types that arrowFile knows.
var arrowTypes = map[string]arrow.DataType{
	"number": arrow.PrimitiveTypes.Float64, "whole": arrow.PrimitiveTypes.Int64, "text": arrow.BinaryTypes.String,
	"list": arrow.ListOf(arrow.PrimitiveTypes.Float64),
}

// arrowFile writes a file as another program writes it, with rows as JSON and each column with
// its type: $ arrow rows.json samples.arrow y number x list split text.
func arrowFile(t *testing.T, args []string, _, _ io.Writer) int {
	t.Helper()
	var columns []arrow.Field
	for i := 3; i < len(args); i += 2 {
		columns = append(columns, arrow.Field{Name: args[i], Type: arrowTypes[args[i+1]], Nullable: true})
	}
	rows := must1(os.Open(args[1]))
	defer rows.Close()
	rec, _, err := array.RecordFromJSON(memory.DefaultAllocator, arrow.NewSchema(columns, nil), rows)
	must(t, err)
	must(t, os.MkdirAll(filepath.Dir(args[2]), 0o777))
	file := must1(os.Create(args[2]))
	w := must1(ipc.NewFileWriter(file, ipc.WithSchema(rec.Schema())))
	must(t, w.Write(rec))
	must(t, w.Close())
	must(t, file.Close())
	return 0
}
