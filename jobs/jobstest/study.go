package jobstest

import (
	"encoding/csv"
	"errors"
	"io/fs"
	"strconv"
	"testing"

	"graphda/io/regular"
)

// ReadStudy returns what a file of a study has, by setting and draw, the first two fields of its lines; nothing if
// there is no file.
func ReadStudy[T any](t *testing.T, path string, parse func(string) (T, error)) map[string]map[int][]T {
	t.Helper()
	done := map[string]map[int][]T{}
	file, err := regular.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return done
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
	}
	must(err)
	defer file.Close()
	lines, err := csv.NewReader(file).ReadAll()
	must(err)
	for _, line := range lines {
		draw, err := strconv.Atoi(line[1])
		must(err)
		if done[line[0]] == nil {
			done[line[0]] = map[int][]T{}
		}
		for _, field := range line[2:] {
			v, err := parse(field)
			must(err)
			done[line[0]][draw] = append(done[line[0]][draw], v)
		}
	}
	return done
}

// Number parses a field of a study that is a number.
func Number(field string) (float64, error) { return strconv.ParseFloat(field, 64) }
