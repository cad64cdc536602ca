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

// Dedup keeps one row for each (cell, checkpoint), at the position of the first such row. It prefers a row that did not
// fail, then the kind of processor whose name comes first, then the row that finished first. All rows of one (cell,
// checkpoint) must agree in identity and parameters. Rows that did not fail must also agree in every measure: to the
// bit if they come from one kind of processor, otherwise to a relative 1e-9. Only the measures of a user's program may
// differ. Any other difference is an error: it shows that results of two programs or two datasets were mixed.
//
// Dedup overwrites rows. It takes linear time and up to 100 bytes per row.
func Dedup(rows []Row) ([]Row, error) {
	latest := make(map[Key]uint32, len(rows)) // 1 + the index of the last row with a key

	// earlier holds, for each row, 1 + the index of the previous row with the same key, or 0. It is nil if no key repeats.
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

// dropped marks a row in earlier that Dedup removes.
const dropped = math.MaxUint32

// merge moves the preferred row of each key to the key's first position.
func merge(rows []Row, earlier []uint32) ([]Row, error) {
	cols := Fields(namelessLayout(len(rows[0].Params)))
	var same []*Row // all rows of one key, last row first
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

// standsBefore reports whether Dedup prefers r to o, which has the same key.
func (r *Row) standsBefore(o *Row) bool {
	if r.Failed() != o.Failed() {
		return o.Failed()
	}
	return cmp.Or(strings.Compare(r.CPU, o.CPU), r.Finished.Compare(o.Finished), r.Started.Compare(o.Started),
		strings.Compare(r.Attempt, o.Attempt),
		strings.Compare(r.Host, o.Host), cmp.Compare(r.Seconds, o.Seconds), strings.Compare(r.Error, o.Error)) < 0
}

// allAgree checks that all rows of one key agree. It compares each row with the first row of its kind of processor, and
// the first rows of all kinds with each other. Failed rows count as a kind of their own.
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

func namelessLayout(n int) Layout {
	l := make(Layout, n)
	for i := range l {
		l[i].Name = "parameter " + strconv.Itoa(i+1)
	}
	return l
}

func agree(cols []Field, x, y *Row) error {
	for _, c := range cols {
		switch c.Role {
		case RoleCost, RoleProvenance:
			continue
		case RoleMetric:
			if x.Failed() || y.Failed() || x.Settings != "" { // results of a user's program may differ
				continue
			}
		}
		if !same(&c, x, y) {
			value := func(r *Row) any { return reflect.ValueOf(c.At(r)).Elem() }
			howFar := ""
			if x.CPU != y.CPU {
				howFar = fmt.Sprintf(" to %v, on different processors", tolerance)
			}
			return fmt.Errorf("results: cell %s, checkpoint %d: column %q is %v (%s) and %v (%s); two runs of a cell must "+
				"agree%s", x.Cell, x.Checkpoint, c.Name, value(x), x.from(), value(y), y.from(), howFar)
		}
	}
	return nil
}

const tolerance = 1e-9

// same reports whether two rows have the same value in a column. Any two NaN are the same. If the rows come from two
// kinds of processor, a measure may differ by rounding, relative to its values and scales.
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

func (r *Row) from() string {
	text := fmt.Sprintf("host %q, attempt %q", r.Host, r.Attempt)
	if r.CPU != "" {
		text += ", on " + r.CPU
	}
	return text
}
