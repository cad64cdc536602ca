package inspect

import (
	"fmt"

	_ "graphda/io/columnar" // Parquet and Arrow
	_ "graphda/io/matrix"   // NumPy
	"graphda/io/plain"
	"graphda/io/tabular"
)

// describeTable reads a table of any format.
func describeTable(path string, force bool) ([]Line, error) {
	t, err := tabular.Open(path, tabular.Options{Force: force})
	if err != nil {
		return nil, err
	}
	defer t.Close()
	head := t.Columns()
	rows, missing, words := 0, 0, make([]int, len(head))
	for ; t.Next(); rows++ {
		for i := range head {
			if _, err := t.Number(i); err == nil {
				continue
			}
			if tabular.IsMissing(t.Text(i)) {
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
		{"table", fmt.Sprintf("%s of %s", plain.Count(rows, "row"), plain.Count(len(head), "column"))},
		{"columns", tabular.Some(head)},
	}
	if texts != nil {
		lines = append(lines, Line{"text", tabular.Some(texts)})
	}
	if missing > 0 {
		lines = append(lines, Line{"missing", fmt.Sprintf("%s of %s (%.3g %%)", plain.Number(missing),
			plain.Count(rows*len(head), "value"), 100*float64(missing)/float64(rows*len(head)))})
	}
	return lines, nil
}
