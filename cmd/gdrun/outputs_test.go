package main

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"graphda/cmd/internal/command"
	"graphda/jobs/jobstest"
	"graphda/jobs/own/tuning"
)

// full is a device without space.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// What cannot be printed is written all the same, and tune looks at each file before it computes.
func TestOutputsBeforePrinting(t *testing.T) {
	workplace(t, jobstest.Spec{Trials: 2}, "")
	for _, args := range []string{"tune data/grid --method da-iht --out out", "confidence data/grid --s 3 --f 3 --draws 1 --out c.csv"} {
		var notes bytes.Buffer
		if code := command.Execute(t.Context(), program, strings.Fields("gdrun "+args), full{}, &notes); code != command.Failed {
			t.Errorf("gdrun %s: exit code %d, want %d: %s", args, code, command.Failed, &notes)
		}
	}
	for _, e := range must1(os.ReadDir("out")) {
		if name := e.Name(); name[0] != '.' && name != "model.parquet" && !slices.Contains(tuning.FileNames, name) {
			t.Errorf("%s is written, and not looked at before", name)
		}
	}
	for _, name := range []string{"c.csv", "out/model.parquet", "out/report.html", "out/expected.csv", "out/features.csv", "out/settings.csv"} {
		content(t, name)
	}
}

func content(t *testing.T, path string) string {
	t.Helper()
	return string(must1(os.ReadFile(path)))
}

// Samples from standard input are predicted and evaluated like samples of a file. The error about what is no table
// names standard input.
func TestPredictStandardInput(t *testing.T) {
	workplace(t, jobstest.Spec{}, "")
	text := learnStream(16, 30)
	jobstest.WriteFile(t, ".", "s.csv", text)
	jobstest.WriteFile(t, ".", "s.tsv", strings.ReplaceAll(text, ",", "\t"))
	jobstest.WriteFile(t, ".", "none.csv", "")
	ok(t, strings.Fields("learn --model m.parquet --dataset data/grid --method da-iht --set gamma=5,s=5 --samples s.csv")...)
	in := func(path string) {
		before := os.Stdin
		os.Stdin = must1(os.Open(path))
		t.Cleanup(func() { os.Stdin.Close(); os.Stdin = before })
	}
	for _, command := range []string{"predict", "evaluate --label y --format csv"} {
		args := append(strings.Fields(command), "--model", "m.parquet", "--samples")
		want := ok(t, append(args, "s.csv")...).Stdout
		for _, path := range []string{"s.csv", "s.tsv"} {
			in(path)
			if got := ok(t, append(args, "-")...).Stdout; got != want || want == "" {
				t.Errorf("gdrun %s: %s\nwant %s", command, got, want)
			}
		}
	}
	for path, want := range map[string]string{"m.parquet": "standard input: ", "none.csv": "standard input: is empty"} {
		in(path)
		refused(t, 1, strings.Fields("predict --model m.parquet --samples -"), want)
	}
}
