package command

import (
	"github.com/urfave/cli/v2"

	"graphda/io/table"
)

// FormatFlag returns the flag --format, which chooses how results are printed. The first of formats is the default. All
// formats except text are data, so they are printed unchanged.
func FormatFlag(formats ...string) cli.Flag {
	return OneOf(&cli.StringFlag{Name: "format", Value: formats[0], Usage: "how results are printed"}, formats...)
}

// TableFlag returns the flag --format of commands that print tables.
func TableFlag() cli.Flag { return FormatFlag("text", "markdown", "csv", "json") }

// RowsFlag returns the flag --format of commands that print a row for each sample. Its default is CSV.
func RowsFlag() cli.Flag { return FormatFlag("csv", "text", "markdown", "json") }

// Tables prints tables in the format of --format. Tables in text fit the terminal.
func Tables(c *cli.Context, all ...*table.Table) error {
	return table.Print(c.App.Writer, c.String("format"), TableWidth(c), all...)
}

// TableWidth returns the width for tables, or 0 (any width) with --wide.
func TableWidth(c *cli.Context) int {
	o, _ := c.App.Writer.(*output)
	switch {
	case c.Bool("wide"):
		return 0
	case o != nil && o.fit > 0:
		return o.fit
	}
	return Width(c.App.Writer)
}
