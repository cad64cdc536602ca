package project

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"graphda/io/network"
	"graphda/projection/pcst"
	"graphda/projection/query"
)

// A Named is a graph whose nodes have names, ready for queries. It is safe for concurrent use.
type Named struct {
	*network.Whole
	find  func(name string) (u int32, ok bool)
	query *query.Graph
}

// NewNamed prepares a graph for queries.
func NewNamed(w *network.Whole) (*Named, error) {
	find, err := w.Finder()
	if err != nil {
		return nil, err
	}
	q, err := query.NewGraph(w.Graph, w.Costs, w.Weights)
	return &Named{w, find, q}, err
}

// QueryOptions are what holds for all queries.
type QueryOptions struct {
	Workers int           // that answer at the same time, at least 1
	TopK    int           // of each query's prizes above 0 only the largest count; 0: all
	Certify bool          // bounds for all
	Improve time.Duration // for each query; 0 for none
}

// A queryLine is a query as it is written.
type queryLine struct {
	ID         json.RawMessage `json:"id"`
	Prizes     named           `json:"prizes"`
	EdgePrizes []edgePrize     `json:"edge_prizes"`
	Must       []string        `json:"must"`
	Root       string          `json:"root"`
	Exclude    []string        `json:"exclude"`
	Components float64         `json:"components"` // a whole number, perhaps written as 3.0 or 1e3
	MaxNodes   float64         `json:"max_nodes"`  // likewise
	MaxWeight  float64         `json:"max_weight"`
	LimitMS    float64         `json:"limit_ms"`
	Pruning    string          `json:"pruning"`
}

// An answerLine is what is answered. Of an error it has the id and the error alone.
type answerLine struct {
	ID      json.RawMessage `json:"id,omitempty"`
	Error   string          `json:"error,omitempty"`
	Nodes   []string        `json:"nodes,omitempty"`
	Edges   [][2]string     `json:"edges,omitempty"`
	Prize   *float64        `json:"prize,omitempty"`
	Cost    *float64        `json:"cost,omitempty"`
	Weight  *float64        `json:"weight,omitempty"`
	Gap     *float64        `json:"gap,omitempty"`
	NoGap   string          `json:"no_gap,omitempty"`
	GapNote string          `json:"gap_note,omitempty"`
	Why     string          `json:"why,omitempty"`
	Unknown []string        `json:"unknown,omitempty"`
	MS      float64         `json:"ms"`
}

// named are the values of a JSON object, in its order. A key that stands twice is an error.
type named []nameValue

type nameValue struct {
	name  string
	value float64
}

func (n *named) UnmarshalJSON(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return errors.New(`prizes: want an object such as {"TP53": 2.5}`)
	}
	*n = nil // of a key that stands twice the last counts, as in all of JSON
	seen := map[string]bool{}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		name := key.(string)
		var value *float64
		if err := d.Decode(&value); err != nil || value == nil {
			return fmt.Errorf("the prize of %q is not a number", name)
		}
		if seen[name] {
			return fmt.Errorf("%q has two prizes", name)
		}
		seen[name] = true
		*n = append(*n, nameValue{name, *value})
	}
	return nil
}

// An edgePrize is an edge by the names of its ends, and its prize.
type edgePrize struct {
	ends  [2]string
	prize float64
}

func (e *edgePrize) UnmarshalJSON(data []byte) error {
	var fields []any
	err := json.Unmarshal(data, &fields)
	var isU, isV, isPrize bool
	if err == nil && len(fields) == 3 {
		e.ends[0], isU = fields[0].(string)
		e.ends[1], isV = fields[1].(string)
		e.prize, isPrize = fields[2].(float64)
	}
	if !(isU && isV && isPrize) {
		return fmt.Errorf(`edge_prizes: %s, want ["source", "target", prize]`, data)
	}
	return nil
}

// MaxQuery is the length of a query's line in bytes.
const MaxQuery = 64 << 20

// Answer answers a query a line, in the order of the lines, until the input or the context ends. A query that is wrong
// has an answer with an error. The output is flushed whenever no answer is ready, so that a pipe can be talked to.
func (n *Named) Answer(ctx context.Context, in io.Reader, out io.Writer, o QueryOptions) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	type task struct {
		line []byte
		done chan []byte
	}
	tasks, answers := make(chan task, o.Workers), make(chan task, 4*o.Workers)
	for range o.Workers {
		go func() {
			solver := query.NewSolver(n.query)
			for t := range tasks {
				t.done <- n.line(ctx, solver, t.line, &o)
			}
		}()
	}
	var readError error // read when answers has been closed
	go func() {
		lines := bufio.NewReader(in)
		var err error
		for err == nil && ctx.Err() == nil {
			var line []byte
			if line, err = readQuery(lines); len(line) > 0 {
				t := task{line, make(chan []byte, 1)}
				answers <- t
				tasks <- t
			}
		}
		if err != io.EOF {
			readError = err
		}
		close(tasks)
		close(answers)
	}()
	w := bufio.NewWriter(out)
	for {
		select {
		case <-ctx.Done(): // the input may say nothing for long
			return ctx.Err()
		case t, more := <-answers:
			if !more {
				return errors.Join(readError, w.Flush())
			}
			_, err := w.Write(<-t.done)
			if err == nil && len(answers) == 0 {
				err = w.Flush()
			}
			if err != nil {
				return err // nobody reads; the input is left where it is
			}
		}
	}
}

// readQuery returns a line without spaces around it. Of one that is too long it returns as much as shows that.
func readQuery(lines *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := lines.ReadSlice('\n')
		if len(line) <= MaxQuery {
			line = append(line, part...)
		}
		if err != bufio.ErrBufferFull {
			return bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\ufeff"))), err // Windows begins files with a mark
		}
	}
}

// line answers one line.
func (n *Named) line(ctx context.Context, solver *query.Solver, line []byte, o *QueryOptions) []byte {
	start := time.Now()
	var q queryLine
	err := q.read(line)
	a := answerLine{ID: q.ID}
	if err == nil {
		err = n.answer(ctx, solver, &q, &a, o)
	}
	if err != nil {
		a = answerLine{ID: q.ID, Error: n.explain(err), Unknown: a.Unknown}
	}
	a.MS = math.Round(float64(time.Since(start).Microseconds())) / 1000
	text, err := json.Marshal(a)
	if err != nil {
		text, _ = json.Marshal(answerLine{Error: err.Error()})
	}
	return append(text, '\n')
}

// read reads a line.
func (q *queryLine) read(line []byte) error {
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	var err error
	switch {
	case len(line) > MaxQuery:
		err = fmt.Errorf("it has more than %d bytes", MaxQuery)
	case line[0] != '{':
		err = errors.New(`want an object such as {"prizes": {"TP53": 2.5}}`)
	default:
		err = d.Decode(q)
	}
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &kind):
		want := map[reflect.Kind]string{reflect.Float64: "a number", reflect.String: "a text"}[kind.Type.Kind()]
		err = fmt.Errorf("%s: there is a JSON %s, want %s", kind.Field, kind.Value, cmp.Or(want, "a list"))
	case err == nil && d.More():
		return errors.New("the line has more than one object")
	case err == nil:
		return nil
	}
	return fmt.Errorf("the line is not a query: %s; docs/queries.md lists the keys",
		strings.TrimPrefix(err.Error(), "json: "))
}

// explain names the nodes that an error is about.
func (n *Named) explain(err error) string {
	var wrong *query.QueryError
	text := err.Error()
	if errors.As(err, &wrong) && len(wrong.Nodes) > 0 {
		names := make([]string, len(wrong.Nodes))
		for i, u := range wrong.Nodes {
			names[i] = strconv.Quote(n.Names[u])
		}
		text += ": " + strings.Join(names, ", ")
	}
	return text
}

func (n *Named) answer(ctx context.Context, solver *query.Solver, line *queryLine, a *answerLine,
	o *QueryOptions) error {
	q, err := n.read(line, a, o)
	if err != nil {
		return err
	}
	if line.LimitMS > 0 {
		var stop func()
		ctx, stop = context.WithTimeout(ctx, time.Duration(min(line.LimitMS, 1e9)*float64(time.Millisecond)))
		defer stop()
	}
	found, err := solver.Solve(ctx, q)
	if err != nil {
		return err
	}
	for _, u := range found.Nodes {
		a.Nodes = append(a.Nodes, n.Names[u])
	}
	for _, e := range found.Edges {
		ends := n.Graph.Edges()[e]
		a.Edges = append(a.Edges, [2]string{n.Names[ends.U], n.Names[ends.V]})
	}
	a.Prize, a.Cost, a.Why = &found.Prize, &found.Cost, found.Why
	if q.MaxWeight > 0 {
		a.Weight = &found.Weight
	}
	if gap := found.Gap(); !math.IsNaN(gap) {
		if a.Gap = &gap; found.Unfinished {
			a.GapNote = "the search for a bound was cut short; the gap may be smaller"
		}
	} else if o.Certify {
		a.NoGap = "no bound is known for several components"
	}
	return nil
}

// read finds the nodes and edges of a query. Names that the graph does not have are told. It is an error if no node
// with a prize is left, or if a node or an edge is unknown that must not be.
func (n *Named) read(line *queryLine, a *answerLine, o *QueryOptions) (query.Query, error) {
	const most = math.MaxInt32 // nodes of a graph
	q := query.Query{Prizes: map[int32]float64{}, EdgePrizes: map[int32]float64{},
		Components: int(min(line.Components, most)), MaxNodes: int(min(line.MaxNodes, most)), MaxWeight: line.MaxWeight,
		Certify: o.Certify, Improve: o.Improve}
	if line.Components < 0 || line.MaxNodes < 0 || line.MaxWeight < 0 || line.LimitMS < 0 {
		return q, errors.New("components, max_nodes, max_weight or limit_ms is below 0, want at least 0")
	}
	if line.Components != math.Trunc(line.Components) || line.MaxNodes != math.Trunc(line.MaxNodes) {
		return q, fmt.Errorf("components = %v and max_nodes = %v, want whole numbers", line.Components, line.MaxNodes)
	}
	var above []int32 // nodes with prizes above 0, in the order of the line
	for _, p := range line.Prizes {
		if u, ok := n.find(p.name); !ok {
			a.Unknown = append(a.Unknown, p.name)
		} else if q.Prizes[u] = p.value; p.value > 0 {
			above = append(above, u)
		}
	}
	if len(line.Prizes) > 0 && len(q.Prizes) == 0 {
		return q, fmt.Errorf("none of the %d nodes with prizes is in the graph", len(line.Prizes))
	}
	if o.TopK > 0 && len(above) > o.TopK {
		slices.SortStableFunc(above, func(u, v int32) int { return cmp.Compare(q.Prizes[v], q.Prizes[u]) })
		for _, u := range above[o.TopK:] {
			delete(q.Prizes, u)
		}
	}
	for _, p := range line.EdgePrizes {
		e, err := n.edge(p.ends)
		if err != nil {
			return q, err
		}
		if _, twice := q.EdgePrizes[e]; twice {
			return q, fmt.Errorf("the edge between %q and %q has two prizes", p.ends[0], p.ends[1])
		}
		q.EdgePrizes[e] = p.prize
	}
	if line.Pruning != "" {
		return q, n.published(line, &q)
	}
	var err error
	must := line.Must
	if line.Root != "" && !slices.Contains(must, line.Root) {
		must = append(slices.Clone(must), line.Root)
	}
	if q.Must, err = n.nodes(must); err != nil {
		return q, err
	}
	for _, name := range line.Exclude {
		if u, ok := n.find(name); ok {
			q.Without = append(q.Without, u)
		}
	}
	return q, nil
}

// published reads a query for the published algorithm as it is.
func (n *Named) published(line *queryLine, q *query.Query) error {
	pruning, err := pcst.ParsePruning(line.Pruning)
	if err != nil {
		return err
	}
	if len(line.EdgePrizes) > 0 || len(line.Must) > 0 || len(line.Exclude) > 0 || line.MaxNodes > 0 || line.MaxWeight > 0 {
		return errors.New("a query with pruning may have prizes, root and components only")
	}
	q.Published = &pcst.Options{Clusters: max(1, q.Components), Root: -1, Pruning: pruning}
	if line.Root != "" {
		u, err := n.nodes([]string{line.Root})
		if err != nil {
			return err
		}
		if line.Components > 1 {
			return fmt.Errorf("components = %v, want 1 with a root", line.Components)
		}
		q.Published.Root, q.Published.Clusters = int(u[0]), 0
	}
	return nil
}

func (n *Named) nodes(names []string) ([]int32, error) {
	var nodes []int32
	seen := map[int32]bool{}
	for _, name := range names {
		u, ok := n.find(name)
		if !ok {
			return nil, fmt.Errorf("%q must be in the answer, but the graph has no such node", name)
		}
		if !seen[u] {
			seen[u] = true
			nodes = append(nodes, u)
		}
	}
	return nodes, nil
}

// edge finds an edge by the names of its ends.
func (n *Named) edge(names [2]string) (int32, error) {
	u, okU := n.find(names[0])
	v, okV := n.find(names[1])
	if okU && okV {
		if n.Graph.Degree(u) > n.Graph.Degree(v) {
			u, v = v, u
		}
		for _, arc := range n.Graph.Arcs(u) {
			if arc.Node == v {
				return arc.Edge, nil
			}
		}
	}
	return 0, fmt.Errorf("the graph has no edge between %q and %q", names[0], names[1])
}
