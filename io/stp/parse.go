package stp

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"graphda/graph"
	"graphda/io/dataframe"
)

// magic begins every file of the format.
const magic = "33D32945"

// A parser reads a file line by line.
type parser struct {
	path    string
	line    int
	section string // as the file has it, empty outside sections
	done    bool   // EOF was seen

	name      string
	nodes     declared
	edges     declared
	terminals declared

	ends     []graph.Edge
	costs    []float64
	priced   int // line of the first edge with a cost, 0 if there is none
	unpriced int // line of the first edge without one
	prizes   []prize
	weighted bool // prizes are weights

	seenPrize map[int]int // line by node
	root      int
	rootLine  int
}

// A prize is the value of a terminal's line.
type prize struct {
	node  int
	value float64
}

// A declared count is what a file says of itself, and where; line 0 if it does not.
type declared struct{ count, line int }

func (p *parser) at(line int, err error) error {
	return &dataframe.Error{Path: p.path, Row: dataframe.Line(line), Err: err}
}

// parse reads one line.
func (p *parser) parse(line string) error {
	words := strings.Fields(line)
	if p.line == 1 {
		if len(words) == 0 || !strings.EqualFold(strings.TrimPrefix(words[0], "\ufeff"), magic) {
			return fmt.Errorf("is %s, want %q as the first word of a .stp file", dataframe.Quote(line), magic)
		}
		return nil
	}
	if len(words) == 0 || strings.HasPrefix(words[0], "#") {
		return nil
	}
	key := strings.ToLower(words[0])
	if p.section == "" {
		return p.outside(key, words)
	}
	switch {
	case key == "end":
		p.section = ""
	case key == "section":
		return fmt.Errorf("begins a section inside the section %q, want END before it", p.section)
	case key == "eof":
		return fmt.Errorf("ends the file inside its section %q, want END before it", p.section)
	case isSection(p.section, "comment"):
		p.comment(key, line, words)
	case isSection(p.section, "graph"):
		return p.graphLine(key, words)
	case isSection(p.section, "terminal"):
		return p.terminalLine(key, words)
	}
	return nil
}

// outside reads a line between sections.
func (p *parser) outside(key string, words []string) error {
	switch {
	case key == "eof":
		p.done = true
	case key != "section":
		return fmt.Errorf("begins with %s, want SECTION or EOF", dataframe.Quote(words[0]))
	case len(words) < 2:
		return errors.New("begins a section without a name")
	default:
		p.section = words[1]
	}
	return nil
}

// isSection compares names in any case, in singular and plural.
func isSection(section, singular string) bool {
	return strings.TrimSuffix(strings.ToLower(section), "s") == singular
}

// comment takes the name, which stands between quotes of any kind and encoding.
func (p *parser) comment(key, line string, words []string) {
	if key != "name" || p.name != "" || len(words) < 2 {
		return
	}
	rest := strings.TrimSpace(line)[len(words[0]):]
	p.name = strings.ToValidUTF8(strings.TrimFunc(rest, func(r rune) bool {
		return strings.ContainsRune(" \t\"'`´‘’‚“”„«»\ufffd", r)
	}), "")
}

func (p *parser) graphLine(key string, words []string) error {
	switch key {
	case "nodes":
		return p.declare(&p.nodes, words, math.MaxInt32)
	case "edges":
		return p.declare(&p.edges, words, math.MaxInt32/2)
	case "arcs":
		return errors.New("announces arcs; only undirected graphs can be read (Edges and E)")
	case "a":
		return errors.New("is an arc; only undirected edges can be read (E)")
	case "e":
		return p.edge(words)
	}
	return fmt.Errorf("begins with %s, want Nodes, Edges, E or END in the section %q", dataframe.Quote(words[0]), p.section)
}

// edge reads "E u v cost", or "E u v" of a file with node weights.
func (p *parser) edge(words []string) error {
	if len(words) != 3 && len(words) != 4 {
		return fmt.Errorf("has %d words after E, want two nodes and a cost", len(words)-1)
	}
	if p.edges.line > 0 && len(p.ends) == p.edges.count {
		return fmt.Errorf("is edge %d, but line %d announces %d", len(p.ends)+1, p.edges.line, p.edges.count)
	}
	u, err := p.node(words[1])
	if err != nil {
		return err
	}
	v, err := p.node(words[2])
	if err != nil {
		return err
	}
	if u == v {
		return fmt.Errorf("joins node %d to itself", u+1)
	}
	cost := 0.0
	seen := &p.unpriced
	if len(words) == 4 {
		seen = &p.priced
		if cost, err = number("cost", words[3]); err != nil {
			return err
		}
		if cost < 0 {
			return fmt.Errorf("has cost %s, want at least 0", words[3])
		}
	}
	if *seen == 0 {
		*seen = p.line
	}
	p.ends = append(p.ends, graph.Edge{U: int32(u), V: int32(v)})
	p.costs = append(p.costs, cost)
	return nil
}

func (p *parser) terminalLine(key string, words []string) error {
	switch key {
	case "terminals":
		return p.declare(&p.terminals, words, math.MaxInt32)
	case "root", "rootp":
		return p.setRoot(words)
	case "t", "tp":
		return p.terminal(key == "t", words)
	}
	return fmt.Errorf("begins with %s, want Terminals, RootP, TP, T or END in the section %q", dataframe.Quote(words[0]),
		p.section)
}

func (p *parser) setRoot(words []string) error {
	if len(words) != 2 {
		return fmt.Errorf("has %d words after %s, want a node", len(words)-1, words[0])
	}
	if p.rootLine > 0 {
		return fmt.Errorf("names a second root after that of line %d", p.rootLine)
	}
	u, err := p.node(words[1])
	p.root, p.rootLine = u, p.line
	return err
}

// terminal reads "TP v prize" or "T v weight".
func (p *parser) terminal(weight bool, words []string) error {
	if len(words) == 2 && weight {
		return errors.New("has no weight: this is a Steiner tree problem without prizes, want TP v prize or T v weight")
	}
	if len(words) != 3 {
		return fmt.Errorf("has %d words after %s, want a node and a number", len(words)-1, words[0])
	}
	u, err := p.node(words[1])
	if err != nil {
		return err
	}
	if first, ok := p.seenPrize[u]; ok {
		return fmt.Errorf("is about node %d, as line %d is", u+1, first)
	}
	p.seenPrize[u] = p.line
	what := "prize"
	if weight {
		what = "weight"
	}
	x, err := number(what, words[2])
	switch {
	case err != nil:
		return err
	case x < 0 && !weight:
		return fmt.Errorf("has prize %s, want at least 0", words[2])
	case len(p.prizes) > 0 && weight != p.weighted:
		return fmt.Errorf("begins with %s; want only TP (prizes) or only T (weights) in a file", words[0])
	}
	p.weighted = weight
	p.prizes = append(p.prizes, prize{u, x})
	return nil
}

// declare reads a count, which a file gives once.
func (p *parser) declare(d *declared, words []string, most int) error {
	if d.line > 0 {
		return fmt.Errorf("gives %s again after line %d", strings.ToLower(words[0]), d.line)
	}
	if len(words) != 2 {
		return fmt.Errorf("has %d words after %s, want one number", len(words)-1, words[0])
	}
	n, err := strconv.Atoi(words[1])
	if err != nil || n < 0 || n > most {
		return fmt.Errorf("has %s %s, want a whole number from 0 to %d", words[0], dataframe.Quote(words[1]), most)
	}
	*d = declared{n, p.line}
	return nil
}

// node reads a node, counting from 1 in the file and from 0 here.
func (p *parser) node(word string) (int, error) {
	if p.nodes.line == 0 {
		return 0, errors.New("names a node before the number of nodes (Nodes n) is known")
	}
	n, err := strconv.Atoi(word)
	if err != nil || n < 1 || n > p.nodes.count {
		return 0, fmt.Errorf("has node %s, want 1 to %d", dataframe.Quote(word), p.nodes.count)
	}
	return n - 1, nil
}

// maxNumber keeps sums of costs and prizes finite.
const maxNumber = 1e290

// number reads a decimal number.
func number(what, word string) (float64, error) {
	x, err := strconv.ParseFloat(word, 64)
	if err != nil || strings.ContainsAny(word, "xXpPnN_") || math.Abs(x) > maxNumber {
		return 0, fmt.Errorf("has %s %s, want a finite decimal number", what, dataframe.Quote(word))
	}
	return x, nil
}
