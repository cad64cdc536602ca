package dataframe

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// NewNamedMatrix returns a source for a matrix from a file without names. NaN is a missing value. The options give the
// files with the names, one name on each line. The defaults are x.columns.txt and x.rows.txt beside x.npy. Without
// names, rows are numbered from 1. The first column of the source has no name and holds the names of the rows.
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

// NameColumns are usual names of the column of names in a table of features.
var NameColumns = []string{"name", "gene", "symbol", "feature", "gene_symbol", "gene_name"}

// MemberColumns and GroupColumns are usual names of the two columns in a table of groups. A row puts one feature into
// one group.
var (
	MemberColumns = append([]string{"feature"}, NameColumns...)
	GroupColumns  = []string{"group", "pathway", "pathway_id", "gene_set", "geneset", "set", "term", "module"}
)

// namesOf returns names of rows or columns: the lines of a .txt file, or a column of a table. It reads the file `told`
// by the user, or else the file `usual`, which need not exist.
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

// namesIn returns the text before the first tab of each line. Without the file, it returns nil.
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
