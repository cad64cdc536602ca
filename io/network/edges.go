package network

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"graphda/graph"
	_ "graphda/io/columnar" // registers Parquet and Arrow
	"graphda/io/dataframe"
	"graphda/io/message"
)

// Duplicates says which cost an edge gets if the file lists it several times.
type Duplicates string

// The choices for edges that a file lists with different costs.
const (
	DuplicatesError Duplicates = "error" // refuse the file
	DuplicatesMin   Duplicates = "min"
	DuplicatesMax   Duplicates = "max"
	DuplicatesMean  Duplicates = "mean"
)

// A RequestError is an error in the request, not in a file.
type RequestError struct{ err error }

func (e *RequestError) Error() string { return e.err.Error() }

// Unwrap returns the cause.
func (e *RequestError) Unwrap() error { return e.err }

func wanted(format string, args ...any) error { return &RequestError{fmt.Errorf(format, args...)} }

// An EdgeRequest says how a file of edges is read.
type EdgeRequest struct {
	Path           string
	Options        dataframe.Options
	Source, Target string     // columns of the ends; "" for well-known names, or a file without column names
	Confidence     string     // column of confidences, which become costs; "" for none
	Cost           Formula    // "" for OneMinus of confidences or, without them, for the column "cost", or 1
	Duplicates     Duplicates // "" for DuplicatesError
	IgnoreCase     bool       // ignore case when matching names
	Aliases        string     // path of a table of the nodes' other names; "" for none
}

// Validate returns a RequestError if the request is invalid. It opens no file.
func (r *EdgeRequest) Validate() error {
	known := []Duplicates{"", DuplicatesError, DuplicatesMin, DuplicatesMax, DuplicatesMean}
	switch {
	case (r.Source == "") != (r.Target == ""):
		return wanted("source and target: want the columns of both ends of an edge, or of none")
	case r.Source != "" && r.Source == r.Target:
		return wanted("source = %q, as the target is", r.Source)
	case !slices.Contains(known, r.Duplicates):
		return wanted("duplicates = %q, want min, max, mean or error", string(r.Duplicates))
	}
	return r.Cost.check(r.Confidence)
}

// endNames are well-known pairs of columns for the ends of edges, in the form that bare returns.
var endNames = [][2]string{
	{"source", "target"}, {"from", "to"}, {"genea", "geneb"}, {"gene1", "gene2"}, {"proteina", "proteinb"},
	{"protein1", "protein2"}, {"nodea", "nodeb"}, {"node1", "node2"}, {"officialsymbolinteractora",
		"officialsymbolinteractorb"}, {"symbola", "symbolb"}, {"symbol1", "symbol2"}, {"interactora", "interactorb"},
	{"sourcegenesymbol", "targetgenesymbol"}, {"ida", "idb"}, {"id1", "id2"}, {"regulator", "target"}, {"tf", "target"},
	{"head", "tail"}, {"a", "b"}, {"u", "v"}, {"v1", "v2"},
}

// weightNames are well-known columns that may be confidences, in the form that bare returns.
var weightNames = []string{"weight", "score", "combinedscore", "confidence", "conf", "probability"}

// bare returns a column's name in small letters, without anything but letters and digits.
func bare(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// An EdgeList is a file of edges. Its nodes have names, which may be integers.
type EdgeList struct {
	Columns [2]string // which hold the ends; empty in a file without column names
	Value   string    // the column of costs or confidences; "" if there is none
	Unused  string    // a column that may hold confidences but was not requested; "" if there is none
	Unread  []string  // columns that are neither ends nor values

	places
	request   *EdgeRequest
	nodes     []string    // the nodes that the file lists separately; they need not have edges
	FileNotes []string    // how the file was interpreted, and what was not read
	text      bool        // a text file, in which names may be numbers
	ends      [2][]string // by row
	values    []float64   // by row; nil without a column of values
	aliases   aliases
}

// edgeColumns says which column of a file has what.
type edgeColumns struct {
	ends     [2]int
	value    int  // −1 if there is none
	headless bool // the first row is an edge too
	headed   bool // the first row is a header: it names a column of numbers
}

// ReadEdges reads a file of edges. It checks costs. EdgeList.Among checks the edges later.
func ReadEdges(r EdgeRequest) (*EdgeList, error) {
	if err := r.Validate(); err != nil {
		return nil, err
	}
	t, err := open(r.Path, r.Options)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	l := &EdgeList{places: places{path: r.Path}, request: &r, nodes: t.Layout().Nodes, text: t.Layout().Header}
	for _, note := range t.Layout().Notes {
		l.FileNotes = append(l.FileNotes, r.Path+": "+note)
	}
	c, err := l.find(t)
	if err != nil {
		return nil, err
	}
	err = l.readRows(t, &c)
	if n := len(t.Columns()) - len(l.rows); t.Layout().Header && r.Source == "" && (n == 0 || n == 1) {
		err = cmp.Or(l.checkMatrix(t, true), err)
	}
	if err == nil {
		err = l.checkFirst(t, c)
	}
	if err != nil {
		return nil, err
	}
	if r.Aliases != "" {
		l.aliases, err = readAliases(r.Aliases, r.Options)
	}
	return l, err
}

// find finds the columns of the ends and the values.
func (l *EdgeList) find(t *dataframe.Table) (c edgeColumns, err error) {
	r := l.request
	head := t.Columns()
	c.value = -1
	if r.Source != "" {
		for k, name := range []string{r.Source, r.Target} {
			if c.ends[k], err = asked(t, r.Path, []string{"source", "target"}[k], name); err != nil {
				return c, err
			}
		}
	} else if !knownEnds(head, &c.ends) || like(head[0], head[1]) && len(head) > 2 && isNumber(head[2]) {
		if len(head) != 2 && len(head) != 3 && !(len(head) == 4 && isNumber(head[2])) {
			return c, l.noEnds(t)
		}
		c.ends, c.headless = [2]int{0, 1}, true
	}
	if !c.headless {
		l.Columns = [2]string{head[c.ends[0]], head[c.ends[1]]}
	}
	for _, i := range c.ends {
		if _, err := t.Find(head[i]); err != nil && !c.headless {
			return c, err
		}
	}
	if r.Confidence != "" {
		c.value, err = asked(t, r.Path, "confidence", r.Confidence)
	} else if r.Cost == "" && !c.headless {
		c.value, err = t.Find("cost")
	}
	if c.value >= 0 {
		l.Value = head[c.value]
	}
	for i, name := range head {
		if c.value < 0 && l.Unused == "" && slices.Contains(weightNames, bare(name)) {
			l.Unused = name
		}
		if c.headless {
			name = fmt.Sprintf("number %d", i+1)
		}
		if i != c.value && !slices.Contains(c.ends[:], i) && name != "" {
			l.Unread = append(l.Unread, name)
		}
	}
	return c, err
}

func (l *EdgeList) noEnds(t *dataframe.Table) error {
	if err := l.checkMatrix(t, false); err != nil {
		return err
	}
	hint := ""
	if t.Layout().Header {
		hint = "; if the first row is an edge, add a row before it that names the columns"
	}
	return t.Wrong(-1, "has no columns source and target, nor others of names that are known; its columns are %s; "+
		"--source and --target tell which%s", dataframe.Some(t.Columns()), hint)
}

// asked returns the column named by a flag.
func asked(t *dataframe.Table, path, flag, name string) (int, error) {
	i, err := t.Find(name)
	if err == nil && i < 0 {
		err = wanted("%s = %q, which is no column of %s; %w", flag, name, path,
			&dataframe.NoColumn{Name: name, Columns: t.Columns()})
	}
	return i, err
}

func knownEnds(head []string, ends *[2]int) bool {
	names := make([]string, len(head))
	for i, name := range head {
		names[i] = bare(name)
	}
	for _, pair := range endNames {
		i, j := slices.Index(names, pair[0]), slices.Index(names, pair[1])
		if i >= 0 && j >= 0 {
			*ends = [2]int{i, j}
			return true
		}
	}
	return false
}

func (l *EdgeList) readRows(t *dataframe.Table, c *edgeColumns) error {
	var problems dataframe.Problems
	refuse := func(i int, format string, args ...any) { problems.Add(l.path, t.Bad(i, format, args...)) }
	for t.Next() {
		for k, i := range c.ends {
			name := t.Text(i)
			switch {
			case name == "":
				refuse(i, "is empty, want a node")
			case !utf8.ValidString(name):
				refuse(i, "is %q, which is not UTF-8", name)
			}
			l.ends[k] = append(l.ends[k], name)
		}
		if c.value >= 0 {
			x, err := t.Number(c.value)
			switch {
			case err != nil:
				refuse(c.value, "is %q, want a finite number of at least 0", t.Text(c.value))
			case x < 0:
				refuse(c.value, "is %v, want a finite number of at least 0", x)
			}
			l.values = append(l.values, x)
		}
		for i := 0; len(l.rows) == 0 && t.Layout().Header && i < len(t.Columns()); i++ {
			c.headed = c.headed || !slices.Contains(c.ends[:], i) && !isNumber(t.Columns()[i]) && isNumber(t.Text(i))
		}
		l.rows = append(l.rows, t.Row())
	}
	if err := t.Err(); err != nil {
		return err
	}
	return problems.Err()
}

// takeHead adds the first row of a file without column names as an edge, if it is one. It is an edge if one of its
// nodes occurs in another row, or if its third field is a number.
func (l *EdgeList) takeHead(t *dataframe.Table, c edgeColumns) error {
	head := t.Columns()
	isNode := func(name string) bool { return slices.Contains(l.ends[0], name) || slices.Contains(l.ends[1], name) }
	isEdge := len(head) > 2 && isNumber(head[2])
	if c.headed || !isEdge && !isNode(head[0]) && !isNode(head[1]) {
		return l.noEnds(t)
	}
	l.FileNotes = append(l.FileNotes, l.path+" has no names of columns: its first row is an edge too")
	for k := range l.ends {
		l.ends[k] = append(l.ends[k], head[c.ends[k]])
	}
	l.rows = append(l.rows, dataframe.Line(1))
	return nil
}

// A Subgraph is the part of an edge list among the requested nodes.
type Subgraph struct {
	Graph    *graph.Graph
	Nodes    int      // names in the file
	Found    int      // of these, how many are nodes of the graph
	Matched  int      // nodes of the graph that have a name in the file
	Isolated []string // nodes of the graph without an edge, connectors apart

	Connectors []string // names of the graph's last nodes; see Joining
	Outside    int      // rows left out because an end is none of the nodes
	Unknown    []string // such ends, each once, ascending
	Repeated   int      // rows left out because they repeat an edge at the same cost, in either direction
	Merged     int      // rows of which one edge was made with others, at other costs
	Loops      int      // rows left out because they join a node to itself
	Several    int      // names left out because they are aliases of several nodes
	Renamed    int      // nodes found by an alias or without regard to case
	Made       [2]Range // costs as a formula makes them of confidences, and as they are then; empty without confidences
}

// Notes returns notes for the user: what was not read, which rows are not edges of their own, and how the first
// row was interpreted, if that is in doubt.
func (l *EdgeList) Notes(s *Subgraph) []string {
	notes := slices.Clone(l.FileNotes)
	add := func(n int, what, format string, args ...any) {
		if n > 0 {
			notes = append(notes, message.Count(n, what)+" of "+l.path+fmt.Sprintf(format, args...))
		}
	}
	add(s.Repeated, "row", " left out, on edges that stand there already")
	add(s.Merged, "row", " had other rows of the same edge with other costs; it has their %s", l.request.Duplicates)
	add(s.Loops, "self-loop", " left out")
	if len(l.Unread) > 0 {
		text := "columns of " + l.path + " that are not read: " + strings.Join(l.Unread, ", ")
		switch {
		case l.Value != "" || l.request.Cost != "":
		case l.Unused != "":
			text += fmt.Sprintf("; every edge costs 1 (--confidence %q makes costs)", l.Unused)
		default:
			text += "; every edge costs 1 (for other costs name a column cost, or use --confidence)"
		}
		notes = append(notes, text)
	}
	return notes
}

// all returns the names of nodes, with repetitions as in the file.
func (l *EdgeList) all() []string { return slices.Concat(l.ends[0], l.ends[1], l.nodes) }

// A Range holds the smallest and the largest of some numbers.
type Range [2]float64

// Share returns the share of the file's names that are nodes of the graph, or the share of the graph's nodes that
// are in the file, whichever is larger.
func (s *Subgraph) Share() float64 {
	return max(float64(s.Found)/float64(max(1, s.Nodes)), float64(s.Matched)/float64(max(1, s.Features())))
}

// Features returns how many nodes the graph has without the connectors.
func (s *Subgraph) Features() int { return s.Graph.NumNodes() - len(s.Connectors) }

// Among returns the graph on the nodes of these names, which differ. It depends neither on the
// order of the rows nor on the direction of edges.
func (l *EdgeList) Among(nodes []string) (*Subgraph, error) { return l.among(nodes, nil) }

// among is Among, with connectors behind the nodes.
func (l *EdgeList) among(names, connectors []string) (*Subgraph, error) {
	nodes := slices.Concat(names, connectors)
	find, err := l.finder(nodes)
	if err != nil {
		return nil, err
	}
	s := &Subgraph{Connectors: connectors}
	var rows []edgeRow
	found := map[string]int32{} // −1 for a name that is no node
	matched := map[int32]bool{}
	lookup := func(name string) int32 {
		u, ok := found[name]
		if !ok {
			if u = find(name); u == severalNodes {
				s.Several++
			}
			found[name] = u
			switch {
			case u < 0:
				s.Unknown = append(s.Unknown, name)
			case nodes[u] != name:
				s.Renamed++
			}
			if u >= 0 {
				matched[u] = true
			}
		}
		return u
	}
	for row := range l.rows {
		u, v := lookup(l.ends[0][row]), lookup(l.ends[1][row])
		switch {
		case u < 0 || v < 0 || int(min(u, v)) >= len(names):
			s.Outside++
		case u == v:
			s.Loops++
		default:
			rows = append(rows, edgeRow{graph.Edge{U: min(u, v), V: max(u, v)}, row})
		}
	}
	s.Nodes, s.Found, s.Matched = len(found), len(found)-len(s.Unknown)-len(connectors), len(matched)-len(connectors)
	slices.Sort(s.Unknown)
	return s, l.build(s, nodes, rows)
}

// Joining returns the graph on the nodes of these names and on connectors behind them: other names of the file,
// ascending, that edges join to two or more of the nodes. Edges between two connectors are left out.
func (l *EdgeList) Joining(nodes []string) (*Subgraph, error) {
	find, err := l.finder(nodes)
	if err != nil {
		return nil, err
	}
	joined := map[string]int32{} // by name, a node that it is joined to
	var connectors []string
	for row := range l.rows {
		for k := range l.ends {
			u, name := find(l.ends[k][row]), l.ends[1-k][row]
			if u < 0 || find(name) != -1 {
				continue
			}
			switch first, again := joined[name]; {
			case !again:
				joined[name] = u
			case first >= 0 && first != u:
				connectors, joined[name] = append(connectors, name), -1
			}
		}
	}
	slices.Sort(connectors)
	return l.among(nodes, connectors)
}

// An edgeRow is an edge and the row where it stands.
type edgeRow struct {
	graph.Edge
	row int
}

// build makes the graph from the rows of its edges.
func (l *EdgeList) build(s *Subgraph, nodes []string, rows []edgeRow) error {
	slices.SortFunc(rows, func(a, b edgeRow) int {
		return cmp.Or(cmp.Compare(a.U, b.U), cmp.Compare(a.V, b.V), a.row-b.row)
	})
	var edges []graph.Edge
	for i, r := range rows {
		if i == 0 || r.Edge != rows[i-1].Edge {
			edges = append(edges, r.Edge)
		}
	}
	of := l.request.Cost.costs(l, edges, len(nodes))
	costs := make([]float64, len(edges)) // not nil, which would mean cost 1
	var problems dataframe.Problems
	for i, e := range edges {
		n := 1
		for n < len(rows) && rows[n].Edge == e {
			n++
		}
		var err error
		if costs[i], err = l.merge(s, rows[:n], func(row int) float64 { return of(i, row) }); err != nil {
			problems.Add(l.path, err)
		}
		rows = rows[n:]
	}
	if err := problems.Err(); err != nil {
		return err
	}
	if l.request.Confidence != "" && len(costs) > 0 {
		s.Made[0] = Range{slices.Min(costs), slices.Max(costs)}
		l.request.Cost.finish(costs, edges, len(nodes))
		s.Made[1] = Range{slices.Min(costs), slices.Max(costs)}
	}
	var err error
	if s.Graph, err = graph.New(len(nodes), edges, costs); err != nil {
		return fmt.Errorf("%s: %w", l.path, err)
	}
	for u, name := range nodes {
		if s.Graph.Degree(int32(u)) == 0 {
			s.Isolated = append(s.Isolated, name)
		}
	}
	return nil
}

// merge returns the cost of the edge in these rows.
func (l *EdgeList) merge(s *Subgraph, rows []edgeRow, cost func(row int) float64) (float64, error) {
	if len(rows) == 1 {
		return cost(rows[0].row), nil
	}
	all := make([]float64, len(rows))
	for i, r := range rows {
		all[i] = cost(r.row)
	}
	least, most := slices.Min(all), slices.Max(all)
	if least == most {
		s.Repeated += len(rows) - 1
		return least, nil
	}
	s.Merged += len(rows)
	switch l.request.Duplicates {
	case DuplicatesMin:
		return least, nil
	case DuplicatesMax:
		return most, nil
	case DuplicatesMean:
		slices.Sort(all) // so that the sum does not depend on the order of rows
		sum := 0.0
		for _, c := range all {
			sum += c
		}
		return sum / float64(len(all)), nil
	}
	i := slices.IndexFunc(all, func(c float64) bool { return c != all[0] })
	again := rows[i].row
	return 0, l.bad(again, l.Value,
		"gives the edge between %q and %q the cost %v, and %v gives it %v; --duplicates min, max or mean makes one of them",
		l.ends[0][again], l.ends[1][again], all[i], l.rows[rows[0].row], all[0])
}
