package dataframe

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"io"
	"strings"
)

// SplitTabs splits a line of a text with tabs between fields. A quotation mark within a field is an ordinary
// character. Quotation marks around a whole field, as R writes them, are removed.
func SplitTabs(line string) []string {
	fields := strings.Split(line, "\t")
	for i, field := range fields {
		fields[i] = unquoted(field)
	}
	return fields
}

// unquoted removes quotation marks around a field, unless the field contains quoted words.
func unquoted(field string) string {
	if n := len(field); n > 1 && field[0] == '"' && field[n-1] == '"' {
		bare := strings.ReplaceAll(field[1:n-1], `""`, "\x00")
		if !strings.Contains(bare, `"`) {
			return strings.ReplaceAll(bare, "\x00", `"`)
		}
	}
	return field
}

// isQuoted reports whether a text with tabs between fields is quoted like CSV, so that fields may contain tabs and line
// ends. To be quoted, the beginning of the text must parse as CSV, and all records must have equally many fields. With
// R's row names, later records have one field more than the first.
func isQuoted(in *bufio.Reader) bool {
	head, _ := in.Peek(in.Size())
	c := csv.NewReader(bytes.NewReader(head))
	c.Comma, c.FieldsPerRecord, c.ReuseRecord = '\t', -1, true
	for n, want := 0, 0; ; n++ {
		record, err := c.Read()
		if err == io.EOF || len(head) == in.Size() && c.InputOffset() == int64(len(head)) { // the last record may be cut off
			return true
		}
		if err != nil || n > 0 && len(record) != want && (n > 1 || len(record) != want+1) {
			return false
		}
		want = len(record)
	}
}

// tabbed returns a function that reads the next record of a text with tabs between fields. The function also returns
// the record's line.
func tabbed(in *bufio.Reader) func() (record []string, line int, err error) {
	at := 0
	return func() ([]string, int, error) {
		for {
			line, err := in.ReadString('\n')
			at++
			if line = strings.TrimRight(line, "\r\n"); line != "" {
				return SplitTabs(line), at, nil
			} else if err != nil {
				return nil, at, err
			}
		}
	}
}
