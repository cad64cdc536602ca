package dataframe

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// Word writes a label or level in the same way for every file format: 1.0 becomes 1, and TRUE becomes true.
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

func truth(text string) (x float64, ok bool) {
	if strings.EqualFold(text, "true") {
		return 1, true
	}
	return 0, strings.EqualFold(text, "false")
}

// ErrMixed is the error for a column of numbers that also has true or false.
var ErrMixed = errors.New("is true or false in one row and a number in another; want the same kind in all rows")

// Truths parses columns of features that may hold true and false instead of numbers. The element of a column is 'n'
// once a number was read, and 't' once true or false was read.
type Truths []byte

// Number returns x if reason is nil. Otherwise reason says why the text is not a number, and Number returns 1 for true
// and 0 for false. Column i must not mix numbers with true or false.
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

// A doubt records ambiguous numbers of a text, such as 1,282. The comma may be a decimal comma or separate thousands.
// The doubt matters if the column also has an integer such as 764. Any unambiguous number with a comma or a point
// settles it for the whole text.
type doubt struct {
	settled   bool
	flags     bool     // as in Options
	thousands []string // first ambiguous number of each column; "" if there is none
	small     []string // an integer below a thousand of each column; "" if there is none
}

func newDoubt(d Decimals, columns int) doubt {
	return doubt{d.told, d.flags, make([]string, columns), make([]string, columns)}
}

var thousands = regexp.MustCompile(`^[+-]?[1-9]\d{0,2}[.,]\d{3}$`)

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

func (d *doubt) err(path string, head []string) error {
	for i, name := range head {
		if large, small := d.thousands[i], d.small[i]; !d.settled && large != "" && small != "" {
			hint := ""
			if d.flags {
				hint = ", or name the decimal sign with --decimal . or --decimal ,"
			}
			return &Error{Path: path, Column: name, Err: fmt.Errorf("has %q and %q, so , or . may mark decimals or thousands; "+
				"write %[1]q as %[3]s or %[1]s0%[4]s", large, small, strings.NewReplacer(".", "", ",", "").Replace(large), hint)}
		}
	}
	return nil
}
