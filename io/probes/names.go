package probes

import (
	"slices"
	"strconv"
	"strings"

	"graphda/io/dataframe"
)

// Numbered returns a unique name for a column, as pandas does, if before earlier columns have the same name.
func Numbered(name string, before int) string {
	if before == 0 {
		return name
	}
	return name + "." + strconv.Itoa(before)
}

// Locate returns the index of the column to which Numbered gives the name. If there is none, it returns −1.
func Locate(t *dataframe.Table, name string) (int, error) {
	if i := slices.Index(t.Columns(), name); i >= 0 {
		return i, t.Check(i)
	}
	at := strings.LastIndexByte(name, '.')
	if before, err := strconv.Atoi(name[at+1:]); at >= 0 && err == nil && before > 0 {
		for i, column := range t.Columns() {
			if column != name[:at] {
				continue
			}
			if before == 0 {
				return i, t.Check(i)
			}
			before--
		}
	}
	return -1, nil
}
