package samples

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"graphda/io/dataframe"
)

// CovariatesKey is the key of the covariates in a trial's metadata. The value is a list of Covariate in JSON.
const CovariatesKey = "covariates"

// covariateColumn begins the names of columns with covariates.
const covariateColumn = "covariate_"

// A Covariate is a property of samples besides their features, such as age or batch. Predictions are adjusted for it,
// and it is never selected or penalised. Weights and strata of samples are stored as Covariates too.
type Covariate struct {
	Name   string `json:"name"`
	Number bool   `json:"number,omitempty"` // whether values are numbers, not words (levels)
	Batch  bool   `json:"batch,omitempty"`  // whether new samples get the mean, because their batch is new
	Weight bool   `json:"weight,omitempty"` // whether values are weights of samples, at least 0 (Block.Weight)
	Strata bool   `json:"strata,omitempty"` // whether values name the strata of samples (Block.Strata)
}

// Check returns an error if text is not a value of the covariate. An empty text is a missing value, which weights and
// strata may not have.
func (c *Covariate) Check(text string) error {
	v, err := dataframe.Number(text)
	switch {
	case c.Weight && (err != nil || v < 0):
		return fmt.Errorf("is %q, want a weight: a number of at least 0", text)
	case c.Strata && text == "":
		return fmt.Errorf("is %q, want the sample's stratum", text)
	case c.Number && text != "" && err != nil:
		return err
	}
	return nil
}

// Value converts a text of a user's table to a text of a dataset, where a missing value is "". In a column of numbers
// "none" is a missing value; in a column of words it is a level.
func (c *Covariate) Value(text string) string {
	if dataframe.IsMissing(text) && (c.Number || !strings.EqualFold(text, "none")) {
		return ""
	}
	return text
}

// Adjusting returns the covariates that predictions are adjusted for: all except weights and strata.
func Adjusting(all []Covariate) []Covariate {
	return slices.DeleteFunc(slices.Clone(all), func(c Covariate) bool { return c.Weight || c.Strata })
}

// Flag returns the command-line flag that adds such a covariate.
func (c *Covariate) Flag() string {
	switch {
	case c.Batch:
		return "batch"
	case c.Weight:
		return "sample-weight"
	case c.Strata:
		return "strata"
	}
	return "covariates"
}

// String returns the covariate's name for a sentence: "age", "batch site".
func (c *Covariate) String() string {
	if c.Batch {
		return "batch " + c.Name
	}
	return c.Name
}

// A Term converts a covariate to numbers whose mean over the training samples is 0. A number becomes its distance from
// the mean in standard deviations. If some training samples lack the number, a second column indicates missing numbers.
// A word becomes an indicator for each level, minus its mean. A missing word is a level too.
type Term struct {
	Covariate
	Mean      float64   `json:"mean,omitempty"`
	Deviation float64   `json:"deviation,omitempty"` // standard deviation of the numbers; 0 if they are constant
	Missing   float64   `json:"missing,omitempty"`   // share of the training samples without the number
	Levels    []string  `json:"levels,omitempty"`    // levels of words, ascending
	Shares    []float64 `json:"shares,omitempty"`    // share of the training samples with each level
}

// A Design converts covariates to numbers. It is computed from the training samples.
type Design []Term

// NewDesign returns the design for the covariates of training samples. texts has a row for each sample.
func NewDesign(covariates []Covariate, texts [][]string, weights []float64) Design {
	var d Design
	parts := shares(len(texts), weights)
	for k, c := range covariates {
		t, values := Term{Covariate: c}, []float64{}
		var of []float64 // weights of the samples with a value; may be nil
		for i, row := range texts {
			v, err := dataframe.Number(row[k])
			switch {
			case !c.Number:
				t.Levels = append(t.Levels, row[k])
			case err != nil:
				t.Missing += 1 / parts[i]
			default:
				values = append(values, v)
				if weights != nil {
					of = append(of, weights[i])
				}
			}
		}
		if len(values) > 0 {
			s := NewScaling(1, len(values), func(i int) []float64 { return values[i : i+1] }, of)
			t.Mean, t.Deviation = s.Mean[0], s.Deviation[0]
		}
		slices.Sort(t.Levels)
		t.Levels = slices.Compact(t.Levels)
		t.Shares = make([]float64, len(t.Levels))
		for i, row := range texts {
			if level := slices.Index(t.Levels, row[k]); level >= 0 {
				t.Shares[level] += 1 / parts[i]
			}
		}
		d = append(d, t)
	}
	return d
}

// Width returns the number of the term's columns.
func (t *Term) Width() int {
	if t.Number && t.Missing > 0 {
		return 2
	}
	return max(1, len(t.Levels))
}

// Knows reports whether the training samples had the level, any number, or a missing number.
// Unknown texts get the mean.
func (t *Term) Knows(text string) bool {
	if t.Number {
		return text != "" || t.Missing > 0
	}
	return slices.Contains(t.Levels, text)
}

// add converts text to numbers and appends them to row. Unknown texts get the mean.
func (t *Term) add(row []float64, text string) []float64 {
	at := len(row)
	row = append(row, make([]float64, t.Width())...)
	of := row[at:]
	switch v, err := dataframe.Number(text); {
	case t.Number && err == nil && t.Deviation > 0:
		of[0] = (v - t.Mean) / t.Deviation
	case !t.Number && slices.Contains(t.Levels, text):
		for i, share := range t.Shares {
			of[i] = -share
		}
		of[slices.Index(t.Levels, text)]++
	}
	if len(of) == 2 && t.Number {
		if of[1] = -t.Missing; text == "" {
			of[1]++
		}
	}
	return row
}

// Row returns a sample's covariates as numbers. Covariate k gets its mean if atMean[k] is true. atMean may be nil.
func (d Design) Row(texts []string, atMean []bool) (row []float64) {
	for k := range d {
		if atMean != nil && atMean[k] {
			row = append(row, make([]float64, d[k].Width())...)
		} else {
			row = d[k].add(row, texts[k])
		}
	}
	return row
}

// Names returns the covariates' names for a sentence: "age, sex and batch site".
func (d Design) Names() string {
	var all []string
	for i := range d {
		all = append(all, d[i].String())
	}
	if last := len(all) - 1; last > 0 {
		return strings.Join(all[:last], ", ") + " and " + all[last]
	}
	return strings.Join(all, "")
}

// TellCovariates adds the covariates to the metadata of a trial, if there are any.
func TellCovariates(metadata map[string]string, list []Covariate) {
	if text, err := json.Marshal(list); err == nil && list != nil { // encoding cannot fail
		metadata[CovariatesKey] = string(text)
	}
}

// Covariates returns the covariates in a trial's metadata.
func Covariates(metadata map[string]string) (list []Covariate, err error) {
	if text, told := metadata[CovariatesKey]; told {
		err = json.Unmarshal([]byte(text), &list)
	}
	return list, err
}

// takeCovariates reads the covariates that the metadata list, and stores them in the blocks. places maps rows of the
// samples file to rows of blocks.
func (t *Trial) takeCovariates(read func(column string) ([]string, error), path string, places []place,
	blocks [numSplits]*Block) (err error) {
	if t.Covariates, err = Covariates(t.Metadata); err != nil {
		return &dataframe.Error{Path: path, Err: fmt.Errorf("its metadata have covariates that cannot be read: %w", err)}
	}
	all := t.Covariates
	if t.Covariates = Adjusting(all); len(t.Covariates) == 0 {
		t.Covariates = nil
	}
	for _, b := range blocks {
		if t.Covariates != nil {
			b.Covariates = make([][]string, b.Rows())
		}
		for _, c := range all {
			switch {
			case c.Weight:
				b.Weight = make([]float64, b.Rows())
			case c.Strata:
				b.Strata = make([]string, b.Rows())
			}
		}
	}
	for _, c := range all {
		texts, err := read(covariateColumn + c.Name)
		if err != nil {
			return err
		}
		wrong := &dataframe.Error{Path: path, Column: covariateColumn + c.Name}
		if wrong.Err = fmt.Errorf("is missing, but the metadata have a covariate %q", c.Name); texts == nil {
			return wrong
		}
		for row, at := range places {
			if at.split == numSplits {
				continue
			}
			if wrong.Err = c.Check(texts[row]); wrong.Err != nil {
				wrong.Row = dataframe.Index(row)
				return wrong
			}
			switch b := blocks[at.split]; {
			case c.Weight:
				b.Weight[at.row], _ = dataframe.Number(texts[row])
			case c.Strata:
				b.Strata[at.row] = texts[row]
			default:
				b.Covariates[at.row] = append(b.Covariates[at.row], texts[row])
			}
		}
	}
	return nil
}
