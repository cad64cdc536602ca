package probes

import (
	"slices"
	"strconv"
	"strings"

	"graphda/io/dataframe"
)

// Numbered is the name of a column whose name stands in the file before, as often as that: pandas calls it so too.
func Numbered(name string, before int) string {
	if before == 0 {
		return name
	}
	return name + "." + strconv.Itoa(before)
}

// Locate returns the column of a name that Numbered has made, −1 if there is none.
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
