package safefile

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"
	"unicode"
)

// encodeField returns a field as it is written (see the package comment).
func encodeField(field string) string {
	if isFormula(field) {
		return "'" + field
	}
	return field
}

// DecodeField reverses encodeField.
func DecodeField(text string) string {
	if strings.HasPrefix(text, "'") && isFormula(text) {
		return text[1:]
	}
	return text
}

// isFormula reports whether a field without its leading apostrophes would be a formula.
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

// A CSVWriter writes records of comma-separated fields, each encoded by encodeField.
type CSVWriter struct {
	csv     *csv.Writer
	encoded []string
}

// NewCSVWriter returns a CSVWriter to w.
func NewCSVWriter(w io.Writer) *CSVWriter { return &CSVWriter{csv: csv.NewWriter(w)} }

// Write writes a record. Some errors appear only in Flush.
func (w *CSVWriter) Write(record ...string) error {
	w.encoded = w.encoded[:0]
	for _, field := range record {
		w.encoded = append(w.encoded, encodeField(field))
	}
	return w.csv.Write(w.encoded)
}

// Flush writes buffered records and returns the first error of any write.
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
