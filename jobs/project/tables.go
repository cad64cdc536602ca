package project

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"graphda/io/dataframe"
)

// QueryTable returns the queries of a table in any format of package dataframe as lines. A query is the rows of one id
// that follow one another: a name and its prize, or the prize of the edge to another name. Columns that are called as
// keys of a query are, as far as they are not empty, read of its first row. Names of columns that are not read are
// returned as well.
func QueryTable(path string) (lines io.ReadCloser, unread []string, err error) {
	t, err := dataframe.Open(path, dataframe.Options{})
	if err != nil {
		return nil, nil, err
	}
	at, read := map[string]int{}, map[int]bool{}
	for _, name := range []string{"id", "name", "prize", "other", "use", "root", "pruning", "components", "max_nodes",
		"max_weight", "limit_ms"} {
		if at[name], err = t.Find(name); err != nil {
			t.Close()
			return nil, nil, err
		}
		read[at[name]] = true
	}
	if at["id"] < 0 || at["name"] < 0 || at["prize"] < 0 {
		defer t.Close()
		return nil, nil, t.Wrong(-1, "has no columns id, name and prize; its columns are %s", dataframe.Some(t.Columns()))
	}
	for i, name := range t.Columns() {
		if !read[i] {
			unread = append(unread, name)
		}
	}
	from, to := io.Pipe()
	go func() {
		defer t.Close()
		rows, err := queryRows{table: t, at: at}, error(nil)
		for err == nil && t.Next() {
			if id := t.Text(at["id"]); rows.fields == nil || id != rows.id {
				err = rows.write(to)
				rows.start(id)
			}
			rows.add()
		}
		to.CloseWithError(cmp.Or(err, rows.write(to), t.Err()))
	}()
	return from, unread, nil
}

// queryRows are the rows of one query.
type queryRows struct {
	table  *dataframe.Table
	at     map[string]int
	id     string
	fields []string            // of the query, as JSON; nil before the first row
	lists  map[string][]string // prizes, edge_prizes, must, exclude
}

// text returns a field of the row, "" without such a column.
func (r *queryRows) text(column string) string {
	if i := r.at[column]; i >= 0 {
		return r.table.Text(i)
	}
	return ""
}

// number returns a field as JSON: a text, which the query then is refused for, if it is no number.
func (r *queryRows) number(column string) string {
	x, err := r.table.Number(r.at[column])
	if err != nil {
		return quoted(r.text(column))
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

func quoted(s string) string {
	text, _ := json.Marshal(s) // texts can be
	return string(text)
}

func (r *queryRows) start(id string) {
	r.id, r.lists, r.fields = id, map[string][]string{}, []string{`"id":` + quoted(id)}
	for _, key := range []string{"components", "max_nodes", "max_weight", "limit_ms", "root", "pruning"} {
		text := r.text(key)
		switch {
		case text == "":
			continue
		case key == "root", key == "pruning":
			text = quoted(text)
		default:
			text = r.number(key)
		}
		r.fields = append(r.fields, quoted(key)+":"+text)
	}
}

// add takes the row.
func (r *queryRows) add() {
	name := quoted(r.text("name"))
	if r.text("prize") != "" {
		if other := r.text("other"); other == "" {
			r.lists["prizes"] = append(r.lists["prizes"], name+":"+r.number("prize"))
		} else {
			edge := fmt.Sprintf("[%s,%s,%s]", name, quoted(other), r.number("prize"))
			r.lists["edge_prizes"] = append(r.lists["edge_prizes"], edge)
		}
	}
	if use := r.text("use"); use != "" { // must or exclude; others are keys that no query has
		r.lists[use] = append(r.lists[use], name)
	}
}

// write writes the query as a line.
func (r *queryRows) write(w io.Writer) error {
	if r.fields == nil {
		return nil
	}
	for _, key := range slices.Sorted(maps.Keys(r.lists)) {
		list := "[" + strings.Join(r.lists[key], ",") + "]"
		if key == "prizes" {
			list = "{" + list[1:len(list)-1] + "}"
		}
		r.fields = append(r.fields, quoted(key)+":"+list)
	}
	_, err := io.WriteString(w, "{"+strings.Join(r.fields, ",")+"}\n")
	return err
}
