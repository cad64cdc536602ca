package simulate

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/stat"

	"graphda/jobs/jobstest"
)

// exampleFiles returns the records of the tables of Example by their names.
func exampleFiles(t *testing.T, seed uint64) map[string][][]string {
	t.Helper()
	files := map[string][][]string{}
	for _, f := range Example(seed) {
		var b bytes.Buffer
		must(t, f.Fill(&b))
		if f.Name != "experiment.yaml" {
			files[f.Name] = jobstest.Must1(csv.NewReader(&b).ReadAll())
		}
	}
	return files
}

// Only G21 to G26, which are neighbours in the network, differ between tumours and normal samples.
func TestExample(t *testing.T) {
	files := exampleFiles(t, 1)
	table := files["samples.csv"]
	for j := range exampleGenes {
		var groups [2][]float64
		for _, row := range table[1:] {
			k := slices.Index([]string{"normal", "tumour"}, row[1])
			groups[k] = append(groups[k], jobstest.Must1(strconv.ParseFloat(row[2+j], 64)))
		}
		if len(groups[0]) != 75 || len(groups[1]) != 75 {
			t.Fatalf("%d and %d samples", len(groups[0]), len(groups[1]))
		}
		d := stat.Mean(groups[1], nil) - stat.Mean(groups[0], nil)
		if matters := j+1 >= moduleFrom && j+1 <= moduleTo; matters != (math.Abs(d) > 0.7) {
			t.Errorf("G%d differs by %.2f", j+1, d)
		}
	}
	for j := moduleFrom; j < moduleTo; j++ {
		edge := []string{fmt.Sprint("G", j), fmt.Sprint("G", j+1)}
		if !slices.ContainsFunc(files["network.csv"], func(row []string) bool { return slices.Equal(row, edge) }) {
			t.Errorf("the network has no edge %q", edge)
		}
	}
	shuffled, moved := files["shuffled.csv"], 0
	for i, row := range table {
		if !slices.Equal(row[2:], shuffled[i][2:]) || row[0] != shuffled[i][0] {
			t.Fatalf("row %d of shuffled.csv has other genes", i)
		}
		if row[1] != shuffled[i][1] {
			moved++
		}
	}
	if moved < 50 || moved > 100 {
		t.Errorf("%d statuses were shuffled, want about half of 150", moved)
	}
	if again := exampleFiles(t, 1); fmt.Sprint(again) != fmt.Sprint(files) {
		t.Error("the same seed gives other tables")
	}
	if other := exampleFiles(t, 2); fmt.Sprint(other["samples.csv"]) == fmt.Sprint(table) {
		t.Error("another seed gives the same samples")
	}
}
