package main

import (
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"

	"graphda/graph"
	"graphda/io/samples"
	"graphda/jobs/jobstest"
)

// lineFiles makes a folder with a path a–b–c–d–e in several kinds of file and goes there.
func lineFiles(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	jobstest.WriteFile(t, ".", "edges.csv", "source,target,cost\na,b,1\nb,c,1\nc,d,1\nd,e,1\n")
	jobstest.WriteFile(t, ".", "weights.csv", "name,value\na,-3\nb,2\nc,0.1\nd,0.2\ne,2.5\n")
	jobstest.WriteFile(t, ".", "prizes.csv", "name,prize\na,9\nb,4\nc,0.01\nd,0.04\ne,6.25\n")
	names := []string{"a", "b", "c", "d", "e"}
	g, err := graph.New(5, []graph.Edge{{U: 0, V: 1}, {U: 1, V: 2}, {U: 2, V: 3}, {U: 3, V: 4}}, nil)
	must(t, err)
	must(t, samples.WriteGraph("graph.parquet", g, names))
	must(t, samples.WriteFeatures("features.parquet", &samples.Features{Names: names, Truth: []float64{-3, 2, 0.1, 0.2, 2.5}}))
}

// A projectJSON is what `gdrun project --format json` prints.
type projectJSON struct {
	Kind                   string
	Nodes, Edges           []struct{ Name string }
	Notes                  []string
	Unmatched              *int
	Objective, Cost, Prize *float64
}

// projected runs gdrun project with these arguments.
func projected(t *testing.T, args ...string) (p projectJSON) {
	t.Helper()
	o := ok(t, append(append([]string{"project"}, args...), "--format", "json")...)
	must(t, json.Unmarshal([]byte(o.Stdout), &p))
	return p
}

func (p *projectJSON) names() string {
	var names []string
	for _, n := range p.Nodes {
		names = append(names, n.Name)
	}
	return strings.Join(names, "")
}

func TestProject(t *testing.T) {
	lineFiles(t)
	text := "--graph edges.csv --weights weights.csv "
	for args, want := range map[string]string{
		text + "--kind top --sparsity 2":                                                      "top ae 0",
		text + "--sparsity 3 --components 2 --search paper --max-iter 30 --omega 0":           "tail abe 1",
		text + "--pruning strong --scale 3":                                                   "pcsf ab 1",
		text + "--pruning strong --scale 5 --root e":                                          "pcsf e 0",
		text + "--sparsity 1 --components 2 --budget 0 --nu 3":                                "tail ae 0",
		"--graph edges.csv --prizes prizes.csv -s 2":                                          "tail ab 1",
		"--graph graph.parquet --weights features.parquet --column truth -s 2":                "tail ab 1",
		"--graph graph.parquet --prizes prizes.csv --scale 3 --pruning strong --components 2": "pcsf abe 1",
	} {
		got := projected(t, strings.Fields(args)...)
		if s := strings.Join([]string{got.Kind, got.names(), string(rune('0' + len(got.Edges)))}, " "); s != want {
			t.Errorf("project %s: %s, want %s", args, s, want)
		}
		if (got.Objective != nil) != (got.Kind == "pcsf") {
			t.Errorf("project %s: objective %v", args, got.Objective)
		}
	}
}

// Rows that match no node are counted in every format, and refused if they are most.
func TestProjectCountsWhatMatchesNoNode(t *testing.T) {
	lineFiles(t)
	write := func(name, content string) { jobstest.WriteFile(t, ".", name, content) }
	write("none.csv", "name,prize\nX,9\nY,4\n")
	write("most.csv", "name,prize\nX,9\nY,4\na,1\n")
	write("half.csv", "name,prize\nX,9\na,1\n")
	write("empty.csv", "name,prize\n")
	write("whole.csv", "source,target\n7157,4193\n")
	write("wholenone.csv", "name,prize\n1,9\n2,3\n")
	write("index.csv", "source,target\n0,1\n")
	write("indexnone.csv", "index,prize\n5,9\n6,3\n")
	write("rows.csv", "prize\n5\n9\n6\n3\n7\n")
	for _, c := range []struct {
		graph, prizes, unmatched string
		count                    int
		refused                  string
	}{
		{"edges.csv", "prizes.csv", "", 0, ""},
		{"edges.csv", "prizes.csv", "error", 0, ""},
		{"edges.csv", "none.csv", "", 2, `none.csv: 2 of 2 rows match no node of edges.csv: "X", "Y"`},
		{"edges.csv", "none.csv", "warn", 2, ""},
		{"edges.csv", "most.csv", "", 2, "2 of 3 rows"},
		{"edges.csv", "half.csv", "", 1, ""},
		{"edges.csv", "half.csv", "error", 1, "1 of 2 rows"},
		{"edges.csv", "half.csv", "warn", 1, ""},
		{"edges.csv", "empty.csv", "", 0, "empty.csv: has no rows"},
		{"whole.csv", "wholenone.csv", "", 2, "2 of 2 rows"},
		{"index.csv", "indexnone.csv", "", 2, "2 of 2 rows"},
		{"index.csv", "rows.csv", "error", 0, ""}, // rows are nodes by their places
	} {
		args := []string{"project", "--graph", c.graph, "--prizes", c.prizes}
		if c.unmatched != "" {
			args = append(args, "--unmatched", c.unmatched)
		}
		if c.refused != "" {
			refused(t, 1, args, c.refused, "--unmatched warn")
			continue
		}
		for _, format := range []string{"text", "json", "csv", "graphml"} {
			o := ok(t, append(args, "--format", format)...)
			note := "rows match no node of " + c.graph
			if told := strings.Contains(o.Stdout+o.Stderr, note); told != (c.count > 0) {
				t.Errorf("%q in %s: %q said: %v", args, format, note, told)
			}
		}
		if n := projected(t, args[1:]...).Unmatched; n == nil || *n != c.count {
			t.Errorf("%q: unmatched %v, want %d", args, n, c.count)
		}
	}
	refused(t, 2, []string{"project", "--graph", "edges.csv", "--prizes", "none.csv", "--unmatched", "no"}, `unmatched = "no", want error or warn`)
}

// Columns that look as if they were read are named.
func TestProjectTellsOfColumnsItDoesNotRead(t *testing.T) {
	lineFiles(t)
	jobstest.WriteFile(t, ".", "weighted.csv", "source,target,weight\na,b,5\nb,c,7\nc,d,1\nd,e,1\n")
	jobstest.WriteFile(t, ".", "both.csv", "source,target,cost,weight\na,b,1,5\nb,c,1,7\nc,d,1,1\nd,e,1,1\n")
	jobstest.WriteFile(t, ".", "values.csv", "name,value,weight\na,1,2\nb,3,4\nc,1,1\nd,1,1\ne,1,1\n")
	for args, want := range map[string]string{
		"--graph weighted.csv --prizes prizes.csv":               "columns of weighted.csv that are not read: weight; every edge costs 1",
		"--graph both.csv --prizes prizes.csv":                   "columns of both.csv that are not read: weight",
		"--graph edges.csv --weights values.csv":                 "column value of values.csv is read, and not weight",
		"--graph edges.csv --weights values.csv --column weight": "",
		"--graph edges.csv --weights weights.csv":                "",
	} {
		o := ok(t, append([]string{"project"}, strings.Fields(args)...)...)
		if want == "" && strings.Contains(o.Stdout, "note") || !strings.Contains(o.Stdout, want) {
			t.Errorf("project %s does not say %q, or too much:\n%s", args, want, o.Stdout)
		}
	}
}

// Prizes are no squares, and sums that are out of range have no JSON.
func TestProjectOfHugeNumbers(t *testing.T) {
	lineFiles(t)
	jobstest.WriteFile(t, ".", "huge.csv", "name,prize\na,1e308\nb,0\nc,5e307\nd,0\ne,1\n")
	jobstest.WriteFile(t, ".", "beyond.csv", "name,prize\na,1e308\nb,1e308\nc,1\nd,0\ne,1\n")
	jobstest.WriteFile(t, ".", "dear.csv", "source,target,cost\na,b,1e308\nb,c,1e308\nc,d,1\nd,e,1\n")
	for _, kind := range []string{"", "--pruning strong", "-s 3", "--kind head", "--kind top -s 3", "-s 3 --budget 2"} {
		got := projected(t, strings.Fields("--graph edges.csv --prizes huge.csv "+kind)...)
		if names := got.names(); !strings.Contains(names, "a") || kind != "--kind head" && !strings.Contains(names, "c") || strings.Contains(names, "e") && kind == "--pruning strong" {
			t.Errorf("project %s takes %s, want a and c", kind, names)
		}
	}
	refused(t, 1, strings.Fields("project --graph edges.csv --prizes beyond.csv"), "node a has 1e+308, and the sum of all prizes is out of range")
	got := projected(t, strings.Fields("--graph dear.csv --prizes prizes.csv --pruning none --scale 0")...)
	if got.Cost != nil || got.Prize == nil {
		t.Errorf("cost %v, prize %v, want a cost that is null", got.Cost, got.Prize)
	}
}

// A graph's names do nothing to the terminal, whatever they are.
func TestProjectPrintsNoControlCharacters(t *testing.T) {
	lineFiles(t)
	jobstest.WriteFile(t, ".", "wild.csv", "source,target,\x1b[2Jevil\n\x1b]0;x\aa,b,1\nb,\"c\nd\",1\n")
	jobstest.WriteFile(t, ".", "values.csv", "name,value\n\x1b]0;x\aa,1\nb,2\n\"c\nd\",3\n")
	jobstest.WriteFile(t, ".", "bad.csv", "name,value\n\x1b]0;x\aa,1\nb,\x1b[2J\n")
	o := ok(t, "project", "--graph", "wild.csv", "--weights", "values.csv")
	if strings.ContainsAny(o.Stdout+o.Stderr, "\x1b\a") || !strings.Contains(o.Stdout, `\x1b]0;x\aa`) || !strings.Contains(o.Stdout, `c\nd`) {
		t.Errorf("%q", o.Stdout+o.Stderr)
	}
	refused(t, 1, []string{"project", "--graph", "wild.csv", "--weights", "bad.csv"}, `"\x1b[2J"`)
	refused(t, 2, []string{"project", "--graph", "gone\x1b[2J.csv", "--weights", "bad.csv"}, `gone\x1b[2J.csv`)
	o = ok(t, "project", "--graph", "wild.csv", "--weights", "values.csv", "--format", "csv")
	if rows, err := csv.NewReader(strings.NewReader(o.Stdout)).ReadAll(); err != nil || rows[1][3] != "\x1b]0;x\aa" {
		t.Errorf("%q, %v, want the names unchanged in CSV", rows, err)
	}
}
