// Gdmerge turns the results of a run of gdrun into tables and figures. See gdmerge --help.
package main

import (
	"graphda/cmd/internal/command"
)

func main() { command.Main(command.Gdmerge) }
