package command

import (
	"github.com/urfave/cli/v2"

	"graphda/io/network"
)

// EdgeFlags returns the flags that say how a file of edges is read.
func EdgeFlags() []cli.Flag {
	return Group("Network",
		&cli.StringFlag{Name: "source", Usage: "`COLUMN` of one end of each edge; not needed if the column has a usual " +
			"name such as source, from or gene_a"},
		&cli.StringFlag{Name: "target", Usage: "`COLUMN` of the other end of each edge"},
		&cli.StringFlag{Name: "confidence", Usage: "`COLUMN` with the confidence of each edge, from which --cost makes " +
			"costs; costs below half the mean are raised to it, and then all are divided by their new mean"},
		&cli.StringFlag{Name: "cost", Usage: "formula of the costs. one-minus, log and inverse use the confidences, " +
			"divided by a power of ten so that none exceeds 1. degree avoids hubs: a cost is the geometric mean of the " +
			"degrees of both ends, and is multiplied by the cost of one-minus if there are confidences",
			DefaultText: "one-minus if there are confidences; otherwise the column cost, or 1"},
		OneOf(&cli.StringFlag{Name: "duplicates", Value: string(network.DuplicatesError),
			Usage: "cost of an edge listed more than once"},
			network.DuplicatesMin, network.DuplicatesMax, network.DuplicatesMean, network.DuplicatesError),
		&cli.BoolFlag{Name: "ignore-case", Usage: "match names of nodes and features without regard to case"},
		&cli.StringFlag{Name: "aliases", Usage: "`FILE` with columns alias (a name in the network) and name (the same " +
			"node's name in the samples)"},
	)
}

// EdgeRequest makes a request from the values of EdgeFlags. file is the name of the flag with the file's path.
func EdgeRequest(c *cli.Context, file string) network.EdgeRequest {
	return network.EdgeRequest{
		Path: c.String(file), Source: c.String("source"), Target: c.String("target"),
		Confidence: c.String("confidence"), Cost: network.Formula(c.String("cost")),
		Duplicates: network.Duplicates(c.String("duplicates")),
		IgnoreCase: c.Bool("ignore-case"), Aliases: c.String("aliases"),
	}
}
