package command

import (
	"github.com/urfave/cli/v2"

	"graphda/io/network"
)

// EdgeFlags returns the flags that say how a file of edges is read.
func EdgeFlags() []cli.Flag {
	return Group("Network",
		&cli.StringFlag{Name: "source", Usage: "`COLUMN` of one end of each edge; needed unless it has a usual name " +
			"such as source, from or gene_a"},
		&cli.StringFlag{Name: "target", Usage: "`COLUMN` of the other end of each edge"},
		&cli.StringFlag{Name: "confidence", Usage: "`COLUMN` of the edges' confidences; costs made from them are raised " +
			"to at least half their mean, then divided by the new mean"},
		&cli.StringFlag{Name: "cost", Usage: "how costs are made: one-minus, log or inverse of the confidences, which are " +
			"first divided by a power of ten so that none exceeds 1; or degree, the geometric mean of the degrees of " +
			"both ends, which avoids hubs, multiplied by one-minus if there are confidences",
			DefaultText: "one-minus of confidences; else the column cost, or 1"},
		OneOf(&cli.StringFlag{Name: "duplicates", Value: string(network.DuplicatesError),
			Usage: "cost of an edge listed more than once"},
			network.DuplicatesMin, network.DuplicatesMax, network.DuplicatesMean, network.DuplicatesError),
		&cli.BoolFlag{Name: "ignore-case", Usage: "ignore case in names of nodes and features"},
		&cli.StringFlag{Name: "aliases", Usage: "`FILE` of other names for nodes of the network: alias, name"},
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
