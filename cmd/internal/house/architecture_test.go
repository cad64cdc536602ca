package house

import (
	"go/ast"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	fenced   = regexp.MustCompile("(?s)```.*?```")
	quoted   = regexp.MustCompile("`([^`]+)`")
	file     = regexp.MustCompile(`\b(?:cmd|jobs|io|learners|projection|graph|slurm)(?:/[A-Za-z0-9_.]+)+`)
	declared = regexp.MustCompile(`^([A-Za-z]+)\.([A-Za-z]+)$`)
)

// What ARCHITECTURE.md says is where it says.
func TestArchitecture(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(root, "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	if lines := strings.Count(text, "\n"); lines > 120 {
		t.Errorf("%d lines, want at most 120", lines)
	}
	for _, path := range file.FindAllString(text, -1) {
		if _, err := os.Stat(filepath.Join(root, strings.TrimSuffix(path, "."))); err != nil {
			t.Errorf("%s is not there", path)
		}
	}
	names := declarations(t)
	found := 0
	for _, m := range quoted.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
		d := declared.FindStringSubmatch(m[1])
		if d == nil || slices.Contains([]string{"go", "arrow", "json", "parquet", "yaml"}, d[2]) {
			continue
		}
		found++
		if !names[m[1]] {
			t.Errorf("nothing is called %s", m[1])
		}
	}
	if found < 20 {
		t.Errorf("%d names of functions and types, want those of two walks", found)
	}
	everyFolder(t, text)
}

// everyFolder sees to it that each folder with Go code is named.
func everyFolder(t *testing.T, text string) {
	t.Helper()
	seen := map[string]bool{}
	eachFile(t, func(path string, _ *ast.File) { seen[filepath.ToSlash(filepath.Dir(path))] = true })
	for dir := range seen {
		last := dir[strings.LastIndex(dir, "/")+1:]
		if !strings.Contains(text, last) {
			t.Errorf("%s is not named", dir)
		}
	}
}

// declarations are the names of all functions, types and methods: pkg.Name and Type.Method.
func declarations(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	eachFile(t, func(_ string, f *ast.File) {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					names[f.Name.Name+"."+d.Name.Name] = true
					continue
				}
				of := d.Recv.List[0].Type
				if star, ok := of.(*ast.StarExpr); ok {
					of = star.X
				}
				if id, ok := of.(*ast.Ident); ok {
					names[id.Name+"."+d.Name.Name] = true
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if ts, ok := s.(*ast.TypeSpec); ok {
						names[f.Name.Name+"."+ts.Name.Name] = true
					}
				}
			}
		}
	})
	return names
}
