package importing

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"graphda/io/samples"
)

// ofPatients writes samples of 30 patients, in an order that mixes patients. Patient k has 1 + k%4 samples, and is
// positive if k%3 = 0. The first feature is the sample's number.
func ofPatients(t *testing.T, header string, row func(sample, patient, y int) string) {
	t.Helper()
	t.Chdir(t.TempDir())
	var rows []string
	for k := range 30 {
		y := 0
		if k%3 == 0 {
			y = 1
		}
		for range 1 + k%4 {
			rows = append(rows, row(len(rows), k, y))
		}
	}
	for i := range rows { // mixed, but the same each time
		j := (i * 31) % len(rows)
		rows[i], rows[j] = rows[j], rows[i]
	}
	write(t, "samples.csv", header+"\n"+strings.Join(rows, "\n")+"\n")
	write(t, "edges.csv", "source,target\na,b\n")
}

func patientsRequest() Request {
	r := drawRequest()
	r.Patient, r.Trials = "who", 6
	return r
}

// However samples are drawn, no patient is on two sides, and each split has its share of the patients of each class.
func TestPatientsAreNotDivided(t *testing.T) {
	for _, folds := range []int{0, 3} {
		ofPatients(t, "id,who,y,a,b", func(i, k, y int) string { return fmt.Sprintf("s%03d,P%d,%d,%d,%d", i, k, y, i, i*i) })
		r := patientsRequest()
		r.Folds = folds
		run(t, r)
		wanted := [3][2]int{{12, 6}, {4, 2}, {4, 2}} // negative and positive patients
		for trial := range 6 {
			got := load(t, "data/mine", trial)
			side, name := map[int32]int{}, map[int32]int{}
			var counts [3][2]int
			for s, b := range []samples.Block{got.Train, got.Valid, got.Test} {
				if len(b.Patient) != b.Rows() || len(got.Features.Names) != 2 {
					t.Fatalf("trial %d: %d patients of %d samples, features %q", trial, len(b.Patient), b.Rows(), got.Features.Names)
				}
				for i, p := range b.Patient {
					if before, again := side[p]; again && before != s {
						t.Fatalf("folds %d, trial %d: patient %d is on sides %d and %d", folds, trial, p, before, s)
					} else if !again {
						counts[s][int(b.Y[i]+1)/2]++
					}
					side[p] = s
					k := patientOf(int(b.Row(i)[0]))
					if before, again := name[p]; again && before != k {
						t.Fatalf("trial %d: patient %d is %d and %d", trial, p, before, k)
					}
					name[p] = k
				}
			}
			if len(name) != 30 || folds == 0 && counts != wanted {
				t.Errorf("folds %d, trial %d: %d patients, by split and class %v, want %v", folds, trial, len(name), counts, wanted)
			}
		}
	}
}

// patientOf returns the patient of a sample of ofPatients.
func patientOf(sample int) int {
	for k := range 30 {
		if sample -= 1 + k%4; sample < 0 {
			return k
		}
	}
	return -1
}

// The column of patients may be in the labels' file. If each sample is a patient, the splits are the same
// as without patients.
func TestPatientsOfLabels(t *testing.T) {
	ofPatients(t, "id,a,b", func(i, k, y int) string { return fmt.Sprintf("s%03d,%d,%d", i, i, i*i) })
	labels, single := "id,who,y\n", "id,who,y\n"
	for i := range 74 {
		labels += fmt.Sprintf("s%03d,P%d,%d\n", i, patientOf(i), i%2)
		single += fmt.Sprintf("s%03d,P%d,%d\n", i, i, i%2)
	}
	write(t, "labels.csv", labels)
	write(t, "single.csv", single)
	r := patientsRequest()
	r.Labels = "labels.csv"
	result := run(t, r)
	if len(result.Read) == 0 || !strings.Contains(result.Read[0], "of 30 patients by column \"who\"") {
		t.Errorf("read %q", result.Read)
	}
	if notes := strings.Join(result.Notes, "\n"); !strings.Contains(notes, "22 patients have samples of both classes: P1, P10,") {
		t.Errorf("notes %q", notes)
	}
	r.Labels, r.Out = "single.csv", "other/mine"
	run(t, r)
	r.Patient, r.Out = "", "third/mine"
	run(t, r)
	got, want := load(t, "other/mine", 3), load(t, "third/mine", 3)
	if !slices.Equal(rows(got.Train), rows(want.Train)) || len(got.Train.Patient) == 0 || want.Train.Patient != nil {
		t.Errorf("a patient each: %v, without patients: %v", rows(got.Train), rows(want.Train))
	}
}
