// Package evaluating measures how well a saved model predicts the labelled samples of another cohort, for `gdrun
// evaluate`. It also checks the model's probabilities, and compares the cohort with the training samples.
//
// The typical steps, all in Evaluate, are:
//
//  1. Package predicting scores the samples, and Result.take collects the samples with a label and a score.
//  2. Result.measure computes the measures and their intervals (measures.go, chance.go).
//  3. Result.compare finds the features that differ from the training samples.
//  4. Result.Printed and Result.Files show the answer (report.go).
//
// A Request says what to evaluate, and a Result is the answer. evaluating_test.go tests all kinds of models.
//
// # Measures
//
// For classes, the measures are the AUC, and the accuracy, balanced accuracy, sensitivity and specificity at the
// model's threshold. If scores are probabilities, the measures of metrics.Calibration follow. For times, the measure is
// Harrell's C (metrics.Concordance). With strata, C counts only pairs within strata. If the cohort has no values of the
// strata's column, C counts all pairs. For numbers, the measures are R² against the cohort's mean, the root mean
// squared error, the mean of label minus prediction, and the slope of the least-squares line of labels over
// predictions. With covariates, the first measure is the gain in AUC, C-index or R² over the covariates alone.
//
// The verdict compares the first measure with the number that gdrun tune expected, but only if both are the same
// measure (Result.whyIncomparable).
//
// # Intervals
//
// Intervals are percentiles of the measures in resampled cohorts (B. Efron, Bootstrap methods: another look at the
// jackknife, Annals of Statistics 7, 1979). Resampling draws patients with all their samples. Result.area computes the
// intervals of an AUC and a C-index. An accuracy or another share of 0 or 1 does not vary in resampled cohorts, so it
// gets an exact interval for the size of the smaller class. If a class has fewer than stats.LeastUnits samples or
// patients, a cohort has no intervals, and the verdict reports a test of the order of the scores (Result.chance). On
// 800 simulated cohorts without a signal, 1.9 to 2.8 % of the intervals were wholly above 0.5.
package evaluating

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"

	"graphda/io/dataframe"
	"graphda/io/message"
	"graphda/io/model"
	"graphda/jobs/own/importing"
	"graphda/jobs/own/predicting"
	"graphda/jobs/stats"
	"graphda/jobs/userinput"
)

// A Request says what to evaluate.
type Request struct {
	predicting.Request        // Evaluate sets the fields Words and Values
	Label              string // column of labels: class names or numbers
	Time, Event        string // columns of times and events; "" means the names in the training data
	Patient            string // column of patients; "" if each sample is a patient
	Positive           string // label in the table that means the model's positive class or event
	Rest               bool   // makes all other labels the negative class
	Seed               uint64 // seed of the resampled cohorts
}

// A Result says how well a model predicts a cohort.
type Result struct {
	Request
	Model     *model.Model
	Weights   *model.Weights
	Samples   int   // number of samples with a label and a score
	Unknown   []int // for each column of Words: number of samples without a value
	Patients  int   // number of patients, or of ids if ids repeat; 0 if each sample is a patient
	Positives int   // number of samples of the positive class, or with an event
	Least     int   // number of patients in the smaller class, or with an event; for numbers, of all patients
	Measures  []Measure
	Features  []Feature // features that moved or lack values, largest move first
	Compared  int       // number of features whose means were compared
	Notes     []string

	scores, labels []float64 // by sample
	strata         []string  // by sample; nil if all samples are in one stratum
	alone          []float64 // by sample: score of the covariates alone; nil without covariates
	units          [][]int   // samples of each patient
	repeated       int       // number of samples with a training sample's id, but other values
}

// A Measure is a measure of the cohort. Undefined values are NaN.
type Measure struct {
	ID, Name  string
	Value     float64
	Low, High float64 // 95 % interval; NaN if there are too few samples
	Guess     float64 // value of always predicting the cohort's class shares or mean
	Ideal     float64
	Alone     float64 // value of the covariates alone; NaN without covariates
}

// A Feature compares one feature between the cohort and the training samples.
type Feature struct {
	Name         string
	Mean, Before float64    // means in the cohort, and before, in the training samples
	Moved        float64    // Mean − Before, in standard deviations of the training samples
	Errors       float64    // Mean − Before, in standard errors
	Missing      [2]float64 // shares of missing values by class, negative first; for numbers only [0]
}

// moved is the number of standard errors by which the mean of a reported feature has moved.
const moved = 3

// Evaluate measures a model on the samples of a table.
func Evaluate(ctx context.Context, req Request) (*Result, error) {
	if err := req.columns(); err != nil {
		return nil, err
	}
	req.Values, req.All = true, false
	predicted, err := predicting.Predict(ctx, req.Request)
	if err != nil {
		return nil, err
	}
	r := &Result{Request: req, Model: predicted.Model, Weights: &predicted.Weights[0], Notes: predicted.Notes()}
	if err := r.recode(predicted); err != nil {
		return nil, err
	}
	kept, err := r.take(predicted)
	if err != nil {
		return nil, err
	}
	r.measure()
	r.compare(predicted, kept)
	if r.Shifted() {
		shift := "predictions are shifted, although their order is right. --recentre may help\n"
		const platform = 4 // in standard deviations; a mean moves further only with another platform
		if slices.ContainsFunc(r.Features, func(f Feature) bool { return math.Abs(f.Moved) > platform }) {
			shift = "predictions are shifted, but in the right order: is this another unit or platform? --recentre may help\n"
		}
		r.Notes = slices.Insert(r.Notes, 0, shift+
			"if this laboratory measures features higher or lower and the classes have the same shares as in training")
	}
	return r, nil
}

// origin names the input files. Samples from standard input have no file.
func (r *Result) origin() (string, error) {
	var read []importing.Source
	for _, file := range [][2]string{{"model", r.Request.Model}, {"samples", r.Request.Samples}, {"labels", r.Labels}} {
		if file[1] != "" && (file[0] != "samples" || r.Request.Text.In == nil) {
			source, err := importing.NewSource(file[0], file[1])
			if err != nil {
				return "", err
			}
			read = append(read, source)
		}
	}
	text := importing.ListSources(read)
	if r.times() {
		text += fmt.Sprintf("; times by column %q, events by column %q", r.Label, cmp.Or(r.Event, r.Model.Survival.Event))
	} else {
		text += fmt.Sprintf("; labels by column %q", r.Label)
	}
	if name, digest := r.Model.Made["dataset"], r.Model.Made["dataset_digest"]; name != "" {
		text += fmt.Sprintf(". The model was made from the dataset %s (digest %.12s…)", message.Text(name), digest)
	}
	return text + ".", nil
}

// columns finds the columns of labels, of times and events, and of patients.
func (r *Request) columns() error {
	m, err := model.Read(r.Model)
	if err != nil {
		return err
	}
	if err := r.checkCoding(m); err != nil {
		return err
	}
	s := m.Survival
	switch {
	case s == nil && (r.Time != "" || r.Event != ""):
		return userinput.Errorf("--time and --event are for models of times (gdrun import --task survival); %s needs --label",
			r.Model)
	case s == nil && r.Label == "":
		return userinput.Errorf("--label is empty, want the name of a column")
	case s == nil:
		r.Words = []string{r.Label}
	case r.Label != "":
		return userinput.Errorf("label = %q, but %s is a model of times: want --time and --event", r.Label, r.Model)
	case r.Recentre:
		return userinput.Errorf("--recentre adds the same number to all scores, which changes no C-index; leave it out for " +
			"a model of times")
	default:
		r.Label = cmp.Or(r.Time, s.Time)
		r.Words = []string{r.Label, cmp.Or(r.Event, s.Event)}
		if s.Strata != "" {
			r.Words = append(r.Words, s.Strata)
		}
		if s.Strata != "" && s.Strata != r.Patient {
			r.Optional = []string{s.Strata}
		}
	}
	if r.Patient != "" {
		r.Words = append(r.Words, r.Patient)
	}
	return nil
}

// stratum is the index of the strata's column in Request.Words, for a model with strata.
const stratum = 2

// stratified reports whether the model has strata and the cohort has values of the strata's column.
func (r *Result) stratified(p *predicting.Result) bool {
	return r.times() && r.Model.Survival.Strata != "" &&
		slices.ContainsFunc(p.Words, func(words []string) bool { return !dataframe.IsMissing(words[stratum]) })
}

// lacks returns the index of the column in Request.Words whose value the sample lacks, or −1.
func (r *Result) lacks(words []string, strata bool) int {
	switch {
	case dataframe.IsMissing(words[0]) && !(r.classes() && model.IsClass(words[0], r.Model.Positive, r.Model.Negative)):
		return 0
	case r.times() && model.MissesEvent(words[1]):
		return 1
	case strata && dataframe.IsMissing(words[stratum]):
		return stratum
	}
	return -1
}

// take collects the samples that have a label and a score, and returns their rows in the table.
func (r *Result) take(p *predicting.Result) (kept []int, err error) {
	learned, strata, unit, least := 0, r.stratified(p), map[string]int{}, map[float64]map[int]bool{-1: {}, 1: {}}
	r.Unknown = make([]int, len(r.Words))
	twin := r.twins(p)
	for i, words := range p.Words {
		if k := r.lacks(words, strata); k >= 0 {
			r.Unknown[k]++
			continue
		}
		y, err := r.label(words)
		if err != nil {
			return nil, &dataframe.Error{Path: r.files(), Column: r.blamed(words), Err: fmt.Errorf("sample %d, %s: %w",
				i+1, message.Text(p.IDs[i]), err)}
		}
		if p.Trained[i] {
			learned++
			continue
		}
		if math.IsNaN(p.Scores[0][i]) {
			continue // the notes count such samples
		}
		name, err := r.patient(p, i, twin)
		if err != nil {
			return nil, err
		}
		k, known := unit[name]
		if !known {
			k = len(r.units)
			unit[name], r.units = k, append(r.units, nil)
		}
		r.units[k] = append(r.units[k], len(kept))
		kept, r.scores, r.labels = append(kept, i), append(r.scores, p.Scores[0][i]), append(r.labels, y)
		if strata {
			r.strata = append(r.strata, dataframe.Word(words[stratum]))
		}
		if p.Alone != nil {
			r.alone = append(r.alone, p.Alone[i])
		}
		class := math.Copysign(1, y)
		if !r.classes() && !r.times() {
			class = 1
		} else if class > 0 {
			r.Positives++
		}
		least[class][k] = true
	}
	if r.Patient != "" || len(kept) > len(r.units) {
		r.Patients = len(r.units)
	}
	if err := r.tell(p, learned, len(kept)); err != nil {
		return nil, err
	}
	r.Samples, r.Least = len(kept), len(least[1])
	if r.classes() {
		r.Least = min(r.Least, len(least[-1]))
	}
	return kept, nil
}

// twins returns, for each sample, the index of the first sample with the same values. A sample with missing values, or
// with few values that have fractions, has no twin, because it may share its values by chance. If Request.Patient names
// the patients, the result is nil.
func (r *Result) twins(p *predicting.Result) []int {
	if r.Patient != "" {
		return nil
	}
	const certain = 3 // least number of values with fractions
	all, first := make([]int, len(p.IDs)), map[string]int{}
	for i, values := range p.Values {
		fractions, row := 0, []byte(nil)
		for _, v := range values {
			if row = binary.LittleEndian.AppendUint64(row, math.Float64bits(v)); v != math.Trunc(v) {
				fractions++
			}
		}
		sum := sha256.Sum256(row)
		k, known := first[string(sum[:])]
		if all[i] = i; !known {
			first[string(sum[:])] = i
		} else if fractions >= certain && !slices.ContainsFunc(values, math.IsNaN) {
			all[i] = k
		}
	}
	return all
}

// patient returns the name of the patient of sample i. Without Request.Patient it is the id of the sample's twin. If
// ids may be row numbers of concatenated tables, samples must agree in id and values to be one patient.
func (r *Result) patient(p *predicting.Result, i int, twin []int) (name string, err error) {
	switch words := p.Words[i]; {
	case r.Patient == "" && p.Numbers:
		return fmt.Sprint(p.IDs[twin[i]], p.Values[i]), nil
	case r.Patient == "":
		return p.IDs[twin[i]], nil
	case dataframe.IsMissing(words[len(words)-1]):
		return "", &dataframe.Error{Path: r.files(), Column: r.Patient,
			Err: fmt.Errorf("sample %d, %s: is empty, want the name of its patient", i+1, message.Text(p.IDs[i]))}
	default:
		return words[len(words)-1], nil
	}
}

// tell adds notes about dropped samples. It returns an error if no sample is left.
func (r *Result) tell(p *predicting.Result, learned, kept int) error {
	if learned > 0 && kept == 0 {
		return &dataframe.Error{Path: r.Request.Samples, Err: fmt.Errorf("%s learned from all %s that have a label here "+
			"(same values), so they cannot test it. For a test, keep samples out of gdrun import and gdrun tune. The "+
			"answer of gdrun tune says what to expect of new samples", r.Request.Model,
			message.Count(learned, "sample"))}
	}
	if learned > 0 {
		r.Notes = slices.Insert(r.Notes, 0, predicting.Learned(learned, len(p.IDs))+"they cannot test it and are left out")
	}
	if r.repeated = min(p.Repeated, kept); p.Repeated > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("%s the id of a training sample but other values: if the patients are the "+
			"same, this is no test, and these rows should be left out", message.Have(p.Repeated, "sample")))
	}
	if again := kept - len(r.units); r.Patient == "" && again > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("%s the id or values of an earlier sample: such samples count as one "+
			"patient; --patient COLUMN names the patients instead", message.Have(again, "sample")))
	}
	if kept == 0 {
		lacks := p.Lacks(3)
		for k, n := range r.Unknown {
			if n > 0 {
				lacks = append(lacks, fmt.Sprintf("%s without a value of %q", message.Are(n, "sample"), r.Words[k]))
			}
		}
		if len(p.Absent) > 0 && slices.ContainsFunc(p.Scores[0], math.IsNaN) {
			lacks = append(lacks, "for a model of the features that this file has, import and tune only these")
		}
		return &dataframe.Error{Path: r.Request.Samples, Err: fmt.Errorf("has no sample with a label and a score: %s",
			strings.Join(lacks, "; "))}
	}
	return nil
}

func (r *Result) classes() bool { return r.Model.Positive != "" }

func (r *Result) times() bool { return r.Model.Survival != nil }

// blamed returns the column with the invalid value.
func (r *Result) blamed(words []string) string {
	if x, err := dataframe.Number(words[0]); r.times() && err == nil && x > 0 {
		return r.Words[1]
	}
	return r.Label
}

// label returns the label as a number. A class is −1 or +1. The time of a censored sample is negative, as in package
// cox.
func (r *Result) label(words []string) (float64, error) {
	text := words[0]
	x, err := dataframe.Number(text)
	if r.times() {
		y, err := r.Model.Survival.Outcome(text, dataframe.Word(words[1]))
		if r.blamed(words) != r.Label {
			err = r.uncoded(err)
		}
		return y, err
	}
	if !r.classes() {
		return x, err
	}
	y, err := r.Model.Target(message.Text(dataframe.Word(text)))
	return y, r.uncoded(err)
}

// Decided reports whether there are enough samples for intervals.
func (r *Result) Decided() bool { return r.Least >= stats.LeastUnits }

// compare finds the features whose means have moved or whose values are missing.
func (r *Result) compare(p *predicting.Result, kept []int) {
	trained, _ := strconv.Atoi(r.Model.Made["samples"])
	if s := r.Model.State; trained == 0 && s != nil {
		trained = int(s.Learned)
	}
	scaling := r.Model.Scaling
	for k, j := range p.Read {
		f := Feature{Name: r.Model.Features[j], Mean: math.NaN(), Before: math.NaN(), Moved: math.NaN(), Errors: math.NaN()}
		var means []float64 // by patient
		var lacks, of [2]float64
		for _, unit := range r.units {
			sum, n := 0.0, 0.0
			for _, i := range unit {
				class := 0
				if r.classes() && r.labels[i] > 0 {
					class = 1
				}
				of[class]++
				if v := p.Values[kept[i]][k]; math.IsNaN(v) {
					lacks[class]++
				} else {
					sum, n = sum+v, n+1
				}
			}
			if n > 0 {
				means = append(means, sum/n)
			}
		}
		for c := range lacks {
			f.Missing[c] = lacks[c] / max(1, of[c])
		}
		if scaling != nil && scaling.Deviation[j] > 0 && len(means) > 1 && trained > 1 {
			var variance float64
			f.Mean, variance = stat.MeanVariance(means, nil)
			d := scaling.Deviation[j]
			f.Before = scaling.Mean[j]
			f.Moved = (f.Mean - f.Before) / d
			f.Errors = (f.Mean - f.Before) / math.Sqrt(variance/float64(len(means))+d*d/float64(trained))
			r.Compared++
		}
		if math.Abs(f.Errors) > moved || lacks[0]+lacks[1] > 0 {
			r.Features = append(r.Features, f)
		}
	}
	size := func(f *Feature) float64 {
		if math.IsNaN(f.Errors) {
			return 0
		}
		return math.Abs(f.Errors)
	}
	slices.SortStableFunc(r.Features, func(a, b Feature) int { return cmp.Compare(size(&b), size(&a)) })
}
