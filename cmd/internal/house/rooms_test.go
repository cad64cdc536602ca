package house

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/importer"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

// rooms lists the packages below jobs by floor, from the top down. A package imports only from lower floors.
var rooms = [][]string{
	{"own/confidence"},
	{"own/tuning", "cluster"},
	{"own/choice", "cluster/journal"},
	{"own/learning"},
	{"own/online", "runtest"},
	{"executor", "reports", "inspect"},
	{"reports/claims", "reports/figurekinds"},
	{"reports/tablekinds", "reports/reportstest"},
	{"reports/source"},
	{"run", "program"},
	{"merge"},
	{"plan", "own/evaluating"},
	{"experiment", "own/predicting"},
	{"own/importing", "own/explaining", "simulate", "reports/page"},
	{"own/sampletable", "project"},
	{"own/coding"},
	{"metrics", "selection", "stats", "paper", "reports/figures", "jobstest",
		"simulate/simulatetest", "userinput"},
	{"reports/figures/canvas"},
}

// TestRooms checks that packages below jobs import only from lower floors.
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
			t.Errorf("%s is on no floor; add it to rooms in rooms_test.go", p.ImportPath)
		}
		for _, to := range p.Imports {
			if l := floor[to]; l > 0 && l <= from {
				t.Errorf("%s imports %s: want only what is on lower floors", p.ImportPath, to)
			}
		}
	}
}

// The largest numbers of lines and files in a package.
const mostLines, mostFiles = 2000, 24

// TestSizes checks that packages stay small enough to read.
func TestSizes(t *testing.T) {
	lines, files := map[string]int{}, map[string]int{}
	for _, f := range allFiles(t) {
		dir := path.Dir(f.path)
		files[dir]++
		lines[dir] += strings.Count(f.text, "\n")
	}
	for dir, n := range lines {
		if n > mostLines || files[dir] > mostFiles {
			t.Errorf("%s has %d lines in %d files, want at most %d in %d; move a part to a package below it", dir, n, files[dir],
				mostLines, mostFiles)
		}
	}
}

// ordered lists the packages whose files have an order.
var ordered = []string{
	"jobs/plan", "jobs/run", "jobs/executor", "jobs/project", "jobs/reports", "jobs/reports/claims", "jobs/reports/figurekinds",
	"jobs/reports/tablekinds", "jobs/reports/source", "jobs/reports/figures", "jobs/reports/figures/canvas", "jobs/metrics",
	"io/results", "io/results/export", "io/arrowio",
	"cmd/internal/paper", "cmd/internal/owndata", "cmd/internal/grid", "cmd/internal/cluster", "cmd/internal/tools",
}

// TestFilesHaveAnOrder checks that the files of a package can be ordered: a file uses functions, types, methods
// and fields only of files below it.
func TestFilesHaveAnOrder(t *testing.T) {
	exports := map[string]string{}
	all := list(t, "-export", "-deps", "./cmd/gdrun")
	for _, p := range all {
		exports[p.ImportPath] = p.Export
	}
	asked := 0
	for _, p := range all {
		if !slices.Contains(ordered, strings.TrimPrefix(p.ImportPath, "graphda/")) {
			continue
		}
		asked++
		if found := circles(uses(t, p, exports)); found != nil {
			t.Errorf("%s: uses between its files run in circles:\n%s", p.ImportPath, strings.Join(found, "\n"))
		}
	}
	if asked != len(ordered) {
		t.Errorf("%d packages have been asked, want %d", asked, len(ordered))
	}
}

// uses returns, for each file of a package, which other files it uses names from.
func uses(t *testing.T, p listed, exports map[string]string) map[string]map[string]bool {
	t.Helper()
	var files []*ast.File
	for _, f := range allFiles(t) {
		if "graphda/"+path.Dir(f.path) == p.ImportPath && slices.Contains(p.GoFiles, path.Base(f.path)) {
			files = append(files, f.File)
		}
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

// circles returns the uses that are part of a circle of files.
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
				found = append(found, path.Base(from)+" uses "+path.Base(to))
			}
		}
	}
	slices.Sort(found)
	return found
}

type listed struct {
	ImportPath, Export string
	Imports, GoFiles   []string
}

func list(t *testing.T, args ...string) (packages []listed) {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-json=ImportPath,Export,Imports,GoFiles"}, args...)...)
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
