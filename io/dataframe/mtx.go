package dataframe

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"graphda/io/safefile"
)

// matrixMarket holds a matrix without names; see NewNamedMatrix. Between files that are
// named as those of 10x Genomics, rows are genes, and the table has a row for each sample all the
// same.
var matrixMarket = Format{Extensions: []string{".mtx", ".mtx.gz"}, Open: openMatrixMarket}

// A sparse matrix is a small file of a large table, so that the rule of compressed files holds for it: so many places
// for each value that stands there, and of large ones fewer.
const (
	sparsest      = 1000
	sparsestLarge = safefile.MaxRatio
	large         = safefile.MaxBytes / 8 // places
)

func openMatrixMarket(path string, o Options) (Source, error) {
	in, err := o.OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	b, err := inUTF8(path, in)
	if err != nil {
		return nil, &Error{Path: path, Err: err}
	}
	m := &market{path: path, lines: bufio.NewScanner(b), force: o.Force}
	m.lines.Buffer(nil, 2*maxLine)
	if err := m.read(); err != nil {
		return nil, err
	}
	prefix := strings.TrimSuffix(strings.TrimSuffix(path, ".gz"), ".mtx")
	genes, err := namesIn(o, strings.TrimSuffix(prefix, "matrix"), "features.tsv", "genes.tsv")
	if err != nil {
		return nil, err
	}
	if genes == nil || o.Names != "" {
		return NewNamedMatrix(path, o, m.values)
	}
	cells, err := namesIn(o, strings.TrimSuffix(prefix, "matrix"), "barcodes.tsv")
	if err != nil {
		return nil, err
	}
	if len(genes) != m.rows || len(cells) != m.columns {
		err := fmt.Errorf("has %d rows and %d columns, but beside it stand %d features and %d barcodes", m.rows, m.columns,
			len(genes), len(cells))
		return nil, &Error{Path: path, Err: err}
	}
	values := make([][]float64, m.columns)
	for i := range values {
		values[i] = make([]float64, m.rows)
		for j := range values[i] {
			values[i][j] = m.values[j][i]
		}
	}
	return NewMatrix(cells, genes, values), nil
}

// NewNamedMatrix returns a source of the matrix of a file without names, a slice a row. Names stand
// in the files that the options tell, or beside x.npy in x.columns.txt and x.rows.txt, a name a line.
// Rows without names are numbered from 1.
func NewNamedMatrix(path string, o Options, values [][]float64) (Source, error) {
	base := strings.TrimSuffix(path, ".gz")
	base = strings.TrimSuffix(base, filepath.Ext(base))
	names, err := namesOf(o, o.Names, base+".columns.txt")
	if err != nil {
		return nil, err
	}
	ids, err := namesOf(o, o.IDs, base+".rows.txt")
	if err != nil {
		return nil, err
	}
	if names == nil {
		err := fmt.Errorf("has no names of columns; write them to %s.columns.txt, one a line, or name their file with "+
			"--feature-names", base)
		return nil, &Error{Path: path, Err: err}
	}
	if ids == nil {
		ids = make([]string, len(values))
		for i := range ids {
			ids[i] = strconv.Itoa(i + 1)
		}
	}
	if len(names) != len(values[0]) || len(ids) != len(values) {
		err := fmt.Errorf("has %d rows and %d columns, but there are names of %d rows and %d columns", len(values),
			len(values[0]), len(ids), len(names))
		return nil, &Error{Path: path, Err: err}
	}
	return NewMatrix(ids, names, values), nil
}

// NameColumns are the columns that may hold the names of features, in a table of them.
var NameColumns = []string{"name", "gene", "symbol", "feature", "gene_symbol", "gene_name"}

// Columns of tables of groups, of which a row is a feature of a group, by the names that people give them.
var (
	MemberColumns = append([]string{"feature"}, NameColumns...)
	GroupColumns  = []string{"group", "pathway", "pathway_id", "gene_set", "geneset", "set", "term", "module"}
)

// namesOf returns the names that a text file holds: a .txt in its lines, a table in a column. If no
// file is told, it is the usual one, and there are none without that.
func namesOf(o Options, told, usual string) (names []string, err error) {
	if told == "" || strings.HasSuffix(told, ".txt") {
		if told == "" {
			return namesIn(o, usual, "")
		}
		if names, err = namesIn(o, told, ""); names == nil && err == nil {
			_, err = os.Stat(told)
		}
		return names, err
	}
	s, err := openText(told, Options{Force: o.Force})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	t := &Table{path: told, source: s, names: s.Columns()}
	i, err := t.NeedAny(NameColumns)
	if err != nil {
		return nil, err
	}
	for t.Next() {
		names = append(names, t.Text(i))
	}
	return names, t.Err()
}

// namesIn returns what stands before the first tab of the lines of the first of these files that is there, nil if
// none is.
func namesIn(o Options, prefix string, ends ...string) (names []string, err error) {
	for _, end := range ends {
		for _, path := range []string{prefix + end, prefix + end + ".gz"} {
			if _, err := os.Stat(path); err != nil {
				continue
			}
			err := eachLine(path, o, func(_ Row, line string) error {
				name, _, _ := strings.Cut(line, "\t")
				names = append(names, strings.TrimSpace(name))
				return nil
			})
			return names, err
		}
	}
	return nil, nil
}

// A market is a Matrix Market file.
type market struct {
	path          string
	lines         *bufio.Scanner
	line          int
	rows, columns int
	values        [][]float64
	force         bool // as in Options
}

func (m *market) wrong(format string, args ...any) error {
	return &Error{Path: m.path, Row: Row(m.line), Err: fmt.Errorf(format, args...)}
}

// next returns the fields of the next line that is no comment, nil at the end.
func (m *market) next() ([]string, error) {
	for m.lines.Scan() {
		m.line++
		if s := strings.TrimSpace(m.lines.Text()); s != "" && s[0] != '%' {
			return strings.Fields(s), nil
		}
	}
	return nil, m.lines.Err()
}

func (m *market) read() error {
	if !m.lines.Scan() {
		return errors.Join(m.lines.Err(), m.wrong("is empty"))
	}
	m.line = 1
	head := strings.Fields(strings.ToLower(m.lines.Text()))
	if len(head) != 5 || head[0] != "%%matrixmarket" || head[1] != "matrix" {
		return m.wrong("begins with %s, want %%%%MatrixMarket matrix and what kind it is", Quote(m.lines.Text()))
	}
	sparse := head[2] == "coordinate"
	if !sparse && head[2] != "array" || head[3] != "real" && head[3] != "integer" && (head[3] != "pattern" || !sparse) ||
		head[4] != "general" {
		return m.wrong("is of kind %s, want coordinate or array, of real, integer or pattern, general",
			strings.Join(head[2:], " "))
	}
	size, err := m.next()
	if err != nil {
		return err
	}
	counts := make([]int, 2)
	if sparse {
		counts = make([]int, 3)
	}
	for i := range counts {
		if len(size) == len(counts) {
			counts[i], err = strconv.Atoi(size[i])
		}
		if len(size) != len(counts) || err != nil || counts[i] < 0 || counts[i] == 0 && i < 2 {
			return m.wrong("want %d numbers: rows, columns and, of a sparse matrix, values", len(counts))
		}
	}
	m.rows, m.columns = counts[0], counts[1]
	n := m.rows * m.columns
	if sparse {
		n = counts[2]
	} else if n/m.columns != m.rows {
		return m.wrong("has %d × %d values, which is too many", m.rows, m.columns)
	}
	return m.readValues(n, sparse, head[3] != "pattern")
}

// A triple is a value with its place from 0.
type triple struct {
	row, column int
	x           float64
}

// readValues reads n lines: of row, column and value of a sparse matrix, or the value alone, column by column. A
// pattern has ones for values. Nothing is made as large as the file says before that is there.
func (m *market) readValues(n int, sparse, valued bool) error {
	want := 0
	if sparse {
		want = 2
	}
	if valued {
		want++
	}
	var values []triple
	for count := 0; ; count++ {
		fields, err := m.next()
		switch {
		case err != nil:
			return err
		case fields == nil && count == n:
			return m.fill(values)
		case fields == nil:
			return m.wrong("ends after %d values, want %d", count, n)
		case count == n:
			return m.wrong("has more than the %d values that it says", n)
		case len(fields) != want:
			return m.wrong("has %d fields, want %d", len(fields), want)
		}
		v := triple{count % m.rows, count / m.rows, 1}
		if sparse {
			i, errI := strconv.Atoi(fields[0])
			j, errJ := strconv.Atoi(fields[1])
			if errI != nil || errJ != nil || i < 1 || i > m.rows || j < 1 || j > m.columns {
				return m.wrong("is about row %s and column %s, want 1 to %d and 1 to %d", fields[0], fields[1], m.rows, m.columns)
			}
			v.row, v.column = i-1, j-1
		}
		if valued {
			if v.x, err = Number(fields[want-1]); err != nil {
				return m.wrong("%w", err)
			}
		}
		values = append(values, v)
	}
}

// fill makes room for all places of the matrix, and puts the values there that the file has.
func (m *market) fill(values []triple) error {
	perValue := float64(m.rows) * float64(m.columns) / float64(len(values)+sparsest)
	places := perValue * float64(len(values)+sparsest)
	if perValue > sparsest || perValue > sparsestLarge && places > large && !m.force {
		m.line = 0
		return m.wrong("has %d × %d places for %d values, which is too sparse to be samples", m.rows, m.columns, len(values))
	}
	m.values = make([][]float64, m.rows)
	for i := range m.values {
		m.values[i] = make([]float64, m.columns)
	}
	for _, v := range values {
		m.values[v.row][v.column] += v.x
	}
	return nil
}
