// Gdmerge turns the results of a run of gdrun into tables and figures; gdmerge --help tells how.
package main

import (
	"graphda/cmd/internal/command"
	"graphda/cmd/internal/reporting"
)

func main() { command.Main(reporting.Gdmerge) }
