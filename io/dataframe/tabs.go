package dataframe

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"io"
	"strings"
)

// SplitTabs splits a line of a text whose fields are separated by tabs. A quotation mark within a field has no meaning.
// Quotation marks around a whole field, as R writes them, are taken off.
func SplitTabs(line string) []string {
	fields := strings.Split(line, "\t")
	for i, field := range fields {
		if n := len(field); n > 1 && field[0] == '"' && field[n-1] == '"' {
			bare := strings.ReplaceAll(field[1:n-1], `""`, "\x00")
			if !strings.Contains(bare, `"`) { // else the marks are of words within the field
				fields[i] = strings.ReplaceAll(bare, "\x00", `"`)
			}
		}
	}
	return fields
}

// isQuoted tells whether a text whose fields are separated by tabs quotes them as CSV does, which may keep tabs and
// line ends within fields: its beginning can be read so, and all records have as many fields. R names rows in one field
// more.
func isQuoted(in *bufio.Reader) bool {
	head, _ := in.Peek(in.Size())
	c := csv.NewReader(bytes.NewReader(head))
	c.Comma, c.FieldsPerRecord, c.ReuseRecord = '\t', -1, true
	for n, want := 0, 0; ; n++ {
		record, err := c.Read()
		if err == io.EOF || len(head) == in.Size() && c.InputOffset() == int64(len(head)) { // which may be cut off there
			return true
		}
		if err != nil || n > 0 && len(record) != want && (n > 1 || len(record) != want+1) {
			return false
		}
		want = len(record)
	}
}

// tabbed returns what reads the next record of a text whose fields are separated by tabs, and says in which line it is.
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
