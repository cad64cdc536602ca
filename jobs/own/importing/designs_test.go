package importing

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"graphda/io/samples"
	"graphda/jobs/own/sampletable"
)

// designed returns samples of patients: the given numbers of negative patients, positive patients, and patients with
// both classes. A patient has up to three samples.
func designed(rng *rand.Rand, negative, positive, mixed int) *sampletable.Data {
	d := &sampletable.Data{Named: true, Negative: "no", Positive: "yes"}
	for k := range negative + positive + mixed {
		var labels []float64
		switch {
		case k < negative:
			labels = slices.Repeat([]float64{-1}, 1+rng.IntN(3))
		case k < negative+positive:
			labels = slices.Repeat([]float64{1}, 1+rng.IntN(3))
		default:
			labels = append([]float64{-1, 1}, slices.Repeat([]float64{float64(2*rng.IntN(2) - 1)}, rng.IntN(2))...)
		}
		for _, y := range labels {
			d.Y, d.Patients = append(d.Y, y), append(d.Patients, fmt.Sprint("P", k))
		}
	}
	rng.Shuffle(len(d.Y), func(i, j int) {
		d.Y[i], d.Y[j] = d.Y[j], d.Y[i]
		d.Patients[i], d.Patients[j] = d.Patients[j], d.Patients[i]
	})
	for i := range d.Y {
		d.IDs = append(d.IDs, fmt.Sprintf("s%03d", i))
	}
	return d
}

// If each class has as many patients as there are sides, both classes are on every side. Otherwise the error names the
// class with too few patients. No patient is divided, and no sample is lost.
func TestDesigns(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, folds := range []int{0, 3, 5} {
		sides := max(3, folds)
		for i := range 7 * 7 * 7 {
			a, b, c := i%7, i/7%7, i/49
			if a+c == 0 || b+c == 0 {
				continue // one class, which is refused before
			}
			d := designed(rng, a, b, c)
			s := &dataset{data: d, request: &Request{Folds: folds, Seed: uint64(i), Trials: sides}}
			if err := drawable(d, s.request); err != nil || a+c < sides || b+c < sides {
				class, n := "no", a+c
				if n >= sides {
					class, n = "yes", b+c
				}
				want := fmt.Sprintf("has %d patient", n)
				if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), class) {
					t.Errorf("%d, %d and %d patients, %d folds: %v", a, b, c, folds, err)
				}
				continue
			}
			for trial := range sides {
				checkDesign(t, d, s.drawn(trial), fmt.Sprintf("%d, %d and %d patients, %d folds, %d", a, b, c, folds, trial))
			}
		}
	}
}

func checkDesign(t *testing.T, d *sampletable.Data, drawn draw, design string) {
	side, n := map[string]int{}, 0
	for s, rows := range drawn {
		classes := map[float64]bool{}
		for _, i := range rows {
			if before, known := side[d.Patients[i]]; known && before != s {
				t.Errorf("%s: patient %s is divided", design, d.Patients[i])
			}
			classes[d.Y[i]], side[d.Patients[i]] = true, s
		}
		if n += len(rows); len(classes) < 2 {
			t.Errorf("%s: split %v has the classes %v", design, samples.Split(s), classes)
		}
	}
	if n != len(d.Y) {
		t.Errorf("%s: %d of %d samples are drawn", design, n, len(d.Y))
	}
}

// Draws do not depend on which class is positive, or on the unit of times.
func TestDrawsUnderRelabelling(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range 60 {
		d := designed(rng, 3+rng.IntN(5), 3+rng.IntN(5), rng.IntN(6))
		if i%2 == 1 {
			d.Patients = nil
		}
		d.Times = i%3 == 2
		other := *d
		other.Y = nil
		for k := range d.Y {
			if d.Times {
				d.Y[k] *= 1 + float64(rng.IntN(9))
				other.Y = append(other.Y, 7*d.Y[k])
			} else {
				other.Y = append(other.Y, -d.Y[k])
			}
		}
		for _, folds := range []int{0, 3, 4} {
			r := &Request{Folds: folds, Seed: uint64(i)}
			got, want := &dataset{request: r, data: &other}, &dataset{request: r, data: d}
			for trial := range 4 {
				if !reflect.DeepEqual(got.drawn(trial), want.drawn(trial)) {
					t.Errorf("data %d, %d folds, trial %d: other draws", i, folds, trial)
				}
			}
		}
	}
}

// The same holds for samples without ids, even if some differ only in their labels.
func TestUnnamedDrawsUnderRelabelling(t *testing.T) {
	t.Chdir(t.TempDir())
	var b strings.Builder
	b.WriteString("y,a,b\n")
	for i := range 40 {
		fmt.Fprintf(&b, "%s,%d,%d\n", []string{"ill", "well"}[i%2], i/4, i/8)
	}
	write(t, "samples.csv", b.String())
	write(t, "edges.csv", "source,target\na,b\n")
	var tested [2][]float64
	for k, positive := range []string{"ill", "well"} {
		r := drawRequest()
		r.Positive, r.Out = positive, "data/"+positive
		run(t, r)
		b := load(t, r.Out, 1).Test
		for i := range b.Rows() {
			tested[k] = append(tested[k], b.Row(i)[0], b.Y[i]*float64(1-2*k))
		}
	}
	if !slices.Equal(tested[0], tested[1]) {
		t.Errorf("with classes exchanged, %v and %v are tested", tested[0], tested[1])
	}
}
