package house

import (
	"go/ast"
	"os"
	"path"
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

// Names and paths in ARCHITECTURE.md exist.
func TestArchitecture(t *testing.T) {
	text := read(t, "ARCHITECTURE.md")
	if lines := strings.Count(text, "\n"); lines > 120 {
		t.Errorf("ARCHITECTURE.md has %d lines, want at most 120", lines)
	}
	for _, name := range file.FindAllString(text, -1) {
		if _, err := os.Stat(filepath.Join(root, strings.TrimSuffix(name, "."))); err != nil {
			t.Errorf("ARCHITECTURE.md names %s, which does not exist", name)
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
			t.Errorf("ARCHITECTURE.md names %s, which no package declares", m[1])
		}
	}
	if found < 20 {
		t.Errorf("ARCHITECTURE.md has %d names of functions and types, want at least 20 in its two walks", found)
	}
	for _, f := range allFiles(t) { // every folder with Go code is named
		if dir := path.Dir(f.path); !strings.Contains(text, path.Base(dir)) {
			t.Errorf("ARCHITECTURE.md does not name %s; add it to the picture", dir)
		}
	}
}

// declarations returns the names of all functions, types and methods, as pkg.Name and Type.Method.
func declarations(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, f := range allFiles(t) {
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
	}
	return names
}
