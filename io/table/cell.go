package table

import (
	"math"
	"strconv"
	"strings"
)

// A Cell is one entry of a table: a word, a number, or nothing.
type Cell struct {
	Word   string  // printed if there is no number: a label, "best", "–"
	ID     string  // word in data files, such as "graphda" for "GraphDA"; "" means Word
	Number *Number // nil for a word
	Best   bool    // whether the cell is marked as the best of its column
	Off    bool    // whether the cell is marked as different from the published number
}

// A Number is a value with its uncertainty. NaN is undefined.
type Number struct {
	Value     float64
	Std       float64 // standard deviation of the N values behind Value
	Low, High float64 // 95 % confidence interval of Value
	N         int     // number of trials behind the mean Value; 0 if Value is not a mean
	Print     func(float64) string
	PrintStd  func(float64) string // formats Std, printed after ±; if nil, Std is not printed
	Data      func(float64) string // formats Value in CSV; nil means Shortest
}

const undefined = "–"

// Word returns a cell with the same word in all formats.
func Word(s string) Cell { return Cell{Word: s} }

// Label returns a cell that prints text, and has id in data files.
func Label(text, id string) Cell { return Cell{Word: text, ID: id} }

// Count returns a cell with an integer.
func Count(n int) Cell {
	return Exactly(float64(n), Fixed(0))
}

// Of returns a cell with a number, without a deviation.
func Of(v float64, print func(float64) string) Cell {
	return Cell{Number: &Number{Value: v, Print: print}}
}

// Exactly returns a cell with a number that print formats, also in CSV.
func Exactly(v float64, print func(float64) string) Cell {
	return Cell{Number: &Number{Value: v, Print: print, Data: print}}
}

// Text returns the printed text, without marks.
func (c *Cell) Text() string { return c.Main() + c.Spread() }

// Main returns the printed text before the deviation.
func (c *Cell) Main() string {
	switch {
	case c.Number == nil:
		return c.Word
	case math.IsNaN(c.Number.Value):
		return undefined
	}
	return c.Number.Print(c.Number.Value)
}

// Spread returns the printed deviation, such as "±0.10", or "".
func (c *Cell) Spread() string {
	if n := c.Number; n != nil && n.PrintStd != nil && !math.IsNaN(n.Value) {
		return "±" + n.PrintStd(n.Std)
	}
	return ""
}

// Blank reports whether the cell is empty or undefined.
func (c *Cell) Blank() bool {
	if c.Number != nil {
		return math.IsNaN(c.Number.Value)
	}
	return c.Word == "" || c.Word == undefined
}

const (
	bestMark = "*"
	offMark  = "!"
)

func (c *Cell) mark() string {
	switch {
	case c.Off:
		return offMark
	case c.Best:
		return bestMark
	}
	return ""
}

// Fixed returns a function that formats numbers with a fixed number of decimals. Huge numbers have an exponent.
func Fixed(decimals int) func(float64) string {
	return func(v float64) string {
		if math.Abs(v) >= huge && !math.IsInf(v, 0) {
			return strconv.FormatFloat(v, 'e', significantDigits-1, 64)
		}
		return strconv.FormatFloat(v, 'f', decimals, 64)
	}
}

// huge is the largest number up to which a float64 holds all digits.
const huge = 1 << 53

// Share returns a function that formats a number of at most 1 with a fixed number of decimals. If the number would be
// rounded to 1, it gets up to two more decimals.
func Share(decimals int) func(float64) string {
	return func(v float64) string {
		for d := decimals; d <= decimals+2; d++ {
			if text := Fixed(d)(v); v >= 1 || text != Fixed(d)(1) {
				return text
			}
		}
		return ">0." + strings.Repeat("9", decimals+2)
	}
}

// Shortest formats a number with the fewest digits that parse to the same value.
func Shortest(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

const significantDigits = 4

// Significant formats a number with four significant digits.
func Significant(v float64) string {
	if decimals, ok := significantDecimals(v); ok {
		return Fixed(decimals)(v)
	}
	return strconv.FormatFloat(v, 'e', significantDigits-1, 64)
}

// SpreadOf returns a function that formats the deviation of a mean with the decimals that Significant gives the mean.
func SpreadOf(mean float64) func(float64) string {
	if decimals, ok := significantDecimals(mean); ok {
		return Fixed(decimals)
	}
	return func(v float64) string { return strconv.FormatFloat(v, 'e', 1, 64) }
}

// significantDecimals returns the decimals of v for four significant digits, or false if v needs an exponent.
func significantDecimals(v float64) (decimals int, ok bool) {
	a := math.Abs(v)
	switch {
	case a == 0:
		return 0, true
	case a < 1e-3 || a >= 1e5:
		return 0, false
	}
	return max(significantDigits-1-int(math.Floor(math.Log10(a))), 0), true
}

// Signed returns a function that formats a number with its sign. A number that rounds to zero has no sign.
func Signed(print func(float64) string) func(float64) string {
	return func(v float64) string {
		size := print(math.Abs(v))
		switch {
		case size == print(0):
			return size
		case v < 0:
			return "-" + size
		}
		return "+" + size
	}
}
