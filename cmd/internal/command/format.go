package command

import (
	"encoding/json"
	"io"
	"time"

	"github.com/urfave/cli/v2"
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
	return OneOf(&cli.StringFlag{Name: "format", Value: formats[0], Usage: "how results are printed",
		Action: func(c *cli.Context, format string) error {
			if format != "text" {
				PrintData(c)
			}
			return nil
		}}, formats...)
}

// JSON prints v, indented.
func JSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
