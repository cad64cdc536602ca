package dataframe

import (
	"math"
	"regexp"
	"slices"
	"strings"
)

// Names that pandas, polars, R and readr give to an index or to row names in a column. R's read.csv and fread, and
// DuckDB, call only the first column so, and the second one of a file without names otherwise.
var (
	indexName = regexp.MustCompile(`(?i)^(unnamed: 0(\.\d+)*|__index_level_\d+__|level_\d+|index|row[._ ]?names?|` +
		`row_nr|\.\.\.1)$`)
	firstNames = map[string]string{"X": "Y", "V1": "V2", "column0": "column1"}
)

// NamesPatients tells whether a column's name looks like patients.
func NamesPatients(column string) bool { return patientName.MatchString(column) }

var patientName = regexp.MustCompile(`(?i)^(patient|subject|donor|individual|participant|person|animal)s?` +
	`([ _.-]?(id|no|nr|num|number|code|name))?$`)

// IsIndexName tells whether programs call an index so, wherever it stands.
func IsIndexName(name string) bool { return indexName.MatchString(name) }

// IsIndex tells whether a column holds an index: the names or the numbers of rows, which are never a feature.
func (t *Table) IsIndex(i int) bool {
	head := t.Columns()
	second, first := firstNames[head[i]]
	named := func(name string) bool { return name != "" } // levels of an index without names are the first columns
	return head[i] == "" && !slices.ContainsFunc(head[:i], named) || i == 0 && first && !slices.Contains(head, second) ||
		IsIndexName(head[i]) || slices.Contains(t.Index(), head[i])
}

// A float is what programs write for a whole number in a column of floats.
var float = regexp.MustCompile(`^(-?(?:0|[1-9]\d*))(?:\.0+|(?:\.\d+)?[eE]\+\d+)$`)

// NameText returns the name of a sample or of a patient. Whole numbers are names that do not depend on whether a
// program has written them as floats: 41.0 is 41, and 1e+05 is 100000. But 041 and 1e5 are names as they are.
func NameText(text string) string {
	text = strings.Clone(text) // not a part of a long line
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
