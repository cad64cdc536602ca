package table

import (
	"math"
	"strconv"
)

// A Cell is one entry of a table: a word, a number, or nothing.
type Cell struct {
	Word   string  // printed where there is no number: a label, "best", "–"
	ID     string  // of a label in data files, as "graphda" of "GraphDA"; empty: Word itself
	Number *Number // nil for words
	Best   bool    // of its column
	Off    bool    // differs from the published number
}

// A Number is a value with what is known of it. What is NaN is not defined: "–" in print,
// empty or null in data files.
type Number struct {
	Value     float64
	Std       float64              // standard deviation of the N values behind Value
	Low, High float64              // 95 % confidence interval of Value
	N         int                  // trials behind Value; 0 where it is no mean
	Print     func(float64) string // of Value
	PrintStd  func(float64) string // of Std, behind ±; nil: not printed
	Data      func(float64) string // of Value in CSV; nil: Shortest
}

// undefined is what is printed for a number that is not defined.
const undefined = "–"

// Word is a cell of a word that reads the same everywhere.
func Word(s string) Cell { return Cell{Word: s} }

// Label is a cell of a word that data files know by another name.
func Label(text, id string) Cell { return Cell{Word: text, ID: id} }

// Count is a cell of a whole number.
func Count(n int) Cell {
	return Exactly(float64(n), Fixed(0))
}

// Of is a cell of a number without a deviation.
func Of(v float64, print func(float64) string) Cell {
	return Cell{Number: &Number{Value: v, Print: print}}
}

// Exactly is a cell of a number that CSV has as it is printed.
func Exactly(v float64, print func(float64) string) Cell {
	return Cell{Number: &Number{Value: v, Print: print, Data: print}}
}

// Text is what is printed, without marks.
func (c *Cell) Text() string { return c.Main() + c.Spread() }

// Main is what is printed before the deviation.
func (c *Cell) Main() string {
	switch {
	case c.Number == nil:
		return c.Word
	case math.IsNaN(c.Number.Value):
		return undefined
	}
	return c.Number.Print(c.Number.Value)
}

// Spread is the deviation as it is printed, such as "±0.10"; mostly empty.
func (c *Cell) Spread() string {
	if n := c.Number; n != nil && n.PrintStd != nil && !math.IsNaN(n.Value) {
		return "±" + n.PrintStd(n.Std)
	}
	return ""
}

// Blank tells whether the cell says that there is nothing.
func (c *Cell) Blank() bool {
	if c.Number != nil {
		return math.IsNaN(c.Number.Value)
	}
	return c.Word == "" || c.Word == undefined
}

// The marks of cells in text.
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

// Fixed prints with a number of decimals.
func Fixed(decimals int) func(float64) string {
	return func(v float64) string { return strconv.FormatFloat(v, 'f', decimals, 64) }
}

// Shortest prints in the shortest form that reads back the same.
func Shortest(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// significantDigits are those of Significant.
const significantDigits = 4

// Significant prints four significant digits.
func Significant(v float64) string {
	if decimals, ok := significantDecimals(v); ok {
		return Fixed(decimals)(v)
	}
	return strconv.FormatFloat(v, 'e', significantDigits-1, 64)
}

// SpreadOf prints a deviation as finely as Significant prints its mean.
func SpreadOf(mean float64) func(float64) string {
	if decimals, ok := significantDecimals(mean); ok {
		return Fixed(decimals)
	}
	return func(v float64) string { return strconv.FormatFloat(v, 'e', 1, 64) }
}

// significantDecimals returns the decimals that show the significant digits; ok is false for
// a number that is better written with an exponent.
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

// Signed prints a number with its sign; what rounds to zero has none.
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
