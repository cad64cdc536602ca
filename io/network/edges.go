package network

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	_ "graphda/io/columnar" // lets package dataframe read Parquet and Arrow
	"graphda/io/dataframe"
	"graphda/io/message"
)

// Duplicates says which cost an edge gets if the file lists the edge several times.
type Duplicates string

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
	Source, Target string     // columns of the ends; "" if they have well-known names, or if the file has no column names
	Confidence     string     // column of confidences, from which costs are computed; "" for none
	Cost           Formula    // "" means OneMinus with confidences; else the column "cost", or 1 if there is none
	Duplicates     Duplicates // "" means DuplicatesError
	IgnoreCase     bool
	Aliases        string // path of a table with other names of the nodes; "" for none
}

// Validate returns a RequestError if the request is invalid. It opens no file.
func (r *EdgeRequest) Validate() error {
	known := []Duplicates{"", DuplicatesError, DuplicatesMin, DuplicatesMax, DuplicatesMean}
	switch {
	case (r.Source == "") != (r.Target == ""):
		return wanted("--source and --target: want both, or neither")
	case r.Source != "" && r.Source == r.Target:
		return wanted("source = %q is also the target; want two different columns", r.Source)
	case !slices.Contains(known, r.Duplicates):
		return wanted("duplicates = %q, want min, max, mean or error", string(r.Duplicates))
	}
	return r.Cost.check(r.Confidence)
}

// endNames are well-known pairs of column names for the ends of edges, as bare() returns them.
var endNames = [][2]string{
	{"source", "target"}, {"from", "to"}, {"genea", "geneb"}, {"gene1", "gene2"}, {"proteina", "proteinb"},
	{"protein1", "protein2"}, {"nodea", "nodeb"}, {"node1", "node2"}, {"officialsymbolinteractora",
		"officialsymbolinteractorb"}, {"symbola", "symbolb"}, {"symbol1", "symbol2"}, {"interactora", "interactorb"},
	{"sourcegenesymbol", "targetgenesymbol"}, {"ida", "idb"}, {"id1", "id2"}, {"regulator", "target"}, {"tf", "target"},
	{"participanta", "participantb"}, {"preferrednamea", "preferrednameb"}, {"entity1", "entity2"}, {"src", "dst"},
	{"head", "tail"}, {"a", "b"}, {"u", "v"}, {"v1", "v2"},
}

// weightNames are well-known names of columns of confidences, as bare() returns them.
var weightNames = []string{"weight", "score", "combinedscore", "confidence", "conf", "probability"}

// bare returns the letters and digits of a column's name in lower case.
func bare(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// An EdgeList is the content of a file of edges. Nodes have names, which may be integers.
type EdgeList struct {
	Columns [2]string // names of the columns with the ends; empty if the file has no column names
	Value   string    // name of the column of costs or confidences; "" if there is none
	Unused  string    // name of a column that may hold confidences but was not requested; "" if there is none
	Unread  []string  // names of the columns that were not read
	advice  string    // how to get costs from an unread column, in parentheses; "" in a format without such columns

	places
	request   *EdgeRequest
	nodes     []string    // nodes that the file lists in addition to its edges
	FileNotes []string    // how the file was interpreted, and what was not read
	text      bool        // set for a text file, in which names may be numbers
	ends      [2][]string // names of both ends of each row
	values    []float64   // value of each row; nil if there is no column of values
	aliases   aliases
}

type edgeColumns struct {
	ends     [2]int
	value    int  // index of the column of values; −1 if there is none
	headless bool // set if the first row is an edge
	headed   bool // set if the first row names a column of numbers
}

// ReadEdges reads a file of edges, and checks the rows and costs. EdgeList.Among later finds repeated edges and
// self-loops.
func ReadEdges(r EdgeRequest) (_ *EdgeList, err error) {
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
	defer func() { err = message.WithNotes(err, l.FileNotes) }()
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
	for i, name := range l.nodes {
		if l.nodes[i] = dataframe.NameText(name); err == nil && !utf8.ValidString(name) {
			err = l.bad(-1, "", "has the node %q, which is not UTF-8", name)
		}
	}
	if err != nil {
		return nil, err
	}
	if r.Aliases != "" {
		l.aliases, err = readAliases(r.Aliases, r.Options)
	}
	return l, err
}

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
	switch {
	case c.headless:
		l.advice = " (for other costs, add a first row that names the columns, such as source,target,cost)"
	case !t.Layout().NoHeader:
		l.advice = " (rename a column of costs to cost, or name a column of confidences with --confidence)"
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
	return t.Wrong(-1, "has no columns source and target and no columns with similar names; its columns are %s; name "+
		"two columns with --source and --target%s", dataframe.Columns(t.Columns()), hint)
}

func asked(t *dataframe.Table, path, flag, name string) (int, error) {
	i, err := t.Find(name)
	if err == nil && i < 0 {
		err = wanted("%s = %q is not a column of %s; %w", flag, name, path,
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
	third, columns := []string{}, t.Columns() // third fields, in a file without column names
	word := error(nil)                        // why the first row has no number, in a file without column names
	refuse := func(i int, format string, args ...any) { problems.Add(l.path, t.Bad(i, format, args...)) }
	for t.Next() {
		for k, i := range c.ends {
			name := dataframe.NameText(t.Text(i))
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
			case err != nil && t.Layout().NoHeader && len(l.rows) == 0:
				word = err // perhaps the first row names the columns
			case err != nil:
				problems.Add(l.path, err)
			case x < 0:
				refuse(c.value, "is %v, want a finite number of at least 0", x)
			}
			l.values = append(l.values, x)
		}
		for i := 0; len(l.rows) == 0 && t.Layout().Header && i < len(t.Columns()); i++ {
			c.headed = c.headed || !slices.Contains(c.ends[:], i) && !isNumber(t.Columns()[i]) && isNumber(t.Text(i))
		}
		if (t.Layout().NoHeader || c.headless) && len(columns) == 3 && !slices.Contains(c.ends[:], 2) {
			third = append(third, t.Text(2))
		}
		l.rows = append(l.rows, t.Row())
	}
	if len(third) > 1 && third[0] != "" && !isNumber(third[0]) && isNumber(third[1]) {
		c.headed = true
	} else if word != nil {
		problems.Add(l.path, word)
	}
	if err := cmp.Or(t.Err(), problems.Err()); err != nil {
		return err
	}
	var head []string
	if c.headless {
		head = columns[:2]
	}
	return l.checkThird(head, third)
}

// checkThird refuses a file if the third fields of its lines are nodes, because weights are not. If a third field is a
// word, the file is an adjacency list, in which a line has a node and all its neighbours. If the third fields are
// different numbers and the first fields count up, R may have written row numbers before two nodes. If the first row is
// not in l, head has its nodes.
func (l *EdgeList) checkThird(head, third []string) error {
	words := slices.ContainsFunc(third, func(text string) bool { return !isNumber(text) })
	for row := 0; row < len(third) && !words; row++ {
		first, err := strconv.Atoi(l.ends[0][0])
		if err != nil || l.ends[0][row] != strconv.Itoa(first+row) {
			return nil
		}
	}
	nodes := map[string]bool{"": words}
	for _, name := range slices.Concat(head, l.ends[0], l.ends[1]) {
		nodes[name] = true
	}
	different := map[string]bool{}
	for _, text := range third {
		if different[text] = true; !nodes[text] {
			return nil
		}
	}
	switch {
	case words && !(len(different) == 1 && different[""]):
		return l.bad(-1, "", "looks like an adjacency list, because the third field of a line is a node; want a line "+
			"with two nodes, and perhaps a weight, for each edge")
	case len(third) > 2 && len(different) > 1:
		return l.bad(-1, "", "begins its lines with ascending numbers, which may be row numbers or nodes. If they are row "+
			"numbers, remove them. If they are nodes, add a first row source,target,weight")
	}
	return nil
}

// takeHead adds the first row of a file without column names as an edge. One of its nodes must occur in a later row, or
// its third field must be a number.
func (l *EdgeList) takeHead(t *dataframe.Table, c edgeColumns) error {
	head := t.Columns()
	isNode := func(name string) bool { return slices.Contains(l.ends[0], name) || slices.Contains(l.ends[1], name) }
	isEdge := len(head) > 2 && isNumber(head[2])
	if c.headed || !isEdge && !isNode(head[0]) && !isNode(head[1]) {
		return l.noEnds(t)
	}
	l.FileNotes = append(l.FileNotes, l.path+" has no column names, so its first row is read as an edge")
	for k := range l.ends {
		l.ends[k] = append(l.ends[k], head[c.ends[k]])
	}
	l.rows = append(l.rows, dataframe.Line(1))
	return nil
}
