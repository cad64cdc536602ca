package dataframe

import (
	"bufio"
	"errors"
	"io"
	"regexp"
	"strings"

	"graphda/io/message"
	"graphda/io/safefile"
)

type list struct {
	names   []string
	records [][]string
	rows    []Row // row of each record in the file
	read    int   // number of records that Next has returned
	layout  Layout
}

// A Layout holds what a file contains besides its rows.
type Layout struct {
	Header   bool     // set for a text file whose first row may hold column names or values
	NoHeader bool     // set if files of this format have no column names
	Nodes    []string // the nodes of a network, with or without edges
	Notes    []string // what was not read, and other notes for the user
}

// Layout returns what the file contains besides its rows.
func (t *Table) Layout() Layout {
	if l, ok := t.source.(*list); ok {
		return l.layout
	}
	_, text := t.source.(*textSource)
	return Layout{Header: text}
}

// NewSource returns a Source of records in memory. There is a name for each column, and a row of the file for each
// record.
func NewSource(names []string, records [][]string, rows []Row) Source {
	return &list{names: names, records: records, rows: rows}
}

func (l *list) add(row Row, record ...string) {
	l.records, l.rows = append(l.records, record), append(l.rows, row)
}

func (l *list) Columns() []string { return l.names }

func (l *list) Next() error {
	if l.read++; l.read > len(l.records) {
		return io.EOF
	}
	return nil
}

func (l *list) Row() Row                      { return l.rows[l.read-1] }
func (l *list) Text(i int) string             { return l.records[l.read-1][i] }
func (l *list) Number(i int) (float64, error) { return Number(l.records[l.read-1][i]) }
func (l *list) Close() error                  { return nil }

// EachLine calls use with each line, and comment, which may be nil, with each comment line. It skips blank lines.
func EachLine(path string, o Options, comment func(line string), use func(row Row, line string) error) error {
	f, err := o.OpenFile(path)
	if err != nil {
		return err
	}
	defer f.Close()
	b, err := safefile.NewText(path, f)
	if err != nil {
		return &Error{Path: path, Err: err}
	}
	lines := bufio.NewScanner(b)
	lines.Buffer(nil, 2*safefile.MaxLine) // longer than any line, because NewText refuses lines above MaxLine
	var problems Problems
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimRight(lines.Text(), " \t\r")
		if bare := strings.TrimSpace(line); bare == "" || bare[0] == '#' || bare[0] == '%' {
			if bare != "" && comment != nil {
				comment(bare)
			}
			continue
		}
		if err := use(Line(n), line); err != nil {
			problems.Add(path, &Error{Path: path, Row: Line(n), Err: err})
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	return problems.Err()
}

// lines returns a format. The function use makes records from each line. The whole file has one separator. It is
// the tab if any line has a tab. If not, it is the comma if `commas` is set and every line has a comma, and
// otherwise white space. lines removes quotation marks around a field, as R writes them.
func lines(extensions []string, commas bool, names []string, use func(l *list, row Row, fields []string) error) Format {
	open := func(path string, o Options) (Source, error) {
		l, tab, comma := &list{names: names}, false, commas
		l.layout.NoHeader = true
		comment := func(line string) {
			if !commas && l.layout.Notes == nil { // the format has no comments
				note(&l.layout.Notes, "lines that begin with # or % are not read, such as "+Quote(line))
			}
		}
		err := EachLine(path, o, comment, func(_ Row, line string) error {
			tab, comma = tab || strings.Contains(line, "\t"), comma && strings.Contains(line, ",")
			return nil
		})
		if err == nil {
			err = EachLine(path, o, nil, func(row Row, line string) error {
				fields := strings.Fields(line)
				if tab || comma {
					fields = strings.Split(line, map[bool]string{true: "\t", false: ","}[tab])
				}
				for i, s := range fields {
					fields[i] = unquoted(strings.TrimSpace(s))
				}
				return use(l, row, fields)
			})
		}
		if err == nil && len(l.records) == 0 && l.layout.Nodes == nil {
			err = &Error{Path: path, Err: errors.New("is empty or has only comments")}
		}
		return l, message.WithNotes(err, l.layout.Notes)
	}
	for _, e := range extensions {
		extensions = append(extensions, e+".gz")
	}
	return Format{Extensions: extensions, Open: open}
}

// gmt reads groups such as pathways. A line has the name of a group, a description, and the members of the group.
var gmt = lines([]string{".gmt"}, false, []string{"feature", "group", "description"},
	func(l *list, row Row, fields []string) error {
		if len(fields) < 3 {
			return errors.New("has no members; want a group's name, its description and its members, separated by tabs")
		}
		for _, member := range fields[2:] {
			if member != "" {
				l.add(row, member, fields[0], fields[1])
			}
		}
		return nil
	})

// sif reads a network as Cytoscape writes it. A line has a node, a relation, and the related nodes. A line with only
// one node is a node without edges.
var sif = lines([]string{".sif"}, false, []string{"source", "relation", "target"},
	func(l *list, row Row, fields []string) error {
		if len(fields) == 2 {
			return errors.New("has two fields; want a node, a relation and one or more nodes, or only a node")
		}
		l.layout.Nodes = append(l.layout.Nodes, fields[0])
		if len(fields) == 1 && strings.Contains(fields[0], " ") {
			note(&l.layout.Notes, "the file has tabs, so lines without a tab are read as nodes without an edge, such as "+
				Quote(fields[0]))
		}
		for _, target := range fields[min(2, len(fields)):] {
			l.add(row, fields[0], fields[1], target)
		}
		return nil
	})

var dictWeight = regexp.MustCompile(`'weight': ([^ ,}]+)`)

// edgeList reads a network without column names: lines with two nodes and perhaps a weight.
var edgeList = lines([]string{".edgelist", ".edges", ".ncol"}, true, []string{"source", "target"},
	func(l *list, row Row, fields []string) error {
		if len(fields) < 2 {
			return errors.New("has one field; want two nodes, and optionally a weight")
		}
		if data := strings.Join(fields[2:], " "); strings.HasPrefix(data, "{") { // as NetworkX writes an edge's data
			match := dictWeight.FindStringSubmatch(data) // nil, or the match and the weight
			fields = append(fields[:2], match[min(1, len(match)):]...)
			if strings.Count(data, ":") > len(fields)-2 {
				note(&l.layout.Notes, "of an edge's data, only a number called weight is read, not "+Quote(data))
			}
		}
		weight := ""
		if len(fields) > 2 {
			weight, l.names = fields[2], []string{"source", "target", "weight"}
		}
		if len(fields) > 3 {
			note(&l.layout.Notes, "everything after the third field of a line is ignored")
		}
		l.add(row, fields[0], fields[1], weight)
		return nil
	})
