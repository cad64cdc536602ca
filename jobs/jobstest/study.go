package jobstest

import (
	"encoding/csv"
	"errors"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"testing"

	"graphda/io/regular"
)

// Study counts the draws of settings that a file of a study does not have yet, adds them to it, and returns all that
// it has, by setting and draw. A line of the file has the setting's name, the draw, and what was counted.
// GRAPHDA_STUDY names the file; a test without it is skipped. GRAPHDA_STUDY_TRIALS draws so many of each setting
// instead of draws; GRAPHDA_STUDY_ONLY is a part of the names of those that are drawn.
func Study(t *testing.T, names []string, draws func(k int) int,
	count func(k, draw int) []float64) map[string]map[int][]float64 {
	t.Helper()
	path := os.Getenv("GRAPHDA_STUDY")
	if path == "" {
		t.Skip("takes core-hours: make confidence-study, tune-study and predict-study run it")
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
	}
	done := readStudy(path, must)
	file, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	must(err)
	defer file.Close()
	asked, err := strconv.Atoi(os.Getenv("GRAPHDA_STUDY_TRIALS"))
	all := err == nil
	most := asked
	for k := range names {
		if !all {
			most = max(most, draws(k))
		}
	}
	for draw := range most {
		for k, name := range names {
			if done[name][draw] != nil || !all && draw >= draws(k) ||
				!strings.Contains(name, os.Getenv("GRAPHDA_STUDY_ONLY")) {
				continue
			}
			line := []string{name, strconv.Itoa(draw)}
			counted := count(k, draw)
			for _, v := range counted {
				line = append(line, strconv.FormatFloat(v, 'g', 6, 64))
			}
			must(csv.NewWriter(file).WriteAll([][]string{line}))
			if done[name] == nil {
				done[name] = map[int][]float64{}
			}
			done[name][draw] = counted
		}
	}
	return done
}

// readStudy returns what a file of a study has; nothing if there is no file.
func readStudy(path string, must func(error)) map[string]map[int][]float64 {
	done := map[string]map[int][]float64{}
	file, err := regular.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return done
	}
	must(err)
	defer file.Close()
	lines := csv.NewReader(file)
	lines.FieldsPerRecord = -1 // of several studies
	all, err := lines.ReadAll()
	must(err)
	for _, line := range all {
		draw, err := strconv.Atoi(line[1])
		must(err)
		if done[line[0]] == nil {
			done[line[0]] = map[int][]float64{}
		}
		for _, field := range line[2:] {
			v, err := strconv.ParseFloat(field, 64)
			must(err)
			done[line[0]][draw] = append(done[line[0]][draw], v)
		}
	}
	return done
}
