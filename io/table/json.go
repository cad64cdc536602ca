package table

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
)

// jsonFormat is only for printing. Reports have no JSON files.
var jsonFormat = Format{Name: "json", write: func(t *Table, w io.Writer) error { return writeJSON(w, t) }}

// An object is a table in JSON. Rows have the keys of CSV. Undefined and infinite numbers are null.
type object struct {
	Name     string            `json:"name,omitempty"`
	Title    string            `json:"title,omitempty"`
	Subtitle string            `json:"subtitle,omitempty"`
	Notes    []string          `json:"notes,omitempty"`
	Rows     []json.RawMessage `json:"rows"`
}

func objects(all []*Table) []object {
	list := make([]object, len(all))
	for i, t := range all {
		list[i] = object{t.Name, t.Title, t.Subtitle, t.Notes, []json.RawMessage{}}
		for _, row := range t.Rows {
			list[i].Rows = append(list[i].Rows, t.jsonRow(row))
		}
	}
	return list
}

func writeJSON(w io.Writer, all ...*Table) error { return JSON(w, objects(all)) }

// JSON writes v, indented.
func JSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// jsonRow returns a row as a JSON object, in the order of the columns.
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
		key, _ := json.Marshal(fields[i].key) // cannot fail for texts and finite numbers
		text, _ := json.Marshal(value)
		b.WriteByte("{,"[min(i, 1)])
		b.Write(key)
		b.WriteByte(':')
		b.Write(text)
	}
	b.WriteByte('}')
	return b.Bytes()
}
