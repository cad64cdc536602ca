package inspect

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"graphda/io/plain"
	"graphda/io/samples"
	"graphda/io/tabular"
)

// describeDataset reads all trials.
func describeDataset(dir string) ([]Line, error) {
	ds, err := samples.Open(dir)
	if err != nil {
		return nil, err
	}
	var first *samples.Trial
	other := map[string][]string{} // trials by how they differ in size
	for _, trial := range ds.Trials {
		t, err := ds.Load(trial, samples.AnyLabels)
		if err != nil {
			return nil, err
		}
		if first == nil {
			first = t
		} else if got, want := sizes(t), sizes(first); got != want {
			other[got] = append(other[got], fmt.Sprint(trial))
		}
	}
	lines := []Line{
		{"dataset", fmt.Sprintf("%s, %s", ds.Name, plain.Count(len(ds.Trials), "trial"))},
		{"features", describeFeatures(first.Features)},
		{"graph", describeGraph(first)},
		{"samples", sizes(first) + patients(first)},
		{"labels", describeLabels(first)},
		{"values", describeValues(first)},
	}
	for _, size := range slices.Sorted(maps.Keys(other)) {
		lines = append(lines, Line{"samples", fmt.Sprintf("%s, in trial %s", size, tabular.Some(other[size]))})
	}
	if ids := first.Train.IDs; ids != nil {
		lines = append(lines, Line{"ids", "of samples, such as " + tabular.Some(ids[:min(3, len(ids))])})
	}
	if made := pairs(first.Metadata); made != "" {
		lines = append(lines, Line{"made by", made})
	}
	return lines, nil
}

func blocks(t *samples.Trial) []samples.Block { return []samples.Block{t.Train, t.Valid, t.Test} }

// sizes tells how many samples the splits have.
func sizes(t *samples.Trial) string {
	var all []string
	for s, b := range blocks(t) {
		all = append(all, fmt.Sprintf("%v %s", samples.Split(s), plain.Number(b.Rows())))
	}
	return strings.Join(all, ", ")
}

// patients tells how many patients the samples are of, if that is known.
func patients(t *samples.Trial) string {
	seen := map[int32]bool{}
	for _, b := range blocks(t) {
		for _, p := range b.Patient {
			seen[p] = true
		}
	}
	if len(seen) == 0 {
		return ""
	}
	return ", of " + plain.Count(len(seen), "patient")
}

func describeFeatures(f *samples.Features) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, such as %s", plain.Number(len(f.Names)), tabular.Some(f.Names[:min(3, len(f.Names))]))
	if f.Truth != nil {
		fmt.Fprintf(&b, "; %s in the true support", plain.Number(len(f.Support())))
	}
	if f.Groups != nil {
		least, most := len(f.Names), 0
		for _, g := range f.Groups {
			least, most = min(least, len(g)), max(most, len(g))
		}
		fmt.Fprintf(&b, "; %s of %s features", plain.Count(len(f.Groups), "group"), span(float64(least), float64(most)))
	}
	if f.Scaling != nil {
		b.WriteString("; standardised, means and deviations are kept")
	}
	return b.String()
}

func describeGraph(t *samples.Trial) string {
	g, names := t.Graph, t.Features.Names
	hub, isolated := 0, 0
	for u := range names {
		switch d := g.Degree(int32(u)); {
		case d == 0:
			isolated++
		case d > g.Degree(int32(hub)):
			hub = u
		}
	}
	label, count := g.Components()
	size := make([]int, count)
	for _, c := range label {
		size[c]++
	}
	text := fmt.Sprintf("%s; %s isolated, %s, the largest of %s", plain.Count(g.NumEdges(), "edge"),
		plain.Number(isolated), plain.Count(count, "component"), plain.Count(slices.Max(size), "feature"))
	if g.NumEdges() == 0 {
		return text
	}
	costs := g.Costs()
	return text + fmt.Sprintf("; most edges at %s (%s); costs %s", names[hub],
		plain.Number(g.Degree(int32(hub))), span(slices.Min(costs), slices.Max(costs)))
}

func span(least, most float64) string {
	if least == most {
		return fmt.Sprintf("%.4g", least)
	}
	return fmt.Sprintf("%.4g to %.4g", least, most)
}

func describeLabels(t *samples.Trial) string {
	positive, total, sum, squares, binary := 0, 0, 0.0, 0.0, true
	for _, b := range blocks(t) {
		for _, y := range b.Y {
			binary = binary && (y == 1 || y == -1)
			total++
			sum += y
			squares += y * y
			if y == 1 {
				positive++
			}
		}
	}
	if !binary {
		mean := sum / float64(total)
		return fmt.Sprintf("numbers, mean %.4g, deviation %.4g", mean, math.Sqrt(max(0, squares/float64(total)-mean*mean)))
	}
	name := func(key string, text string) string {
		if name := t.Metadata[key]; name != "" {
			return fmt.Sprintf("%s (%q)", text, name)
		}
		return text
	}
	return fmt.Sprintf("two classes: %s %s, %s %s", plain.Number(positive), name("positive", "of +1"),
		plain.Number(total-positive), name("negative", "of −1"))
}

// describeValues tells how the features differ in scale over all samples.
func describeValues(t *samples.Trial) string {
	p, n := len(t.Features.Names), 0.0
	mean, squares := make([]float64, p), make([]float64, p)
	for _, b := range blocks(t) {
		for i := range b.Rows() {
			n++
			for j, v := range b.Row(i) { // Welford's updates
				d := v - mean[j]
				mean[j] += d / n
				squares[j] += d * (v - mean[j])
			}
		}
	}
	least, most, constant := math.Inf(1), 0.0, 0
	for _, s := range squares {
		deviation := math.Sqrt(s / n)
		if deviation == 0 {
			constant++
			continue
		}
		least, most = min(least, deviation), max(most, deviation)
	}
	if constant == p {
		return "all features are constant"
	}
	return fmt.Sprintf("deviations of features %s; %s constant", span(least, most), plain.Are(constant, "feature"))
}
