package tabular

import (
	"bufio"
	"errors"
	"fmt"
	"strings"
)

// gct holds expressions, as GenePattern and the Broad Institute write them: a row for each gene,
// after the version and the size. It is read with a row for each sample. What version 1.3 tells
// about genes is left out, what it tells about samples are columns too.
var gct = Format{Extensions: []string{".gct", ".gct.gz"}, Open: openGCT}

// A gctSize is what the second line says.
type gctSize struct {
	genes, samples   int
	ofGene, ofSample int // how much is told about each
}

func openGCT(path string, o Options) (Source, error) {
	in, err := o.OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	wrong := func(format string, args ...any) (Source, error) {
		return nil, &Error{Path: path, Err: fmt.Errorf(format, args...)}
	}
	b, err := inUTF8(path, in)
	if err != nil {
		return wrong("%w", err)
	}
	size, err := readGCTSize(b)
	if err != nil {
		return wrong("%w", err)
	}
	rows := NewRows(path, b, Options{Separator: '\t'})
	rows.before = 2
	s, err := newTextSource(rows)
	if err != nil {
		return nil, err
	}
	if got := len(s.Columns()) - 1 - size.ofGene; got != size.samples {
		return wrong("has %d samples in line 3, want %d as line 2 says", got, size.samples)
	}
	turned, err := transpose(path, s)
	if err != nil {
		return nil, err
	}
	g := turned.(*grid)
	if got := len(g.names) - size.ofSample; got != size.genes {
		return wrong("has %d rows of genes, want %d as line 2 says", got, size.genes)
	}
	g.drop(size.ofGene)
	g.corner = ""
	return g, nil
}

// readGCTSize reads the first two lines.
func readGCTSize(in *bufio.Reader) (s gctSize, err error) {
	version, _ := in.ReadString('\n')
	second, _ := in.ReadString('\n')
	version = strings.TrimSpace(version)
	s.ofGene = 1 // the description
	values := []any{&s.genes, &s.samples}
	switch version {
	case "#1.2":
	case "#1.3":
		values = append(values, &s.ofGene, &s.ofSample)
	default:
		return s, fmt.Errorf("begins with %s, want #1.2 or #1.3, the version of a GCT file", Quote(version))
	}
	if n, _ := fmt.Sscan(second, values...); n != len(values) || min(s.genes, s.samples, s.ofGene, s.ofSample) < 0 {
		return s, errors.New("line 2: want the numbers of genes and samples")
	}
	return s, nil
}

// drop leaves out the first rows.
func (g *grid) drop(n int) {
	texts := map[cell]fault{}
	for at, bad := range g.texts {
		if at.row >= n {
			texts[cell{at.row - n, at.column}] = bad
		}
	}
	g.ids, g.values, g.texts = g.ids[n:], g.values[n:], texts
}
