package dataframe

import (
	"math"
	"regexp"
	"slices"
	"strings"
)

// indexName matches names that pandas, polars, R and readr give to a column with an index or with row names. The keys
// of firstNames are the names that R's read.csv and fread, and DuckDB, give to a first column without a name. The
// values are the names for a second such column.
var (
	indexName = regexp.MustCompile(`(?i)^(unnamed: 0(\.\d+)*|__index_level_\d+__|level_\d+|index|row[._ ]?names?|` +
		`row_nr|\.\.\.1)$`)
	firstNames = map[string]string{"X": "Y", "V1": "V2", "column0": "column1"}
)

// IsIndexName reports whether programs use this name for an index. The column need not be the first.
func IsIndexName(name string) bool { return indexName.MatchString(name) }

// IsIndex reports whether a column holds an index: row names or row numbers. An index is never a feature.
func (t *Table) IsIndex(i int) bool {
	head := t.Columns()
	second, first := firstNames[head[i]]
	leads := !slices.ContainsFunc(head[:i], func(name string) bool { return name != "" }) // else it needs an index's name
	return leads && (head[i] == "" || first && !slices.Contains(head, second)) || IsIndexName(head[i]) ||
		slices.Contains(t.Index(), head[i])
}

// rowNames returns the column with the names of the rows: the index of pandas, or else the first column.
func (t *Table) rowNames() (column int, err error) {
	index, levels := t.Index(), []string(nil)
	for i, name := range t.names {
		if slices.Contains(index, name) || strings.HasPrefix(name, "__index_level_") {
			column, levels = i, append(levels, name)
		}
	}
	if len(levels) > 1 {
		err = t.Wrong(-1, "has the index levels %s; to transpose the table, keep one level, for example with droplevel of "+
			"pandas", Some(levels))
	}
	return column, err
}

// IndexNames returns the index of each name. Whole numbers are also found as NameText writes them.
func IndexNames(names []string) map[string]int32 {
	index := make(map[string]int32, len(names))
	for i, name := range names {
		index[NameText(name)] = int32(i)
	}
	for i, name := range names {
		index[name] = int32(i)
	}
	return index
}

// float matches a whole number that a program has written as a float.
var float = regexp.MustCompile(`^(-?(?:0|[1-9]\d*))(?:\.0+|(?:\.\d+)?[eE]\+\d+)$`)

// NameText returns the name of a sample, a patient or a node. If a program has written whole numbers as floats,
// NameText undoes this: 41.0 becomes 41, and 1e+05 becomes 100000. It does not change names such as 041 and 1e5.
func NameText(text string) string {
	text = strings.Clone(text) // the name must not keep a long line in memory
	if strings.TrimLeft(text, "0123456789.+-eE") != "" {
		return text // without the slower expression
	}
	whole := float.FindStringSubmatch(text)
	if whole == nil {
		return text
	}
	if !strings.ContainsAny(text, "eE") {
		return whole[1]
	}
	if x, err := Number(text); err == nil && math.Trunc(x) == x {
		return FormatNumber(x)
	}
	return text
}
