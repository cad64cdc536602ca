package inspect

import "graphda/io/table"

// A Line is one thing to know: what it is about, and what there is to say.
type Line struct{ About, Text string }

// Table is what there is to know as a table.
func Table(lines []Line) *table.Table {
	t := &table.Table{Columns: []table.Column{
		{Key: "about", Head: "About", Words: true}, {Key: "text", Head: "Text", Words: true}}}
	for _, l := range lines {
		t.Rows = append(t.Rows, []table.Cell{table.Word(l.About), table.Word(l.Text)})
	}
	return t
}
