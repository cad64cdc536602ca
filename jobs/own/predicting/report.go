package predicting

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"graphda/io/dataframe"
	"graphda/io/message"
	"graphda/io/model"
	"graphda/io/table"
	"graphda/jobs/metrics"
	"graphda/learners"
)

// Notes returns notes about what was missing or unusual.
func (r *Result) Notes() (notes []string) {
	notes = slices.Concat(r.covariates.notes(), r.Lacks(math.MaxInt), r.survival.notes(), r.files)
	if n := r.trained(); n > 0 && r.Request.Words == nil { // gdrun evaluate sets Words and leaves these samples out
		notes = slices.Insert(notes, 0, Learned(n, len(r.IDs))+"predictions for them look better than for new samples")
	}
	return append(notes, r.far()...)
}

// Lacks says which features and values are missing, and how many samples have no score for this reason. It lists at
// most the given number of names.
func (r *Result) Lacks(names int) (notes []string) {
	by := "medians"
	if r.Model.Median == nil {
		by = "means"
	}
	w := &r.Weights[0]
	if n := len(r.Absent); n > 0 {
		selected, lost, total, are, some := 0, 0.0, 0.0, "are", dataframe.Some(r.Absent)
		if n == 1 {
			are = "is"
		}
		if n > names {
			some = fmt.Sprintf("%s and %s more", strings.Join(r.Absent[:names], ", "), message.Number(n-names))
		}
		for j, v := range w.W {
			if v != 0 {
				selected++
				total += math.Abs(v)
				if slices.Contains(r.Absent, r.Model.Features[j]) {
					lost += math.Abs(v)
				}
			}
		}
		notes = append(notes, fmt.Sprintf("%s of %s %s not in the file (%.0f %% of the weight) and replaced by "+
			"training %s: %s", message.Number(n), message.Count(selected, "selected feature"), are, 100*lost/total, by, some))
	}
	if r.Gaps > 0 {
		notes = append(notes, fmt.Sprintf("%s missing in %s and replaced by training %s", message.Are(r.Gaps, "value"),
			message.Count(r.Gappy, "sample"), by))
	}
	if without := len(r.IDs) - len(finite(r.Scores[0])); without > 0 {
		notes = append(notes, fmt.Sprintf("%s without a score, because features with more than half of the weight are "+
			"missing", message.Are(without, "sample")))
		if r.Request.Words == nil { // gdrun evaluate sets Words and prints no table of samples
			notes[len(notes)-1] += "; see the column reason"
		}
	}
	return notes
}

func (r *Result) trained() (n int) {
	for _, is := range r.Trained {
		if is {
			n++
		}
	}
	return n
}

// Learned returns the beginning of a note: the model learned from n of the samples.
func Learned(n, of int) string {
	return fmt.Sprintf("%s of the %s equal training samples of the model: ", message.Number(n),
		message.Count(of, "sample"))
}

// far returns notes about values far from the training samples, and about probabilities that are all 0 or all 1.
func (r *Result) far() (notes []string) {
	if note := r.distances.Note(r.Recentre, " --recentre uses the samples' own means"); note != "" {
		notes = append(notes, note)
	}
	if n := len(r.outlying); n > 0 && 2*n <= len(r.IDs) && !r.Recentre {
		var ids []string
		for _, i := range r.outlying {
			ids = append(ids, message.Text(r.IDs[i]))
		}
		notes = append(notes, fmt.Sprintf("%s far from the training samples, so predictions for them are unreliable: %s",
			message.Are(n, "sample"), dataframe.Some(ids)))
	}
	const sure = 7.6 // log-odds above 7.6 give a probability that is printed as 1.000
	if z := finite(r.Scores[0]); len(z) > 1 && r.probable(r.Weights[0].Name) &&
		(slices.Min(z) > sure || slices.Max(z) < -sure) {
		notes = append(notes, "all probabilities are 0 or all are 1")
		if r.Request.Words == nil { // gdrun evaluate sets Words
			notes[len(notes)-1] += "; run gdrun evaluate on samples with labels to see whether the model is right here"
		}
	}
	return notes
}

// columns returns an empty table of predictions. After the id, each kind of weights has columns for the score, the
// probability (if probable), the predicted class (for classes) and the share of the weight on missing values. The
// columns of survival follow. The last column says why a score is missing or doubtful.
func (r *Result) columns() *table.Table {
	t := &table.Table{Title: fmt.Sprintf("Predictions of %s by %s", r.Samples, r.Request.Model)}
	if r.Model.Positive != "" {
		t.Subtitle = fmt.Sprintf("high scores and probabilities mean %q", r.Model.Positive)
	}
	if s := r.Model.Survival; s != nil {
		t.Subtitle = fmt.Sprintf("scores are log hazard ratios of %q", message.Text(s.Event))
	}
	if found := r.Model.Made[model.Found]; found != "" {
		t.Notes = append(t.Notes, found)
	}
	add := func(key string, words bool) {
		t.Columns = append(t.Columns, table.Column{Key: key, Head: key, Words: words})
	}
	add("id", true)
	for i := range r.Weights {
		name := r.Weights[i].Name
		add("score_"+name, false)
		if r.probable(name) {
			add("probability_"+name, false)
		}
		if r.Model.Positive != "" {
			add("label_"+name, true)
		}
		add("missing_"+name, false)
	}
	for _, time := range r.At {
		add("survival_"+table.Shortest(time), false)
	}
	add("reason", true)
	return t
}

// Write writes the predictions as a table, with a row for each sample.
func (r *Result) Write(w io.Writer, format string, width int) error {
	add, _, end := r.columns().Grow(w, format, width)
	for i, id := range r.IDs {
		row := []table.Cell{table.Word(message.Text(id))} // escapes control characters
		reason := r.doubt(i)
		for k := range r.Weights {
			z, label := r.Scores[k][i], ""
			if math.IsNaN(z) {
				reason = fmt.Sprintf("missing features have %.0f %% of the weight of %s", 100*r.Missing[k][i], r.Weights[k].Name)
			} else {
				label = r.Model.Class(z, r.Weights[k].Threshold)
			}
			row = append(row, table.Of(z, table.Significant))
			if r.probable(r.Weights[k].Name) {
				row = append(row, table.Of(metrics.Probability(z), table.Fixed(3)))
			}
			if r.Model.Positive != "" {
				row = append(row, table.Word(label))
			}
			row = append(row, table.Of(r.Missing[k][i], table.Significant))
		}
		for k := range r.At {
			row = append(row, table.Of(r.Survival[i][k], table.Fixed(3)))
		}
		add(append(row, table.Word(reason))...)
	}
	return end()
}

// doubt says why the score of sample i is unreliable, or returns "".
func (r *Result) doubt(i int) string {
	if r.Trained[i] {
		return "a training sample"
	}
	if _, far := slices.BinarySearch(r.outlying, i); far && !r.Recentre {
		return "far from the training samples"
	}
	return ""
}

// probable tells whether the table shows probabilities by the weights of the given name.
func (r *Result) probable(weights string) bool {
	return Calibrated(r.Model, weights) || r.All && r.Model.Loss == (learners.Logistic{}).Name()
}

// Calibrated tells whether scores by the weights of the given name are calibrated log-odds.
func Calibrated(m *model.Model, weights string) bool {
	return m.Loss == (learners.Logistic{}).Name() && weights == model.Ridge
}
