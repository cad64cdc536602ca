package dataframe

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"graphda/io/message"
	"graphda/io/safefile"
)

// Rows reads the records of a text file, like a bufio.Scanner. It is not safe for concurrent use.
type Rows struct {
	path    string
	file    io.Closer // closes the file; nil for Rows from NewRows
	next    func() (record []string, line int, err error)
	decimal Decimals
	record  []string
	fields  int // number of fields in the first record
	first   Row
	err     error

	end    lastByte
	torn   func(error) error // see Options.Unended
	before int               // number of lines before the first record
	at     Row               // line where the current record begins
	ahead  []ahead
}

// An ahead is a record that was read in advance, or the error of reading it.
type ahead struct {
	record []string
	at     Row
	err    error
}

// OpenRows opens a text file. If the file does not exist, the error wraps fs.ErrNotExist.
func OpenRows(path string, o Options) (*Rows, error) {
	if o.In != nil {
		return NewRows(path, o.In, o), nil
	}
	f, err := o.OpenFile(path)
	if err != nil {
		return nil, err
	}
	r := NewRows(path, f, o)
	r.file = f
	return r, nil
}

// NewRows reads records from in. The path appears in errors, and its extension may decide the separator.
func NewRows(path string, in io.Reader, o Options) *Rows {
	r := &Rows{path: path, torn: o.Unended, end: lastByte{in: in}}
	b, err := safefile.NewText(path, &r.end)
	var comma rune
	if comma, r.before = separator(path, b); o.Separator != 0 {
		comma = o.Separator
	}
	if comma == '\t' && !isQuoted(b) {
		r.next = tabbed(b)
	} else {
		r.next = quoted(b, comma)
	}
	if err != nil {
		r.err = &Error{Path: path, Err: err}
	}
	if r.decimal = NewDecimals(comma); o.Decimal != 0 {
		r.decimal = Decimals{mark: o.Decimal, told: true}
	}
	r.decimal.flags = o.Flags
	return r
}

// quoted is like tabbed, for text in which fields may be quoted as in CSV.
func quoted(in *bufio.Reader, comma rune) func() (record []string, line int, err error) {
	var content io.Reader = in
	if comma == ' ' {
		content = safefile.NewSqueezer(in)
	}
	c := csv.NewReader(content)
	c.ReuseRecord, c.FieldsPerRecord, c.Comma = true, -1, comma
	c.TrimLeadingSpace = comma != '\t' && comma != ' ' // trimming would remove empty fields between tabs or spaces
	return func() (record []string, line int, err error) {
		if record, err = c.Read(); err == nil {
			line, _ = c.FieldPos(0)
		}
		return record, line, err
	}
}

// separator returns the separator of a text and the number of skipped lines. It skips a first line such as sep=;, which
// Excel writes to name the separator.
func separator(path string, in *bufio.Reader) (separator rune, lines int) {
	head, _ := in.Peek(in.Size())
	line, _, _ := bytes.Cut(head, []byte("\n"))
	if s := SeparatorLine(line); s != 0 {
		in.Discard(min(len(line)+1, len(head))) // cannot fail, because Peek has read these bytes
		return s, 1
	}
	return Separator(path, head), 0
}

// SeparatorLine returns the separator that a line such as sep=; names, or 0 for other lines.
func SeparatorLine(line []byte) rune {
	text := strings.Trim(string(line), "\"\r\n")
	at := min(len("sep="), len(text))
	if mark := []rune(text[at:]); len(mark) == 1 && strings.EqualFold(text[:at], "sep=") {
		return mark[0]
	}
	return 0
}

// Separator returns the separator of a text that begins with head. If the extension means tabs and the first line has a
// tab, the separator is the tab. Otherwise the candidates are comma, tab, semicolon and vertical bar. Separator prefers
// candidates that split all lines of head into equally many fields, apart from R's row names. Among these it chooses
// the one with the most fields in the first line. Without candidates, a .txt file is split at white space. So is a file
// whose first line has quoted fields with spaces between them, as R writes it.
func Separator(path string, head []byte) rune {
	kind := strings.TrimSuffix(strings.ToLower(path), ".gz")
	lines := bytes.Split(bytes.TrimLeft(head, "\r\n"), []byte("\n"))
	usual := ','
	if strings.HasSuffix(kind, ".txt") || strings.HasSuffix(kind, ".tsv") {
		usual = '\t'
	}
	spaces := strings.HasSuffix(kind, ".txt") || bytes.Contains(lines[0], []byte(`" "`))
	if usual == '\t' && bytes.ContainsRune(lines[0], usual) {
		return usual
	}
	if len(lines) > 1 {
		lines = lines[:len(lines)-1] // the last line is empty or may be cut off
	}
	best, most, alike := usual, 0, false
	for _, s := range []rune{usual, '\t', ';', ',', '|', ' '} {
		n := separators(lines[0], s)
		regular := n+len(lines) > 1 && !slices.ContainsFunc(lines[1:], func(line []byte) bool {
			k := separators(line, s) // k must be n or, with row names, n + 1; n may be 0 only with row names
			return len(bytes.TrimSpace(line)) > 0 && k != n+1 && (k != n || n == 0)
		})
		if s == ' ' && (!spaces || alike || most > 0 || n == 0 && !regular) {
			break
		}
		if s == ' ' || regular && !alike || regular == alike && n > most {
			best, most, alike = s, n, regular
		}
	}
	return best
}

// separators counts how often s occurs in a line outside quotes.
func separators(line []byte, s rune) (n int) {
	for i, part := range bytes.Split(line, []byte(`"`)) {
		if i%2 == 0 {
			n += bytes.Count(part, []byte(string(s)))
		}
	}
	return n
}

// Next moves to the next record and reports whether there is one. If there is none, Err says why.
func (r *Rows) Next() bool {
	if r.err != nil {
		return false
	}
	record, err := r.read()
	if err == nil && r.fields > 0 && len(record) != r.fields {
		r.err = r.ragged(record)
		return false
	}
	if err != nil {
		r.stop(err)
		return false
	}
	if r.fields == 0 {
		r.fields, r.first = len(record), r.Row()
	}
	for i, s := range record {
		record[i] = safefile.DecodeField(strings.TrimSpace(s))
	}
	r.record = record
	return true
}

// ragged returns an error that lists all records, from this one on, that differ in length from the first record.
func (r *Rows) ragged(record []string) error {
	var problems Problems
	for err := error(nil); err == nil && len(problems.list) < MaxProblems; record, err = r.read() {
		if len(record) != r.fields {
			wrong := fmt.Errorf("has %s, but %v has %s", message.Count(len(record), "field"), r.first,
				message.Number(r.fields))
			if slices.ContainsFunc(record, func(field string) bool { return strings.HasPrefix(field, `"`) }) {
				wrong = fmt.Errorf("%w; save the file as CSV if a quoted field has a tab or a line end", wrong)
			}
			problems.Add(r.path, &Error{Path: r.path, Row: r.at, Err: wrong})
		}
	}
	return problems.Err()
}

func (r *Rows) read() ([]string, error) {
	if len(r.ahead) > 0 {
		next := r.ahead[0]
		r.ahead, r.at = r.ahead[1:], next.at
		return next.record, next.err
	}
	record, line, err := r.next()
	if err == nil {
		r.at = Line(r.before + line)
	}
	return record, err
}

// hasRowNames reports whether the next two rows, or the only row, have one field more than there are column names. R
// writes such tables with row names. If so, hasRowNames adds 1 to r.fields.
func (r *Rows) hasRowNames() bool {
	const looked = 2
	named, head := true, r.at
	var seen []ahead
	for len(seen) < looked {
		record, err := r.read()
		seen = append(seen, ahead{slices.Clone(record), r.at, err})
		if err != nil {
			named = named && len(seen) > 1
			break
		}
		named = named && len(record) == r.fields+1 && record[r.fields] != ""
	}
	r.ahead, r.at = seen, head
	if named {
		r.fields++
	}
	return named
}

// ErrUnquoted is the error for a field with misplaced quotation marks.
var ErrUnquoted = errors.New("has a quotation mark that is not closed, or is inside a field; inside a field, write " +
	`it twice: ""`)

func (r *Rows) stop(err error) {
	var syntax *csv.ParseError
	if errors.As(err, &syntax) {
		if err = syntax.Err; err == csv.ErrQuote || err == csv.ErrBareQuote {
			err = ErrUnquoted
		}
		err = &Error{Path: r.path, Row: Line(r.before + syntax.StartLine), Err: err}
	}
	if r.err = err; err == io.EOF && r.torn != nil && r.fields > 0 && !strings.ContainsRune("\n\r\x00", rune(r.end.last)) {
		r.err = cmp.Or(r.torn(&Error{Path: r.path, Row: r.at, Err: errors.New("has no line end, so its last value may be " +
			"cut off; if the value is complete, add a line end")}), err)
	}
}

// A lastByte stores the last byte read, which shows whether the text ends with a line end, even in UTF-16.
type lastByte struct {
	in   io.Reader
	last byte
}

func (l *lastByte) Read(p []byte) (n int, err error) {
	if n, err = l.in.Read(p); n > 0 {
		l.last = p[n-1]
	}
	return n, err
}

// Record returns the fields of the current record. They are valid until the next call of Next.
func (r *Rows) Record() []string { return r.record }

// Row returns the line where the current record begins.
func (r *Rows) Row() Row { return r.at }

// Err returns the error that made Next return false, or nil at the end of the file.
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

// Number parses a field, which must be a finite number with the file's decimal sign.
func (r *Rows) Number(field string) (float64, error) { return r.decimal.Number(field) }

// Decimals parses the numbers of a text. All must have decimal points, or all decimal commas.
type Decimals struct {
	mark  byte // decimal sign, '.' or ','; 0 while it is unknown
	told  bool // set if mark was given
	flags bool // as in Options
}

// NewDecimals returns a Decimals for a text with the given field separator. Decimal commas are allowed if the
// separator is a semicolon.
func NewDecimals(separator rune) Decimals {
	if separator == ';' {
		return Decimals{}
	}
	return Decimals{mark: '.', told: true}
}

// Number parses a field, which must be a finite number.
func (r *Decimals) Number(field string) (float64, error) {
	if r.mark == '.' {
		x, err := Number(field)
		if err != nil && strings.Contains(field, ",") {
			hint := ", and decimals with a point"
			if r.flags {
				hint = ", or add --decimal , if the comma is a decimal comma"
			}
			err = fmt.Errorf("%w; write thousands without a comma%s", err, hint)
		}
		return x, err
	}
	point, comma := strings.Contains(field, "."), strings.Contains(field, ",")
	if !comma && !point || r.mark == 0 && point {
		x, err := Number(field)
		if err == nil && point {
			r.mark = '.'
		}
		return x, err
	}
	x, err := Number(strings.Replace(field, ",", ".", 1))
	if err != nil || point {
		return 0, fmt.Errorf("is %s, want a finite number with a decimal comma", Quote(field))
	}
	r.mark = ','
	return x, nil
}

// FormatNumber formats a number in the shortest form that Number parses to the same value. It formats −0 as 0. Integers
// of at most 21 digits have no exponent.
func FormatNumber(x float64) string {
	if math.Trunc(x) == x && math.Abs(x) < 1e21 {
		return strconv.FormatFloat(x+0, 'f', -1, 64)
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// IsMissing reports whether a field is one of the words that programs write for a missing value.
func IsMissing(field string) bool {
	switch strings.ToLower(field) {
	case "", "na", "<na>", "n/a", "#n/a", "nan", "null", "none", ".", "?":
		return true
	}
	return false
}

// Quote quotes a field, or only the beginning of a long field.
func Quote(field string) string {
	const most = 60
	if len(field) > most {
		return strconv.Quote(field[:most]) + "…"
	}
	return strconv.Quote(field)
}

var text = Format{
	Extensions: []string{".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz", ".txt.gz"}, Open: openText,
}

type textSource struct {
	*Rows
	head  []string
	doubt doubt
}

func openText(path string, o Options) (Source, error) {
	rows, err := OpenRows(path, o)
	if err != nil {
		return nil, err
	}
	s, err := newTextSource(rows)
	if err != nil {
		rows.Close()
	}
	return s, err
}

func newTextSource(rows *Rows) (Source, error) {
	if !rows.Next() {
		if err := rows.Err(); err != nil {
			return nil, err
		}
		return nil, &Error{Path: rows.path, Err: errors.New("is empty, want a row of column names")}
	}
	head := slices.Clone(rows.Record())
	names := rows.hasRowNames()
	if next := rows.ahead[0]; strings.HasPrefix(head[0], "#") && next.err == nil && len(next.record) != len(head) {
		return nil, &Error{Path: rows.path, Row: rows.at, Err: fmt.Errorf("begins with %s, which looks like a comment; "+
			"remove the lines before the column names", Quote(head[0]))}
	}
	if names {
		head = slices.Insert(head, 0, "")
	}
	return &textSource{rows, head, newDoubt(rows.decimal, len(head))}, nil
}

func (s *textSource) Columns() []string { return s.head }

// Next skips rows in which all fields are empty, because spreadsheets leave such rows at the end.
func (s *textSource) Next() error {
	for s.Rows.Next() {
		if len(s.record) == 1 || slices.ContainsFunc(s.record, func(field string) bool { return field != "" }) {
			return nil
		}
	}
	if err := s.doubt.err(s.path, s.head); s.Rows.err == io.EOF && err != nil {
		return err
	}
	return s.Rows.err
}

func (s *textSource) Text(i int) string { return s.record[i] }

func (s *textSource) Number(i int) (float64, error) {
	x, err := s.Rows.Number(s.record[i])
	if err == nil && !s.doubt.settled {
		s.doubt.see(i, s.record[i])
	}
	return x, err
}
