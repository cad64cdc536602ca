package samples

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"graphda/io/columnar"
	"graphda/io/probes"
)

// Features describes the features of a dataset, in the order of the graph's nodes.
type Features struct {
	Names  []string
	Truth  []float64 // true weights w*, 0 outside the support; nil if unknown
	Groups [][]int32 // the features of each group, ascending; nil without groups
	Row    []float64 // Row and Col, or X and Y, are positions in a picture; nil if absent
	Col    []float64
	X      []float64
	Y      []float64

	Connectors []string // names of the graph's last nodes, which are not features

	Probes   probes.Columns // columns from which each feature is made; nil if a feature is the column of its name
	Measured []bool         // false for a feature whose values were filled in; nil if unknown
	Fill     []float64      // value for each feature's missing values in shared samples; nil if no value is missing
	Scaling  *Scaling       // how the samples were standardised; nil if they were not, or if unknown
}

// Nodes returns the names of the graph's nodes. Connectors come last.
func (f *Features) Nodes() []string { return append(slices.Clip(f.Names), f.Connectors...) }

// Support returns the indices of the nonzeros of w*, ascending, or nil if w* is unknown.
func (f *Features) Support() []int32 {
	if f.Truth == nil {
		return nil
	}
	support := []int32{}
	for i, w := range f.Truth {
		if w != 0 {
			support = append(support, int32(i))
		}
	}
	return support
}

// A featureTable is Features with indices by name, for files that refer to features by name.
type featureTable struct {
	*Features
	path  string
	index map[string]int32
	nodes map[string]int32 // index of each node
}

func readFeatures(f *columnar.File) (*featureTable, error) {
	names, index, err := f.Distinct("name")
	if err == nil && len(names) == 0 {
		err = f.Bad("", "has no rows, want one for each feature")
	}
	if err != nil {
		return nil, err
	}
	t := &featureTable{Features: &Features{Names: names}, path: f.Path, index: index}
	for _, c := range t.NumberColumns() {
		if *c.Values, err = f.OptionalFloats(c.Name); err != nil {
			return nil, err
		}
	}
	for _, pair := range [][2]string{{"row", "col"}, {"x", "y"}} {
		for i, name := range pair {
			if f.Find(name) != nil && f.Find(pair[1-i]) == nil {
				return nil, f.Bad("", "has a column %q, but no column %q", name, pair[1-i])
			}
		}
	}
	if t.Scaling, err = ReadScaling(f); err != nil {
		return nil, err
	}
	if t.Fill, err = f.OptionalFloats(fillColumn); err != nil {
		return nil, err
	}
	if t.Measured, err = readMeasured(f); err != nil {
		return nil, err
	}
	if t.Probes, err = probes.Read(f); err != nil {
		return nil, err
	}
	t.Groups, err = readGroups(f)
	return t, err
}

const fillColumn = "fill"

// measuredColumn holds 1 for a measured feature, and 0 for a feature whose values were filled in.
const measuredColumn = "measured"

func readMeasured(f *columnar.File) ([]bool, error) {
	values, err := f.FloatsThat(measuredColumn, func(v float64) bool { return v == 0 || v == 1 }, "0 or 1")
	var measured []bool
	for _, v := range values {
		measured = append(measured, v == 1)
	}
	return measured, err
}

// A NumberColumn is an optional column of numbers of a features file.
type NumberColumn struct {
	Name   string
	Values *[]float64 // nil if the column is absent
}

// NumberColumns returns the optional columns of numbers, without the columns of the Scaling.
func (f *Features) NumberColumns() []NumberColumn {
	return []NumberColumn{{"truth", &f.Truth}, {"row", &f.Row}, {"col", &f.Col}, {"x", &f.X}, {"y", &f.Y}}
}

// readGroups reads the column group, which has the id of a group, or a list of ids, for each feature.
func readGroups(f *columnar.File) ([][]int32, error) {
	c := f.Find("group")
	if c == nil {
		return nil, nil
	}
	if c.Kind != columnar.Integer {
		return nil, f.WrongType(c, "a whole number, or a list of them")
	}
	members := map[int64][]int32{}
	join := func(row int, id int64) error {
		if id < 0 {
			return columnar.AtRow(row, "has group %d, want at least 0", id)
		}
		m := members[id]
		if len(m) > 0 && m[len(m)-1] == int32(row) {
			return columnar.AtRow(row, "has group %d twice", id)
		}
		members[id] = append(m, int32(row))
		return nil
	}
	err := f.Ints(c, func(row int, ids []int64) error {
		for i, id := range ids {
			at := row
			if !c.List {
				at += i
			}
			if err := join(at, id); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	groups := make([][]int32, 0, len(members))
	for _, id := range slices.Sorted(maps.Keys(members)) {
		groups = append(groups, members[id])
	}
	return groups, nil
}

// A Scaling says how samples were standardised: by the mean and the population standard deviation of each feature over
// some samples, in units of measurement. If a feature is constant over these samples, its deviation and all its
// standardised values are 0.
type Scaling struct {
	Mean, Deviation []float64 // one value for each feature
}

// shares returns n divisors: the sum of each value over its divisor is the weighted mean. If weights is nil, all
// weights are 1. The divisor for weight 0 is infinite.
func shares(n int, weights []float64) []float64 {
	parts, total := slices.Repeat([]float64{float64(n)}, n), floats.Sum(weights)
	for i, w := range weights {
		parts[i] = total / w
	}
	return parts
}

// NewScaling returns the scaling of n ≥ 1 samples of p features. Sample i counts weights[i] times, or once if weights
// is nil. If the variance overflows, the deviation is infinite.
func NewScaling(p, n int, row func(i int) []float64, weights []float64) *Scaling {
	s := &Scaling{Mean: make([]float64, p), Deviation: make([]float64, p)}
	first, varies, parts := row(0), make([]bool, p), shares(n, weights)
	for i := range n {
		for j, v := range row(i) {
			s.Mean[j] += v / parts[i]
			varies[j] = varies[j] || v != first[j]
		}
	}
	for i := range n {
		for j, v := range row(i) {
			s.Deviation[j] += (v - s.Mean[j]) * (v - s.Mean[j]) / parts[i] // the sum is σ²
		}
	}
	for j, variance := range s.Deviation {
		if s.Deviation[j] = math.Sqrt(variance); !varies[j] {
			s.Deviation[j] = 0 // remove rounding errors
		}
	}
	return s
}

// Medians returns the Median of each of p features over n ≥ 1 samples.
func Medians(p, n int, row func(i int) []float64, weights []float64) []float64 {
	medians, values := make([]float64, p), make([]float64, n)
	for j := range medians {
		for i := range values {
			values[i] = row(i)[j]
		}
		medians[j] = Median(values, weights)
	}
	return medians
}

// Median returns the median of one or more values. Value i counts weights[i] times, or once if weights is nil. If half
// of the weight lies below a gap between two values (up to rounding), the median is the middle of the gap.
func Median(values, weights []float64) float64 {
	if weights == nil { // eight times as fast as the code for weights
		sorted, n := slices.Clone(values), len(values)
		slices.Sort(sorted)
		return sorted[(n-1)/2]/2 + sorted[n/2]/2
	}
	const rounding = 1e-9
	order, parts := make([]int, len(values)), shares(len(values), weights)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	sum, low := 0.0, math.NaN()
	for _, i := range order {
		if sum += 1 / parts[i]; low == low && 1/parts[i] > 0 {
			return low/2 + values[i]/2
		} else if sum > 0.5+rounding {
			return values[i]
		} else if sum > 0.5-rounding {
			low = values[i]
		}
	}
	return low
}

// Apply standardises the measured sample x into dst, which may be x. For a sample of the dataset, the result is bit for
// bit the same as in the dataset.
func (s *Scaling) Apply(dst, x []float64) {
	for j, v := range x {
		dst[j] = 0
		if s.Deviation[j] > 0 {
			dst[j] = (v - s.Mean[j]) * (1 / s.Deviation[j])
		}
	}
}

// Undo converts the standardised sample x to measured units in dst, up to rounding. Constant features get their mean.
func (s *Scaling) Undo(dst, x []float64) {
	for j, v := range x {
		dst[j] = s.Mean[j] + s.Deviation[j]*v
	}
}

// Columns returns the two columns that store a scaling.
func (s *Scaling) Columns() []NumberColumn {
	return []NumberColumn{{"mean", &s.Mean}, {"deviation", &s.Deviation}}
}

// ReadScaling reads both columns of a scaling. It returns nil if the file has neither.
func ReadScaling(f *columnar.File) (*Scaling, error) {
	mean, err := f.OptionalFloats("mean")
	if err != nil {
		return nil, err
	}
	deviation, err := f.FloatsThat("deviation", notNegative, "at least 0")
	switch {
	case err != nil || mean == nil && deviation == nil:
		return nil, err
	case mean == nil || deviation == nil:
		return nil, f.Bad("", "has only one of the columns mean and deviation; want both or neither")
	}
	return &Scaling{mean, deviation}, nil
}

func notNegative(v float64) bool { return v >= 0 }
