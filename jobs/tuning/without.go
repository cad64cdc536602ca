package tuning

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/stat"

	"graphda/graph"
	"graphda/io/model"
	"graphda/io/plain"
	"graphda/io/samples"
	"graphda/jobs"
	"graphda/jobs/online"
	"graphda/jobs/reports/tables"
	"graphda/jobs/usage"
	"graphda/learners"
)

// A Replacement tells what a model would be without one of its features.
type Replacement struct {
	Feature    string
	Weight     float64  // of it in w
	Changes    []Change // the gained features first, in each the most correlated first
	Kept       int      // features that both select
	Loss, Next float64  // mean loss of w over the samples, with the feature and without it
}

// A Change is a feature that is selected with or without another one, and not in both cases.
type Change struct {
	Name        string
	Gained      bool    // selected without it
	Weight      float64 // in the w that selects it
	Neighbour   bool    // it has an edge with it
	Correlation float64 // of both over the samples; NaN if one of them is constant
}

// Without fits a tuned model again, by the same method with the same parameters on the same samples, but
// without a feature: neither its values nor its node and edges of the network are there.
func Without(ctx context.Context, m *model.Model, dataset, feature string) (*Replacement, error) {
	gone := slices.Index(m.Features, feature)
	passes, err := strconv.Atoi(m.Made["passes"])
	switch {
	case m.State == nil || err != nil || passes < 1:
		return nil, usage.Errorf("only a model of gdrun tune is fitted again without a feature")
	case gone < 0:
		return nil, usage.Errorf("the model has no feature %q%s", feature, learners.DidYouMean(feature, m.Features))
	}
	settings, err := online.Settings(m.State)
	if err != nil {
		return nil, err
	}
	lesser, err := withoutRoot(settings, gone)
	if err != nil {
		return nil, err
	}
	loss, err := learners.LookupLoss(m.Loss)
	if err != nil {
		return nil, err
	}
	sp, err := wholeOf(m, dataset, loss)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	less, err := sp.without(int32(gone))
	if err != nil {
		return nil, err
	}
	var models [2]*learners.Model
	if models[0], err = sp.again(settings, passes); err != nil {
		return nil, err
	}
	if models[1], err = less.again(lesser, passes); err != nil {
		return nil, err
	}
	if before := models[0].W; m.State.Scale*before[gone] != m.Find(model.W).W[gone] {
		return nil, fmt.Errorf("the model cannot be fitted again as it was: w of %s would be %v, and is %v", feature,
			m.State.Scale*before[gone], m.Find(model.W).W[gone])
	}
	return compare(m, sp, less, models, gone), nil
}

// wholeOf are all samples that a model was fitted to.
func wholeOf(m *model.Model, dataset string, loss learners.Loss) (*split, error) {
	ds, err := samples.Open(dataset)
	if err != nil {
		return nil, err
	}
	data, err := ds.Load(ds.Trials[0], jobs.Labels(loss))
	if err != nil {
		return nil, err
	}
	if data.Digest != m.Made["dataset_digest"] {
		return nil, usage.Errorf("%s is not what the model was fitted to, or has changed since", dataset)
	}
	return newSplit(join(data), loss), nil
}

// without returns the split without a feature. The targets stay as they are.
func (sp *split) without(gone int32) (*split, error) {
	less := *sp
	less.problem = &learners.Problem{P: sp.problem.P - 1}
	stay := make([]int32, 0, sp.problem.P-1)
	for j := range int32(sp.problem.P) {
		if j != gone {
			stay = append(stay, j)
		}
	}
	if g := sp.problem.Graph; g != nil {
		sub, _, err := g.Induced(stay)
		if err != nil {
			return nil, err
		}
		less.problem.Graph = sub
	}
	for _, group := range sp.problem.Groups {
		var left []int32
		for _, j := range group {
			if j != gone {
				left = append(left, j-int32(b2i(j > gone)))
			}
		}
		if left != nil {
			less.problem.Groups = append(less.problem.Groups, left)
		}
	}
	less.train = samples.Block{P: less.problem.P, Y: sp.train.Y}
	for i := range sp.train.Rows() {
		row := sp.train.Row(i)
		less.train.X = append(append(less.train.X, row[:gone]...), row[gone+1:]...)
	}
	return &less, nil
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// withoutRoot returns settings for features of which one is gone. It cannot be the root.
func withoutRoot(s learners.Settings, gone int) (learners.Settings, error) {
	less := learners.Settings{Method: s.Method, Values: slices.Clone(s.Values)}
	for i := range s.Method.Params {
		switch root := &less.Values[i]; {
		case s.Method.Params[i].Name != "root" || *root < float64(gone+1):
		case *root == float64(gone+1):
			return less, usage.Errorf("the model had to select that feature: it is its root")
		default:
			*root--
		}
	}
	return less, nil
}

// again learns w with a method's settings.
func (sp *split) again(settings learners.Settings, passes int) (*learners.Model, error) {
	l, err := learners.NewWorkspace(sp.problem).NewLearner(settings, sp.loss)
	if err != nil {
		return nil, err
	}
	if err := sp.pass(l, passes); err != nil {
		return nil, err
	}
	return l.Model(), nil
}

// compare says in what two models differ, of which the second lacks a feature.
func compare(m *model.Model, sp, less *split, models [2]*learners.Model, gone int) *Replacement {
	r := &Replacement{Feature: m.Features[gone], Weight: m.Find(model.W).W[gone], Loss: sp.meanLoss(models[0]),
		Next: less.meanLoss(models[1])}
	column := func(j int) []float64 {
		values := make([]float64, sp.train.Rows())
		for i := range values {
			values[i] = sp.train.Row(i)[j]
		}
		return values
	}
	lost := column(gone)
	for j, name := range m.Features {
		if j == gone {
			continue
		}
		with, after := models[0].W[j], models[1].W[j-b2i(j > gone)]
		switch {
		case with != 0 && after != 0:
			r.Kept++
			continue
		case with == 0 && after == 0:
			continue
		}
		r.Changes = append(r.Changes, Change{Name: name, Gained: after != 0, Weight: m.State.Scale * (with + after),
			Neighbour: adjacent(sp.problem.Graph, gone, j), Correlation: stat.Correlation(lost, column(j), nil)})
	}
	slices.SortStableFunc(r.Changes, func(a, b Change) int {
		return cmp.Or(cmp.Compare(b2i(b.Gained), b2i(a.Gained)),
			cmp.Compare(math.Abs(b.Correlation), math.Abs(a.Correlation)))
	})
	return r
}

func adjacent(g *graph.Graph, u, v int) bool {
	return g != nil && slices.ContainsFunc(g.Arcs(int32(u)), func(a graph.Arc) bool { return int(a.Node) == v })
}

func (sp *split) meanLoss(m *learners.Model) (mean float64) {
	for i, y := range sp.train.Y {
		l, _ := sp.loss.Eval(m.Score(sp.train.Row(i)), y)
		mean += l / float64(sp.train.Rows())
	}
	return mean
}

// Lead says what becomes of the model.
func (r *Replacement) Lead() string {
	gained := 0
	for i := range r.Changes {
		gained += b2i(r.Changes[i].Gained)
	}
	text := fmt.Sprintf("Without %s (weight %.3g) %s gained, %d lost and %d kept.", r.Feature, r.Weight,
		plain.Are(gained, "feature"), len(r.Changes)-gained, r.Kept)
	return text + fmt.Sprintf(" The mean loss over the samples goes from %.4g to %.4g.", r.Loss, r.Next)
}

// Table lists what has changed.
func (r *Replacement) Table() *tables.Table {
	t := &tables.Table{
		Name: "without", Title: "What takes the place of " + r.Feature,
		Columns: []tables.Column{{Key: "feature", Head: "Feature", Words: true}, {Key: "change", Head: "", Words: true},
			{Key: "w", Head: "w"}, {Key: "neighbour", Head: "Neighbour", Words: true},
			{Key: "correlation", Head: "Correlation"}},
		Notes: []string{"w: in the model that selects the feature. Neighbour: it has an edge with " + r.Feature +
			". Correlation: with its values, over all samples."},
	}
	for i := range r.Changes {
		c := &r.Changes[i]
		change := "lost"
		if c.Gained {
			change = "gained"
		}
		t.Rows = append(t.Rows, []tables.Cell{tables.Word(c.Name), tables.Word(change),
			tables.Of(c.Weight, tables.Significant), yes(c.Neighbour), tables.Of(c.Correlation, tables.Fixed(2))})
	}
	return t
}
