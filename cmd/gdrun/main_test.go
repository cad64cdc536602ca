package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/urfave/cli/v2"

	"graphda/cmd/internal/command"
	"graphda/jobs/jobstest"
)

var must = jobstest.Must

// An outcome is what a program leaves behind.
type outcome struct {
	code           int
	stdout, stderr string
}

// gdrun runs the program.
func gdrun(tb testing.TB, args ...string) outcome {
	tb.Helper()
	return gdrunIn(tb, context.Background(), args...)
}

func gdrunIn(tb testing.TB, ctx context.Context, args ...string) outcome {
	tb.Helper()
	var stdout, stderr bytes.Buffer
	code := command.Execute(ctx, program, append([]string{"gdrun"}, args...), &stdout, &stderr)
	o := outcome{code, stdout.String(), stderr.String()}
	if strings.ContainsRune(o.stdout+o.stderr, '\r') {
		tb.Errorf("gdrun %q writes a carriage return to what is no terminal", args)
	}
	if strings.Contains(o.stderr, "goroutine ") {
		tb.Errorf("gdrun %q writes a stack trace: %s", args, o.stderr)
	}
	return o
}

// ok runs the program and sees to it that it succeeds.
func ok(tb testing.TB, args ...string) outcome {
	tb.Helper()
	o := gdrun(tb, args...)
	if o.code != 0 {
		tb.Fatalf("gdrun %q: exit code %d: %s", args, o.code, o.stderr)
	}
	return o
}

// refused runs the program and sees to it that it fails with the code, prints nothing
// but one line on stderr, and that this line says all of these.
func refused(tb testing.TB, code int, args []string, want ...string) {
	tb.Helper()
	o := gdrun(tb, args...)
	if o.code != code {
		tb.Errorf("gdrun %q: exit code %d, want %d: %s", args, o.code, code, o.stderr)
	}
	if o.stdout != "" {
		tb.Errorf("gdrun %q prints on stdout: %s", args, o.stdout)
	}
	if !strings.HasPrefix(o.stderr, "gdrun: ") || strings.Count(o.stderr, "\n") != 1 || !strings.HasSuffix(o.stderr, "\n") {
		tb.Errorf("gdrun %q: stderr %q, want one line that begins with gdrun:", args, o.stderr)
	}
	for _, part := range want {
		if !strings.Contains(o.stderr, part) {
			tb.Errorf("gdrun %q: stderr %q does not say %q", args, o.stderr, part)
		}
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
	lines, err := csv.NewReader(strings.NewReader(out.stdout)).ReadAll()
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
	for _, args := range [][]string{{"local", "runs/tiny"}, {"task", "runs/tiny", "--index", "0"}} {
		o := gdrunIn(t, ctx, args...)
		if o.code != command.Stopped || o.stdout != "" || !strings.HasSuffix(o.stderr, "gdrun: stopped early; the same command goes on from here\n") {
			t.Errorf("gdrun %q: exit code %d, stdout %q, stderr %q", args, o.code, o.stdout, o.stderr)
		}
	}
	for _, args := range [][]string{cellArgs, {"reproduce", "figure2", "--scale", "quick"}} {
		if o := gdrunIn(t, ctx, args...); o.code != command.Stopped {
			t.Errorf("gdrun %q: exit code %d, stderr %q", args, o.code, o.stderr)
		}
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

// A cell that takes long says how far it is; one that does not says nothing.
func TestCellProgress(t *testing.T) {
	for _, c := range []struct {
		ago  time.Duration
		want string
	}{{0, ""}, {time.Minute, "10 of 10 samples in "}} {
		var stderr bytes.Buffer
		app := &cli.App{ErrWriter: &stderr}
		p := &cellProgress{c: cli.NewContext(app, nil, nil), start: time.Now().Add(-c.ago)}
		for done := 1; done <= 10; done++ {
			p.learned(done, 10)
		}
		p.close()
		if got := stderr.String(); !strings.HasPrefix(got, c.want) || (c.want == "") != (got == "") {
			t.Errorf("after %v it prints %q, want %q", c.ago, got, c.want)
		}
	}
}
