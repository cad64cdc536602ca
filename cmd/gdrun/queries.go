package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"graphda/cmd/internal/command"
	"graphda/io/dataframe"
	"graphda/io/network"
	"graphda/io/safefile"
	"graphda/jobs/project"
	"graphda/jobs/userinput"
)

// queryFlags are the flags for many queries on one graph.
func queryFlags() []cli.Flag {
	return command.Group("Many queries",
		&cli.StringFlag{Name: "queries", Usage: "`FILE` of queries: one JSON object per line, or a table; - reads JSON " +
			"from standard input; answers are JSON lines (docs/queries.md)"},
		&cli.StringFlag{Name: "nodes", Usage: "`FILE` of nodes: name, weight (for max_weight), cost"},
		&cli.StringFlag{Name: "cache", Usage: "`FILE` that stores the graph, which then opens faster; rewritten when the " +
			"graph's files change"},
		&cli.IntFlag{Name: "jobs", Aliases: []string{"j"}, Value: 1, Usage: "queries to answer at once"},
		&cli.IntFlag{Name: "top-k", DefaultText: "all", Usage: "use only the `N` largest prizes above 0 of each query"},
		&cli.BoolFlag{Name: "certify", Usage: "say how far each answer may be from the best"},
		&cli.Float64Flag{Name: "improve", DefaultText: "off", Usage: "spend up to `SECONDS` per query on a better answer"},
	)
}

// runQueries answers queries until their file or the standard input ends.
func runQueries(c *cli.Context) error {
	taken := []string{"graph", "out", "force", "format"}
	for _, f := range slices.Concat(queryFlags(), edgeFlags()) {
		taken = append(taken, f.Names()...)
	}
	for _, name := range c.LocalFlagNames() {
		if len(name) > 1 && !slices.Contains(taken, name) { // a flag of one letter is also here by its long name
			return userinput.Errorf("--%s is not for --queries; what is asked for stands in each query's line", name)
		}
	}
	o := project.QueryOptions{Workers: c.Int("jobs"), TopK: c.Int("top-k"), Certify: c.Bool("certify"),
		Improve: time.Duration(c.Float64("improve") * float64(time.Second))}
	edges, out := edgeRequest(c, "graph"), c.String("out")
	switch {
	case c.NArg() > 0 || edges.Path == "":
		return userinput.Errorf("want --graph with --queries, and no other file (see %s --help)", c.Command.HelpName)
	case o.Workers < 1 || o.Workers > 1024:
		return userinput.Errorf("jobs = %d, want 1 to 1024", o.Workers)
	case c.IsSet("top-k") && o.TopK < 1:
		return userinput.Errorf("top-k = %d, want at least 1", o.TopK)
	case c.IsSet("format") && c.String("format") != "json":
		return userinput.Errorf("format = %q, want json: answers to queries are JSON lines", c.String("format"))
	case out != "" && !c.IsSet("format") && !slices.Contains([]string{".json", ".jsonl", ".ndjson"}, filepath.Ext(out)):
		return userinput.Errorf("--out %s: answers are JSON lines, want a name that ends with .ndjson, .jsonl or .json", out)
	case c.IsSet("improve") && !(o.Improve > 0):
		return userinput.Errorf("improve = %v, want a number of seconds above 0", c.Float64("improve"))
	}
	place := command.Place(c, edges.Path, edges.Aliases, c.String("nodes"), c.String("queries"), c.String("cache"))
	if out != "" {
		if err := place.Check(out); err != nil {
			return err
		}
	}
	in := io.Reader(os.Stdin)
	if path := c.String("queries"); path != "-" {
		f, err := openQueries(c, path)
		if err != nil {
			return err
		}
		defer f.Close()
		in = f
	}
	n, err := openNamed(c, edges)
	if err != nil {
		return err
	}
	answer := func(w io.Writer) error { return n.Answer(c.Context, in, w, o) }
	if out != "" {
		return place.Write(out, answer)
	}
	return answer(c.App.Writer)
}

// openQueries opens a file of queries: a table, or else a query a line.
func openQueries(c *cli.Context, path string) (io.ReadCloser, error) {
	f, unread, err := project.QueryTable(path)
	if len(unread) > 0 {
		command.Note(c.App.ErrWriter, "note: columns of %s that are not read: %s", path, strings.Join(unread, ", "))
	}
	if errors.Is(err, dataframe.ErrFormat) { // .ndjson, or any other name
		return safefile.Open(path)
	}
	return f, err
}

func openNamed(c *cli.Context, edges network.EdgeRequest) (*project.Named, error) {
	var w *network.Whole
	var err error
	if cache := c.String("cache"); cache != "" {
		w, err = network.ReadCached(edges, c.String("nodes"), cache, command.Place(c, edges.Path, edges.Aliases,
			c.String("nodes"), c.String("queries")))
	} else {
		w, err = network.ReadWhole(edges, c.String("nodes"))
	}
	if err != nil {
		return nil, err
	}
	command.Notes(c, "note: ", w.Notes)
	return project.NewNamed(w)
}
