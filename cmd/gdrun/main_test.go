package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/ipc"

	"graphda/cmd/internal/command"
	"graphda/cmd/internal/reporting"
	"graphda/cmd/internal/scenario"
	"graphda/jobs/jobstest"
)

var must = jobstest.Must

// asGdrun is the variable that makes the tests' binary gdrun.
const asGdrun = "GRAPHDA_TEST_AS_GDRUN"

func TestMain(m *testing.M) {
	if os.Getenv(asGdrun) != "" {
		command.Main(program)
	}
	os.Exit(m.Run())
}

// process is gdrun as a process of its own, in a folder.
func process(dir string, args ...string) *exec.Cmd {
	c := exec.Command(os.Args[0], args...)
	c.Args[0], c.Dir = "gdrun", dir
	c.Env = append(os.Environ(), asGdrun+"=1")
	c.Stdout, c.Stderr = new(bytes.Buffer), new(bytes.Buffer)
	return c
}

// gdrun runs the program.
func gdrun(tb testing.TB, args ...string) scenario.Outcome {
	tb.Helper()
	return scenario.Call(tb, context.Background(), program, append([]string{"gdrun"}, args...)...)
}

// ok runs the program and sees to it that it succeeds.
func ok(tb testing.TB, args ...string) scenario.Outcome {
	tb.Helper()
	return gdrun(tb, args...).Succeeds(tb)
}

// gdmerge merges, in this process too.
func gdmerge(tb testing.TB, args ...string) {
	tb.Helper()
	scenario.Call(tb, context.Background(), reporting.Gdmerge, append([]string{"gdmerge"}, args...)...).Succeeds(tb)
}

// refused runs the program and sees to it that it fails with the code, prints nothing
// but one line on stderr, and that this line says all of these.
func refused(tb testing.TB, code int, args []string, want ...string) {
	tb.Helper()
	if o := gdrun(tb, args...).Fails(tb, code, want...); strings.Count(o.Stderr, "\n") != 1 {
		tb.Errorf("gdrun %q: stderr %q, want one line", args, o.Stderr)
	}
}

// workplace makes a folder with the dataset data/grid and the experiment tiny.yaml and
// goes there.
func workplace(t *testing.T, s jobstest.Spec, experiment string) {
	t.Helper()
	t.Chdir(t.TempDir())
	jobstest.WriteDataset(t, filepath.Join("data", "grid"), s)
	jobstest.WriteFile(t, ".", "tiny.yaml", experiment)
}

// planned makes a workplace with a plan in runs/tiny.
func planned(t *testing.T) {
	t.Helper()
	workplace(t, jobstest.Spec{Trials: 2}, jobstest.Experiment)
	ok(t, "plan", "tiny.yaml")
}

var cellArgs = []string{"cell", "--dataset", "data/grid", "--method", "da-iht", "--set", "gamma=5,s=4"}

// CSV tells what the file has.
func TestCellFormats(t *testing.T) {
	workplace(t, jobstest.Spec{}, jobstest.Experiment)
	args := append(slices.Clone(cellArgs), "--checkpoints", "10,40")
	out := ok(t, append(args, "--format", "csv", "--out", "cell.arrow")...)
	lines, err := csv.NewReader(strings.NewReader(out.Stdout)).ReadAll()
	must(t, err)
	rows := arrowRows(t, "cell.arrow")
	if len(rows) != 3 || len(lines) != 3 {
		t.Fatalf("%d rows in the file and %d lines of CSV, want 3", len(rows), len(lines))
	}
	for k := range rows {
		for i, got := range lines[k] {
			name := lines[0][i]
			if in := slices.Index(rows[0], name); in < 0 || got != rows[k][in] {
				t.Errorf("row %d: %s is %q in CSV and not so in the file: %q", k, name, got, rows[k])
			}
		}
	}
}

// arrowRows returns the names and the values of an Arrow file's columns as CSV has them.
func arrowRows(t *testing.T, path string) [][]string {
	t.Helper()
	data, err := os.ReadFile(path)
	must(t, err)
	file, err := ipc.NewFileReader(bytes.NewReader(data))
	must(t, err)
	record, err := file.Record(0)
	must(t, err)
	rows := make([][]string, 1+record.NumRows())
	for i, column := range record.Columns() {
		rows[0] = append(rows[0], record.ColumnName(i))
		for k := range column.Len() {
			value := column.ValueStr(k)
			if column.IsNull(k) {
				value = ""
			}
			rows[k+1] = append(rows[k+1], value)
		}
	}
	return rows
}

func TestStopped(t *testing.T) {
	planned(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	says := "gdrun: stopped early; the same command goes on from here\n"
	for _, args := range [][]string{{"local", "runs/tiny"}, {"task", "runs/tiny", "--index", "0"}, cellArgs,
		{"reproduce", "figure2", "--scale", "quick"}} {
		if slices.Equal(args, cellArgs) {
			says = "" // these have nothing to go on with
		}
		scenario.Call(t, ctx, program, append([]string{"gdrun"}, args...)...).Fails(t, command.Stopped, says)
	}
}

// tree lists the files of the working directory.
func tree(t *testing.T) (paths []string) {
	t.Helper()
	must(t, filepath.WalkDir(".", func(path string, _ os.DirEntry, err error) error {
		paths = append(paths, path)
		return err
	}))
	return paths
}
