package dataframe

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestGraphMLElements checks that every element and attribute of GraphML is read, refused by name, or mentioned in
// a note.
func TestGraphMLElements(t *testing.T) {
	const (
		a, b   = `<node id="a"/>`, `<node id="b"/>`
		ab     = `<edge source="a" target="b"/>`
		keys   = `<key id="w" for="edge" attr.name="cost" attr.type="double"><default> 2 </default></key><key id="l" for="node" attr.name="label"/>`
		labels = `<node id="a"><data key="l">X</data></node><node id="b"><data key="l">X</data></node><node id="c"><data key="l">c</data></node>`
	)
	for name, c := range map[string]struct{ content, want, notes string }{
		"default":            {keys + `<graph>` + a + b + ab + `<edge source="b" target="a"><data key="w">3</data></edge></graph>`, "source|target|cost\na|b|2\nb|a|3", ""},
		"default name":       {`<key id="n" for="node" attr.name="name"><default>X</default></key><graph>` + a + b + ab + `</graph>`, "source|target\na|b", "nodes are named by their ids, because some nodes have no name or share it"},
		"same labels":        {keys + `<graph>` + labels + ab + `<edge source="b" target="c"/></graph>`, "source|target|cost\na|b|2\nb|c|2", "nodes are named by their ids, because some nodes have no label or share it"},
		"second name":        {`<key id="s" for="node" attr.name="name"/>` + keys + `<graph><node id="a"><data key="s">X</data><data key="l">1</data></node><node id="b"><data key="s">X</data><data key="l">2</data></node>` + ab + `</graph>`, "source|target|cost\n1|2|2", ""},
		"no name":            {keys + `<graph><node id="a"><data key="l">X</data></node>` + b + ab + `</graph>`, "source|target|cost\na|b|2", "nodes are named by their ids, because some nodes have no label or share it"},
		"key of both":        {`<key id="k" for="node" attr.name="name"/><key id="k" for="edge" attr.name="cost"/><graph><node id="a"><data key="k">A</data></node><node id="b"><data key="k">B</data></node><edge source="a" target="b"><data key="k">5</data></edge></graph>`, "source|target|cost\nA|B|5", ""},
		"white space":        {keys + "<graph><node id=' a'><data key='l'>\n A\n</data></node><node id='b'><data key='l'>B</data></node><edge source='a ' target='b'/></graph>", "source|target|cost\nA|B|2", ""},
		"nested":             {`<graph edgedefault="directed">` + a + `<node id="b"><graph edgedefault="undirected"><node id="c"/><node id="d"/><edge source="c" target="d"/></graph></node>` + ab + `<edge source="b" target="c"/></graph>`, "source|target|directed\nc|d|false\na|b|true\nb|c|true", "graphs inside nodes or edges are read as parts of the main graph"},
		"nested in an edge":  {`<graph>` + a + b + `<edge source="a" target="b"><graph><node id="c"/><edge source="c" target="a"/></graph></edge></graph>`, "source|target\nc|a\na|b", "graphs inside nodes or edges are read as parts of the main graph"},
		"direction":          {`<graph edgedefault="undirected">` + a + b + ab + `<edge source="a" target="b" directed="true"/></graph>`, "source|target|directed\na|b|false\na|b|true", ""},
		"ports":              {`<graph><node id="a"><port name="N"/></node>` + b + `<edge source="a" target="b" sourceport="N"/></graph>`, "source|target\na|b", "not read: element port"},
		"desc":               {`<desc>x</desc><key id="w" for="edge"><desc>y</desc></key><graph><desc>z</desc>` + a + b + ab + `</graph>`, "source|target|w\na|b|", "not read: element desc"},
		"other data":         {keys + `<key id="p" for="node" attr.name="prize"/><graph><data key="g">1</data><node id="a"><data key="p">1</data></node>` + b + `<edge source="a" target="b"><data key="z">1</data></edge></graph>`, "source|target|cost\na|b|2", `not read: element data, attribute "prize" of nodes, data "z" of elements edge`},
		"yEd":                {`<key id="y" for="node" yfiles.type="nodegraphics"/><graph><node id="a"><data key="y"><y:ShapeNode xmlns:y="u"><y:NodeLabel>TP53</y:NodeLabel></y:ShapeNode></data></node>` + b + ab + `</graph>`, "source|target\na|b", `not read: element ShapeNode, attribute "y" of nodes`},
		"hyperedge":          {`<graph>` + a + b + `<hyperedge><endpoint node="a"/><endpoint node="b"/></hyperedge></graph>`, "!has an element hyperedge", ""},
		"locator":            {`<graph><node id="a"><locator xlink:href="x"/></node>` + b + ab + `</graph>`, "!has an element locator", ""},
		"two graphs":         {`<graph>` + a + b + ab + `</graph><graph/>`, "!has 2 graphs, want one", ""},
		"two files":          {`<graph/></graphml><graphml><graph/>`, "!has 2 graphs, want one", ""},
		"no graph":           {keys, "!has 0 graphs, want one", ""},
		"same id":            {`<graph>` + a + a + `</graph>`, `!has two nodes with the id "a"`, ""},
		"same id, nested":    {`<graph>` + a + `<node id="b"><graph>` + a + `</graph></node></graph>`, `!has two nodes with the id "a"`, ""},
		"no id":              {`<graph><node/></graph>`, `!or a node without an id`, ""},
		"unknown node":       {`<graph>` + a + ab + `</graph>`, `!row 0 (counting from 0): the edge ends at node "b"`, ""},
		"two values":         {keys + `<graph>` + a + b + `<edge source="a" target="b"><data key="w">1</data><data key="w">2</data></edge></graph>`, `!has an element edge with two values of "cost"`, ""},
		"keys of two types":  {keys + `<key id="v" for="edge" attr.name="cost" attr.type="long"/><graph>` + a + b + ab + `<edge source="a" target="b"><data key="v">7</data></edge></graph>`, "source|target|cost\na|b|2\na|b|7", ""},
		"two values of two":  {keys + `<key id="v" for="edge" attr.name="cost" attr.type="long"/><graph>` + a + b + `<edge source="a" target="b"><data key="w">1</data><data key="v">2</data></edge></graph>`, `!has an element edge with two values of "cost"`, ""},
		"a source":           {`<key id="s" for="edge" attr.name="source"/><graph>` + a + b + `<edge source="a" target="b"><data key="s">STRING</data></edge></graph>`, "source|target|attribute source\na|b|STRING", ""},
		"two keys":           {keys + keys, `!has two keys of id "w" for elements edge`, ""},
		"two keys, one all":  {keys + `<key id="w"/>`, `!has two keys of id "w" for elements edge`, ""},
		"names of two kinds": {keys + `<graph>` + labels + `<edge source="a" target="X"/></graph>`, `!the edge ends at node "X"`, ""},
	} {
		path := put(t, "x.graphml", "<graphml>"+c.content+"</graphml>")
		got, err := whole(path, Options{})
		if want, refused := strings.CutPrefix(c.want, "!"); refused {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error %v, want %s", name, err, want)
			}
			continue
		}
		table, _ := Open(path, Options{})
		notes := strings.Contains(c.content, "#") && table.Layout().Notes == nil
		if err != nil || notes || got != c.want || strings.Join(table.Layout().Notes, "\n") != c.notes {
			t.Errorf("%s: %q, %v, notes %q, want %q and %q", name, got, err, table.Layout().Notes, c.want, c.notes)
		}
	}
}

// TestOneSeparator checks that files have one separator, as in the program that defines the format.
func TestOneSeparator(t *testing.T) {
	for _, c := range []struct{ name, content, want, nodes string }{
		{"x.sif", "a b\tis in\tc\nlone node\n", "a b|is in|c", "a b,lone node"},
		{"x.sif", "a pp b c\nd\n", "a|pp|b\na|pp|c", "a,d"},
		{"x.sif", "a pp b\nc\tpp\td\n", "c|pp|d", "a pp b,c"},
		{"x.sif", "a pp b\n#c pp d\n", "a|pp|b", "a"},
		{"x.edges", "a, b\nb,c,1\n", "a|b|\nb|c|1", ""},
		{"x.edges", "a,1 b\nb c\n", "a,1|b\nb|c", ""},
		{"x.edges", "a b\tc d\t1\ne\tf\n", "a b|c d|1\ne|f|", ""},
		{"x.edgelist", "a b {}\nb c {}\n", "a|b\nb|c", ""},
	} {
		path := put(t, c.name, c.content)
		got, err := whole(path, Options{})
		_, got, _ = strings.Cut(got, "\n")
		table, _ := Open(path, Options{})
		if err != nil || got != c.want || strings.Join(table.Layout().Nodes, ",") != c.nodes {
			t.Errorf("%q: %q, %v, nodes %q", c.content, got, err, table.Layout().Nodes)
		}
	}
}

// TestAgainstNetworkX checks that NetworkX and this package read the same from the files that NetworkX writes.
func TestAgainstNetworkX(t *testing.T) {
	dir := t.TempDir()
	out, err := exec.Command("python3", "-c", `
import json, os, random, sys
import networkx as nx
os.chdir(sys.argv[1]); r = random.Random(7); want = {}
for k in range(40):
    g = r.choice([nx.Graph, nx.DiGraph, nx.MultiGraph])()
    for v in range(r.randint(1, 12)):
        g.add_node('n %d' % v, **({'label': r.choice(['A & B', 'é', 'x<y', 'z%d' % v])} if r.random() < .9 else {}))
    for _ in range(r.randint(0, 20)):
        u, v = r.choice(list(g)), r.choice(list(g))
        g.add_edge(u, v, **({'cost': r.choice([1, 2.5, 1e-7])} if r.random() < .7 else {}))
    name = '%d.graphml' % k
    nx.write_graphml(g, name)
    back = nx.read_graphml(name)
    labels = nx.get_node_attributes(back, 'label')
    alone = len(labels) == len(back) == len(set(labels.values()))
    called = (lambda v: labels[v].strip()) if alone else (lambda v: v)
    want[name] = sorted([called(u), called(v), float(d.get('cost', -1))] for u, v, d in back.edges(data=True))
    if not back.is_directed(): want[name] = sorted([min(u, v), max(u, v), c] for u, v, c in want[name])
print(json.dumps(want))`, dir).Output()
	if err != nil {
		t.Skipf("python3 with networkx is not there: %v", err)
	}
	var want map[string][][]any
	must(t, json.Unmarshal(out, &want))
	for name, edges := range want {
		table, err := Open(filepath.Join(dir, name), Options{})
		must(t, err)
		var got [][]any
		cost, err := table.Find("cost")
		must(t, err)
		for table.Next() {
			u, v, x := table.Text(0), table.Text(1), -1.0
			if !slices.Contains(table.Columns(), "directed") {
				u, v = min(u, v), max(u, v)
			}
			if cost >= 0 && table.Text(cost) != "" {
				x, err = table.Number(cost)
				must(t, err)
			}
			got = append(got, []any{u, v, x})
		}
		a, b := sorted(got), sorted(edges)
		if !slices.Equal(a, b) {
			t.Errorf("%s: %v, want %v", name, a, b)
		}
	}
}

func sorted(edges [][]any) (texts []string) {
	for _, e := range edges {
		text, _ := json.Marshal(e)
		texts = append(texts, string(text))
	}
	slices.Sort(texts)
	return texts
}
