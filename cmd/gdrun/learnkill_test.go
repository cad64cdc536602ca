package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"graphda/cmd/internal/command"
	"graphda/io/model"
	"graphda/jobs/jobstest"
)

// TestLearnKilled kills gdrun learn twenty times during a stream, each time right after it got some more bytes. At
// that moment it may be reading, learning or writing. When it starts again on the same stream, it ends with the
// same bytes as an undisturbed run.
func TestLearnKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("kills the program twenty times")
	}
	dir := t.TempDir()
	jobstest.WriteDataset(t, filepath.Join(dir, "grid"), jobstest.Spec{Side: 8})
	text := learnStream(64, 300)
	start := func(model string) (*exec.Cmd, io.WriteCloser) {
		c := process(dir, "learn", "--model", model, "--dataset", "grid", "--method", "graphda", "--set",
			"gamma=5,s=5,search=lazy", "--every", "7")
		in := must1(c.StdinPipe())
		must(t, c.Start())
		return c, in
	}
	finish := func(model string) []byte {
		c, in := start(model)
		must1(io.WriteString(in, text))
		must(t, in.Close())
		if err := c.Wait(); err != nil {
			t.Fatalf("%v: %s", err, c.Stderr)
		}
		return []byte(content(t, filepath.Join(dir, model)))
	}
	want := finish("undisturbed.parquet")

	r := rand.New(rand.NewPCG(50, 1))
	began := 0
	for k := range 20 {
		c, in := start("killed.parquet")
		given := (k + 1) * len(text) / 20
		must1(io.WriteString(in, text[:given-r.IntN(len(text)/10)*min(k, 2)/2]))
		must(t, c.Process.Kill())
		if err := c.Wait(); err == nil || !strings.Contains(err.Error(), "killed") {
			t.Fatalf("kill %d: %v: %s", k, err, c.Stderr)
		}
		if strings.Contains(c.Stderr.(*bytes.Buffer).String(), "continues after") {
			began++
		}
	}
	if got := finish("killed.parquet"); !bytes.Equal(got, want) {
		t.Error("killed twenty times, it ends with another file")
	}
	hangUp(t, dir)
	if began < 8 {
		t.Errorf("only %d of 20 kills have met a file: the others prove nothing", began)
	}
}

// hangUp sends SIGHUP to a learner, as a login node does at logout. The file must have what it has learned.
func hangUp(t *testing.T, dir string) {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP) // otherwise a child of tests under nohup would ignore the signal
	c := process(dir, "learn", "--model", "hup.parquet", "--dataset", "grid", "--method", "graphda", "--set",
		"gamma=5,s=5,search=lazy", "--each")
	c.Stdout = nil
	in := must1(c.StdinPipe())
	out := must1(c.StdoutPipe())
	must(t, c.Start())
	must1(io.WriteString(in, learnStream(64, 3)))
	lines := bufio.NewScanner(out)
	for range 4 { // the header and three samples
		lines.Scan()
	}
	must(t, c.Process.Signal(syscall.SIGHUP))
	for lines.Scan() {
	}
	_ = c.Wait()
	if code := c.ProcessState.ExitCode(); code != command.Stopped {
		t.Errorf("exit code %d, want %d", code, command.Stopped)
	}
	m, err := model.Read(filepath.Join(dir, "hup.parquet"))
	if err != nil || m.State.Learned != 3 {
		t.Errorf("after HUP: %v, want a model of 3 samples", err)
	}
}

// learnStream returns n samples of p features as text.
func learnStream(p, n int) string {
	r := rand.New(rand.NewPCG(4, 4))
	var b strings.Builder
	b.WriteString("y")
	for j := range p {
		fmt.Fprintf(&b, ",n%d", j)
	}
	for range n {
		y := 2*r.IntN(2) - 1
		fmt.Fprintf(&b, "\n%d", y)
		for j := range p {
			v := r.NormFloat64()
			if j < 3 {
				v += float64(y)
			}
			fmt.Fprintf(&b, ",%v", v)
		}
	}
	return b.String() + "\n"
}
