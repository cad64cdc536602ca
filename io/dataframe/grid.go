package dataframe

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"graphda/io/message"
	"graphda/io/safefile"
)

// A grid is a table in memory. It stores numbers in a matrix, and texts separately.
type grid struct {
	corner string   // the name of the first column
	names  []string // names of the other columns
	ids    []string // the values of the first column
	values [][]float64
	texts  map[cell]fault
	from   []Row // for a transposed grid: the file's row with each name
	first  int   // index of the first row that Next returns
	row    int
}

type cell struct{ row, column int }

// A fault is a text of the file. If it is not a number, err says so.
type fault struct {
	text string
	err  error
}

// transpose reads a table to its end and closes it. It returns the transposed content. Rows named by `words` keep their
// texts, such as 007, even if these are numbers.
func (t *Table) transpose(words []string) (*grid, error) {
	s, head := t.source, t.names
	defer s.Close()
	names, err := t.rowNames()
	if err != nil {
		return nil, err
	}
	skip := -1 // set to the column of row numbers, if there is one
	if err = s.Next(); err == nil {
		names, skip = t.geneColumn(names)
	}
	g, columns := &grid{corner: head[names], texts: map[cell]fault{}, row: -1}, []int(nil)
	for i, name := range head {
		if i != names && i != skip {
			g.ids, columns = append(g.ids, name), append(columns, i)
		}
	}
	if len(g.ids) == 0 {
		return nil, t.Wrong(-1, "has only one column, with names and no values")
	}
	g.values = make([][]float64, len(g.ids))
	for ; err == nil; err = s.Next() {
		g.names, g.from = append(g.names, s.Text(names)), append(g.from, s.Row())
		isWords := slices.Contains(words, s.Text(names))
		for i, column := range columns {
			x, err := s.Number(column)
			if err != nil || isWords && !strings.Contains(s.Text(column), ",") { // not a decimal comma
				g.texts[cell{i, len(g.names)}] = fault{s.Text(column), err}
			}
			g.values[i] = append(g.values[i], x)
		}
	}
	if err != io.EOF {
		return nil, err
	}
	return g, nil
}

// geneColumn returns the column of genes and a column to skip. If the column of row names only numbers the rows, that
// column is skipped, and another column has the genes. Otherwise it returns names and −1.
func (t *Table) geneColumn(names int) (genes, skip int) {
	isGene := func(name string) bool { return slices.Contains(NameColumns, strings.ToLower(name)) }
	genes = slices.IndexFunc(t.names, isGene)
	if _, err := t.source.Number(names); err != nil || genes < 0 || t.names[names] != "" && !IsIndexName(t.names[names]) {
		return names, -1
	}
	return genes, names
}

func (g *grid) Columns() []string { return append([]string{g.corner}, g.names...) }

func (g *grid) Next() error {
	if g.row++; g.row == len(g.ids) {
		return io.EOF
	}
	return nil
}

func (g *grid) Row() Row { return Index(g.row - g.first) }

func (g *grid) Place(i int) (Row, string) {
	switch {
	case g.from == nil:
		return g.Row(), g.Columns()[i]
	case i == 0:
		return 0, g.ids[g.row]
	}
	return g.from[i-1], g.ids[g.row]
}

func (g *grid) Text(i int) string {
	if i == 0 {
		return g.ids[g.row]
	}
	if bad, ok := g.texts[cell{g.row, i}]; ok {
		return bad.text
	}
	return FormatNumber(g.values[g.row][i-1])
}

func (g *grid) Number(i int) (float64, error) {
	if i == 0 {
		return Number(g.ids[g.row])
	}
	if bad, ok := g.texts[cell{g.row, i}]; ok && bad.err != nil {
		return 0, bad.err
	}
	x := g.values[g.row][i-1]
	if x-x != 0 {
		return 0, fmt.Errorf("is %v, want a finite number", x)
	}
	return x, nil
}

func (g *grid) Close() error { return nil }

// gct reads expressions in the format of GenePattern and the Broad Institute. A file has the version, the size, and a
// row for each gene. The table has a row for each sample. In version 1.3, data about samples become columns of the
// table, and data about genes are omitted.
var gct = Format{Extensions: []string{".gct", ".gct.gz"}, Open: openGCT}

type gctSize struct {
	genes, samples   int
	ofGene, ofSample int // numbers of values that describe each gene and each sample
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
	b, err := safefile.NewText(path, in)
	if err != nil {
		return wrong("%w", err)
	}
	size, err := readGCTSize(b)
	if err != nil {
		return wrong("%w", err)
	}
	rows := NewRows(path, b, Options{Separator: '\t', Decimal: o.Decimal, Flags: o.Flags})
	rows.before = 2
	s, err := newTextSource(rows)
	if err != nil {
		return nil, err
	}
	if got := len(s.Columns()) - 1 - size.ofGene; got != size.samples {
		return wrong("has %s in line 3, but line 2 says %d", message.Count(got, "sample"), size.samples)
	}
	g, err := (&Table{path: path, source: s, names: s.Columns()}).transpose(o.Words)
	if err != nil {
		return nil, err
	}
	if got := len(g.names) - size.ofSample; got != size.genes {
		return wrong("has %s of genes, but line 2 says %d", message.Count(got, "row"), size.genes)
	}
	g.corner, g.first, g.row = "", size.ofGene, size.ofGene-1
	return g, nil
}

func readGCTSize(in *bufio.Reader) (s gctSize, err error) {
	version, _ := in.ReadString('\n')
	second, _ := in.ReadString('\n')
	version = strings.TrimSpace(version)
	s.ofGene = 1 // the column Description
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
