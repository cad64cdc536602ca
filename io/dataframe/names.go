package dataframe

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// NewNamedMatrix returns a source for a matrix that comes from a file without names. There is a slice of values for
// each row, and NaN is a missing value. The names are in the files that the options name. By default they are in
// x.columns.txt and x.rows.txt beside x.npy, one name on each line. If there are no names of rows, rows are numbered
// from 1. The first column of the source has no name and holds the names of the rows.
func NewNamedMatrix(path string, o Options, values [][]float64) (Source, error) {
	base := strings.TrimSuffix(path, ".gz")
	base = strings.TrimSuffix(base, filepath.Ext(base))
	names, err := namesOf(o, o.Names, base+".columns.txt")
	if err != nil {
		return nil, err
	}
	ids, err := namesOf(o, o.IDs, base+".rows.txt")
	if err != nil {
		return nil, err
	}
	if names == nil {
		err := fmt.Errorf("has no column names; write them to %s.columns.txt, one per line, or name a file of names with "+
			"--feature-names", base)
		return nil, &Error{Path: path, Err: err}
	}
	if ids == nil {
		ids = make([]string, len(values))
		for i := range ids {
			ids[i] = strconv.Itoa(i + 1)
		}
	}
	if len(names) != len(values[0]) || len(ids) != len(values) {
		err := fmt.Errorf("has %d rows and %d columns, but there are names for %d rows and %d columns", len(values),
			len(values[0]), len(ids), len(names))
		return nil, &Error{Path: path, Err: err}
	}
	return &grid{names: names, ids: ids, values: values, row: -1}, nil
}

// NameColumns are the usual names of the column that holds the names of features in a table of features.
var NameColumns = []string{"name", "gene", "symbol", "feature", "gene_symbol", "gene_name"}

// MemberColumns and GroupColumns are the usual names of the two columns in a table of groups. Each row of such a table
// puts one feature into one group.
var (
	MemberColumns = append([]string{"feature"}, NameColumns...)
	GroupColumns  = []string{"group", "pathway", "pathway_id", "gene_set", "geneset", "set", "term", "module"}
)

// namesOf returns the names in a text file: the lines of a .txt file, or a column of a table. It reads the file that
// the user named. If there is none, it reads the usual file, which need not exist.
func namesOf(o Options, told, usual string) (names []string, err error) {
	if told == "" || strings.HasSuffix(told, ".txt") {
		if told == "" {
			return namesIn(o, usual)
		}
		if names, err = namesIn(o, told); names == nil && err == nil {
			_, err = os.Stat(told)
		}
		return names, err
	}
	s, err := openText(told, Options{Force: o.Force})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	t := &Table{path: told, source: s, names: s.Columns()}
	i, err := t.NeedAny(NameColumns)
	if err != nil {
		return nil, err
	}
	for t.Next() {
		names = append(names, t.Text(i))
	}
	return names, t.Err()
}

// namesIn returns the text before the first tab of each line in a file, which may be compressed. It returns nil if
// there is no such file.
func namesIn(o Options, path string) (names []string, err error) {
	for _, path := range []string{path, path + ".gz"} {
		if _, err := os.Stat(path); err != nil {
			continue
		}
		err := EachLine(path, o, nil, func(_ Row, line string) error {
			name, _, _ := strings.Cut(line, "\t")
			names = append(names, strings.TrimSpace(name))
			return nil
		})
		return names, err
	}
	return nil, nil
}
