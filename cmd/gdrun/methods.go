package main

import (
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"graphda/cmd/internal/command"
	"graphda/learners"
)

func methodsCommand() *cli.Command {
	return &cli.Command{
		Name:  "methods",
		Usage: "list the methods with their parameters",
		Description: `In the notation of the list, ḡ is the average of the gradients g of rounds 1 to t, and w the iterate
after round t.`,
		Flags: []cli.Flag{command.FormatFlag("text", "json")},
		Action: func(c *cli.Context) error {
			format := c.String("format")
			if format == "json" {
				return command.JSON(c.App.Writer, methodList())
			}
			for i, m := range learners.Methods {
				if i > 0 {
					fmt.Fprintln(c.App.Writer)
				}
				printMethod(c.App.Writer, m)
			}
			fmt.Fprint(c.App.Writer, whichSearch)
			return nil
		},
	}
}

const whichSearch = `
Which search for the graph methods:
  paper  for results that stand beside the published ones. It is the published algorithm.
  lazy   for tuning, large grids and your own data: a seventh of paper's time. Differences in accuracy and mistakes
         are within the noise of 20 trials; F1 is equal or slightly higher. Not the published algorithm: forests
         that are too large are cut down, and a head projection is kept while it is proven to be nearly as good.
  warm   as paper, but each search begins where the last one ended: two fifths of paper's time. Its forests are
         mostly the same.
Compare methods under one search only. gdmerge shows cells of different searches as different methods.
`

func printMethod(w io.Writer, m *learners.Method) {
	fmt.Fprintf(w, "%s  %s (%s)\n  %s\n", m.Name, m.Label, m.Source, m.Update)
	for i := range m.Params {
		p := &m.Params[i]
		fmt.Fprintf(w, "  %-10s %s; %s", p.Name, p.Doc, p.Range())
		if !p.Required() {
			fmt.Fprintf(w, ", default %s", p.Format(p.Default))
		}
		fmt.Fprintln(w)
	}
}

// A methodJSON is a method as programs read it.
type methodJSON struct {
	Name   string      `json:"name"`
	Label  string      `json:"label"`
	Source string      `json:"source"`
	Update string      `json:"update"`
	Params []paramJSON `json:"params"`
}

type paramJSON struct {
	Name    string `json:"name"`
	Symbol  string `json:"symbol"`
	Doc     string `json:"doc"`
	Range   string `json:"range"`
	Default string `json:"default,omitempty"`
}

func methodList() []methodJSON {
	var list []methodJSON
	for _, m := range learners.Methods {
		j := methodJSON{Name: m.Name, Label: m.Label, Source: m.Source, Update: m.Update}
		for i := range m.Params {
			p := &m.Params[i]
			pj := paramJSON{Name: p.Name, Symbol: p.Symbol, Doc: p.Doc, Range: p.Range()}
			if !p.Required() {
				pj.Default = p.Format(p.Default)
			}
			j.Params = append(j.Params, pj)
		}
		list = append(list, j)
	}
	return list
}
