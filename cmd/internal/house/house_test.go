// Package house tests rules of ARCHITECTURE.md that the compiler does not check.
package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"
)

const root = "../../.."

// A layer is the set of packages below a prefix. If own is true, they may import each other.
type layer struct {
	prefix string
	own    bool
}

// layers lists the layers from the top down. A package imports only from lower layers, or from its own layer if
// that is allowed.
var layers = []layer{
	{"graphda/cmd", true},
	{"graphda/jobs", true},
	{"graphda/slurm", false},
	{"graphda/learners", true},
	{"graphda/io", true},
	{"graphda/projection", true},
	{"graphda/graph", true},
}

// apart lists imports that the order of layers allows and the architecture forbids.
var apart = []struct{ from, to, why string }{
	{"graphda/learners", "graphda/io", "learners know nothing of files"},
	{"graphda/slurm", "graphda/learners", "slurm knows nothing of learning"},
	{"graphda/slurm", "graphda/projection", "slurm knows nothing of learning"},
	{"graphda/io", "graphda/projection", "readers and writers know nothing of learning"},
	{"graphda/jobs/reports/page", "graphda/io/results", "a page knows nothing of runs"},
	{"graphda/jobs/reports/page", "graphda/io/samples", "a page knows nothing of runs"},
	{"graphda/jobs/reports/page", "graphda/learners", "a page knows nothing of runs"},
	{"graphda/jobs/plan", "graphda/jobs/own", "plans know nothing of own data"},
	{"graphda/jobs/run", "graphda/jobs/own", "runs know nothing of own data"},
}

// clients lists, for packages with restricted use, the packages that may import them.
var clients = map[string][]string{
	"graphda/slurm": {"graphda/cmd/internal/command", "graphda/cmd/internal/cluster", "graphda/cmd/internal/grid",
		"graphda/jobs/cluster", "graphda/jobs/cluster/journal"},
}

func layerOf(pkg string) int {
	return slices.IndexFunc(layers, func(l layer) bool { return strings.HasPrefix(pkg+"/", l.prefix+"/") })
}

func TestImportsPointDown(t *testing.T) {
	packages := list(t, "./...")
	for _, pkg := range packages {
		from := layerOf(pkg.ImportPath)
		if from < 0 {
			t.Errorf("%s is in no layer", pkg.ImportPath)
			continue
		}
		for _, to := range pkg.Imports {
			if !strings.HasPrefix(to, "graphda/") {
				continue
			}
			if l := layerOf(to); l < from || l == from && !layers[l].own {
				t.Errorf("%s imports %s: imports point down", pkg.ImportPath, to)
			}
			if only, limited := clients[to]; limited && !slices.Contains(only, pkg.ImportPath) {
				t.Errorf("%s imports %s: only %s may", pkg.ImportPath, to, strings.Join(only, " and "))
			}
			for _, a := range apart {
				if strings.HasPrefix(pkg.ImportPath, a.from) && strings.HasPrefix(to, a.to) {
					t.Errorf("%s imports %s: %s", pkg.ImportPath, to, a.why)
				}
			}
		}
	}
	if len(packages) < 10 {
		t.Errorf("go list found %d packages", len(packages))
	}
}

// kernels are the packages that must give the same result at any time and on any machine.
var kernels = []string{"graph", "projection", "learners"}

// TestForbiddenCalls looks for calls that libraries must not make. Libraries neither print nor exit, and open
// files in one place. Kernels use no clock and no shared random numbers.
func TestForbiddenCalls(t *testing.T) {
	for _, file := range allFiles(t) {
		top, _, _ := strings.Cut(file.path, "/")
		if top == "cmd" {
			continue
		}
		forbidden := map[string]string{
			"fmt.Print": "libraries do not print", "fmt.Println": "libraries do not print", "fmt.Printf": "libraries do not print",
			"os.Exit": "libraries do not exit", "log.Fatal": "libraries do not exit", "log.Fatalf": "libraries do not exit",
		}
		for _, call := range []string{"os.Open", "os.ReadFile"} {
			forbidden[call] = "io/safefile opens files, so that no pipe or device is read"
		}
		if slices.Contains(kernels, top) {
			for _, call := range []string{"time.Now", "time.Since", "rand.Float64", "rand.IntN", "rand.NormFloat64", "rand.Perm", "rand.Shuffle"} {
				forbidden[call] = "kernels know no clock and no shared random numbers"
			}
		}
		ast.Inspect(file.File, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if pkg, ok := sel.X.(*ast.Ident); ok && pkg.Obj == nil {
				if why := forbidden[pkg.Name+"."+sel.Sel.Name]; why != "" {
					t.Errorf("%s uses %s.%s: %s", file.path, pkg.Name, sel.Sel.Name, why)
				}
			}
			return true
		})
	}
}

// TestExportedHaveDocs checks that every exported declaration has a comment.
func TestExportedHaveDocs(t *testing.T) {
	for _, file := range allFiles(t) {
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				obvious := d.Name.Name == "Error" || d.Name.Name == "String"
				if d.Name.IsExported() && d.Doc == nil && exportedReceiver(d) && !obvious {
					t.Errorf("%s: %s has no comment", file.path, d.Name.Name)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if s, ok := s.(*ast.TypeSpec); ok && s.Name.IsExported() && d.Doc == nil && s.Doc == nil {
						t.Errorf("%s: type %s has no comment", file.path, s.Name.Name)
					}
				}
			}
		}
	}
}

// exportedReceiver reports whether a function is a method of an exported type or not a method.
func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	exported := false
	ast.Inspect(d.Recv.List[0].Type, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && !exported {
			exported = id.IsExported()
		}
		return true
	})
	return exported
}

// TestTopLevel checks the list of files at the top level.
func TestTopLevel(t *testing.T) {
	allowed := []string{
		"ARCHITECTURE.md", "BENCHMARKS.md", "LICENSE", "Makefile", "README.md", "go.mod", "go.sum", ".gitignore",
		".ci", "cmd", "docs", "graph", "io", "jobs", "learners", "projection", "slurm", "packaging",
		"CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "SECURITY.md",
	}
	cmd := exec.Command("git", "ls-files")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Skipf("not a git checkout: %v", err)
	}
	for _, file := range strings.Fields(string(out)) {
		if top, _, _ := strings.Cut(file, "/"); !slices.Contains(allowed, top) {
			t.Errorf("%s: %s is not a top-level name of ARCHITECTURE.md", file, top)
		}
	}
}

// Citation and packages have the program's version.
func TestVersions(t *testing.T) {
	_, version, _ := strings.Cut(read(t, "io/seal/version.go"), `const Version = "`)
	version, _, _ = strings.Cut(version, `"`)
	if want := "\nversion: " + version + "\n"; !strings.Contains(read(t, "CITATION.cff"), want) {
		t.Errorf("CITATION.cff has no %q", want)
	}
	if want := `{% set version = "` + version + `" %}`; !strings.Contains(read(t, "packaging/meta.yaml"), want) {
		t.Errorf("packaging/meta.yaml has no %q", want)
	}
}

// A goFile is a parsed file of the tree with its text.
type goFile struct {
	path, text string
	*ast.File
}

var fset = token.NewFileSet()

// parsed returns every Go file of the tree except tests.
var parsed = sync.OnceValues(func() (files []goFile, err error) {
	err = fs.WalkDir(os.DirFS(root), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
			return fs.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(fset, path, text, parser.ParseComments)
		files = append(files, goFile{path, string(text), file})
		return err
	})
	return files, err
})

func allFiles(t *testing.T) []goFile {
	t.Helper()
	files, err := parsed()
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 50 {
		t.Errorf("only %d files found", len(files))
	}
	return files
}

// read returns the text of a file by its path in the tree.
func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// tall is a function that may be longer, because it is an inner loop of the solver.
const tall = "bucket"

// TestLengths checks that lines have at most 120 characters, except examples of commands in comments. Functions
// may have at most 60 lines.
func TestLengths(t *testing.T) {
	const mostCharacters, longest = 120, 60
	for _, file := range allFiles(t) {
		for i, line := range strings.Split(file.text, "\n") {
			example := strings.HasPrefix(line, "//\t")
			if utf8.RuneCountInString(line) > mostCharacters && !example {
				t.Errorf("%s:%d: a line of more than %d characters", file.path, i+1, mostCharacters)
			}
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if n := fset.Position(f.End()).Line - fset.Position(f.Pos()).Line + 1; n > longest && f.Name.Name != tall {
				t.Errorf("%s: %s has %d lines, want at most %d", file.path, f.Name.Name, n, longest)
			}
		}
	}
}
