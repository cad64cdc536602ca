package importing

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"graphda/io/tabular"
	"graphda/jobs/usage"
)

// Classes are the two values of a label, in the order in which they are first met.
type classes struct {
	table   *tabular.Table
	column  int
	request *Request
	values  []string
}

// value returns the label of the row: in regression a number, else the index of its class.
func (c *classes) value() (float64, error) {
	t, field := c.table, c.table.Text(c.column)
	if missing(field) {
		return 0, t.Bad(c.column, "is %q: a missing label; leave out the row", field)
	}
	if c.request.Task == Regression {
		return t.Number(c.column)
	}
	value := field
	if x, err := t.Number(c.column); err == nil { // 1 and 1.0 are one class
		value = text(x)
	}
	for i, v := range c.values {
		if v == value {
			return float64(i), nil
		}
	}
	if !utf8.ValidString(value) {
		return 0, t.Bad(c.column, "is %q, which is not UTF-8", field)
	}
	if len(c.values) == 2 {
		return 0, t.Bad(c.column, "is %q, beside %q and %q; want two classes, or numbers with --task regression", value,
			c.values[0], c.values[1])
	}
	c.values = append(c.values, value)
	return float64(len(c.values) - 1), nil
}

// canonical writes a number as the labels that are numbers.
func canonical(field string) string {
	x, err := tabular.Number(field)
	if err != nil {
		return field
	}
	return text(x)
}

func text(x float64) string { return strconv.FormatFloat(x+0, 'g', -1, 64) } // −0 + 0 is 0

// sign turns the indices of classes, which d.y holds, into −1 and +1.
func (c *classes) sign(d *data) error {
	name := c.table.Columns()[c.column]
	if len(c.values) < 2 {
		return c.table.Wrong(c.column, "is %q in every row, want two classes", c.values[0])
	}
	positive := -1
	for i, v := range c.values {
		switch {
		case c.request.Positive != "":
			if v == canonical(strings.TrimSpace(c.request.Positive)) {
				positive = i
			}
		case understood(c.values[1-i], v):
			positive = i
		}
	}
	if positive < 0 && c.request.Positive != "" {
		return usage.Errorf("positive = %q, but column %q of %s has %q and %q", c.request.Positive, name, c.request.Samples,
			c.values[0], c.values[1])
	}
	if positive < 0 {
		return usage.Errorf("column %q of %s has the values %q and %q; which of them is +1 is told by "+
			"--positive %[3]q or --positive %[4]q", name, c.request.Samples, c.values[0], c.values[1])
	}
	d.positive, d.negative = c.values[positive], c.values[1-positive]
	for i, v := range d.y {
		d.y[i] = -1
		if int(v) == positive {
			d.y[i] = 1
		}
	}
	return nil
}

// understood tells whether it goes without saying which of two classes is positive.
func understood(negative, positive string) bool {
	if positive == "1" {
		return negative == "0" || negative == "-1"
	}
	return strings.EqualFold(positive, "true") && strings.EqualFold(negative, "false")
}
