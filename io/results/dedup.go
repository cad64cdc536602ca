package results

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Dedup keeps one row for each (cell, checkpoint), at the place of the first: one that did
// not fail, if there is one. Of several it is the same in whatever order they come: that of the kind of
// processor whose name is the least, of those the one that was finished first. All rows of one (cell,
// checkpoint) must agree in what they are of, and every two good ones in every measure: to the
// bit if one kind of processor has computed both, else to 1e-9 in proportion. Only cost and provenance
// may differ (see Role). A difference is an error that names cell, checkpoint, column, both
// values and where they are from: results of two programs or two data sets have been mixed, and no
// choice between them would be right.
//
// The result reuses the memory of rows, which must not be used afterwards, also after
// an error. Time is linear; memory is up to 100 bytes a row.
func Dedup(rows []Row) ([]Row, error) {
	latest := make(map[Key]uint32, len(rows)) // 1 + the place of the last row of a key so far

	// By row: 1 + the place of the one before it that has its key, or 0. It is nil while no key is repeated.
	var earlier []uint32
	for i := range rows {
		r := &rows[i]
		if len(r.Params) != len(rows[0].Params) {
			return nil, fmt.Errorf("results: cell %s, checkpoint %d: %d parameters, want %d as in the first row",
				r.Cell, r.Checkpoint, len(r.Params), len(rows[0].Params))
		}
		if before := latest[r.Key()]; before != 0 {
			if earlier == nil {
				earlier = make([]uint32, len(rows))
			}
			earlier[i] = before
		}
		latest[r.Key()] = uint32(i + 1)
	}
	if earlier == nil {
		return rows, nil
	}
	return merge(rows, earlier)
}

// dropped marks, in the list of earlier rows, one whose place another has.
const dropped = math.MaxUint32

// merge puts the row that stands for each key to the place of the key's first.
func merge(rows []Row, earlier []uint32) ([]Row, error) {
	cols := Fields(namelessLayout(len(rows[0].Params)))
	var same []*Row // of one key, the latest first
	for i := range slices.Backward(rows) {
		if earlier[i] == 0 || earlier[i] == dropped {
			continue
		}
		same = append(same[:0], &rows[i])
		standing, first := rows[i], i
		for earlier[first] != 0 {
			before := int(earlier[first] - 1)
			earlier[first], first = dropped, before
			if same = append(same, &rows[first]); rows[first].standsBefore(&standing) {
				standing = rows[first]
			}
		}
		if err := allAgree(cols, same); err != nil {
			return nil, err
		}
		rows[first] = standing
	}
	kept := rows[:0]
	for i := range rows {
		if earlier[i] != dropped {
			kept = append(kept, rows[i])
		}
	}
	clear(rows[len(kept):])
	return kept, nil
}

// standsBefore tells whether of two rows of one (cell, checkpoint) this one is to stand.
func (r *Row) standsBefore(o *Row) bool {
	if r.Failed() != o.Failed() {
		return o.Failed()
	}
	return cmp.Or(strings.Compare(r.CPU, o.CPU), r.Finished.Compare(o.Finished), r.Started.Compare(o.Started),
		strings.Compare(r.Attempt, o.Attempt),
		strings.Compare(r.Host, o.Host), cmp.Compare(r.Seconds, o.Seconds), strings.Compare(r.Error, o.Error)) < 0
}

// allAgree compares the rows of one key: each with one of every kind of processor, failed or not. Where two have
// the same bits, what agrees with one agrees with the other.
func allAgree(cols []Field, rows []*Row) error {
	var distinct []*Row
	for _, r := range rows {
		against := distinct
		alike := func(o *Row) bool { return o.CPU == r.CPU && o.Failed() == r.Failed() }
		if k := slices.IndexFunc(distinct, alike); k >= 0 {
			against = distinct[k : k+1]
		} else {
			distinct = append(distinct, r)
		}
		for _, o := range against {
			if err := agree(cols, o, r); err != nil {
				return err
			}
		}
	}
	return nil
}

// namelessLayout stands for the layout of rows of which only the number of parameters
// is known.
func namelessLayout(n int) Layout {
	l := make(Layout, n)
	for i := range l {
		l[i].Name = "parameter " + strconv.Itoa(i+1)
	}
	return l
}

// agree compares two rows of one (cell, checkpoint).
func agree(cols []Field, x, y *Row) error {
	for _, c := range cols {
		switch c.Role {
		case RoleCost, RoleProvenance:
			continue
		case RoleMetric:
			if x.Failed() || y.Failed() || x.Settings != "" { // no law holds a program to the bit: the first stands
				continue
			}
		}
		if !same(&c, x, y) {
			value := func(r *Row) any { return reflect.ValueOf(c.At(r)).Elem() }
			howFar := ""
			if x.CPU != y.CPU {
				howFar = fmt.Sprintf(" to %v, on different processors", tolerance)
			}
			return fmt.Errorf("results: cell %s, checkpoint %d: column %q is %v (%s) and %v (%s); two computations of a "+
				"cell must agree%s", x.Cell, x.Checkpoint, c.Name, value(x), x.from(), value(y), y.from(), howFar)
		}
	}
	return nil
}

// tolerance is how far the measures of one cell may be apart, in proportion, that two kinds of
// processor have computed.
const tolerance = 1e-9

// same tells whether two rows have the same value, where all NaN are one. A measure that two kinds of
// processor have computed may differ by rounding, in proportion to the largest of both and their scales.
func same(c *Field, x, y *Row) bool {
	p, isNumber := c.At(x).(*float64)
	if !isNumber {
		return c.equal(x, y)
	}
	a, b := *p, *c.At(y).(*float64)
	if exact := a == b || a != a && b != b; exact || c.Role != RoleMetric || x.CPU == y.CPU {
		return exact
	}
	largest := max(math.Abs(a), math.Abs(b))
	if c.scale != nil {
		largest = max(largest, math.Abs(c.scale(x)), math.Abs(c.scale(y)))
	}
	return !math.IsInf(a-b, 0) && math.Abs(a-b) <= tolerance*largest
}

// from says where a row was computed.
func (r *Row) from() string {
	text := fmt.Sprintf("host %q, attempt %q", r.Host, r.Attempt)
	if r.CPU != "" {
		text += ", on " + r.CPU
	}
	return text
}
