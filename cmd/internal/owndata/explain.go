package owndata

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"graphda/cmd/internal/command"
	"graphda/io/dataframe"
	"graphda/io/message"
	"graphda/io/model"
	"graphda/io/seal"
	"graphda/jobs/own/explaining"
)

func explainCommand() *cli.Command {
	return &cli.Command{
		Name:      "explain",
		Usage:     "write the features of a model and their network as tables, GraphML and a picture",
		UsageText: `gdrun explain --model tuned/mine/model.parquet --out explained/mine`,
		Description: `Writes the selected features and the edges between them into the folder OUT:

  nodes.tsv         name; role: raises or lowers the outcome (unless tune found nothing), or connector;
                    weight; frequency; part; odds or hazard ratio
  edges.tsv         source, target, cost
  subgraph.graphml  the same for Cytoscape, Gephi, NetworkX or igraph
  cytoscape.xml     a style for Cytoscape 3, in which it looks as in the picture: File, Import, Styles from File
  subgraph.svg      a picture of the parts with their names

The outcome is the odds of the positive class, the hazard, or the predicted value. Red discs are features whose higher
values raise the outcome, and blue squares are features whose higher values lower it. In models of gdrun tune, odds and
hazard ratios are for one more standard deviation. Larger nodes have larger weights, and rings show how often the
feature was selected. Connectors have no weight; they connect features that have one.

--annotate adds the columns of a table of features to nodes.tsv and to the GraphML file. --groups writes sets.tsv, which
lists the pathways, complexes or other groups that have a selected feature.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "model", Usage: "`FILE` of a model of gdrun tune or gdrun learn (required)"},
			&cli.StringFlag{Name: "out", Usage: "`FOLDER` to write to (required)"},
			&cli.StringFlag{Name: "annotate", Usage: "`FILE` with a row for each feature and columns to add, such as a full " +
				"name"},
			&cli.StringFlag{Name: "groups", Usage: "`FILE` of groups: .gmt, or a table with a row for each feature of each " +
				"group"},
			command.ForceFlag(),
		},
		Action: command.AtOnce(explain),
	}
}

func explain(c *cli.Context) error {
	if err := command.Need(c, "model", "out"); err != nil {
		return err
	}
	path, out := c.String("model"), c.String("out")
	m, err := model.Read(path)
	if err != nil {
		return err
	}
	s, err := explaining.Select(m)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if len(s.Nodes) == 0 {
		return fmt.Errorf("%s: the model selects no feature, so there is nothing to show", path)
	}
	files, found, err := annotated(c, m, s)
	if err != nil {
		return err
	}
	if err := command.Place(c, path, c.String("annotate"), c.String("groups")).WriteAll(out, files); err != nil {
		return err
	}
	tellFinding(c.App.Writer, m)
	fmt.Fprintf(c.App.Writer, "%s: %s, %s and %s in %s\n", out, message.Count(s.Selected(), "feature"),
		message.Count(len(s.Nodes)-s.Selected(), "connector"), message.Count(len(s.Edges), "edge"), message.Count(s.Parts,
			"part"))
	fmt.Fprintln(c.App.Writer, s.Effects())
	fmt.Fprint(c.App.Writer, found)
	if m.Covariates != nil {
		fmt.Fprintf(c.App.Writer, "adjusted for %s\n", m.Covariates)
	}
	return nil
}

// annotated adds the columns of the user's tables to the selected features. It returns files to write, and a line about
// groups with selected features.
func annotated(c *cli.Context, m *model.Model, s *explaining.Subgraph) (files []seal.Named, found string, err error) {
	table := dataframe.Options{Force: c.Bool("force")}
	if path := c.String("annotate"); path != "" {
		without, unread, err := s.Annotate(path, table)
		if err != nil {
			return nil, "", err
		}
		if unread != nil {
			command.Note(c.App.ErrWriter, "left out columns of %s, because they are neither numbers nor text: %s", path,
				dataframe.Some(unread))
		}
		if without > 0 {
			command.Note(c.App.ErrWriter, "%s has no row for %s of %s", path, message.Number(without),
				message.Count(len(s.Nodes), "node"))
		}
	}
	files = s.Files()
	if path := c.String("groups"); path != "" {
		sets, all, notes, err := s.Sets(m.Features, path, table)
		if err != nil {
			return nil, "", err
		}
		for _, note := range notes {
			command.Note(c.App.ErrWriter, "%s", note)
		}
		found = fmt.Sprintf("selected features are in %s of %s\n", message.Number(len(sets)), message.Count(all, "group"))
		files = append(files, explaining.SetsFile(sets))
	}
	return files, found, nil
}
