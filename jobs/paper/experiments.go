package paper

import (
	"cmp"
	"embed"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
)

//go:embed experiments/*.yaml
var files embed.FS

const (
	folder    = "experiments"
	extension = ".yaml"
)

// Names returns the names of the built-in experiments, sorted so that figure2 comes before figure10.
func Names() []string {
	entries, err := files.ReadDir(folder)
	if err != nil {
		panic("paper: " + err.Error()) // cannot happen: the folder is built in
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = strings.TrimSuffix(e.Name(), extension)
	}
	slices.SortFunc(names, func(a, b string) int {
		aWord, aNumber := cut(a)
		bWord, bNumber := cut(b)
		return cmp.Or(cmp.Compare(aWord, bWord), cmp.Compare(aNumber, bNumber))
	})
	return names
}

// cut splits a name into a word and the number at the name's end. If the name ends with no number, number is 0.
func cut(name string) (word string, number int) {
	word = strings.TrimRight(name, "0123456789")
	number, _ = strconv.Atoi(name[len(word):])
	return word, number
}

// Experiment returns the YAML text of the built-in experiment of the given name.
func Experiment(name string) ([]byte, error) {
	data, err := files.ReadFile(path.Join(folder, name+extension))
	if err != nil || strings.Contains(name, "/") {
		return nil, fmt.Errorf("unknown built-in experiment %q; known: %s", name, strings.Join(Names(), ", "))
	}
	return data, nil
}
