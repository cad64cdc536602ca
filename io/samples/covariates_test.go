package samples

import (
	"math"
	"slices"
	"testing"
)

// By hand: ages 1, 2, 3 and a missing one, and two sites of three and one samples.
func TestDesign(t *testing.T) {
	texts := [][]string{{"1", "b"}, {"2", "a"}, {"", "b"}, {"3", "b"}}
	d := NewDesign([]Covariate{{Name: "age", Number: true}, {Name: "site", Batch: true}}, texts)
	deviation := math.Sqrt(2.0 / 3)
	sums := make([]float64, 4)
	for i, want := range [][]float64{{-1 / deviation, -0.25, -0.25, 0.25}, {0, -0.25, 0.75, -0.75}, {0, 0.75, -0.25, 0.25},
		{1 / deviation, -0.25, -0.25, 0.25}} {
		for k, v := range d.Row(texts[i], nil) {
			if sums[k] += v; math.Abs(v-want[k]) > 1e-15 {
				t.Errorf("sample %d: %v, want %v", i, d.Row(texts[i], nil), want)
			}
		}
	}
	for k, sum := range sums {
		if math.Abs(sum) > 1e-15 {
			t.Errorf("column %d has the sum %v", k, sum)
		}
	}
	if got := d.Row([]string{"2", "elsewhere"}, nil); !slices.Equal(got, []float64{0, -0.25, 0, 0}) {
		t.Errorf("a level that no training sample had: %v", got)
	}
	if got := d.Row([]string{"3", "b"}, []bool{true, false}); !slices.Equal(got, []float64{0, 0, -0.25, 0.25}) {
		t.Errorf("age at its mean: %v", got)
	}
	if d.Names() != "age and batch site" || d[1].Knows("elsewhere") || d[1].Knows("") || !d[0].Knows("7") {
		t.Errorf("%s, %+v", d.Names(), d)
	}
	full := NewDesign([]Covariate{{Name: "age", Number: true}}, [][]string{{"1"}, {"1"}})
	if got := full.Row([]string{"9"}, nil); !slices.Equal(got, []float64{0}) {
		t.Errorf("a constant number: %v", got)
	}
}
