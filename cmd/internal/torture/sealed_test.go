package torture

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A target is a file of this program, and the commands that read it.
type target struct {
	name  string
	paths []string
	swap  string // another valid file of the same kind
	use   func(t *testing.T, dir string, d damaged) (end string)
}

const sealed = whole + "/results/000/task-0000"

var targets = []target{
	{"plan.json", words(whole + "/plan.json"), "", useRun},
	{"plan.parquet", words(whole + "/plan.parquet"), whole + "/tasks-0001.parquet", useRun},
	{"task list", words(whole + "/tasks-0001.parquet"), whole + "/plan.parquet", useRun},
	{"shard", words(sealed + "1.arrow " + sealed + "3.arrow"), sealed + "2.arrow", useResults},
	{"models", words(sealed + "0.models.arrow " + sealed + "2.models.arrow"), sealed + "3.models.arrow", useResults},
	{"part", words(part + "/results/000/task-00002.stopped.arrows.part"), "", usePart},
	{"graph", words("data/b/graph.parquet"), "data/b/features.parquet", useData},
	{"features", words("data/b/features.parquet"), "data/b/graph.parquet", useData},
	{"samples", words("data/b/trial-00/samples.parquet"), "data/b/trial-01/samples.parquet", useData},
	{"report's rows", words(wanted + "/data/chosen.parquet"), wanted + "/data/results.parquet", useReport},
}

// 640 files of this program are damaged, exchanged or missing. None leads to a number that differs from an
// undisturbed run. Files that can be made again are made again.
func TestSealed(t *testing.T) {
	base := runs(t)
	cases(t, 640, 6, func(t *testing.T, number int, rng *rand.Rand) string {
		dir := t.TempDir()
		copyTree(t, base, dir)
		f := targets[number%len(targets)]
		if strings.HasPrefix(f.paths[0], "data/") { // plans contain the paths of their data
			in(t, dir, "gdrun", "plan", "small.yaml", "--out", here).must(t)
			copyTree(t, filepath.Join(dir, here), filepath.Join(dir, there))
			copyTree(t, filepath.Join(dir, part, "results"), filepath.Join(dir, here, "results"))
			copyTree(t, filepath.Join(dir, whole, "results"), filepath.Join(dir, there, "results"))
		}
		path := filepath.Join(dir, f.paths[rng.IntN(len(f.paths))])
		d := f.spoil(t, rng, dir, path)
		end := f.use(t, dir, d)
		if t.Failed() {
			t.Logf("%s: %s", path, d.what)
		}
		return f.name + ": " + end
	})
}

const (
	exchanged, gone = "exchanged", "gone"
	here, there     = "here", "there" // part and whole, with data in the case's own folder
)

func (f *target) spoil(t *testing.T, rng *rand.Rand, dir, path string) damaged {
	t.Helper()
	switch n := rng.IntN(20); {
	case n == 0:
		must(t, os.Remove(path))
		return damaged{what: gone}
	case n == 1 && f.swap != "":
		write(t, path, read(t, filepath.Join(dir, f.swap)))
		return damaged{what: exchanged}
	}
	d := damage(rng, read(t, path))
	write(t, path, d.content)
	return d
}

// done describes a success or a failure in a word.
func done(ok bool) string {
	if ok {
		return "right"
	}
	return "refused"
}

// useRun reads a whole run with a damaged file of the plan.
func useRun(t *testing.T, dir string, _ damaged) string {
	in(t, dir, "gdrun", "status", whole)
	before := merged(t, dir, whole)
	in(t, dir, "gdrun", "local", whole)
	after := merged(t, dir, whole)
	in(t, dir, "gdrun", "task", whole, "--index", "1")
	return fmt.Sprintf("merging %s, and after another run %s", done(before), done(after))
}

// useResults reads a whole run with a damaged result file, which can be made again.
func useResults(t *testing.T, dir string, _ damaged) string {
	in(t, dir, "gdrun", "status", whole)
	before := merged(t, dir, whole)
	in(t, dir, "gdrun", "local", whole).must(t)
	if !merged(t, dir, whole) {
		t.Error("it cannot be merged although gdrun local has said that it is done")
	}
	return "merging " + done(before) + ", made again"
}

func usePart(t *testing.T, dir string, _ damaged) string {
	in(t, dir, "gdrun", "local", part).must(t)
	if !merged(t, dir, part) {
		t.Error("it cannot be merged although gdrun local has said that it is done")
	}
	return "taken up"
}

// useData runs everything that reads a dataset. If the dataset is exchanged for another valid one, commands that
// only know its name cannot notice.
func useData(t *testing.T, dir string, d damaged) string {
	o := in(t, dir, "gdrun", "local", here)
	end := "going on " + done(o.code == 0) + ", merging " + done(merged(t, dir, there))
	merged(t, dir, here)
	if d.what == exchanged {
		return end + " with exchanged files"
	}
	base := filepath.Join(programs, "runs")
	if o := in(t, dir, "gdrun", "plan", "small.yaml", "--out", "again"); o.code == 0 {
		cells := func(run string) map[string]string {
			return map[string]string{"plan.parquet": string(read(t, filepath.Join(run, "plan.parquet")))}
		}
		same(t, o.line, cells(filepath.Join(dir, "again")), cells(filepath.Join(base, fresh)))
	}
	for _, args := range [][]string{cell, project} {
		if o := in(t, dir, "gdrun", args...); o.code == 0 {
			name := args[len(args)-1]
			same(t, o.line, map[string]string{name: string(read(t, filepath.Join(dir, name)))},
				map[string]string{name: string(read(t, filepath.Join(base, name)))})
		}
	}
	return end
}

// useReport writes a report over a damaged one.
func useReport(t *testing.T, dir string, _ damaged) string {
	o := in(t, dir, "gdmerge", whole, "--csv", "--out", wanted)
	if o.code == 0 {
		same(t, o.line, contents(t, filepath.Join(dir, wanted)), contents(t, filepath.Join(programs, "runs", wanted)))
	}
	return "merging over it " + done(o.code == 0)
}
