package tools

import (
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"graphda/cmd/internal/command"
	"graphda/io/table"
	"graphda/learners"
)

func methodsCommand() *cli.Command {
	return &cli.Command{
		Name:  "methods",
		Usage: "list the methods with their parameters",
		Description: `In the formulas, w is the iterate after round t, and ḡ is the mean of the gradients g of rounds 1 to
t.`,
		Flags: []cli.Flag{command.TableFlag()},
		Action: func(c *cli.Context) error {
			switch c.String("format") {
			case "json":
				return table.JSON(c.App.Writer, methodList())
			case "csv", "markdown":
				return command.Tables(c, methodTable())
			}
			for _, m := range methodList() {
				printMethod(c.App.Writer, m)
			}
			fmt.Fprintln(c.App.Writer, "Which search to use for the graph methods:")
			command.List(c.App.Writer, 2, whichSearch...)
			return nil
		},
	}
}

var whichSearch = []command.Item{
	{About: "paper", Text: "for comparisons with published results. It is the published algorithm."},
	{About: "lazy", Text: "for tuning, large grids and your own data. It takes a seventh of paper's time. Over 20 " +
		"trials, its accuracy and mistakes do not differ from paper's by more than chance, and its F1 is equal or slightly " +
		"higher. It is not the published algorithm: it cuts forests that are too large, and it reuses a head projection " +
		"while this is proven to be nearly as good as a new one."},
	{About: "warm", Text: "like paper, but each search starts where the last search ended. It takes two fifths of " +
		"paper's time, and mostly finds the same forests."},
	{About: "note", Text: "Compare methods only with the same search. gdmerge shows each search as a method of its own."},
}

func printMethod(w io.Writer, m methodJSON) {
	command.List(w, 0, command.Item{About: m.Name, Text: m.Label + " (" + m.Source + ")"})
	command.List(w, 2, command.Item{Text: m.Update})
	items := make([]command.Item, len(m.Params))
	for i, p := range m.Params {
		items[i] = command.Item{About: p.Name, Text: p.Doc + "; " + p.Range}
		if p.Default != "" {
			items[i].Text += ", default " + p.Default
		}
	}
	command.List(w, 2, items...)
	fmt.Fprintln(w)
}

func methodTable() *table.Table {
	t := &table.Table{Columns: []table.Column{
		{Key: "method", Head: "Method", Words: true}, {Key: "parameter", Head: "Parameter", Words: true},
		{Key: "doc", Head: "Meaning", Words: true}, {Key: "range", Head: "Range", Words: true},
		{Key: "default", Head: "Default", Words: true},
	}}
	for _, m := range methodList() {
		for _, p := range m.Params {
			t.Rows = append(t.Rows, []table.Cell{table.Label(m.Label, m.Name), table.Word(p.Name), table.Word(p.Doc),
				table.Word(p.Range), table.Word(p.Default)})
		}
	}
	return t
}

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
