package figurekinds

import (
	"fmt"
	"math"
	"slices"

	"graphda/graph"
	"graphda/io/results"
	"graphda/io/samples"
	"graphda/jobs/experiment"
	"graphda/jobs/metrics"
	"graphda/jobs/plan"
	"graphda/jobs/reports/figures"
	"graphda/jobs/reports/source"
)

// drawnNodes is the largest number of nodes in a picture. The nodes with the largest weights are drawn.
const drawnNodes = 250

// namedNodes is the largest number of nodes with names. These are the true features with the largest weights.
const namedNodes = 12

// Subnetworks draws the selected features and the edges between them, in a figure for each dataset. A row is a trial, a
// column is a method.
func Subnetworks(src *source.Source, r *experiment.Report) ([]figures.Figure, error) {
	var drawn []figures.Figure
	for _, d := range src.Datasets(r) {
		net, marks, err := networks(src, r, d)
		if err != nil {
			return nil, err
		}
		net.Info = info(src, r, fmt.Sprintf("%s: features with a nonzero weight w after %d training samples. If there are "+
			"more than %d, only the largest weights are shown. Red discs are true features, blue squares are false ones.%s F1 "+
			"counts all selected features.",
			source.DatasetLabel(d.Name), src.Checkpoint(r), drawnNodes, marks))
		if len(src.Datasets(r)) > 1 {
			net.Name += "-" + d.Name
			net.Title += ", " + source.DatasetLabel(d.Name)
		}
		if len(net.Rows) > 0 { // the dataset may lack the report's trials
			drawn = append(drawn, net)
		}
	}
	return drawn, nil
}

// networks returns the pictures of the dataset d. marks is a sentence for the caption about unmeasured nodes.
func networks(src *source.Source, r *experiment.Report, d *plan.Dataset) (net *figures.Networks, marks string,
	err error) {
	net = &figures.Networks{Kinds: map[figures.Kind]figures.Meaning{
		figures.Red:  {Name: "target", Label: "true feature", Strong: true},
		figures.Blue: {Name: "other", Label: "other feature"}}}
	shown := src.Series(r)
	if len(shown) == 0 {
		return nil, "", source.NotDrawnf("no method has results on %s", d.Name)
	}
	for _, s := range shown {
		net.Columns = append(net.Columns, s.Legend())
	}
	for _, trial := range src.Trials(r, d) {
		f, g, err := src.Structure(d, trial)
		if err != nil {
			return nil, "", err
		}
		models, err := src.ChosenModels(shown, d, src.Checkpoint(r), trial)
		if err != nil {
			return nil, "", err
		}
		if slices.Contains(f.Measured, false) {
			net.Unmeasured = "outline: not measured"
		}
		var row []figures.Network
		for _, model := range models {
			row = append(row, subnetwork(f, g, model))
		}
		net.Rows, net.Cells = append(net.Rows, fmt.Sprintf("trial %d", trial)), append(net.Cells, row)
	}
	if net.Unmeasured != "" {
		marks = " Outlined features were not measured: their values were filled in at random."
	}
	return net, marks, nil
}

func subnetwork(f *samples.Features, g *graph.Graph, model *results.Model) figures.Network {
	if model == nil {
		return figures.Network{}
	}
	net := figures.Network{Note: recovered(model, f.Truth)}
	place := map[int32]int{}
	var targets []int
	heaviest := source.Best(len(model.W.Index), drawnNodes, func(k int) float64 { return math.Abs(model.W.Value[k]) })
	for i, k := range heaviest {
		j := model.W.Index[k]
		node := figures.Node{Name: f.Names[j], Weight: math.Abs(model.W.Value[k])}
		node.Unmeasured = f.Measured != nil && !f.Measured[j]
		if f.Truth != nil && f.Truth[j] != 0 {
			node.Kind = figures.Red
			targets = append(targets, i)
		}
		place[j] = i
		net.Nodes = append(net.Nodes, node)
		if f.Row != nil { // pixels of a grid
			net.Places = append(net.Places, [2]float64{f.Col[j], -f.Row[j]})
		}
	}
	for _, k := range source.Best(len(targets), namedNodes, func(k int) float64 { return net.Nodes[targets[k]].Weight }) {
		net.Nodes[targets[k]].Label = true
	}
	if g != nil {
		for _, e := range g.Edges() {
			u, uok := place[e.U]
			v, vok := place[e.V]
			if uok && vok {
				net.Edges = append(net.Edges, [2]int{u, v})
			}
		}
	}
	return net
}

func recovered(model *results.Model, truth []float64) string {
	n := len(model.W.Index)
	note := fmt.Sprintf("%d selected", n)
	if n > drawnNodes {
		note = fmt.Sprintf("%d of %d drawn", drawnNodes, n)
	}
	if truth == nil {
		return note
	}
	hits := 0
	for _, j := range model.W.Index {
		if truth[j] != 0 {
			hits++
		}
	}
	return fmt.Sprintf("%d true, %d false; F1 %.2f; %s", hits, n-hits,
		metrics.SupportOf(dense(model.W, model.P), truth).F1, note)
}
