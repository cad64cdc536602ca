package results

import (
	"bufio"
	"io"
	"slices"
	"strconv"
	"strings"
)

// WriteCSV writes rows as CSV, in the order given: the columns of result files that say
// which row it is, with which parameters, what was computed, and the error. Undefined
// measures are empty; floats are in shortest round-trip form. The columns of time, host
// and attempt are left out, so equal content gives equal bytes. The layout names the
// rows' parameters.
func WriteCSV(w io.Writer, layout Layout, rows []*Row) error {
	b := bufio.NewWriterSize(w, 1<<16) // errors stay with b and show in Flush
	fields := slices.DeleteFunc(Fields(layout), func(f Field) bool {
		return f.Role == RoleCost || f.Role == RoleProvenance && f.Name != "error"
	})
	var line []byte
	for i, f := range fields {
		line = appendText(separate(line, i), f.Name)
	}
	b.Write(append(line, '\n'))
	for _, r := range rows {
		line = line[:0]
		for i, f := range fields {
			line = appendValue(separate(line, i), f.Value(r))
		}
		b.Write(append(line, '\n'))
	}
	return b.Flush()
}

// separate appends a comma before all values but the first.
func separate(line []byte, i int) []byte {
	if i == 0 {
		return line
	}
	return append(line, ',')
}

// appendValue appends a field's value; nil is empty.
func appendValue(line []byte, v any) []byte {
	switch v := v.(type) {
	case string:
		return appendText(line, v)
	case int64:
		return strconv.AppendInt(line, v, 10)
	case float64:
		return strconv.AppendFloat(line, v, 'g', -1, 64)
	default:
		return line
	}
}

// appendText quotes a text where CSV (RFC 4180) needs it.
func appendText(line []byte, s string) []byte {
	if !strings.ContainsAny(s, "\",\r\n") {
		return append(line, s...)
	}
	line = append(line, '"')
	line = append(line, strings.ReplaceAll(s, `"`, `""`)...)
	return append(line, '"')
}
