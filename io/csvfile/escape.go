// Package csvfile writes CSV files that spreadsheets open without harm.
//
// Names come from anywhere, and a spreadsheet that opens a file takes a name such as
// =HYPERLINK(…) for a formula. A text that begins with =, +, - or @ is written with an
// apostrophe before it, which makes it a text, and is read without; one that has apostrophes
// there already gets one more. A text that is a number, such as -1.5, stays as it is.
package csvfile

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"
	"unicode"
)

// encode returns a field as it is to be written. A spreadsheet takes a text that begins with
// =, +, - or @ for a formula, which may do anything; after an apostrophe it is a text. Numbers
// stay as they are.
func encode(field string) string {
	if isFormula(field) {
		return "'" + field
	}
	return field
}

// Decode returns the field that encode has made this text of.
func Decode(text string) string {
	if strings.HasPrefix(text, "'") && isFormula(text) {
		return text[1:]
	}
	return text
}

// isFormula tells whether a field without its apostrophes would be a formula.
func isFormula(field string) bool {
	if field == "" || !strings.Contains("'=+-@ \t\r\n\v\f", field[:1]) { // most fields
		return false
	}
	bare := strings.TrimLeftFunc(strings.TrimLeft(field, "'"), unicode.IsSpace)
	if bare == "" || !strings.Contains("=+-@", bare[:1]) {
		return false
	}
	_, err := strconv.ParseFloat(bare, 64)
	return err != nil
}

// A Writer writes records of fields with commas between them, each field encoded.
type Writer struct {
	csv     *csv.Writer
	encoded []string
}

// NewWriter returns a Writer to w.
func NewWriter(w io.Writer) *Writer { return &Writer{csv: csv.NewWriter(w)} }

// Write writes a record. An error may show only in Flush.
func (w *Writer) Write(record ...string) error {
	w.encoded = w.encoded[:0]
	for _, field := range record {
		w.encoded = append(w.encoded, encode(field))
	}
	return w.csv.Write(w.encoded)
}

// Flush writes what is still held, and returns the first error of all writes.
func (w *Writer) Flush() error {
	w.csv.Flush()
	return w.csv.Error()
}

// WriteAll writes records to w.
func WriteAll(w io.Writer, records [][]string) error {
	out := NewWriter(w)
	for _, record := range records {
		if err := out.Write(record...); err != nil {
			return err
		}
	}
	return out.Flush()
}
