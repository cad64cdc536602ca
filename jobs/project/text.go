package project

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/floats"

	"graphda/io/message"
	"graphda/io/table"
)

// shown is the largest number of nodes that the summary lists.
const shown = 50

// statusDocs explains the values of Result.Status.
var statusDocs = map[string]string{
	"bracketed": "the size is within the window",
	"exhausted": "no forest within the window was found (its size jumps over it, or --max-iter is too low); this is " +
		"the nearest",
	"unreachable":   "edges of cost 0 keep the forest above the window at every scale",
	"zero":          "all weights are zero",
	"solved":        "the objective is at most twice the smallest possible",
	"within limits": "size, trees and cost are within the limits",
	"beyond limits": "more nodes or cost than the limits, as the guarantee allows",
	"exact":         "",
}

// writeSummary writes a summary as text or Markdown. It lists the nodes with the largest prizes.
func (res *Result) writeSummary(w io.Writer, format string, width int) error {
	p, r := res.Problem, res.Request
	var b strings.Builder
	shape, prose := "%-10s %s\n", message.Text
	if format == "markdown" {
		shape = "- %s: %s\n"
		prose = func(s string) string { return table.EscapeMarkdown(message.Text(s)) }
	}
	fmt.Fprintf(&b, "%s of %s (%s, %s)\n\n", r.Kind, prose(p.Name), message.Count(p.numNodes(), "node"),
		message.Count(p.Graph.NumEdges(), "edge"))
	line := func(head, format string, args ...any) {
		fmt.Fprintf(&b, shape, head, prose(fmt.Sprintf(format, args...)))
	}
	line("result", "%s", res.Size())
	if r.Kind != Top {
		status := res.Status
		if doc := statusDocs[status]; doc != "" {
			status += ": " + doc
		}
		line("status", "%s", status)
		line("solves", "%d, the last with costs multiplied by %s", res.Solves, figure(res.Scale))
		line("cost", "%s", figure(res.Cost))
	}
	line("prizes", "%s of %s (%s)", figure(res.Kept), figure(res.Total), share(res.Kept, res.Total))
	if !math.IsNaN(res.Objective) {
		line("objective", "%s", figure(res.Objective))
	}
	if !math.IsNaN(res.Bound) {
		line("bound", "nothing within the limits has prizes above %s (%s)", figure(res.Bound), share(res.Bound, res.Total))
	}
	for _, note := range res.Notes() {
		line("note", "%s", note)
	}
	if len(res.Nodes) > 0 {
		if format == "markdown" {
			b.WriteByte('\n')
		}
		table.Print(&b, format, width, res.nodeTable()) // cannot fail in memory
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Notes returns the problem's notes. It adds a note if all edges cost too much. Either the cheapest edge exceeds the
// budget, or every edge costs at least the second largest prize, so that no tree is worth more than its best node.
func (res *Result) Notes() []string {
	r, notes, costs := res.Request, slices.Clip(res.Problem.Notes), res.Problem.Graph.Costs()
	if len(res.Edges) > 0 || len(costs) == 0 || r.Kind == Top {
		return notes
	}
	cheapest, prizes := floats.Min(costs), slices.Sorted(slices.Values(res.Problem.Prizes))
	second := prizes[max(0, len(prizes)-2)]
	switch {
	case r.budgeted() && r.Budget < cheapest:
		return append(notes, fmt.Sprintf("the cheapest edge costs %s, more than --budget %s", figure(cheapest),
			figure(r.Budget)))
	case r.Kind == PCSF && 0 < second && second <= r.Scale*cheapest:
		return append(notes, fmt.Sprintf("no prize can pay for an edge: all but the largest are at most %s, and edges cost "+
			"at least %s; try --scale %.1g, which multiplies the costs", figure(second), figure(r.Scale*cheapest),
			second/cheapest/2))
	}
	return notes
}

func (res *Result) nodeTable() *table.Table {
	t := &table.Table{Columns: []table.Column{{Head: "node", Words: true}, {Head: "weight"}, {Head: "prize"}}}
	trees := res.NumTrees > 1
	if trees {
		t.Columns = append(t.Columns, table.Column{Head: "tree"})
	}
	rows := res.nodes()
	slices.SortStableFunc(rows, func(a, b node) int { return cmp.Compare(b.Prize, a.Prize) }) // ties by index
	for _, r := range rows[:min(len(rows), shown)] {
		cells := []table.Cell{table.Word(r.Name), table.Of(r.Weight, figure), table.Of(r.Prize, figure)}
		if trees {
			cells = append(cells, table.Count(int(r.Tree)))
		}
		t.Rows = append(t.Rows, cells)
	}
	if more := len(rows) - shown; more > 0 {
		t.Notes = []string{fmt.Sprintf("and %s; the other formats have all", message.Count(more, "more node"))}
	}
	return t
}

// Size says how many nodes, edges and trees the result has.
func (res *Result) Size() string {
	nodes := message.Count(len(res.Nodes), "node")
	if res.Request.Kind == Top {
		return nodes
	}
	return fmt.Sprintf("%s, %s, %s", nodes, message.Count(len(res.Edges), "edge"), message.Count(res.NumTrees, "tree"))
}

// figure formats a whole number with all digits, and any other number with six digits.
func figure(x float64) string {
	if x == math.Trunc(x) && math.Abs(x) < 1e15 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'g', 6, 64)
}

func share(part, all float64) string {
	if all == 0 {
		return "nothing to keep"
	}
	return fmt.Sprintf("%.1f %%", 100*part/all)
}
