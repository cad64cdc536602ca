package columnar

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"graphda/io/dataframe"
)

// columns holds the flat columns of a file. A column is decoded only on request, so a damaged column that nobody
// requests does no harm.
type columns struct {
	file   *File
	index  []string
	values []*values // values of each column; nil if the column was not requested
	row    int       // index of the row that Next has reached
	err    error     // error of a column that was requested as text; Next returns this error
}

type values struct {
	ints   []int64
	floats []float64
	texts  []string
	null   map[int]bool // rows without a value
	err    error
}

func openColumns(path string, _ dataframe.Options) (dataframe.Source, error) {
	f, _, err := open(path)
	if err != nil {
		return nil, err
	}
	return &columns{file: f, index: index(f), values: make([]*values, len(f.Columns)), row: -1}, nil
}

// flat reads a column that is not a list. Values may be null or not finite.
func (t *File) flat(c *Column) *values {
	v := &values{null: map[int]bool{}}
	nullable := c.Nullable(func(row int) { v.null[row] = true })
	switch {
	case c.List || c.Kind == Other:
		v.err = t.WrongType(c, "a number or text")
	case c.Kind == Integer || c.Kind == Time:
		if v.ints, v.err = All(v.ints, nullable, t.Ints); c.Kind == Time {
			v.texts, v.ints = dates(v.ints, c.tick), nil
		}
	case c.Kind == Number:
		v.floats, v.err = All(v.floats, nullable, t.Floats)
	default:
		v.texts, v.err = t.AllTexts(nullable)
	}
	for row, text := range v.texts {
		if v.err == nil && !utf8.ValidString(text) {
			v.err = Locate(AtRow(row, "is %q, which is not UTF-8", text), t.Path, c.Name)
		}
	}
	return v
}

// dates formats dates and times as pandas and R do. If all rows are at midnight, it omits the time of day.
func dates(values []int64, tick time.Duration) []string {
	texts, midnight := make([]string, len(values)), true
	for i, v := range values {
		second, rest := v*int64(tick/time.Second), int64(0)
		if tick < time.Second {
			second, rest = v/int64(time.Second/tick), v%int64(time.Second/tick)*int64(tick)
		}
		texts[i] = time.Unix(second, rest).UTC().Format("2006-01-02 15:04:05.999999999")
		midnight = midnight && strings.HasSuffix(texts[i], " 00:00:00")
	}
	for i := range texts {
		if midnight {
			texts[i] = strings.TrimSuffix(texts[i], " 00:00:00")
		}
	}
	return texts
}

func (c *columns) of(i int) *values {
	if c.values[i] == nil {
		c.values[i] = c.file.flat(&c.file.Columns[i])
	}
	return c.values[i]
}

func (c *columns) Columns() []string { return c.file.Names() }

func (c *columns) Check(i int) error { return c.of(i).err }

// Index returns the names of pandas' row index. If the index only numbers the rows, it has a name but no column.
func (c *columns) Index() []string { return c.index }

func index(f *File) (names []string) {
	var pandas struct {
		Columns []any `json:"index_columns"` // names, or descriptions of ranges of numbers
	}
	_ = json.Unmarshal([]byte(f.Metadata["pandas"]), &pandas) // ignore metadata that cannot be read
	for _, level := range pandas.Columns {
		about, _ := level.(map[string]any)
		numbers, ok := about["name"].(string)
		if ok && f.Find(numbers) == nil {
			level = numbers
		}
		if name, ok := level.(string); ok {
			names = append(names, name)
		}
	}
	return names
}

func (c *columns) Next() error {
	if c.row++; c.err == nil && c.row >= c.file.Rows {
		return io.EOF
	}
	return c.err
}

func (c *columns) Row() dataframe.Row { return dataframe.Index(c.row) }

func (c *columns) Text(i int) string {
	switch v := c.of(i); {
	case v.err != nil:
		c.err = cmp.Or(c.err, v.err)
	case v.null[c.row]:
	case v.ints != nil:
		return strconv.FormatInt(v.ints[c.row], 10)
	case v.floats != nil:
		return dataframe.FormatNumber(v.floats[c.row])
	case v.texts != nil:
		return strings.TrimSpace(v.texts[c.row])
	}
	return ""
}

func (c *columns) Number(i int) (float64, error) {
	switch v := c.of(i); {
	case v.err != nil:
		return 0, v.err
	case v.null[c.row]:
		return 0, errors.New("is null, want a finite number")
	case v.ints != nil:
		return float64(v.ints[c.row]), nil
	case v.floats != nil:
		if x := v.floats[c.row]; x-x != 0 {
			return 0, fmt.Errorf("is %v, want a finite number", x)
		}
		return v.floats[c.row], nil
	}
	return dataframe.Number(c.Text(i))
}

func (c *columns) Close() error {
	c.file.Release()
	return nil
}
