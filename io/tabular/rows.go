package tabular

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"graphda/io/csvfile"
	"graphda/io/gzfile"
)

// Rows reads the records of a text file, like a bufio.Scanner. Not safe for concurrent use.
type Rows struct {
	path    string
	file    io.Closer // nil if the Rows were made by NewRows
	csv     *csv.Reader
	decimal byte // '.' or ',', 0 if the next number that has one of them tells
	record  []string
	fields  int // of the first record
	first   Row
	err     error
}

// OpenRows opens a text file. An error about a file that is not there wraps fs.ErrNotExist.
func OpenRows(path string, o Options) (*Rows, error) {
	f, err := gzfile.Open(path)
	if err != nil {
		return nil, err
	}
	r := NewRows(path, f, o)
	r.file = f
	return r, nil
}

// NewRows reads records from in. The path is for errors, and tells the separator.
func NewRows(path string, in io.Reader, o Options) *Rows {
	b := bufio.NewReaderSize(in, 1<<16)
	const mark = "\ufeff" // a CSV reader would take it for a part of the first field
	if head, _ := b.Peek(len(mark)); string(head) == mark {
		b.Discard(len(mark)) // it is there
	}
	c := csv.NewReader(b)
	c.ReuseRecord, c.FieldsPerRecord = true, -1
	if c.Comma = o.Separator; c.Comma == 0 {
		c.Comma = separator(path, b)
	}
	c.TrimLeadingSpace = c.Comma != '\t' && c.Comma != ' ' // an empty field would be space to trim
	r := &Rows{path: path, csv: c, decimal: '.'}
	switch {
	case o.DecimalComma:
		r.decimal = ','
	case c.Comma == ';':
		r.decimal = 0
	}
	return r
}

// separator returns the separator of the file's name if the first line has it, or is too long to
// tell; else that of tab, semicolon and comma which it has.
func separator(path string, in *bufio.Reader) rune {
	usual := ','
	if strings.HasSuffix(strings.TrimSuffix(path, ".gz"), ".tsv") {
		usual = '\t'
	}
	head, _ := in.Peek(in.Size())
	line, _, _ := bytes.Cut(bytes.TrimLeft(head, "\r\n"), []byte("\n"))
	bare := strings.Builder{} // of what stands between quotes
	for i, part := range bytes.Split(line, []byte(`"`)) {
		if i%2 == 0 {
			bare.Write(part)
		}
	}
	for _, s := range []rune{usual, '\t', ';', ','} {
		if strings.ContainsRune(bare.String(), s) {
			return s
		}
	}
	return usual
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
		r.fields, r.first = len(record), r.Row()
	}
	if len(record) != r.fields {
		err := fmt.Errorf("has %d fields, want %d as in %v", len(record), r.fields, r.first)
		r.err = &Error{Path: r.path, Row: r.Row(), Err: err}
		return false
	}
	for i, s := range record {
		record[i] = csvfile.Decode(strings.TrimSpace(s))
	}
	r.record = record
	return true
}

var errUnquoted = errors.New("has a quotation mark that is not closed, or stands within a field; write it twice " +
	`there: ""`)

// stop keeps the reason why there are no more records.
func (r *Rows) stop(err error) {
	var syntax *csv.ParseError
	if errors.As(err, &syntax) {
		if err = syntax.Err; err == csv.ErrQuote || err == csv.ErrBareQuote {
			err = errUnquoted
		}
		err = &Error{Path: r.path, Row: Line(syntax.Line), Err: err}
	}
	r.err = err
}

// Record returns the fields of the record. They are valid until the next call of Next.
func (r *Rows) Record() []string { return r.record }

// Row returns the line where the record begins.
func (r *Rows) Row() Row {
	line, _ := r.csv.FieldPos(0)
	return Line(line)
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

// Number returns the value of a field, which must be a finite number with the decimal separator
// of the file.
func (r *Rows) Number(field string) (float64, error) {
	if r.decimal == '.' {
		return Number(field)
	}
	point, comma := strings.Contains(field, "."), strings.Contains(field, ",")
	if !comma && !point || r.decimal == 0 && point {
		x, err := Number(field)
		if err == nil && point {
			r.decimal = '.'
		}
		return x, err
	}
	x, err := Number(strings.Replace(field, ",", ".", 1))
	if err != nil || point {
		return 0, fmt.Errorf("is %s, want a finite number with a decimal comma", quote(field))
	}
	r.decimal = ','
	return x, nil
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
