package dataframe

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// Word returns a text as a label or a level has it in every format: 1.0 is 1, and TRUE is true.
func Word(text string) string {
	text = strings.TrimSpace(text)
	if x, err := Number(text); err == nil {
		return FormatNumber(x)
	}
	if _, ok := truth(text); ok {
		return strings.ToLower(text)
	}
	return text
}

// truth returns true as 1 and false as 0.
func truth(text string) (x float64, ok bool) {
	if strings.EqualFold(text, "true") {
		return 1, true
	}
	return 0, strings.EqualFold(text, "false")
}

// ErrMixed is about a column of numbers that also has true or false.
var ErrMixed = errors.New("is true or false in one row and a number in another, want one of them in all rows")

// Truths read columns of features that hold true and false in place of numbers. They have for each column 'n' after
// a number and 't' after true or false.
type Truths []byte

// Number returns a number of column i, or 1 or 0 if the text, which is no number for a reason, is true or false.
func (t *Truths) Number(i int, x float64, reason error, text string) (float64, error) {
	kind := byte('n')
	if reason != nil {
		var ok bool
		if x, ok = truth(text); !ok {
			return 0, reason
		}
		kind = 't'
	}
	for len(*t) <= i {
		*t = append(*t, 0)
	}
	if was := (*t)[i]; was != 0 && was != kind {
		return 0, ErrMixed
	}
	(*t)[i] = kind
	return x, nil
}

// A doubt is whether a comma or a point in the numbers of a text begins decimals or separates thousands, as in 1,282.
// It matters where a column also has a number such as 764. Any other number with a comma or a point settles it.
type doubt struct {
	settled   bool
	thousands []string // by column, a number with a sign; "" if there is none yet
	small     []string // by column, a whole number below a thousand, likewise
}

var thousands = regexp.MustCompile(`^[+-]?[1-9]\d{0,2}[.,]\d{3}$`)

// see takes a number of a column.
func (d *doubt) see(column int, number string) {
	switch {
	case !strings.ContainsAny(number, ".,"):
		if len(strings.TrimLeft(number, "+-")) <= 3 {
			d.small[column] = number
		}
	case !thousands.MatchString(number):
		d.settled = true
	case d.thousands[column] == "":
		d.thousands[column] = number
	}
}

// err refuses the first column in doubt.
func (d *doubt) err(path string, head []string) error {
	for i, name := range head {
		if large, small := d.thousands[i], d.small[i]; !d.settled && large != "" && small != "" {
			return &Error{Path: path, Column: name, Err: fmt.Errorf("has %q beside %q: a fraction, or more than a thousand? "+
				"Write thousands without a sign; gdrun import --decimal , or --decimal . says which sign begins fractions",
				large, small)}
		}
	}
	return nil
}
