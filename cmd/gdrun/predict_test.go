package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"graphda/jobs/jobstest"
)

// Samples from standard input are predicted and evaluated as those of a file; what is no table is refused by that name.
func TestPredictStandardInput(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		must(t, os.WriteFile(path, []byte(text), 0o666))
		return path
	}
	comma := learnStream(16, 30)
	table, model := file("s.csv", comma), filepath.Join(dir, "m.parquet")
	jobstest.WriteDataset(t, filepath.Join(dir, "grid"), jobstest.Spec{Side: 4})
	ok(t, "learn", "--model", model, "--dataset", filepath.Join(dir, "grid"), "--method", "da-iht", "--set", "gamma=5,s=5",
		"--samples", table)
	in := func(path string) {
		f := must1(os.Open(path))
		before := os.Stdin
		os.Stdin = f
		t.Cleanup(func() { os.Stdin = before; f.Close() })
	}
	for _, command := range [][]string{{"predict"}, {"evaluate", "--label", "y", "--format", "csv"}} {
		args := append(command, "--model", model, "--samples")
		want := ok(t, append(args, table)...).Stdout
		for _, path := range []string{table, file("s.tsv", strings.ReplaceAll(comma, ",", "\t"))} {
			in(path)
			if got := ok(t, append(args, "-")...).Stdout; got != want || want == "" {
				t.Errorf("gdrun %s: %s\nwant %s", command[0], got, want)
			}
		}
	}
	in(model)
	refused(t, 1, []string{"predict", "--model", model, "--samples", "-"}, "standard input: ")
	in(file("none.csv", ""))
	refused(t, 1, []string{"predict", "--model", model, "--samples", "-"}, "standard input: is empty")
}
