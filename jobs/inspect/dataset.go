package inspect

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"graphda/io/dataframe"
	"graphda/io/message"
	"graphda/io/samples"
	"graphda/jobs/own/importing"
)

func describeDataset(dir string) ([]Line, error) {
	ds, err := samples.Open(dir)
	if err != nil {
		return nil, err
	}
	var first *samples.Trial
	other := map[string][]string{} // by size: trials that differ from the first trial
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
		{"dataset", fmt.Sprintf("%s, %s", ds.Name, message.Count(len(ds.Trials), "trial"))},
		{"features", describeFeatures(first.Features)},
		{"graph", describeGraph(first)},
		{"samples", sizes(first) + patients(first)},
		{"labels", describeLabels(first)},
		{"values", describeValues(first)},
	}
	for _, size := range slices.Sorted(maps.Keys(other)) {
		lines = append(lines, Line{"samples", fmt.Sprintf("%s, in trial %s", size, dataframe.Some(other[size]))})
	}
	if ids := first.Train.IDs; ids != nil {
		lines = append(lines, Line{"ids", "of samples, such as " + dataframe.Some(ids[:min(3, len(ids))])})
	}
	if first.Covariates != nil {
		lines = append(lines, Line{"covariates", samples.NewDesign(first.Covariates, nil, nil).Names()})
	}
	if w := first.Train.Weight; w != nil {
		lines = append(lines, Line{"weights", fmt.Sprintf("of samples, %.3g to %.3g in training", slices.Min(w),
			slices.Max(w))})
	}
	if s := slices.Concat(first.Train.Strata, first.Valid.Strata, first.Test.Strata); s != nil {
		slices.Sort(s)
		lines = append(lines, Line{"strata", "of samples: " + dataframe.Some(slices.Compact(s))})
	}
	delete(first.Metadata, samples.CovariatesKey)
	if made := pairs(first.Metadata); made != "" {
		lines = append(lines, Line{"made by", made})
	}
	sources, err := importing.Sources(ds)
	for _, s := range sources {
		lines = append(lines, Line{"made from", fmt.Sprintf("%s: %s, SHA-256 %s", s.Role, message.Text(s.Name), s.SHA256)})
	}
	return lines, err
}

func blocks(t *samples.Trial) []samples.Block { return []samples.Block{t.Train, t.Valid, t.Test} }

func sizes(t *samples.Trial) string {
	var all []string
	for s, b := range blocks(t) {
		all = append(all, fmt.Sprintf("%v %s", samples.Split(s), message.Number(b.Rows())))
	}
	return strings.Join(all, ", ")
}

// patients describes the number of patients, or returns "" if it is unknown.
func patients(t *samples.Trial) string {
	all := slices.Sorted(slices.Values(slices.Concat(t.Train.Patient, t.Valid.Patient, t.Test.Patient)))
	if len(all) == 0 {
		return ""
	}
	return ", of " + message.Count(len(slices.Compact(all)), "patient")
}

func describeFeatures(f *samples.Features) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, such as %s", message.Number(len(f.Names)), dataframe.Some(f.Names[:min(3, len(f.Names))]))
	if f.Truth != nil {
		fmt.Fprintf(&b, "; %s in the true support", message.Number(len(f.Support())))
	}
	if f.Groups != nil {
		least, most := len(f.Names), 0
		for _, g := range f.Groups {
			least, most = min(least, len(g)), max(most, len(g))
		}
		fmt.Fprintf(&b, "; %s of %s features", message.Count(len(f.Groups), "group"), span(float64(least), float64(most)))
	}
	if f.Scaling != nil {
		b.WriteString("; standardised, with stored means and deviations")
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
	parts := g.Parts(len(names))
	text := fmt.Sprintf("%s; %s isolated, %s, the largest of %s", message.Count(g.NumEdges(), "edge"),
		message.Number(isolated), message.Count(len(parts), "component"), message.Count(parts[0], "feature"))
	if n := len(t.Features.Connectors); n > 0 {
		text += "; " + message.Count(n, "connector")
	}
	if g.NumEdges() == 0 {
		return text
	}
	costs := g.Costs()
	return text + fmt.Sprintf("; %s has most edges (%s); costs %s", names[hub],
		message.Number(g.Degree(int32(hub))), span(slices.Min(costs), slices.Max(costs)))
}

func span(least, most float64) string {
	if least == most {
		return fmt.Sprintf("%.4g", least)
	}
	return fmt.Sprintf("%.4g to %.4g", least, most)
}

func describeLabels(t *samples.Trial) string {
	y := slices.Concat(t.Train.Y, t.Valid.Y, t.Test.Y)
	if samples.Times(t.Metadata) {
		events := 0
		for i, v := range y {
			if v > 0 {
				events++
			}
			y[i] = math.Abs(v)
		}
		return fmt.Sprintf("times, column %q, until %.4g: %s by column %q, %s censored", t.Metadata["label"],
			slices.Max(y), message.Count(events, "event"), t.Metadata["event"], message.Number(len(y)-events))
	}
	if slices.ContainsFunc(y, func(v float64) bool { return v != 1 && v != -1 }) {
		mean, deviation := stat.PopMeanStdDev(y, nil)
		return fmt.Sprintf("numbers, mean %.4g, deviation %.4g", mean, deviation)
	}
	name := func(key string, text string) string {
		if name := t.Metadata[key]; name != "" {
			return fmt.Sprintf("%s (%q)", text, name)
		}
		return text
	}
	positive := (len(y) + int(floats.Sum(y))) / 2
	return fmt.Sprintf("two classes: %s %s, %s %s", message.Number(positive), name("positive", "of +1"),
		message.Number(len(y)-positive), name("negative", "of −1"))
}

// describeValues says how much the features differ in scale.
func describeValues(t *samples.Trial) string {
	p, rows := len(t.Features.Names), [][]float64{}
	for _, b := range blocks(t) {
		for i := range b.Rows() {
			rows = append(rows, b.Row(i))
		}
	}
	varying := samples.NewScaling(p, len(rows), func(i int) []float64 { return rows[i] }, nil).Deviation
	varying = slices.DeleteFunc(varying, func(deviation float64) bool { return deviation == 0 })
	if len(varying) == 0 {
		return "all features are constant"
	}
	return fmt.Sprintf("standard deviations of features %s; %s constant", span(slices.Min(varying), slices.Max(varying)),
		message.Are(p-len(varying), "feature"))
}
