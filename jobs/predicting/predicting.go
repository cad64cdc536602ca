// Package predicting scores new samples with a model's file.
package predicting

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"graphda/io/csvfile"
	"graphda/io/model"
	"graphda/io/plain"
	"graphda/io/tabular"
	"graphda/jobs/importing"
	"graphda/jobs/reports/tables"
	"graphda/jobs/usage"
	"graphda/learners"
)

// A Request says what to predict.
type Request struct {
	Model   string          // path of the model
	Samples string          // path of the samples
	Text    tabular.Options // how they are read
	ID      string          // column of their ids; "" for an index column, if there is one, or their numbers
	Weights string          // of the model, by name; "" for all
	Absent  bool            // a feature that the table lacks is at its mean in every sample; else that is an error
}

// A Result is the predictions of all samples.
type Result struct {
	Model   *model.Model
	Weights []model.Weights // those that predict
	IDs     []string
	Scores  [][]float64 // by weights, then sample
	Absent  []string    // features that the table lacks
}

// Predict scores the samples of a table. Columns are matched by name, and their order does not matter.
// Only features that have a weight need be there.
func Predict(ctx context.Context, req Request) (*Result, error) {
	m, err := model.Read(req.Model)
	if err != nil {
		return nil, err
	}
	m.Negative, m.Positive = plain.Text(m.Negative), plain.Text(m.Positive) // as the ids below
	r := &Result{Model: m, Weights: m.Weights}
	if req.Weights != "" {
		w := m.Find(req.Weights)
		if w == nil {
			var names []string
			for i := range m.Weights {
				names = append(names, m.Weights[i].Name)
			}
			return nil, usage.Errorf("weights = %q; %s has %s", req.Weights, req.Model, strings.Join(names, ", "))
		}
		r.Weights = []model.Weights{*w}
	}
	r.Scores = make([][]float64, len(r.Weights))
	u := &importing.Unlabelled{Path: req.Samples, Text: req.Text, ID: req.ID}
	var places []int // of the features that are read, among the model's
	for j, name := range m.Features {
		if slices.ContainsFunc(r.Weights, func(w model.Weights) bool { return w.W[j] != 0 }) {
			u.Features, places = append(u.Features, name), append(places, j)
		}
	}
	x, scaled := make([]float64, len(m.Features)), make([]float64, len(m.Features))
	if req.Absent {
		u.Fill = make([]float64, len(places))
		for k, j := range places {
			if m.Scaling != nil {
				u.Fill[k] = m.Scaling.Mean[j]
			}
		}
	}
	score := func(values []float64) error {
		for k, j := range places {
			x[j] = values[k]
		}
		copy(scaled, x)
		if m.Scaling != nil {
			m.Scaling.Apply(scaled, x)
		}
		for k := range r.Weights {
			z := r.Weights[k].Score(scaled)
			if math.IsNaN(z) || math.IsInf(z, 0) {
				return fmt.Errorf("%s: sample %d: its values are too large, and its score is not finite", req.Samples,
					len(r.Scores[k])+1)
			}
			r.Scores[k] = append(r.Scores[k], z)
		}
		return nil
	}
	r.IDs, r.Absent, err = u.Read(ctx, score)
	return r, err
}

// WriteCSV writes a line for each sample: its id, and for each weights the score; of classes also the
// probability of the positive one, under logistic loss, and the class that is predicted.
func (r *Result) WriteCSV(w io.Writer) error {
	classes := r.Model.Positive != ""
	probable := r.Model.Loss == (learners.Logistic{}).Name()
	head := []string{"id"}
	for i := range r.Weights {
		name := r.Weights[i].Name
		head = append(head, "score_"+name)
		if probable {
			head = append(head, "probability_"+name)
		}
		if classes {
			head = append(head, "label_"+name)
		}
	}
	out := csvfile.NewWriter(w)
	if err := out.Write(head...); err != nil {
		return err
	}
	for i, id := range r.IDs {
		line := []string{plain.Text(id)} // a terminal would obey what an id holds
		for k := range r.Weights {
			z := r.Scores[k][i]
			line = append(line, tables.Shortest(z))
			if probable {
				line = append(line, tables.Shortest(1/(1+math.Exp(-z))))
			}
			if classes {
				line = append(line, r.Model.Class(z))
			}
		}
		if err := out.Write(line...); err != nil {
			return err
		}
	}
	return out.Flush()
}
