package samples

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/floats"

	"graphda/graph"
	"graphda/io/columnar"
	"graphda/io/dataframe"
)

// A Block is a matrix of samples with their labels or responses.
type Block struct {
	P   int
	X   []float64 // Rows() × P values, row by row
	Y   []float64
	IDs []string // ids of the samples, or nil

	// Patient holds the number of each sample's patient, from 0. A patient has the same number in all blocks of a
	// trial. If Patient is nil, each sample comes from a different patient.
	Patient []int32

	Weight     []float64   // weight of each sample, at least 0; if nil, all are 1
	Strata     []string    // stratum of each sample, within which times are compared; may be nil
	Covariates [][]string  // texts for each sample, in the order of the trial's covariates; may be nil
	Adjusted   [][]float64 // covariates of each sample as numbers, from Design.Row; nil until computed
	Offset     []float64   // added to the samples' scores when models are learned and chosen; nil means 0
}

// Rows returns the number of samples.
func (b Block) Rows() int { return len(b.Y) }

// Row returns the features of sample i. The slice belongs to the block.
func (b Block) Row(i int) []float64 { return b.X[i*b.P : (i+1)*b.P : (i+1)*b.P] }

// Beside returns sample i's row of Adjusted, or nil.
func (b *Block) Beside(i int) []float64 {
	if b.Adjusted == nil {
		return nil
	}
	return b.Adjusted[i]
}

// Take appends the label, covariates, weight and stratum of sample i of another block, but no features, id or patient.
func (b *Block) Take(from *Block, i int) {
	b.Y = append(b.Y, from.Y[i])
	if from.Covariates != nil {
		b.Covariates = append(b.Covariates, from.Covariates[i])
	}
	if from.Weight != nil {
		b.Weight = append(b.Weight, from.Weight[i])
	}
	if from.Strata != nil {
		b.Strata = append(b.Strata, from.Strata[i])
	}
}

// OffsetOf returns the offset of the score of sample i.
func (b *Block) OffsetOf(i int) float64 {
	if b.Offset == nil {
		return 0
	}
	return b.Offset[i]
}

// WeightOf returns the weight of sample i.
func (b *Block) WeightOf(i int) float64 {
	if b.Weight == nil {
		return 1
	}
	return b.Weight[i]
}

// Survival is the task if labels are times. A label y > 0 is the time of an event. If y < 0, the sample was observed
// until −y without an event.
const Survival = "survival"

// Times reports whether a trial's metadata name the task Survival.
func Times(metadata map[string]string) bool { return metadata["task"] == Survival }

// A Trial is one draw of the samples of a dataset, with the graph and the features.
type Trial struct {
	Dataset            string
	Trial              int
	Graph              *graph.Graph
	Features           *Features
	Train, Valid, Test Block             // samples in the order of the file
	Covariates         []Covariate       // in the order of Block.Covariates
	Metadata           map[string]string // metadata of the samples file, such as a generator's settings
	Digest             string            // from Dataset.Digest
	Shared             string            // digest of the samples' file, if trials share it; otherwise ""
}

// Labels says which values of y are allowed.
type Labels uint8

const (
	AnyLabels    Labels = iota // any finite number, for least squares
	BinaryLabels               // −1 and +1, for the logistic loss
)

// A Split says whether a sample is used for training, validation or test.
type Split uint8

const (
	Train Split = iota
	Valid
	Test
	numSplits
)

var splitNames = [numSplits]string{"train", "valid", "test"}

func (s Split) String() string {
	if s < numSplits {
		return splitNames[s]
	}
	return fmt.Sprintf("Split(%d)", uint8(s))
}

// ErrTimes refuses times of an event where only classes and numbers are allowed.
var ErrTimes = errors.New("has times of an event, which only gdrun tune and gdrun confidence learn from")

// readSamples reads a samples file into the trial's blocks. list has this trial's rows of shared samples, or is nil.
func (t *Trial) readSamples(f *columnar.File, features *featureTable, labels Labels, list *rowList) error {
	places, counts, err := placesOf(f, list)
	if err != nil {
		return err
	}
	cols, err := sampleColumns(f, features)
	if err != nil {
		return err
	}
	if labels == BinaryLabels && Times(t.Metadata) {
		return f.Bad("y", "%w", ErrTimes)
	}
	y, err := readLabels(f, labels)
	if err != nil {
		return err
	}
	ids, err := readTags(f, idColumn, features)
	if err != nil {
		return err
	}
	patients, err := readTags(f, patientColumn, features)
	if err != nil {
		return err
	}
	patient := Number(patients)
	p := len(features.Names)
	if err := columnar.CheckCount("values", int64(len(places))*int64(p), f.Size); err != nil {
		return columnar.Locate(err, f.Path, "")
	}
	blocks := t.makeBlocks(places, counts, y, ids, patient)
	tags := func(column string) ([]string, error) { return readTags(f, column, features) }
	if err := t.takeCovariates(tags, f.Path, places, blocks); err != nil {
		return err
	}
	var unused []float64
	dst := func(row int) []float64 {
		at := places[row]
		if at.split == numSplits {
			unused = slices.Grow(unused[:0], p)[:p]
			return unused
		}
		b := blocks[at.split]
		if n := counts[at.split] * p; b.P == 0 { // allocate only after the first row has the right length
			b.P, b.X = p, slices.Grow(b.X[:0], n)[:n]
		}
		return b.Row(at.row)
	}
	if cols.list == nil {
		return readColumns(f, cols.wide, dst)
	}
	if err := readRows(f, cols.list, features, list != nil, dst); err != nil || list == nil {
		return err
	}
	return columnar.Locate(t.complete(), f.Path, "x")
}

// makeBlocks fills the trial's blocks, except X, from columns of a file. Without ids or patients, their slices are nil.
func (t *Trial) makeBlocks(places []place, counts [numSplits]int, y []float64, ids []string, patient []int32) (
	blocks [numSplits]*Block) {
	blocks = [numSplits]*Block{&t.Train, &t.Valid, &t.Test}
	for s, b := range blocks {
		b.Y = make([]float64, counts[s])
		if ids != nil {
			b.IDs = make([]string, counts[s])
		}
		if patient != nil {
			b.Patient = make([]int32, counts[s])
		}
	}
	for row, at := range places {
		if at.split == numSplits {
			continue
		}
		b := blocks[at.split]
		b.Y[at.row] = y[row]
		if ids != nil {
			b.IDs[at.row] = ids[row]
		}
		if patient != nil {
			b.Patient[at.row] = patient[row]
		}
	}
	return blocks
}

func readSplits(f *columnar.File) (splits []Split, counts [numSplits]int, err error) {
	like := columnar.Column{Name: "split", Kind: columnar.Text}
	c, err := f.Want(like, "text, or a dictionary of text: train, valid or test")
	if err != nil {
		return nil, counts, err
	}
	known := map[string]Split{}
	for s, name := range splitNames {
		known[name] = Split(s)
	}
	err = f.Texts(c, func(row int, values []string) error {
		for i, name := range values {
			s, ok := known[name]
			if !ok {
				return columnar.AtRow(row+i, "is %q, want train, valid or test", name)
			}
			splits = append(splits, s)
			counts[s]++
		}
		return nil
	})
	if err != nil {
		return nil, counts, err
	}
	for s, n := range counts {
		if n == 0 {
			return nil, counts, f.Bad(c.Name, "no row is %q; train, valid and test each need at least one row", Split(s))
		}
	}
	return splits, counts, nil
}

func readLabels(f *columnar.File, labels Labels) ([]float64, error) {
	c, err := f.Want(columnar.Column{Name: "y", Kind: columnar.Number}, "a number")
	if err != nil {
		return nil, err
	}
	var y []float64
	err = f.Floats(c, func(row int, values []float64) error {
		for i, v := range values {
			if labels == BinaryLabels && v != -1 && v != 1 {
				return columnar.AtRow(row+i, "is %v, want −1 or +1 under the logistic loss", v)
			}
		}
		y = append(y, values...)
		return columnar.Finite(row, values)
	})
	return y, err
}

const (
	idColumn      = "id"
	patientColumn = "patient"
)

// Number gives each name a number from 0, in the order in which names first appear. Equal names have equal numbers.
// Without names, it returns nil.
func Number(names []string) []int32 {
	var numbers []int32
	first := map[string]int32{}
	for _, name := range names {
		if _, known := first[name]; !known {
			first[name] = int32(len(first))
		}
		numbers = append(numbers, first[name])
	}
	return numbers
}

// readTags returns the texts of the column of ids or of patients, or nil. In a data frame, a column with this name may
// be a feature instead.
func readTags(f *columnar.File, column string, features *featureTable) ([]string, error) {
	c := f.Find(column)
	if c == nil {
		return nil, nil
	}
	if _, taken := features.index[column]; taken && f.Find("x") == nil {
		return nil, nil
	}
	switch {
	case c.Kind == columnar.Text && !c.List:
		return f.AllTexts(c)
	case c.Kind == columnar.Integer && !c.List:
		var ids []string
		err := f.Ints(c, func(_ int, values []int64) error {
			for _, v := range values {
				ids = append(ids, strconv.FormatInt(v, 10))
			}
			return nil
		})
		return ids, err
	}
	return nil, f.WrongType(c, "text, or whole numbers: the samples' "+column+"s")
}

// A layout says whether features are one column of lists or one column each.
type layout struct {
	list *columnar.Column
	wide []*columnar.Column
}

func sampleColumns(f *columnar.File, features *featureTable) (layout, error) {
	c := f.Find("x")
	if c != nil && c.List {
		if !c.IsNumeric() {
			return layout{}, f.WrongType(c, "a list of numbers")
		}
		return layout{list: c}, nil
	}
	wide := make([]*columnar.Column, len(features.Names))
	for i := range f.Columns {
		c := &f.Columns[i]
		j, ok := features.index[c.Name]
		if !ok || c.Name == "y" || c.Name == "split" {
			continue
		}
		if !c.IsNumeric() || c.List {
			return layout{}, f.WrongType(c, "a number")
		}
		wide[j] = c
	}
	for j := range wide {
		if wide[j] == nil && c != nil {
			return layout{}, f.WrongType(c, "a list of numbers")
		} else if wide[j] == nil {
			return layout{}, f.Bad("", "has no column for feature %q (row %d of %s), nor a list column \"x\"; its "+
				"columns are %s", features.Names[j], j, features.path, dataframe.Some(f.Names()))
		}
	}
	return layout{wide: wide}, nil
}

// readRows reads a list column into the rows that dst returns. NaN is allowed only if gaps is set.
func readRows(f *columnar.File, c *columnar.Column, features *featureTable, gaps bool,
	dst func(row int) []float64) error {
	return f.Floats(c, func(row int, values []float64) error {
		if len(values) != len(features.Names) {
			return columnar.AtRow(row, "has %d values, want %d, one for each feature of %s", len(values), len(features.Names),
				features.path)
		}
		for i, v := range suspects(values) {
			if v-v != 0 && !(gaps && v != v) {
				return columnar.AtRow(row, "element %d is %v, want a finite number", i, v)
			}
		}
		copy(dst(row), values)
		return nil
	})
}

// suspects returns values if one of them may be NaN or infinite, and nil otherwise.
func suspects(values []float64) []float64 {
	if sum := floats.Sum(values); sum-sum == 0 {
		return nil
	}
	return values
}

// readColumns reads the columns of a data frame, one per feature.
func readColumns(f *columnar.File, columns []*columnar.Column, dst func(row int) []float64) error {
	rows := make([][]float64, f.Rows)
	for row := range rows {
		rows[row] = dst(row)
	}
	for j, c := range columns {
		err := f.Floats(c, func(row int, values []float64) error {
			for i, v := range values {
				rows[row+i][j] = v
			}
			return columnar.Finite(row, values)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// TwoLabels returns the values of the labels, ascending, or nil if there are more than two.
func (t *Trial) TwoLabels() (values []float64) {
	for _, b := range []Block{t.Train, t.Valid, t.Test} {
		for _, y := range b.Y {
			if slices.Contains(values, y) {
				continue
			} else if values = append(values, y); len(values) > 2 {
				return nil
			}
		}
	}
	slices.Sort(values)
	return values
}
