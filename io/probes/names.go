package probes

import (
	"slices"
	"strconv"
	"strings"

	"graphda/io/dataframe"
)

// Numbered returns a unique name for a column, as pandas does. `before` is the number of earlier columns of this name.
func Numbered(name string, before int) string {
	if before == 0 {
		return name
	}
	return name + "." + strconv.Itoa(before)
}

// Locate finds a column by the name that Numbered gives it, and returns its index or −1.
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

// Ambiguous returns the names of given columns that other columns of the table have too. Only their order distinguishes
// such columns. It ignores the index −1.
func Ambiguous(t *dataframe.Table, columns []int) (names []string) {
	head, left := t.Columns(), map[string]int{}
	for _, name := range head {
		left[name]++
	}
	columns = slices.DeleteFunc(slices.Clone(columns), func(i int) bool { return i < 0 })
	for _, i := range columns {
		left[head[i]]--
	}
	for _, i := range columns {
		if left[head[i]] > 0 && !slices.Contains(names, head[i]) {
			names = append(names, head[i])
		}
	}
	return names
}
