package inspect

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"graphda/io/columnar"
	"graphda/io/dataframe"
	"graphda/io/message"
)

// describeTable describes a table of any format. For columns of unsupported types, such as times, it gives only the
// names.
func describeTable(path string, force bool) ([]Line, error) {
	t, err := dataframe.Open(path, dataframe.Options{Force: force})
	if err != nil {
		return nil, err
	}
	defer t.Close()
	head, others, other := t.Columns(), []string(nil), map[int]bool{}
	for i, name := range head {
		var bad *dataframe.Error
		if errors.As(t.Check(i), &bad) {
			others, other[i] = append(others, fmt.Sprintf("%s (%v)", name, bad.Err)), true
		}
	}
	rows, missing, words := 0, 0, make([]int, len(head))
	for ; t.Next(); rows++ {
		for i := range head {
			if _, err := t.Number(i); err == nil || other[i] {
				continue
			}
			if dataframe.IsMissing(t.Text(i)) {
				missing++
			} else {
				words[i]++
			}
		}
	}
	if err := t.Err(); err != nil {
		return nil, err
	}
	var texts []string
	for i, name := range head {
		if name == "" {
			name = "(no name)"
		}
		if words[i] > 0 {
			texts = append(texts, name)
		}
	}
	lines := []Line{
		{"table", fmt.Sprintf("%s of %s", message.Count(rows, "row"), message.Count(len(head), "column"))},
		{"columns", dataframe.Some(head)},
	}
	if texts != nil {
		lines = append(lines, Line{"text", dataframe.Some(texts)})
	}
	if others != nil {
		lines = append(lines, Line{"not read", dataframe.Some(others)})
	}
	if missing > 0 {
		values := rows * (len(head) - len(others))
		lines = append(lines, Line{"missing", fmt.Sprintf("%s of %s (%s %%)", message.Number(missing),
			message.Count(values, "value"), message.Percent(missing, values))})
	}
	return lines, nil
}

// isSamples reports whether a file has a column x of lists and a column y, as samples files have.
func isSamples(path string, _ fs.FileInfo) bool {
	if !slices.Contains(columnar.Extensions(), strings.ToLower(filepath.Ext(path))) {
		return false
	}
	found := false
	columnar.Read(path, func(f *columnar.File) error { // describeSamples reports errors
		x := f.Find("x")
		found = x != nil && x.List && f.Find("y") != nil
		return nil
	})
	return found
}

func describeSamples(path string) (lines []Line, err error) {
	_, err = columnar.Read(path, func(f *columnar.File) error {
		features, missing := -1, 0
		err := f.Floats(f.Find("x"), func(row int, values []float64) error {
			if features = max(features, len(values)); len(values) != features {
				return columnar.AtRow(row, "has %d values, want %d, as in the rows before", len(values), features)
			}
			for _, v := range values {
				if v != v {
					missing++
				}
			}
			return nil
		})
		lines = []Line{{"samples", fmt.Sprintf("%s of %s", message.Number(f.Rows), message.Count(features, "feature"))},
			{"columns", dataframe.Some(f.Names())}}
		if missing > 0 {
			lines = append(lines, Line{"missing", message.Count(missing, "value")})
		}
		return err
	})
	return lines, err
}
