// Package predicting scores new samples with a saved model, for `gdrun predict`. Scores are probabilities,
// numbers, or risks of an event.
package predicting

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"

	"graphda/io/dataframe"
	"graphda/io/message"
	"graphda/io/model"
	"graphda/jobs/own/sampletable"
	"graphda/jobs/userinput"
)

// A Request says what to predict, with which model.
type Request struct {
	Model    string // path of the model's file
	Samples  string // path of the table of samples
	Text     dataframe.Options
	ID       string    // column of ids; "" means an index column or, without one, row numbers
	RowNames bool      // take the ids from the index, even if another column is called id
	Labels   string    // path of a table of words and covariates, joined by id; "" if the samples' table has them
	Weights  string    // name of the model's weights; "" means the first weights
	All      bool      // use all kinds of weights, and show even the probabilities by w, which are too near ½
	Words    []string  // columns to read as texts into Result.Words
	Optional []string  // columns in Words that the table may lack; their texts are then ""
	Values   bool      // fill Result.Values
	Batches  bool      // use the new samples' batches; otherwise all samples get the mean
	At       []float64 // times > 0 for Result.Survival; needs a model of times and its ridge weights
	Recentre bool      // standardise by the means of the new samples instead of the training samples
}

// A Result holds the predictions for all samples of a table.
type Result struct {
	Request
	Model   *model.Model
	Weights []model.Weights // the kinds of weights that predict, the main kind first
	IDs     []string
	Numbers bool        // whether the ids may be row numbers of several tables; equal ids then do not mean one sample
	Scores  [][]float64 // by kind of weights, then sample; NaN if too many values are missing
	Missing [][]float64 // by kind of weights, then sample: share of the weight that is on missing values
	Absent  []string    // names of features with a weight in Weights[0] and without a column in the table
	Gaps    int         // number of missing values, not counting absent features
	Gappy   int         // number of samples with missing values, not counting absent features

	Alone []float64 // by sample: score of the covariates alone; nil without covariates
	sums  []float64 // by feature: sum of its standardised values
	sizes []float64 // by feature: number of samples that have a value
	gone  [][]int   // by sample: indices of the features without a value; nil unless Request.Recentre

	Survival [][]float64 // by sample, then time in Request.At: probability of no event until then; NaN if unknown
	survival survival
	words    [][]string        // by sample: texts of Request.Words, covariates and stratum; nil unless Request.At is set
	files    sampletable.Notes // notes about the tables

	distances *model.Distances // empty if the model does not store the means of the training samples
	outlying  []int            // indices of samples that are far from the training samples

	Trained  []bool      // by sample: whether it is a training sample, according to model.Trained
	Repeated int         // number of samples with a training sample's id, but other values
	place    []int       // for each feature in model.Trained: its index in Read
	own      [][]float64 // by sample: values of the features in model.Trained

	Words      [][]string // by sample, then column in Request.Words; nil unless Request.Words has columns
	Read       []int      // indices of the model's features that Predict read
	covariates *covariates

	Values [][]float64 // by sample, then feature in Read: measured value, NaN if missing; nil unless Request.Values
}

// A sample whose missing values have more than this share of the weight gets no score.
const most = 0.5

// Predict scores the samples of a table. It reads only features with a nonzero weight, and features that identify
// training samples. The feature's training median replaces a missing value, or the mean if the model has no medians.
func Predict(ctx context.Context, req Request) (*Result, error) {
	m, err := model.Read(req.Model)
	if err != nil {
		return nil, err
	}
	m.Negative, m.Positive = message.Text(m.Negative), message.Text(m.Positive) // as Write escapes ids
	r := &Result{Request: req, Model: m}
	if err := r.choose(); err != nil {
		return nil, err
	}
	fill := m.Median
	if fill == nil && m.Scaling != nil {
		fill = m.Scaling.Mean
	}
	u := &sampletable.Unlabelled{Path: req.Samples, Text: req.Text, ID: req.ID, RowNames: req.RowNames,
		Labels: req.Labels, Words: req.Words, Optional: req.Optional, Gaps: fill != nil,
		Covariates: slices.Concat(r.covariates.names, r.survival.column())}
	if u.Features = r.read(); m.Probes != nil {
		for _, j := range r.Read {
			u.Probes = append(u.Probes, m.Probes[j])
		}
	}
	x := make([]float64, len(m.Features))
	missing := slices.Repeat([]bool{true}, len(m.Features)) // by column: whether the current row has no value
	columns, gaps := slices.Clone(m.Features), []int{}      // gaps: by sample, the number of missing values
	for _, t := range r.covariates.design {
		columns = append(columns, slices.Repeat([]string{t.Name}, t.Width())...)
		missing = append(missing, slices.Repeat([]bool{!t.Number}, t.Width())...) // words count as missing
	}
	r.distances = model.NewDistances(columns)
	score := func(values []float64, words []string) error {
		r.remember(values)
		if req.Words != nil {
			r.Words = append(r.Words, slices.Clone(words[:len(req.Words)]))
		}
		beside, err := r.covariates.row(words[len(req.Words):])
		if err != nil {
			return &dataframe.Error{Path: req.Samples, Err: fmt.Errorf("sample %d: %w", len(gaps)+1, err)}
		}
		gaps = append(gaps, 0)
		for k, j := range r.Read {
			x[j], missing[j] = values[k], math.IsNaN(values[k])
			if missing[j] {
				x[j] = fill[j]
				gaps[len(gaps)-1]++
			}
		}
		if req.At != nil {
			r.words = append(r.words, slices.Clone(words))
		}
		return r.score(x, missing, beside)
	}
	var absent []string
	if r.IDs, absent, err = u.Read(ctx, &r.files, score); err != nil {
		return nil, err
	}
	r.Numbers = u.Numbers
	r.recognise(u.Named)
	return r, r.finish(gaps, absent)
}

// remember stores the values of a sample that identify training samples. If Request.Values is set,
// it stores all values.
func (r *Result) remember(values []float64) {
	if r.Request.Values {
		r.Values = append(r.Values, slices.Clone(values))
	}
	own := make([]float64, len(r.place))
	for i, k := range r.place {
		own[i] = values[k]
	}
	r.own = append(r.own, own)
}

// recognise finds training samples, by ids (if named is true) and values. It also finds complete training samples under
// other ids, if enough samples match to rule out chance.
func (r *Result) recognise(named bool) {
	r.Trained = make([]bool, len(r.IDs))
	values, same, repeated := r.Model.Trained.Values(), make([]bool, len(r.IDs)), make([]bool, len(r.IDs))
	n := 0
	for i, own := range r.own {
		digest := model.Digest(r.IDs[i], own)
		if named {
			r.Trained[i], repeated[i] = r.Model.Trained.Has(digest)
		}
		if same[i] = values[[4]byte(digest[4:])] && !slices.ContainsFunc(own, math.IsNaN); same[i] && !r.Trained[i] {
			n++
		}
	}
	for i := range r.own {
		r.Trained[i] = r.Trained[i] || same[i] && n >= 3 && 10*n > len(r.IDs)
		if repeated[i] && !r.Trained[i] {
			r.Repeated++
		}
	}
	r.own = nil
}

// finish does the work that needs all samples. gaps counts each sample's missing values, including absent features.
func (r *Result) finish(gaps []int, absent []string) error {
	for _, n := range gaps {
		if r.Gaps += n - len(absent); n > len(absent) {
			r.Gappy++
		}
	}
	r.Absent = slices.DeleteFunc(absent, func(name string) bool {
		return r.Weights[0].W[slices.Index(r.Model.Features, name)] == 0
	})
	err := r.recentre()
	for i, words := range r.words {
		r.Survival = append(r.Survival, r.survival.of(r.Scores[0][i], words))
	}
	return err
}

// recentre shifts the scores, if Request.Recentre is set, as if the features had been standardised by the means of the
// new samples' values.
func (r *Result) recentre() error {
	switch n := len(finite(r.Scores[0])); {
	case !r.Recentre:
		return nil
	case r.Model.Scaling == nil:
		return userinput.Errorf("recentre: %s does not know the means of its training samples; models of gdrun tune do",
			r.Request.Model)
	case n < 2:
		return userinput.Errorf("recentre: %s has %s with a score; want at least 2, because their means are used", r.Samples,
			message.Count(n, "sample"))
	}
	for k, z := range r.Scores {
		adds := make([]float64, len(r.sums)) // by feature
		for _, j := range r.Read {
			adds[j] = -r.Weights[k].W[j] * r.sums[j] / max(1, r.sizes[j])
		}
		sum := floats.Sum(adds)
		for i, gone := range r.gone { // a missing value is at the training median, which needs no shift
			z[i] += sum
			for _, j := range gone {
				z[i] -= adds[j]
			}
		}
		if k == 0 {
			r.files.Add("recentred: the samples' own means replace the training means, which adds %+.4g to a score without "+
				"missing values; this assumes the same mixture of samples as in training", sum)
		}
	}
	return nil
}

func finite(scores []float64) []float64 { return slices.DeleteFunc(slices.Clone(scores), math.IsNaN) }

// read returns the names of the features to read, and stores their indices in r.Read.
func (r *Result) read() (names []string) {
	for j, name := range r.Model.Features {
		learned := r.Model.Trained != nil && slices.Contains(r.Model.Trained.Features, name)
		if learned {
			r.place = append(r.place, len(r.Read))
		}
		if learned || slices.ContainsFunc(r.Weights, func(w model.Weights) bool { return w.W[j] != 0 }) {
			names, r.Read = append(names, name), append(r.Read, j)
		}
	}
	return names
}

func (r *Result) choose() error {
	m := r.Model
	w := &m.Weights[0]
	if r.Request.Weights != "" {
		if w = m.Find(r.Request.Weights); w == nil {
			var names []string
			for i := range m.Weights {
				names = append(names, m.Weights[i].Name)
			}
			return userinput.Errorf("weights = %q, but %s has %s", r.Request.Weights, r.Request.Model, strings.Join(names, ", "))
		}
	}
	if r.Weights = []model.Weights{*w}; r.All && r.Request.Weights == "" {
		r.Weights = m.Weights
	}
	n := len(r.Weights)
	r.Scores, r.Missing = make([][]float64, n), make([][]float64, n)
	r.sums, r.sizes = make([]float64, len(m.Features)), make([]float64, len(m.Features))
	var err error
	if r.survival, err = newSurvival(m, &r.Request, w.Name); err != nil {
		return err
	}
	r.covariates, err = newCovariates(m, &r.Request)
	return err
}

// tally adds a sample to the sums that recentre needs.
func (r *Result) tally(scaled []float64, missing []bool) {
	if !r.Recentre {
		return
	}
	r.gone = append(r.gone, nil)
	last := &r.gone[len(r.gone)-1]
	for _, j := range r.Read {
		if missing[j] {
			*last = append(*last, j)
		} else {
			r.sums[j], r.sizes[j] = r.sums[j]+scaled[j], r.sizes[j]+1
		}
	}
}

// score scores the sample with the measured values x. missing marks features without a value, and beside has the
// covariates as numbers.
func (r *Result) score(x []float64, missing []bool, beside []float64) error {
	m := r.Model
	if m.Covariates != nil {
		r.Alone = append(r.Alone, m.Covariates.Intercept+m.Covariates.Beside("", beside))
	}
	scaled := slices.Clone(x)
	if m.Scaling != nil {
		m.Scaling.Apply(scaled, x)
		if r.distances.Add(append(scaled, beside...), missing) {
			r.outlying = append(r.outlying, len(r.Scores[0]))
		}
	}
	r.tally(scaled, missing)
	for k := range r.Weights {
		lost, total := 0.0, 0.0
		for j, v := range r.Weights[k].W {
			if m.Scaling == nil || m.Scaling.Deviation[j] > 0 { // a constant feature has no weight after standardisation
				total += math.Abs(v)
				if missing[j] {
					lost += math.Abs(v)
				}
			}
		}
		share, z := 0.0, r.Weights[k].Score(scaled)+m.Covariates.Beside(r.Weights[k].Name, beside)
		if total > 0 {
			share = lost / total
		}
		if share > most {
			z = math.NaN()
		} else if !(math.Abs(z) < 1e100) { // the sum of squares of such values may be infinite
			return fmt.Errorf("%s: sample %d: its values are too large for a score", r.Samples, len(r.Scores[k])+1)
		}
		r.Scores[k], r.Missing[k] = append(r.Scores[k], z), append(r.Missing[k], share)
	}
	return nil
}
