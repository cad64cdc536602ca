package table

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
)

// jsonFormat is only printed; reports have no JSON file.
var jsonFormat = Format{Name: "json", write: func(t *Table, w io.Writer) error { return writeJSON(w, t) }}

// writeJSON writes tables as one array of objects with name, title, subtitle, notes, and rows. Rows have the keys
// of CSV. Numbers that are not defined or not finite are null.
func writeJSON(w io.Writer, all ...*Table) error {
	type object struct {
		Name     string            `json:"name,omitempty"`
		Title    string            `json:"title,omitempty"`
		Subtitle string            `json:"subtitle,omitempty"`
		Notes    []string          `json:"notes,omitempty"`
		Rows     []json.RawMessage `json:"rows"`
	}
	list := make([]object, len(all))
	for i, t := range all {
		list[i] = object{t.Name, t.Title, t.Subtitle, t.Notes, []json.RawMessage{}}
		for _, row := range t.Rows {
			list[i].Rows = append(list[i].Rows, t.jsonRow(row))
		}
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(list)
}

// jsonRow returns an object with its keys in the order of the columns.
func (t *Table) jsonRow(row []Cell) json.RawMessage {
	var b bytes.Buffer
	fields := t.fields()
	for i := range fields {
		var value any
		if f := &fields[i]; f.value == nil {
			value = f.word(row)
		} else if v := f.number(row); !math.IsNaN(v) && !math.IsInf(v, 0) {
			value = v
		}
		key, _ := json.Marshal(fields[i].key) // a text and a finite number can always be encoded
		text, _ := json.Marshal(value)
		b.WriteByte("{,"[min(i, 1)])
		b.Write(key)
		b.WriteByte(':')
		b.Write(text)
	}
	b.WriteByte('}')
	return b.Bytes()
}
