package command

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/urfave/cli/v2"

	"graphda/io/table"
)

// Duration prints seconds as a person reads them: 2h15m0s, 40s, 0.3s.
func Duration(seconds float64) string {
	unit := time.Second
	if seconds < 10 {
		unit = 100 * time.Millisecond
	}
	return time.Duration(seconds * float64(time.Second)).Round(unit).String()
}

// FormatFlag is the flag --format that chooses how results are printed; the first is the
// default. All but text is data, which is printed unchanged.
func FormatFlag(formats ...string) cli.Flag {
	return OneOf(&cli.StringFlag{Name: "format", Value: formats[0], Usage: "how results are printed"}, formats...)
}

// TableFlag is the flag --format of commands that print tables.
func TableFlag() cli.Flag { return FormatFlag("text", "markdown", "csv", "json") }

// RowsFlag is the flag --format of commands that print a row for each sample.
func RowsFlag() cli.Flag { return FormatFlag("csv", "text", "markdown", "json") }

// Rows print a table as --format says, CSV row by row and other formats in the end. There is none without rows.
type Rows struct {
	c     *cli.Context
	title string
	begun *table.Rows
}

// NewRows returns the rows of a table with a title.
func NewRows(c *cli.Context, title string) *Rows { return &Rows{c: c, title: title} }

// Add adds a row below headings, which are those of the first.
func (r *Rows) Add(heads []string, row []table.Cell) error {
	if r.begun == nil {
		t := &table.Table{Title: r.title}
		for i, head := range heads {
			t.Columns = append(t.Columns, table.Column{Key: head, Head: head, Words: row[i].Number == nil})
		}
		r.begun = t.Begin(r.c.App.Writer, r.c.String("format"), TableWidth(r.c))
	}
	if err := r.begun.Add(row...); err != nil {
		return err
	}
	return r.begun.Flush()
}

// End prints what is left.
func (r *Rows) End() error {
	if r.begun == nil {
		return nil
	}
	return r.begun.End()
}

// Tables prints what there is to say and the tables below it as --format says, in text fitted to the terminal. Where
// data are printed, what there is to say goes to stderr.
func Tables(c *cli.Context, lead string, all ...*table.Table) error {
	switch format := c.String("format"); {
	case lead == "":
	case format == "csv" || format == "json":
		Note(c.App.ErrWriter, "%s", lead)
	default:
		fmt.Fprintf(c.App.Writer, "%s\n\n", lead)
	}
	return table.Print(c.App.Writer, c.String("format"), TableWidth(c), all...)
}

// TableWidth is what tables are fitted to, 0 with --wide.
func TableWidth(c *cli.Context) int {
	if c.Bool("wide") {
		return 0
	}
	return Width(c.App.Writer)
}

// JSON prints v, indented.
func JSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
