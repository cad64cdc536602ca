package tools

import (
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"graphda/cmd/internal/command"
	"graphda/io/message"
	"graphda/io/seal"
	"graphda/jobs/project"
	"graphda/jobs/userinput"
	"graphda/projection/pcst"
)

// projectFlags lists, for each setting, the kinds of projection to which it applies.
var projectFlags = map[string][]project.Kind{
	"sparsity":   {project.Tail, project.Head, project.Top},
	"components": {project.Tail, project.Head, project.PCSF},
	"max-iter":   {project.Tail, project.Head},
	"omega":      {project.Tail, project.Head},
	"search":     {project.Tail, project.Head},
	"budget":     {project.Tail, project.Head},
	"nu":         {project.Tail},
	"scale":      {project.PCSF},
	"pruning":    {project.PCSF},
	"root":       {project.PCSF},
}

const projectHelp = `Finds a few connected nodes that have most of the weight or prize in a graph. A node's prize is
the square of its weight. Kinds:

  tail  about --sparsity nodes in --components trees that leave little of the prizes outside
  head  a forest of about --sparsity nodes, or half of all nodes, that keeps much of the prizes
  pcsf  a forest with (--scale × its edges' costs) + (prizes outside it) at most twice the least possible
  top   the --sparsity nodes of the largest weights, connected or not

A graph has the columns source and target, and optionally cost (default 1). A file of weights or prizes has a column
name or index, and a column value. Edges are read as in gdrun import: edges may be repeated, and self-loops are left
out. Files are .csv or .tsv, plain or compressed with gzip, .parquet, or Arrow IPC (.arrow, .feather, .ipc, .arrows). A
.csv may be separated by semicolons, and then numbers may have decimal commas. In CSV, project writes an apostrophe
before a name that begins with =, +, @ or -, so that a spreadsheet does not treat the name as a formula. --format json
has no apostrophes. project leaves out weights or prizes of unknown nodes, and counts them. If they are more than half
of the rows, it refuses the file.

--budget B limits the total cost of edges, and gives a guarantee (Hegde, Indyk, Schmidt 2015). Compare the result with
the best subgraph of s nodes, g trees and cost B. A tail has at most 2νs + g nodes and cost 2νB. It leaves at most 1 +
9/(4(ν−2)) times as much prize outside. A head has at most 2s + g nodes and cost 2B. It keeps at least an eighth of the
best subgraph's prizes. Both are usually much closer to the best, and the output gives a bound.`

func projectCommand() *cli.Command {
	d := project.DefaultRequest(project.Tail)
	return &cli.Command{
		Name:  "project",
		Usage: "find a connected subgraph of your own graph",
		UsageText: `gdrun project --edges g.parquet --weights w.parquet --sparsity 26
gdrun project --edges edges.csv --prizes prizes.csv --components 3 --out modules.graphml
gdrun project --edges edges.csv --weights w.csv --sparsity 30 --budget 12.5
gdrun project --edges edges.csv --weights w.csv --kind head --format json`,
		Description: projectHelp,
		Flags: slices.Concat(command.Group("Graph",
			&cli.StringFlag{Name: "edges", Aliases: []string{"graph"}, Usage: "`FILE` of edges: source, target, cost"},
			&cli.StringFlag{Name: "weights", Usage: "`FILE` of the nodes' weights: name or index, value"},
			&cli.StringFlag{Name: "prizes", Usage: "`FILE` of prizes instead of weights: name or index, value"},
			&cli.StringFlag{Name: "column", Usage: "`COLUMN` of the weights or prizes (default: a column named value, or else " +
				"weight or prize)"},
			command.OneOf(&cli.StringFlag{Name: "unmatched", DefaultText: "error if they are more than half of the rows",
				Usage: "what to do with weights or prizes that match no node"}, project.UnmatchedError, project.UnmatchedWarn),
		), command.EdgeFlags(), command.Group("What to find",
			command.OneOf(&cli.StringFlag{Name: "kind", Usage: "what to find (default: tail with --sparsity, else pcsf)"},
				project.Kinds...),
			&cli.IntFlag{Name: "sparsity", Aliases: []string{"s"}, DefaultText: "not given", Usage: "number of nodes"},
			&cli.IntFlag{Name: "components", Aliases: []string{"g"}, Value: d.Components, Usage: "largest number of trees"},
			&cli.Float64Flag{Name: "budget", Value: d.Budget, DefaultText: "no limit",
				Usage: "largest total cost of the edges"},
			&cli.Float64Flag{Name: "nu", Value: d.Nu, Usage: "slack ν of a tail with --budget, above 2; see the bounds above"},
		), command.Group("How",
			command.OneOf(&cli.StringFlag{Name: "search", Value: "paper", Usage: "how to search for the scale; warm stops " +
				"when the interval's relative width is 1e-3"}, "paper", "warm"),
			&cli.IntFlag{Name: "max-iter", Value: d.MaxIter, Usage: "largest number of halvings in the search for the scale"},
			&cli.Float64Flag{Name: "omega", Value: d.Omega, Usage: "accept up to (1 + omega) × --sparsity nodes"},
			&cli.Float64Flag{Name: "scale", Value: d.Scale, Usage: "number by which all costs are multiplied"},
			command.OneOf(&cli.StringFlag{Name: "pruning", Value: string(d.Pruning), Usage: "how trees are " +
				"pruned"}, pcst.Prunings...),
			&cli.StringFlag{Name: "root", Usage: "a `NODE` that must be in the tree"},
		), command.Group("Output",
			&cli.StringFlag{Name: "out", Aliases: []string{"o"}, Usage: "write to this `FILE`; the ending of its name chooses " +
				"the format"},
			command.ForceFlag(),
			command.FormatFlag(project.Formats...),
		)),
		Action: command.AtOnce(runProject),
	}
}

func runProject(c *cli.Context) error {
	source, err := projectSource(c)
	if err != nil {
		return err
	}
	request, err := projectRequest(c)
	if err != nil {
		return err
	}
	format, err := projectFormat(c)
	if err != nil {
		return err
	}
	place := command.Place(c, source.Graph.Path, source.Graph.Aliases, source.Weights, source.Prizes)
	if out := c.String("out"); out != "" {
		if err := place.Check(out); err != nil {
			return err
		}
	}
	problem, err := project.Open(source)
	if err != nil {
		return err
	}
	result, err := problem.Project(request)
	if err != nil {
		return err
	}
	return writeProjection(c, result, place, format)
}

func writeProjection(c *cli.Context, result *project.Result, place seal.Output, format string) error {
	if !slices.Contains([]string{"text", "markdown"}, format) || c.String("out") != "" {
		command.Notes(c, "note: ", result.Notes())
	}
	if out := c.String("out"); out != "" {
		if err := result.WriteFile(out, format, place); err != nil {
			return err
		}
		if _, err := fmt.Fprintf(c.App.Writer, "%s: %s\n", out, result.Size()); err != nil {
			return err
		}
		if format == "csv" || format == "arrow" {
			command.Next(c, "gdrun", "inspect", out)
		}
		return nil
	}
	if err := result.Write(c.App.Writer, format, command.TableWidth(c)); err != nil {
		return err
	}
	if !c.IsSet("format") {
		command.Next(c, "gdrun", command.Again(c, "--out", "subgraph.graphml")...)
	}
	return nil
}

func projectSource(c *cli.Context) (project.Source, error) {
	s := project.Source{Graph: command.EdgeRequest(c, "edges"), Weights: c.String("weights"), Prizes: c.String("prizes"),
		Column: c.String("column"), Unmatched: c.String("unmatched")}
	switch {
	case s.Graph.Path == "":
		return s, userinput.Errorf("--edges is missing; give --edges, and --weights or --prizes (see %s "+
			"--help)", c.Command.HelpName)
	case (s.Weights == "") == (s.Prizes == ""):
		return s, userinput.Errorf("want either --weights or --prizes with --edges, and not both (see %s "+
			"--help)", c.Command.HelpName)
	}
	return s, nil
}

// projectRequest refuses settings that do not apply to the kind of projection.
func projectRequest(c *cli.Context) (project.Request, error) {
	kind := project.PCSF
	if c.IsSet("sparsity") {
		kind = project.Tail
	}
	if c.IsSet("kind") {
		kind = project.Kind(c.String("kind"))
	}
	r := project.DefaultRequest(kind)
	for _, name := range c.LocalFlagNames() {
		if kinds, ok := projectFlags[name]; ok && !slices.Contains(kinds, kind) {
			return r, userinput.Errorf("--%s has no effect for the kind %s, only for %s; leave it "+
				"out", name, kind, message.List(kinds))
		}
	}
	for _, name := range []string{"nu", "max-iter", "omega"} {
		if c.IsSet(name) && c.IsSet("budget") != (name == "nu") {
			return r, userinput.Errorf("--%s is only for a projection with%s --budget; leave it out", name,
				map[bool]string{false: "out"}[name == "nu"])
		}
	}
	r.Warm = c.String("search") == "warm"
	r.Sparsity, r.Components, r.MaxIter, r.Omega = c.Int("sparsity"), c.Int("components"), c.Int("max-iter"),
		c.Float64("omega")
	r.Budget, r.Nu, r.Scale = c.Float64("budget"), c.Float64("nu"), c.Float64("scale")
	if c.IsSet("sparsity") && r.Sparsity < 1 {
		return r, userinput.Errorf("sparsity = %d, want at least 1", r.Sparsity)
	}
	r.Pruning, r.Root = pcst.Pruning(c.String("pruning")), c.String("root")
	if r.Root != "" && c.IsSet("components") {
		return r, userinput.Errorf("--components does not go with --root, because a forest with a root is one tree; leave " +
			"one of them out")
	}
	return r, nil
}

// projectFormat returns the format that --format names. Without --format, the file name extension of --out decides.
func projectFormat(c *cli.Context) (string, error) {
	out := c.String("out")
	if out != "" && !c.IsSet("format") {
		format, err := project.FormatOf(out)
		if err != nil {
			return "", &userinput.Error{Err: err}
		}
		return format, nil
	}
	format := c.String("format")
	if format == "arrow" && out == "" {
		return "", userinput.Errorf("the format arrow needs a file; add --out FILE.arrow")
	}
	return format, nil
}
