package safefile

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"
	"unicode"
)

// encodeField returns a field as it is to be written. A spreadsheet takes a text that begins with
// =, +, - or @ for a formula, which may do anything; after an apostrophe it is a text. Numbers
// stay as they are.
func encodeField(field string) string {
	if isFormula(field) {
		return "'" + field
	}
	return field
}

// DecodeField returns the field that encode has made this text of.
func DecodeField(text string) string {
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

// A CSVWriter writes records of fields with commas between them, each field encoded.
type CSVWriter struct {
	csv     *csv.Writer
	encoded []string
}

// NewCSVWriter returns a Writer to w.
func NewCSVWriter(w io.Writer) *CSVWriter { return &CSVWriter{csv: csv.NewWriter(w)} }

// Write writes a record. An error may show only in Flush.
func (w *CSVWriter) Write(record ...string) error {
	w.encoded = w.encoded[:0]
	for _, field := range record {
		w.encoded = append(w.encoded, encodeField(field))
	}
	return w.csv.Write(w.encoded)
}

// Flush writes what is still held, and returns the first error of all writes.
func (w *CSVWriter) Flush() error {
	w.csv.Flush()
	return w.csv.Error()
}

// WriteCSV writes records to w.
func WriteCSV(w io.Writer, records [][]string) error {
	out := NewCSVWriter(w)
	for _, record := range records {
		if err := out.Write(record...); err != nil {
			return err
		}
	}
	return out.Flush()
}
