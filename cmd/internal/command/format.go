package command

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/urfave/cli/v2"

	"graphda/io/table"
)

// Duration formats seconds for people: 2h15m0s, 40s, 0.3s.
func Duration(seconds float64) string {
	unit := time.Second
	if seconds < 10 {
		unit = 100 * time.Millisecond
	}
	return time.Duration(seconds * float64(time.Second)).Round(unit).String()
}

// FormatFlag returns the flag --format, which chooses how results are printed. The first format is the default.
// All formats except text are data, which is printed unchanged.
func FormatFlag(formats ...string) cli.Flag {
	return OneOf(&cli.StringFlag{Name: "format", Value: formats[0], Usage: "how results are printed"}, formats...)
}

// TableFlag returns the flag --format of commands that print tables.
func TableFlag() cli.Flag { return FormatFlag("text", "markdown", "csv", "json") }

// RowsFlag returns the flag --format of commands that print a row for each sample. Its default is CSV.
func RowsFlag() cli.Flag { return FormatFlag("csv", "text", "markdown", "json") }

// Tables prints a lead and the tables below it in the format of --format. Text fits the terminal. With data
// formats, the lead goes to stderr.
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

// TableWidth returns the width for tables; 0 with --wide.
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
