// Package model reads and writes the files of learned models. `gdrun tune` and `gdrun learn` write models, and `gdrun
// predict` reads models.
//
// The typical steps are:
//
//  1. Fill a Model, and write its file with Model.Write.
//  2. Read the file with Read.
//  3. Score samples with Weights.Score, and predict classes with Model.Class.
//
// A State lets a learner continue (state.go). A Trained recognises training samples (trained.go). model_test.go tests
// files, including damaged and forged files.
//
// A model file is a sealed Parquet file with a row for each feature:
//
//	feature    its name
//	ridge      weight in the model that is fitted again on the selected features, with ridge regularisation
//	w          weight in the last iterate of the online pass
//	wbar       weight in the average of the iterates
//	mean       mean of the feature before it was standardised; absent if features are not standardised
//	deviation  standard deviation of the feature before it was standardised; absent if mean is absent
//	median     median of the feature over the training samples, in the feature's unit, to replace missing values;
//	           absent if unknown
//	probes     JSON list of the columns whose mean is the feature; absent if the feature is the column of its name
//	frequency  share of the splits in which the feature was selected; absent if unknown
//
// A model that can learn more samples also holds the state of its learner. The columns state_… and set_… hold the
// learner's state for each feature. The columns neighbours, costs and edges are the network; each edge is in the row
// of its first end. The column group has the feature's groups.
//
// The metadata hold the loss, the names of the classes, and how the model was made. They also hold an intercept
// for each column of weights, such as intercept_ridge. A model for classes also has a threshold for each of
// these columns, such as threshold_ridge. The key trained has a digest of each training sample (Trained).
package model

import (
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"

	"graphda/io/arrowio"
	"graphda/io/columnar"
	"graphda/io/dataframe"
	"graphda/io/probes"
	"graphda/io/samples"
	"graphda/io/seal"
)

const (
	Ridge = "ridge"
	W     = "w"
	Wbar  = "wbar"
)

// Found is a key of Model.Made. Its value is a line that says whether anything was found in the dataset.
const Found = "found"

// Nothing is the beginning of Model.Made[Found] if tuning found nothing.
const Nothing = "NOTHING FOUND"

// Expected is a key of Model.Made. Its value is three numbers: what tuning expects on new samples, and the ends of its
// 95 % interval. It is the AUC, R² or C-index of Weights[0], or its gain over the covariates.
const Expected = "expected"

// Weight is a key of Model.Made. Its value is the column of sample weights.
const Weight = "sample_weight"

// A Model is linear. A sample's score is the sum of its standardised features times their weights, plus the intercept.
type Model struct {
	Features  []string         // the features' names, all different
	Probes    probes.Columns   // columns from which each feature is made; nil if a feature is the column of its name
	Weights   []Weights        // at least one element; predictions use the first
	Scaling   *samples.Scaling // scaling of the features; nil if they are not standardised
	Median    []float64        // median of each feature, in its unit; nil if unknown
	Frequency []float64        // share of the splits in which each feature was selected; nil if unknown
	Loss      string
	Negative  string            // the class of scores below the threshold; "" if there are no classes
	Positive  string            // the class of scores that are equal to or above the threshold
	Made      map[string]string // how the model was made: method, parameters and data
	State     *State            // the learner's state; nil if the model cannot learn more samples

	Covariates *Covariates // covariates that the model is adjusted for; nil if there are none
	Survival   *Survival   // set for a model of times; nil for a model of classes or numbers
	Trained    *Trained    // the samples that the model learned from; nil if unknown
}

// Weights holds a weight for each feature.
type Weights struct {
	Name      string // Ridge, W or Wbar
	W         []float64
	Intercept float64
	Threshold float64 // a score at or above Threshold predicts the positive class
}

// Score returns the score of a sample with standardised features. Equal samples have equal scores, bit for bit.
func (w *Weights) Score(x []float64) float64 {
	z := w.Intercept
	for j, v := range w.W {
		if v != 0 {
			z += v * x[j]
		}
	}
	return z
}

// Class returns the class that a score predicts with the given threshold.
func (m *Model) Class(score, threshold float64) string {
	if score >= threshold {
		return m.Positive
	}
	return m.Negative
}

// Rest returns the name of a negative class that holds all labels except positive.
func Rest(positive string) string { return "other than " + positive }

// IsClass reports whether a text is one of the two classes. A class may have a name that otherwise means a missing
// label. If the negative class is Rest, "none" is a label.
func IsClass(text, positive, negative string) bool {
	word := dataframe.Word(text)
	return word != "" && (word == dataframe.Word(positive) || strings.EqualFold(word, negative)) ||
		negative == Rest(positive) && strings.EqualFold(word, "none")
}

// Target returns −1 or +1 for a label, or an error if the label is in neither class. A label that differs from the
// positive class only in upper and lower case is an error too.
func (m *Model) Target(label string) (float64, error) {
	switch {
	case label == m.Positive:
		return 1, nil
	case label == m.Negative, m.Negative == Rest(m.Positive) && label != "" && !strings.EqualFold(label, m.Positive):
		return -1, nil
	}
	return 0, fmt.Errorf("is %q, want %q or %q, the classes of the model", label, m.Negative, m.Positive)
}

// Find returns the weights with the given name, or nil.
func (m *Model) Find(name string) *Weights {
	for i := range m.Weights {
		if m.Weights[i].Name == name {
			return &m.Weights[i]
		}
	}
	return nil
}

const (
	kindKey      = "graphda_model" // only model files have this key; its value is "1"
	versionKey   = "graphda"
	lossKey      = "loss"
	negativeKey  = "negative"
	positiveKey  = "positive"
	interceptKey = "intercept_"
	thresholdKey = "threshold_"
)

// Write writes the model's file.
func (m *Model) Write(path string) error {
	p := len(m.Features)
	metadata := maps.Clone(m.Made)
	if metadata == nil {
		metadata = map[string]string{}
	}
	for key, value := range map[string]string{
		kindKey: "1", versionKey: seal.Version, lossKey: m.Loss, negativeKey: m.Negative, positiveKey: m.Positive,
	} {
		metadata[key] = value
	}
	if err := errors.Join(m.Covariates.tell(metadata), m.Survival.tell(metadata), m.Trained.tell(metadata)); err != nil {
		return err
	}
	columns := []arrowio.ParquetColumn{arrowio.Texts("feature", m.Features)}
	add := func(name string, values []float64) error {
		if len(values) != p {
			return fmt.Errorf("model: %d values of %s for %d features", len(values), name, p)
		}
		columns = append(columns, arrowio.Floats(name, values))
		return columnar.Finite(0, values)
	}
	for i := range m.Weights {
		w := &m.Weights[i]
		metadata[interceptKey+w.Name] = strconv.FormatFloat(w.Intercept, 'g', -1, 64)
		if m.Positive != "" {
			metadata[thresholdKey+w.Name] = strconv.FormatFloat(w.Threshold, 'g', -1, 64)
		}
		if err := add(w.Name, w.W); err != nil {
			return err
		}
	}
	if m.Scaling != nil {
		for _, c := range m.Scaling.Columns() {
			if err := add(c.Name, *c.Values); err != nil {
				return err
			}
		}
	}
	for _, c := range m.optional() {
		if *c.Values != nil {
			if err := add(c.Name, *c.Values); err != nil {
				return err
			}
		}
	}
	probes, err := m.Probes.Parquet()
	if err != nil {
		return err
	}
	columns = append(columns, probes...)
	if m.State != nil {
		state, err := m.State.columns(p, metadata)
		if err != nil {
			return err
		}
		columns = append(columns, state...)
	}
	return arrowio.WriteParquet(path, metadata, p, columns...)
}

func (m *Model) optional() []samples.NumberColumn {
	return []samples.NumberColumn{{Name: "median", Values: &m.Median}, {Name: "frequency", Values: &m.Frequency}}
}

// Read reads a model file.
func Read(path string) (*Model, error) {
	m := &Model{Made: map[string]string{}}
	_, err := columnar.Read(path, m.read)
	if err != nil {
		return nil, err
	}
	return m, nil
}

// Is reports whether a file is an undamaged model file.
func Is(path string) (is bool) {
	_, _ = columnar.Read(path, func(f *columnar.File) error {
		_, is = f.Metadata[kindKey]
		return nil
	})
	return is
}

func (m *Model) read(f *columnar.File) error {
	if f.Metadata[kindKey] == "" {
		return f.Bad("", "is not a model: its metadata have no %s", kindKey)
	}
	if err := seal.CheckVersion(f.Metadata[versionKey], "run gdrun tune or gdrun learn again"); err != nil {
		return f.Bad("", "%w", err)
	}
	m.Loss, m.Negative, m.Positive = f.Metadata[lossKey], f.Metadata[negativeKey], f.Metadata[positiveKey]
	if m.Positive != "" && m.Positive == m.Negative {
		return f.Bad("", "its metadata have the same name for both classes: %q", m.Positive)
	}
	var err error
	if m.Features, _, err = f.Distinct("feature"); err != nil {
		return err
	}
	if m.Probes, err = probes.Read(f); err != nil {
		return err
	}
	if err := m.readWeights(f); err != nil {
		return err
	}
	for _, c := range m.optional() {
		if *c.Values, err = f.OptionalFloats(c.Name); err != nil {
			return err
		}
	}
	isShare := func(v float64) bool { return v >= 0 && v <= 1 }
	if _, err = f.FloatsThat("frequency", isShare, "0 to 1"); err != nil {
		return err
	}
	if m.Scaling, err = samples.ReadScaling(f); err != nil {
		return err
	}
	if m.State, err = readState(f); err != nil {
		return err
	}
	if m.Covariates, err = readCovariates(f); err != nil {
		return err
	}
	if m.Survival, err = readSurvival(f); err != nil {
		return err
	}
	if m.Trained, err = readTrained(f); err != nil {
		return err
	}
	used := map[string]bool{kindKey: true, lossKey: true, negativeKey: true, positiveKey: true,
		stateKey: true, samples.CovariatesKey: true, survivalKey: true, trainedKey: true}
	for i := range m.Weights {
		used[interceptKey+m.Weights[i].Name], used[thresholdKey+m.Weights[i].Name] = true, true
	}
	for key, value := range f.Metadata {
		if !used[key] && !arrowio.IsFormatKey(key) {
			m.Made[key] = value
		}
	}
	return nil
}

func (m *Model) readWeights(f *columnar.File) error {
	for _, name := range []string{Ridge, W, Wbar} {
		values, err := f.OptionalFloats(name)
		if err != nil {
			return err
		}
		if values == nil {
			continue
		}
		w := Weights{Name: name, W: values}
		numbers := map[string]*float64{interceptKey + name: &w.Intercept}
		if m.Positive != "" {
			numbers[thresholdKey+name] = &w.Threshold
		}
		for key, value := range numbers {
			text := f.Metadata[key]
			if *value, err = strconv.ParseFloat(text, 64); err != nil || *value-*value != 0 {
				return f.Bad("", "its metadata have %s = %q, want a number", key, text)
			}
		}
		m.Weights = append(m.Weights, w)
	}
	if len(m.Weights) == 0 {
		return f.Bad("", "has no column of weights; want %s, %s or %s", Ridge, W, Wbar)
	}
	return nil
}
