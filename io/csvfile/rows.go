package csvfile

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"graphda/io/gzfile"
)

// An Error says where a file is bad.
type Error struct {
	Path   string
	Line   int    // counting from 1; 0 if the error is about no line
	Column string // name, or number counting from 1; empty if the error is about no column
	Err    error
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Path)
	sep := ": "
	if e.Line > 0 {
		fmt.Fprintf(&b, "%sline %d", sep, e.Line)
		sep = ", "
	}
	if e.Column != "" {
		fmt.Fprintf(&b, "%scolumn %q", sep, e.Column)
	}
	return b.String() + ": " + e.Err.Error()
}

// Unwrap returns what is wrong there.
func (e *Error) Unwrap() error { return e.Err }

// Rows reads a file's records, like a bufio.Scanner. Not safe for concurrent use.
type Rows struct {
	path   string
	file   io.Closer // nil if the Rows were made by NewRows
	csv    *csv.Reader
	record []string
	fields int // of the first record
	first  int // its line
	err    error
}

// Extensions tells in a message how the names of text tables end.
const Extensions = ".csv, .tsv, .csv.gz, .tsv.gz"

// IsTable tells by a path's name whether it is a text table.
func IsTable(path string) bool {
	path = strings.TrimSuffix(path, ".gz")
	return strings.HasSuffix(path, ".csv") || isTabbed(path)
}

func isTabbed(path string) bool { return strings.HasSuffix(strings.TrimSuffix(path, ".gz"), ".tsv") }

// Open opens the file at path. Tabs separate the fields of a file whose name ends with .tsv
// or .tsv.gz, commas those of any other. An error about a file that is not there wraps
// fs.ErrNotExist.
func Open(path string) (*Rows, error) {
	f, err := gzfile.Open(path)
	if err != nil {
		return nil, err
	}
	r := NewRows(path, f)
	r.file = f
	if isTabbed(path) {
		r.csv.Comma, r.csv.TrimLeadingSpace = '\t', false // an empty field would be space to trim
	}
	return r, nil
}

// NewRows reads records of fields with commas between them from in. The path is for errors.
func NewRows(path string, in io.Reader) *Rows {
	c := csv.NewReader(skipBOM(in))
	c.ReuseRecord, c.FieldsPerRecord, c.TrimLeadingSpace = true, -1, true
	return &Rows{path: path, csv: c}
}

// skipBOM leaves out the byte order mark that in may begin with. A CSV reader would take the
// mark for the first byte of a field, in which there must be no quotes then.
func skipBOM(in io.Reader) io.Reader {
	const mark = "\ufeff"
	b := bufio.NewReader(in)
	if head, _ := b.Peek(len(mark)); string(head) == mark {
		b.Discard(len(mark)) // it is there
	}
	return b
}

// Next goes on to the next record and tells whether there is one. If not, Err says why.
func (r *Rows) Next() bool {
	if r.err != nil {
		return false
	}
	record, err := r.csv.Read()
	if err != nil {
		r.stop(err)
		return false
	}
	if r.fields == 0 {
		r.fields, r.first = len(record), r.Line()
	}
	if len(record) != r.fields {
		r.err = &Error{Path: r.path, Line: r.Line(), Err: fmt.Errorf("has %d fields, want %d as in line %d", len(record), r.fields, r.first)}
		return false
	}
	for i, s := range record {
		record[i] = Decode(strings.TrimSpace(s))
	}
	r.record = record
	return true
}

// stop keeps the reason why there are no more records.
func (r *Rows) stop(err error) {
	var syntax *csv.ParseError
	if errors.As(err, &syntax) {
		err = &Error{Path: r.path, Line: syntax.Line, Err: syntax.Err}
	}
	r.err = err
}

// Record returns the fields of the record. They are valid until the next call of Next.
func (r *Rows) Record() []string { return r.record }

// Line returns the line where the record begins, counting from 1.
func (r *Rows) Line() int {
	line, _ := r.csv.FieldPos(0)
	return line
}

// Err returns the error that ended the records, if one did.
func (r *Rows) Err() error {
	if r.err == io.EOF {
		return nil
	}
	return r.err
}

// Close closes the file.
func (r *Rows) Close() error {
	if r.file == nil {
		return nil
	}
	return r.file.Close()
}

// Number returns the value of a field, which must be a finite decimal number.
func Number(field string) (float64, error) {
	x, err := strconv.ParseFloat(field, 64)
	if err != nil || strings.ContainsAny(field, "xXpPnN_") || math.IsInf(x, 0) {
		return 0, fmt.Errorf("is %s, want a finite decimal number", quote(field))
	}
	return x, nil
}

// quote prints a field, or the beginning of it.
func quote(field string) string {
	const most = 60
	if len(field) > most {
		return strconv.Quote(field[:most]) + "…"
	}
	return strconv.Quote(field)
}
