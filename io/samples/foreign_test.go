package samples

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"graphda/graph"
)

// Datasets that DuckDB wrote; testdata/duckdb/make.mjs is how. Sample i has a = i/4,
// b = √i and c = i.
func TestDuckDB(t *testing.T) {
	for _, name := range []string{"wide", "list"} {
		t.Run(name, func(t *testing.T) {
			d, err := Open("testdata/duckdb/" + name)
			must(t, err)
			got, err := d.Load(0, map[string]Labels{"wide": BinaryLabels, "list": AnyLabels}[name])
			must(t, err)
			var want [numSplits]Block
			for i := range 20 {
				s := []Split{Train, Train, Train, Valid, Test}[i%5]
				y := float64(i)
				if name == "wide" {
					y = float64(1 - 2*(i%2))
				}
				want[s].Y = append(want[s].Y, y)
				want[s].X = append(want[s].X, float64(i)/4, math.Sqrt(float64(i)), float64(i))
			}
			for s, b := range []Block{got.Train, got.Valid, got.Test} {
				if b.P != 3 || !slices.Equal(b.X, want[s].X) || !slices.Equal(b.Y, want[s].Y) {
					t.Errorf("%v: got %v, want %v", Split(s), b, want[s])
				}
			}
			if e := got.Graph.Edges(); !slices.Equal(e, []graph.Edge{{U: 0, V: 1}, {U: 2, V: 1}}) {
				t.Errorf("edges %v", e)
			}
			costs, features := []float64{1, 1}, Features{Names: []string{"gene A", "gene B", "gene C"}, Truth: []float64{1, 0, 12345678901234567890.5}}
			if name == "wide" {
				costs = []float64{1.5, 0.25}
				features.Truth, features.Groups = []float64{0.5, 0, -1.25}, [][]int32{{0}, {0, 1}}
				features.Row, features.Col = []float64{1, 1, 2}, []float64{2, 3, 2}
			}
			if !slices.Equal(got.Graph.Costs(), costs) {
				t.Errorf("costs %v, want %v", got.Graph.Costs(), costs)
			}
			if a, b := fmt.Sprintf("%+v", *got.Features), fmt.Sprintf("%+v", features); a != b {
				t.Errorf("features %s, want %s", a, b)
			}
		})
	}
}
