package probes

import (
	"encoding/json"
	"fmt"
	"math"

	"graphda/io/arrowio"
	"graphda/io/columnar"
)

// Columns lists, for each feature, the columns of a user's table whose mean is the feature. If Columns is nil, each
// feature is the column of its name.
type Columns [][]string

// probesColumn is the column of a file that holds the columns of each feature, as JSON.
const probesColumn = "probes"

// Flat returns the columns of all features in one list. Feature j has the elements ends[j-1] to ends[j] of the list.
func (p Columns) Flat(features []string) (columns []string, ends []int) {
	for j, name := range features {
		if p == nil {
			columns = append(columns, name)
		} else {
			columns = append(columns, p[j]...)
		}
		ends = append(ends, len(columns))
	}
	return columns, ends
}

// Merge fills dst with the features of a sample, from its values in the columns that Flat returned. A feature is NaN if
// none of its columns has a value.
func Merge(dst, values []float64, ends []int) {
	first := 0
	for j, end := range ends {
		if dst[j] = values[first]; end > first+1 {
			dst[j] = Mean(values[first:end])
		}
		first = end
	}
}

// Mean returns the mean of the values that are not NaN, or NaN.
func Mean(values []float64) float64 {
	n, mean := 0.0, 0.0
	for _, v := range values {
		if v == v {
			n++
		}
	}
	for _, v := range values {
		if v == v {
			mean += v / n
		}
	}
	if n == 0 {
		return math.NaN()
	}
	return mean
}

// Parquet returns p as a column of JSON for a Parquet file, or no column if p is nil.
func (p Columns) Parquet() ([]arrowio.ParquetColumn, error) {
	if p == nil {
		return nil, nil
	}
	texts := make([]string, len(p))
	for j, names := range p {
		text, err := json.Marshal(names)
		if err != nil {
			return nil, err
		}
		texts[j] = string(text)
	}
	return []arrowio.ParquetColumn{arrowio.Texts(probesColumn, texts)}, nil
}

// Read reads the column that Parquet made, or returns nil if the file has none.
func Read(f *columnar.File) (Columns, error) {
	c := f.Find(probesColumn)
	if c == nil {
		return nil, nil
	}
	if c.Kind != columnar.Text || c.List {
		return nil, f.WrongType(c, "text")
	}
	texts, err := f.AllTexts(c)
	if err != nil {
		return nil, err
	}
	p := make(Columns, len(texts))
	for j, text := range texts {
		if err := json.Unmarshal([]byte(text), &p[j]); err != nil || len(p[j]) == 0 {
			err := columnar.AtRow(j, "is %q, want a list of names in JSON", text)
			return nil, columnar.Locate(err, f.Path, probesColumn)
		}
	}
	return p, nil
}

// Check returns an error unless p is nil or has the given number of features.
func (p Columns) Check(features int) error {
	if p != nil && len(p) != features {
		return fmt.Errorf("probes: columns of %d features, want %d", len(p), features)
	}
	return nil
}
