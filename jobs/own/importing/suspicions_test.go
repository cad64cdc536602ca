package importing

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"graphda/io/samples"
	"graphda/jobs/own/sampletable"
)

// Few pairs of samples are compared in full, and no pair that is alike is missed.
func TestProjections(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	d := &suspects{Data: &sampletable.Data{Names: make([]string, 50)}}
	for i := range 300 {
		x := make([]float64, 50)
		for j := range x {
			if x[j] = rng.NormFloat64(); i >= 150 {
				x[j] = d.X[i-150][j] + 0.08*x[j] // r = 0.997
			}
		}
		d.X, d.IDs = append(d.X, x), append(d.IDs, fmt.Sprint(i))
	}
	d.Features(true)
	found, _ := d.Mistakes(func(int32) int { return 1 })
	if len(found) != 1 || !strings.HasPrefix(found[0], "150 pairs") {
		t.Error(found)
	}
}

// suspected returns the notes about samples in table rows, without the notes that all such samples get.
func suspected(d *suspects, unconnected ...int) []string {
	for i := len(d.IDs); i < len(d.X); i++ {
		d.IDs = append(d.IDs, fmt.Sprint("s", i))
	}
	for i := len(d.Y); i < len(d.X); i++ {
		d.Y = append(d.Y, float64(i%2*2-1))
	}
	for j := len(d.Names); j < len(d.X[0]); j++ {
		d.Names = append(d.Names, fmt.Sprint("g", j))
	}
	d.Features(true)
	notes, _ := d.Mistakes(func(j int32) int {
		if slices.Contains(unconnected, int(j)) {
			return 0
		}
		return 1
	})
	return notes
}

// normal returns n samples of p features, each with a share of factors common to all features.
func normal(rng *rand.Rand, n, p, factors int) (x [][]float64) {
	loadings := make([][]float64, factors)
	for k := range loadings {
		loadings[k] = normal(rng, 1, p, 0)[0]
	}
	for range n {
		row := make([]float64, p)
		for j := range row {
			row[j] = rng.NormFloat64()
		}
		for _, loading := range loadings {
			floats.AddScaled(row, rng.NormFloat64(), loading)
		}
		x = append(x, row)
	}
	return x
}

// Replicates are noted from r = 0.7 on, and independent samples are not, whatever makes their features correlate.
func TestReplicates(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for draw := range 6 {
		for _, factors := range []int{0, 1, 3} {
			independent := normal(rng, 80, 100, factors)
			for i := range independent { // samples of three batches
				floats.AddConst(float64(i%3), independent[i][:50])
			}
			if notes := suspected(&suspects{Data: &sampletable.Data{X: independent}}); notes != nil {
				t.Errorf("draw %d, %d factors: %q", draw, factors, notes)
			}
			for _, r := range []float64{0.7, 0.9, 0.985} {
				patients, x := normal(rng, 30, 100, factors), [][]float64{}
				for i := range 30 * 3 {
					row := slices.Clone(patients[i/3])
					floats.Scale(math.Sqrt(r), row)
					floats.AddScaled(row, math.Sqrt((1-r)*float64(1+factors)), normal(rng, 1, 100, 0)[0])
					x = append(x, row)
				}
				if notes := suspected(&suspects{Data: &sampletable.Data{X: x}}); len(notes) != 1 || !strings.Contains(notes[0], "--patient COLUMN") {
					t.Errorf("draw %d, %d factors, r = %v: %q", draw, factors, r, notes)
				}
			}
		}
	}
}

// Columns and ids that look like patients or batches point to the options for them.
func TestNamesOfPatients(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for _, test := range []struct{ column, ids, want string }{
		{"patient", "s%d", `--patient "patient"`}, {"Subject_ID", "s%d", `--patient "Subject_ID"`},
		{"donor", "s%d", `--patient "donor"`}, {"batch", "s%d", `--batch "batch"`}, {"plate_no", "s%d", `--batch "plate_no"`},
		{"age", "s%d", `--drop "age"`}, {"", "P%d_rep%d", "P0_rep0 and P0_rep1"}, {"", "P%d.%d", "P0.0 and P0.1"},
		{"", "TCGA-02-%04d-0%dA", "TCGA-02-0000-00A"}, {"", "M%d visit %d", "--patient COLUMN"}, {"", "s%d", ""},
		{"", "sample_%d", ""}, {"", "GSM%d", ""},
	} {
		d := &suspects{Data: &sampletable.Data{X: normal(rng, 40, 20, 0)}}
		for i := range d.X {
			if d.X[i][0] = float64(i / 2); test.column == "" {
				d.X[i][0] = rng.NormFloat64()
			}
			id := fmt.Sprintf(test.ids, i)
			if strings.Count(test.ids, "%") > 1 {
				id = fmt.Sprintf(test.ids, i/2, i%2)
			}
			d.IDs = append(d.IDs, id)
		}
		d.Names = []string{test.column}
		notes := suspected(d, 0)
		if text := strings.Join(notes, "\n"); (test.want == "") != (text == "") || !strings.Contains(text, test.want) ||
			strings.Contains(test.want, "--patient") && strings.Contains(text, "--drop") {
			t.Errorf("column %q, ids %q: %q, want %q", test.column, test.ids, notes, test.want)
		}
	}
}

// Codes for missing values are noted if they are far from all other values of a feature.
func TestMissingCodes(t *testing.T) {
	for _, c := range []struct {
		code, scale float64
		want        string
	}{
		{-999, 1, "others: -999 in g3. If so"}, {9999, 1, "9999 in g3"}, {-9, 0.2, "-9 in g3"}, {-9, 5, ""}, {999, 200, ""},
		{-998, 1, ""}, {9, 0.1, ""}, {99.9, 1, ""}, {math.NaN(), 1, ""},
	} {
		d := &suspects{Data: &sampletable.Data{X: normal(rand.New(rand.NewPCG(5, 7)), 40, 20, 0)}}
		for i, x := range d.X {
			if x[3] *= c.scale; i%9 == 4 {
				x[3] = c.code
			}
		}
		if text := strings.Join(suspected(d), "\n"); (c.want == "") != (text == "") || !strings.Contains(text, c.want) {
			t.Errorf("%v beside %v: %q, want %q", c.code, c.scale, text, c.want)
		}
	}
}

// Two names of patients or levels that look the same are noted.
func TestNamesThatLookAlike(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"p7", `patients "P7" and "p7" differ only in case`}, {"P 7", `"P7" and "P 7"`}, {"P07", ""}, {"P-7", ""}, {"Ｐ7", `"P7" and "Ｐ7"`}, {"P7", ""},
	} {
		d := &suspects{Data: &sampletable.Data{X: normal(rand.New(rand.NewPCG(5, 8)), 40, 20, 0)}}
		for i := range d.X {
			d.Patients = append(d.Patients, fmt.Sprint("P", i/2))
		}
		d.Patients[15] = c.name
		if text := strings.Join(suspected(d), "\n"); (c.want == "") != (text == "") || !strings.Contains(text, c.want) {
			t.Errorf("%q: %q, want %q", c.name, text, c.want)
		}
		for i, patient := range d.Patients {
			d.Told = append(d.Told, []string{strconv.Itoa(i), patient})
		}
		d.Patients, d.Covariates = nil, []samples.Covariate{{Name: "age", Number: true}, {Name: "site", Batch: true}}
		want := strings.Replace(c.want, "patients", `in column "site",`, 1)
		if text := strings.Join(suspected(d), "\n"); (want == "") != (text == "") || !strings.Contains(text, want) {
			t.Errorf("%q: %q, want %q", c.name, text, want)
		}
	}
}

// Only a table that is sorted by label gets a note on drift. The same holds for correlation with the label.
func TestDrift(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	for draw := range 20 {
		for _, drift := range []float64{0, 3} {
			d := &suspects{Data: &sampletable.Data{X: normal(rng, 80, 40, max(0, 2-int(drift)))}, Classes: true}
			for i := range d.X {
				floats.AddConst(drift*float64(i)/80, d.X[i][:20])
				d.Y = append(d.Y, float64(2*(i/40)-1))
			}
			if notes := suspected(d); (notes != nil) != (drift > 0) {
				t.Errorf("draw %d, drift %v: %q", draw, drift, notes)
			}
			rng.Shuffle(80, func(i, j int) { d.Y[i], d.Y[j] = d.Y[j], d.Y[i] })
			if notes := suspected(d); notes != nil {
				t.Errorf("draw %d, drift %v, not sorted: %q", draw, drift, notes)
			}
		}
	}
	x := normal(rng, 80, 40, 0)
	for i := range x {
		x[i][0] = float64(i % 2)
	}
	if notes := suspected(&suspects{Data: &sampletable.Data{X: x}}, 0); len(notes) != 1 || !strings.Contains(notes[0], "is correlated with the label (r = 1.00)") {
		t.Errorf("a column that is the label: %q", notes)
	}
}
