package importing

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"graphda/io/dataframe"
	"graphda/io/message"
	"graphda/io/network"
	"graphda/jobs/own/sampletable"
)

// among returns the part of the network between features of d.
func (r *Request) among(edges *network.EdgeList, d *sampletable.Data, notes *sampletable.Notes) (*network.Subgraph,
	error) {
	path, features := r.Edges.Path, d.Names
	network := edges.Among
	if r.Connectors {
		network = edges.Joining
	}
	g, err := network(features)
	if err != nil {
		return nil, err
	}
	least := r.MinMatched
	if least == 0 {
		least = DefaultMinMatched
	}
	if g.Share() < least || g.Graph.NumEdges() == 0 {
		err := r.unmatched(g, features, least, areNodes(edges, slices.Clone(d.IDs)))
		if hint := r.connectorsHint(edges, features, 1); hint != "" && g.Share() >= least {
			err = fmt.Errorf("%w; %s", err, hint)
		} else if len(edges.Unread) > 1 && edges.Columns[0] != "" {
			err = fmt.Errorf("%w; if two of its other columns name the nodes, use --source and --target: %s", err,
				dataframe.Some(edges.Unread))
		}
		return nil, &dataframe.Error{Path: path, Err: err}
	}
	if g.Outside > 0 {
		why := "they join no feature"
		if len(g.Unknown) > 0 { // otherwise all ends are features or connectors
			why = message.Are(len(g.Unknown), "node") + " not among the features: " + dataframe.Some(g.Unknown) +
				r.likelyCause(g, features)
		}
		notes.Add("left out %s of %s, because %s", message.Count(g.Outside, "edge"), path, why)
	}
	for _, note := range edges.Notes(g) {
		notes.Add("%s", note)
	}
	if n := len(g.Isolated); n > 0 {
		notes.Add("%s no edge: %s", message.Have(n, "feature"), dataframe.Some(g.Isolated))
	}
	r.nearlyEmpty(edges, g, features, notes)
	return g, nil
}

// nearlyEmpty warns if few features are in the network's largest part. GraphDA with one tree selects only from this
// part.
func (r *Request) nearlyEmpty(edges *network.EdgeList, g *network.Subgraph, features []string,
	notes *sampletable.Notes) {
	const few = 10 // warn if fewer than 1 in 10 features are in the largest part
	largest, _ := g.Graph.Largest(len(features))
	if few*largest >= len(features) {
		return
	}
	hint := r.connectorsHint(edges, features, largest)
	if hint != "" {
		hint = "; " + hint
	}
	*notes = slices.Insert(*notes, 0, fmt.Sprintf("THE NETWORK IS NEARLY EMPTY: its largest connected part has %s of %s, "+
		"and GraphDA with one tree selects only features of one part%s", message.Number(largest),
		message.Count(len(features), "feature"), hint))
}

// connectorsHint suggests --connectors if connectors bring more than `largest` features into the network's largest
// part.
func (r *Request) connectorsHint(edges *network.EdgeList, features []string, largest int) string {
	if r.Connectors {
		return ""
	}
	with, err := edges.Joining(features)
	if err != nil { // cannot fail, because the network without connectors was read
		return ""
	}
	joined, by := with.Graph.Largest(len(features))
	if joined <= largest {
		return ""
	}
	return fmt.Sprintf("with --connectors the largest part has %s, connected by %s",
		message.Count(joined, "feature"), message.Count(by, "unmeasured node"))
}

// likelyCause guesses why names of nodes are not features, and suggests a remedy.
func (r *Request) likelyCause(g *network.Subgraph, features []string) string {
	if g.Several > 0 {
		return fmt.Sprintf(". The aliases name several features for %s; --probes max-variance or mean makes one feature of "+
			"them", message.Count(g.Several, "node"))
	}
	if g.Renamed > 0 { // with aliases, the other nodes were probably not measured
		return ""
	} else if r.Edges.Aliases != "" {
		return ". No row of " + r.Edges.Aliases + " has such a node as its alias and a feature as its name"
	}
	why := network.Spelling(g.Unknown, features)
	if g.Share() < DefaultMinMatched { // most names differ
		why = network.Mismatch(g.Unknown, features)
	}
	switch why {
	case "":
		return ""
	case network.DifferInCase:
		return ". Perhaps " + why + "; --ignore-case matches them"
	}
	return ". Perhaps " + why + "; a table of both names, given as --aliases FILE, matches them"
}

func (r *Request) unmatched(g *network.Subgraph, features []string, least float64, turned bool) error {
	if len(features) == 1 {
		return fmt.Errorf("has no edge between two features: the samples have only one feature, %s", features[0])
	}
	var b strings.Builder
	if g.Share() < least {
		fmt.Fprintf(&b, "%s; want %.3g %% of either", matched(g), 100*least)
		if enough := math.Floor(100*g.Share()) / 100; enough > 0 {
			fmt.Fprintf(&b, "; if the other names have no counterpart, --min-matched %v accepts this", enough)
		}
	} else {
		b.WriteString("has no edge between two features")
	}
	if !turned {
		b.WriteString(r.likelyCause(g, features))
	}
	if len(g.Unknown) > 0 {
		b.WriteString("; its nodes have names like " + dataframe.Some(g.Unknown))
	}
	b.WriteString("; features have names like " + dataframe.Some(features))
	if turned {
		b.WriteString(r.transposeHint())
	}
	return errors.New(b.String())
}

// transposeHint suggests --transpose if the ids of samples are names of nodes.
func (r *Request) transposeHint() string {
	if r.Text.Transpose {
		return "; the samples' columns have names of nodes: leave out --transpose"
	}
	return "; the samples' first column has names of nodes: if rows are features, add --transpose"
}

// areNodes reports whether at least half of the names are nodes, or half of the nodes are among the names.
func areNodes(edges *network.EdgeList, names []string) bool {
	slices.Sort(names)
	g, err := edges.Among(slices.Compact(names))
	return err == nil && g.Share() >= DefaultMinMatched
}

// perhapsTurned adds a hint to an error in reading samples if --transpose seems to be missing or wrong.
func (r *Request) perhapsTurned(err error, edges *network.EdgeList) error {
	var names []string
	t, bad := dataframe.Open(r.Samples, r.Text)
	if bad != nil || strings.Contains(err.Error(), "--transpose") { // the error already names the flag
		return err
	}
	defer t.Close()
	for len(names) < manyNames && t.Next() {
		names = append(names, t.Text(0))
	}
	if !areNodes(edges, names) {
		return err
	}
	return fmt.Errorf("%w%s", err, r.transposeHint())
}

// manyNames is the largest number of names that perhapsTurned compares with the nodes.
const manyNames = 100_000

func (r *Request) describeEdges(l *network.EdgeList, g *network.Subgraph) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", r.Edges.Path, "edges without column names")
	if l.Columns[0] != "" {
		b.Reset()
		fmt.Fprintf(&b, "%s: edges by columns %q and %q", r.Edges.Path, l.Columns[0], l.Columns[1])
	}
	switch {
	case r.Edges.Confidence != "":
		made := g.Made
		fmt.Fprintf(&b, ", with costs from the confidences %q: %.3g to %.3g became %.3g to %.3g, with a mean of 1", l.Value,
			made[0][0], made[0][1], made[1][0], made[1][1])
		if r.Edges.Cost == network.Degree {
			b.WriteString(", multiplied by costs from the degrees of their ends")
		}
	case r.Edges.Cost == network.Degree:
		b.WriteString(", with costs from the degrees of their ends")
	case l.Value != "":
		fmt.Fprintf(&b, ", with costs %q", l.Value)
	default:
		b.WriteString(", all of cost 1")
	}
	b.WriteString("; " + matched(g))
	if g.Renamed > 0 {
		fmt.Fprintf(&b, "; %s found under another name", message.Count(g.Renamed, "node"))
	}
	return b.String()
}

// matched says how many nodes are features, and how many features are nodes.
func matched(g *network.Subgraph) string {
	n := g.Features()
	return fmt.Sprintf("%s of %s are features (%s %%), %s of %s are nodes (%s %%)", message.Number(g.Found),
		message.Count(g.Nodes, "node"), message.Percent(g.Found, g.Nodes), message.Number(g.Matched),
		message.Count(n, "feature"), message.Percent(g.Matched, n))
}
