package house

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// rooms are the packages below jobs, by floor from the top down. A package imports those of lower floors only.
var rooms = [][]string{
	{"own/confidence"},
	{"own/tuning", "cluster"},
	{"own/fitting", "cluster/journal"},
	{"own/online", "own/resuming", "runtest"},
	{"running", "reports", "inspect"},
	{"reports/claims", "reports/drawn"},
	{"reports/tabled", "reports/reportstest"},
	{"reports/source"},
	{"run", "program"},
	{"plan", "own/evaluating", "own/calibrating"},
	{"experiment", "own/predicting"},
	{"merge", "own/importing", "own/explaining", "simulate", "reports/page"},
	{"metrics", "selection", "stats", "paper", "seeds", "project", "reports/figures", "jobstest",
		"simulate/simulatetest", "usage"},
	{"reports/figures/layout"},
	{"reports/figures/canvas"},
}

// TestRooms asks for the floors of the packages below jobs: what is on the same floor knows nothing of each other.
func TestRooms(t *testing.T) {
	floor := map[string]int{}
	for i, of := range rooms {
		for _, name := range of {
			floor["graphda/jobs/"+name] = i + 1
		}
	}
	for _, p := range list(t, "./jobs/...") {
		from := floor[p.ImportPath]
		if from == 0 {
			t.Errorf("%s is on no floor", p.ImportPath)
		}
		for _, to := range p.Imports {
			if l := floor[to]; l > 0 && l <= from {
				t.Errorf("%s imports %s: want only what is on lower floors", p.ImportPath, to)
			}
		}
	}
}

// A package holds at most so many lines and files.
const mostLines, mostFiles = 2000, 24

// above are the packages that are larger. Their numbers may only fall.
var above = map[string]struct{ lines, files int }{
	"jobs/own/importing": {2760, mostFiles},
}

// TestSizes keeps packages small enough to be read.
func TestSizes(t *testing.T) {
	lines, files := map[string]int{}, map[string]int{}
	eachFile(t, func(path string, _ *ast.File) {
		text, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			t.Fatal(err)
		}
		dir := filepath.ToSlash(filepath.Dir(path))
		files[dir]++
		lines[dir] += bytes.Count(text, []byte("\n"))
	})
	for dir, n := range lines {
		most, larger := above[dir]
		if !larger {
			most.lines, most.files = mostLines, mostFiles
		}
		if n > most.lines || files[dir] > most.files {
			t.Errorf("%s has %d lines in %d files, want at most %d in %d", dir, n, files[dir], most.lines, most.files)
		}
	}
	for dir := range above {
		if n := lines[dir]; n <= mostLines && files[dir] <= mostFiles {
			t.Errorf("%s has %d lines in %d files: it is above no ceiling, and needs no line here", dir, n, files[dir])
		}
	}
}

// circular is how many uses between files of a package run in circles. They may only fall; packages that are not
// here are not asked.
var circular = map[string]int{
	"graphda/jobs/plan": 0, "graphda/jobs/run": 0, "graphda/jobs/running": 0, "graphda/jobs/project": 0,
	"graphda/jobs/reports": 0, "graphda/jobs/reports/claims": 0, "graphda/jobs/reports/drawn": 0,
	"graphda/jobs/reports/tabled": 0, "graphda/jobs/reports/source": 0,
	"graphda/jobs/reports/figures": 0, "graphda/jobs/reports/figures/canvas": 0, "graphda/jobs/metrics": 0,
	"graphda/io/results": 0, "graphda/io/results/tidy": 0, "graphda/io/parquetfile": 0, "graphda/cmd/internal/runs": 0,
}

// TestFilesHaveAnOrder asks that a file uses names of files below it only: its package's functions, types, methods and
// fields.
func TestFilesHaveAnOrder(t *testing.T) {
	exports := map[string]string{}
	all := list(t, "-export", "-deps", "./jobs/...", "./cmd/internal/runs")
	for _, p := range all {
		exports[p.ImportPath] = p.Export
	}
	for _, p := range all {
		most, asked := circular[p.ImportPath]
		if !asked {
			continue
		}
		found := circles(uses(t, p, exports))
		if len(found) > most {
			t.Errorf("%s: %d uses between its files run in circles, want at most %d:\n%s", p.ImportPath, len(found), most,
				strings.Join(found, "\n"))
		}
	}
}

// uses tells which files of a package use names of which of its other files.
func uses(t *testing.T, p listed, exports map[string]string) map[string]map[string]bool {
	t.Helper()
	fset, files := token.NewFileSet(), []*ast.File(nil)
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	config := types.Config{Importer: importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(exports[path])
	})}
	info := types.Info{Uses: map[*ast.Ident]types.Object{}}
	pkg, err := config.Check(p.ImportPath, fset, files, &info)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]map[string]bool{}
	for id, o := range info.Uses {
		from, to := fset.Position(id.Pos()).Filename, fset.Position(o.Pos()).Filename
		if o.Pkg() != pkg || from == to || to == "" {
			continue
		}
		if found[from] == nil {
			found[from] = map[string]bool{}
		}
		found[from][to] = true
	}
	return found
}

// circles returns the uses that are part of a circle: from whose end the beginning is reached again.
func circles(uses map[string]map[string]bool) (found []string) {
	var reaches func(from, to string, seen map[string]bool) bool
	reaches = func(from, to string, seen map[string]bool) bool {
		seen[from] = true
		for next := range uses[from] {
			if next == to || !seen[next] && reaches(next, to, seen) {
				return true
			}
		}
		return false
	}
	for from, of := range uses {
		for to := range of {
			if reaches(to, from, map[string]bool{}) {
				found = append(found, fmt.Sprintf("%s uses %s", filepath.Base(from), filepath.Base(to)))
			}
		}
	}
	slices.Sort(found)
	return found
}

// A listed package is one as go list has it.
type listed struct {
	ImportPath, Dir, Export string
	Imports, GoFiles        []string
}

// list calls go list.
func list(t *testing.T, args ...string) (packages []listed) {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-json=ImportPath,Dir,Export,Imports,GoFiles"}, args...)...)
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	for dec := json.NewDecoder(bytes.NewReader(out)); dec.More(); {
		var p listed
		if err := dec.Decode(&p); err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
	return packages
}
