package paper

import (
	"embed"
	"fmt"
	"path"
	"strings"
)

//go:embed experiments/*.yaml
var files embed.FS

const (
	folder    = "experiments"
	extension = ".yaml"
)

// Names returns the names of the built-in experiments, sorted.
func Names() []string {
	entries, err := files.ReadDir(folder)
	if err != nil {
		panic("paper: " + err.Error()) // the folder is part of the program
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = strings.TrimSuffix(e.Name(), extension)
	}
	return names
}

// Experiment returns the YAML of a built-in experiment.
func Experiment(name string) ([]byte, error) {
	data, err := files.ReadFile(path.Join(folder, name+extension))
	if err != nil || strings.Contains(name, "/") {
		return nil, fmt.Errorf("paper: no built-in experiment %q; known: %s", name, strings.Join(Names(), ", "))
	}
	return data, nil
}
