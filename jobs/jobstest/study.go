package jobstest

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"

	"graphda/graph"
	"graphda/io/safefile"
)

// Study runs a simulation study. It skips the test unless the variable GRAPHDA_STUDY names a file for the results. A
// line of the file has a setting's name, a draw's number, and the results of `count`. For missing lines, Study calls
// `count` and appends the line. It returns all results in the file, by name and draw. GRAPHDA_STUDY_TRIALS replaces the
// number of draws. GRAPHDA_STUDY_ONLY limits the study to settings whose names contain its value.
func Study[S any](t *testing.T, settings []S, name func(s S) string, draws func(s S) int,
	count func(s S, draw int) []float64) map[string]map[int][]float64 {
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
	for _, s := range settings {
		if !all {
			most = max(most, draws(s))
		}
	}
	for draw := range most {
		for _, s := range settings {
			name := name(s)
			if done[name][draw] != nil || !all && draw >= draws(s) ||
				!strings.Contains(name, os.Getenv("GRAPHDA_STUDY_ONLY")) {
				continue
			}
			line := []string{name, strconv.Itoa(draw)}
			counted := count(s, draw)
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

// readStudy reads a study's file. If there is no file, it returns an empty map.
func readStudy(path string, must func(error)) map[string]map[int][]float64 {
	done := map[string]map[int][]float64{}
	file, err := safefile.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return done
	}
	must(err)
	defer file.Close()
	lines := csv.NewReader(file)
	lines.FieldsPerRecord = -1 // a file may contain several studies
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

// Columns returns a setting's results by column, each column sorted.
func Columns(done map[int][]float64) (columns [][]float64) {
	for _, line := range done {
		for i, v := range line {
			if i == len(columns) {
				columns = append(columns, nil)
			}
			columns[i] = append(columns[i], v)
		}
	}
	for _, c := range columns {
		slices.Sort(c)
	}
	return columns
}

// MeanError writes the mean of values and its standard error as "mean ± error", with the given number of decimals.
func MeanError(values []float64, digits int) string {
	mean, deviation := stat.MeanStdDev(values, nil)
	return fmt.Sprintf("%.*f ± %.*f", digits, mean, digits, deviation/math.Sqrt(float64(len(values))))
}

// Grown returns a random connected set of nodes. It starts at one node and adds neighbours of the set one by one.
func Grown(rng *rand.Rand, g *graph.Graph, size int) []int32 {
	set := []int32{int32(rng.IntN(g.NumNodes()))}
	for len(set) < size {
		arcs := g.Arcs(set[rng.IntN(len(set))])
		if next := arcs[rng.IntN(len(arcs))].Node; !slices.Contains(set, next) {
			set = append(set, next)
		}
	}
	return set
}
