package project

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"graphda/graph"
	"graphda/io/network"
	"graphda/projection/pcst/pcsttest"
)

// numbered returns a graph whose nodes are called by their numbers.
func numbered(t testing.TB, g *graph.Graph) *Named {
	names := make([]string, g.NumNodes())
	for u := range names {
		names[u] = strconv.Itoa(u)
	}
	n := must1(NewNamed(&network.Whole{Graph: g, Names: names}))
	return n
}

// A name is found by bisection, so names that do not ascend are refused.
func TestNamesAscend(t *testing.T) {
	for _, names := range [][]string{{"b", "a"}, {"a", "a"}, {"10", "9"}, {"9", "10"}} {
		n, err := NewNamed(&network.Whole{Graph: graph.Grid(2, 1), Names: names})
		if good := names[0] == "9"; good != (err == nil) {
			t.Fatalf("%q: %v", names, err)
		} else if good {
			if a := ask(t, n, QueryOptions{Workers: 1}, `{"prizes": {"10": 1, "x": 1, "1": 1}}`)[0]; fmt.Sprint(a["nodes"], a["unknown"]) != "[10] [x 1]" {
				t.Error(a)
			}
		}
	}
}

func ask(t testing.TB, n *Named, o QueryOptions, lines string) (answers []map[string]any) {
	var out bytes.Buffer
	must(t, n.Answer(context.Background(), strings.NewReader(lines), &out, o))
	for line := range strings.Lines(out.String()) {
		var a map[string]any
		must(t, json.Unmarshal([]byte(line), &a))
		delete(a, "ms")
		answers = append(answers, a)
	}
	return answers
}

// Every line has its answer, in its place, by one worker and by many; a bad one is an answer and not the end.
func TestQueriesInOrder(t *testing.T) {
	n := numbered(t, graph.Grid(20, 20))
	r := rand.New(rand.NewPCG(1, 2))
	var lines strings.Builder
	for i := range 400 {
		switch r.IntN(8) {
		case 0:
			fmt.Fprintln(&lines, `{"id": `)
		case 1:
			fmt.Fprintf(&lines, `{"id": %d, "prizes": {"nobody": 1}}`+"\n\n", i)
		default:
			fmt.Fprintf(&lines, `{"id": %d, "prizes": {"%d": 5, "x": 1, "%d": 4, "4%02d": 3}, "max_nodes": %d, "must": ["%d"]}`+"\n", i,
				r.IntN(100), 100+r.IntN(100), r.IntN(100), r.IntN(3)*10, 200+r.IntN(100))
		}
	}
	one := ask(t, n, QueryOptions{Workers: 1, Certify: true}, lines.String())
	many := ask(t, n, QueryOptions{Workers: 7, Certify: true}, lines.String())
	if len(one) != 400 {
		t.Fatalf("%d answers", len(one))
	}
	for i := range one {
		a, b := fmt.Sprint(one[i]), fmt.Sprint(many[i])
		if id, ok := one[i]["id"]; a != b || ok && id != float64(i) {
			t.Fatalf("answer %d: %s by one worker, %s by many", i, a, b)
		}
	}
}

// What is wrong with a query is said in its answer.
func TestQueriesRefused(t *testing.T) {
	g := must1(graph.New(5, []graph.Edge{{U: 0, V: 1}, {U: 1, V: 2}, {U: 3, V: 4}}, nil))
	n := numbered(t, g)
	for line, want := range map[string]string{
		`[]`:                                             "the line is not a query: want an object such as",
		`null`:                                           "want an object such as",
		`{"prizes": {"1": null}}`:                        `the prize of "1" is not a number`,
		`{"edge_prizes": [["0", "1", null]]}`:            `want ["source", "target", prize]`,
		`{"max_nodes": 1.5}`:                             "components = 0 and max_nodes = 1.5, want whole numbers",
		`{"max_nodes": "1"}`:                             "max_nodes: there is a JSON string, want a number",
		`{"must": "1"}`:                                  "must: there is a JSON string, want a list",
		`{"must": [1]}`:                                  "must: there is a JSON number, want a text",
		`{"prizes": {"1": 1}} {}`:                        "more than one object",
		`{"prize": {"1": 1}}`:                            `unknown field "prize"`,
		`{"prizes": {"1": "a"}}`:                         `the prize of "1" is not a number`,
		`{"prizes": {"1": 1e999}}`:                       `the prize of "1" is not a number`,
		`{"prizes": {"1": 1, "1": 2}}`:                   `"1" has two prizes`,
		`{"prizes": {"9": 1, "8": 1}}`:                   "none of the 2 nodes with prizes is in the graph",
		`{"edge_prizes": [["0", "2", 1]]}`:               `no edge between "0" and "2"`,
		`{"edge_prizes": [["0", "1"]]}`:                  `want ["source", "target", prize]`,
		`{"edge_prizes": [["0", "1", -1]]}`:              "at least 0",
		`{"must": ["7"]}`:                                `"7" must be in the answer`,
		`{"must": ["0", "3"]}`:                           `2 connected components of the graph, want at most 1: "0", "3"`,
		`{"must": ["0", "2"], "max_nodes": 2}`:           "exceed the limit of 2: the smallest tree found that joins them takes 3",
		`{"must": ["0", "2"], "exclude": ["1"]}`:         `the excluded nodes cut off some nodes that must be in the answer; not reached: "2"`,
		`{"edge_prizes": [["1", "2", -1]]}`:              `an edge has the prize -1, want a number of at least 0: "1", "2"`,
		`{"prizes": {"1": 1, "2": -1}, "pruning": "gw"}`: `takes none below 0: "2"`,
		`{"prizes": {"1": 1}, "root": "1", "pruning": "gw", "components": 2}`: "components = 2, want 1 with a root",
		strings.Repeat(" ", 9) + strings.Repeat("[", MaxQuery+1):              "it has more than 67108864 bytes",
		`{"must": ["0"], "exclude": ["0"]}`:                                   `excluded: "0"`,
		`{"max_nodes": 1, "max_weight": 1}`:                                   "not both",
		`{"max_nodes": -1}`:                                                   "at least 0",
		`{"prizes": {"1": 1e308, "2": 1e308}}`:                                "is out of range",
		`{"edge_prizes": [["0", "1", 1e308], ["1", "2", 1e308]]}`:             "is out of range",
		`{"prizes": {"1": 1}, "pruning": "no"}`:                               "pruning",
		`{"must": ["1"], "pruning": "gw"}`:                                    "prizes, root and components only",
	} {
		a := ask(t, n, QueryOptions{Workers: 1}, line)
		if text, _ := a[0]["error"].(string); !strings.Contains(text, want) || len(a) != 1 {
			t.Errorf("%s: %v, want %q", line, a, want)
		}
	}
}

// An answer tells of prizes that count for nothing, and why it has no nodes. A node without edges can be an answer.
func TestQueriesTell(t *testing.T) {
	g := must1(graph.New(6, []graph.Edge{{U: 0, V: 1}, {U: 1, V: 2}, {U: 3, V: 4}}, nil))
	const none = "cost:0 prize:0 why:no node that may be in the answer has a prize above 0, and no edge has one above its cost"
	for line, want := range map[string]string{
		`{}`:                                            none,
		`{"prizes": {"1": 0, "2": -1}}`:                 none,
		`{"prizes": {"5": 1, "0": 0.5}}`:                "cost:0 nodes:[5] prize:1",
		`{"prizes": {"5": 1, "x": 9, "": 1}}`:           "cost:0 nodes:[5] prize:1 unknown:[x ]",
		`{"prizes": {"1": 1}, "exclude": ["1"]}`:        none,
		`{"edge_prizes": [["0", "1", 5]]}`:              "cost:1 edges:[[0 1]] nodes:[0 1] prize:5",
		`{"prizes": {"0": -9, "1": 2, "2": 3, "x": 8}}`: "cost:1 edges:[[1 2]] nodes:[1 2] prize:5 unknown:[x]",
		`{"prizes": {"0": 1, "1": 2, "2": 3}}`:          "cost:1 edges:[[1 2]] nodes:[1 2] prize:5",
		"\ufeff" + `{"prizes": {"5": 1}, "max_nodes": 1e1, "components": 1.0, "must": null}`: "cost:0 nodes:[5] prize:1",
		`{"prizes": {"0": 1, "5": 1}, "prizes": {"5": 2}}`:                                   "cost:0 nodes:[5] prize:2",
	} {
		if got := fmt.Sprint(ask(t, numbered(t, g), QueryOptions{Workers: 1, TopK: 2}, line)[0]); got != "map["+want+"]" {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
}

// A bound says how far an answer may be from the best, also of the published algorithm, or that none is known. It does
// not take longer for larger prizes.
func TestQueriesCertified(t *testing.T) {
	g := must1(graph.New(6, []graph.Edge{{U: 0, V: 1}, {U: 1, V: 2}, {U: 3, V: 4}}, nil))
	for line, want := range map[string]string{
		`{"prizes": {"0": 2e12, "5": 1e12}}`:                   "cost:0 gap:0 nodes:[0] prize:2e+12",
		`{"prizes": {"0": 2, "2": 5}, "pruning": "gw"}`:        "cost:2 edges:[[0 1] [1 2]] gap:0 nodes:[0 1 2] prize:7",
		`{"prizes": {"2": 1}, "root": "0", "pruning": "none"}`: "cost:0 gap:0 nodes:[0] prize:0",
		`{"prizes": {"0": 2, "5": 5}, "components": 2}`:        "cost:0 no_gap:no bound is known for several components nodes:[0 5] prize:7",
	} {
		if got := fmt.Sprint(ask(t, numbered(t, g), QueryOptions{Workers: 1, Certify: true}, line)[0]); got != "map["+want+"]" {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
}

// Queries of a table are those of lines.
func TestQueryTables(t *testing.T) {
	g := must1(graph.New(5, []graph.Edge{{U: 0, V: 1}, {U: 1, V: 2}, {U: 3, V: 4}}, nil))
	n := numbered(t, g)
	table := "id,name,prize,other,use,max_nodes,pruning,note\n" +
		"a,0,5,,,2,,\na,2,4,,,1,,\nb,0,3,1,,,,\nb,2,,,must,,,\nb,4,,,exclude,,,\na,1,x,,,,,\nc,0,2,,,,gw,\nc,9,1,,,,,\nd,0,1,,mus,,,\n"
	lines := `{"id":"a","prizes":{"0":5,"2":4},"max_nodes":2}
{"id":"b","edge_prizes":[["0","1",3]],"must":["2"],"exclude":["4"]}
{"id":"a","prizes":{"1":"x"}}
{"id":"c","prizes":{"0":2,"9":1},"pruning":"gw"}
{"id":"d","prizes":{"0":1},"mus":["0"]}`
	for _, path := range []string{write(t, "q.csv", table), write(t, "q.tsv", strings.ReplaceAll(table, ",", "\t"))} {
		in, unread, err := QueryTable(path)
		must(t, err)
		if fmt.Sprint(unread) != "[note]" {
			t.Errorf("%s: columns %q are not read", path, unread)
		}
		text := must1(io.ReadAll(in))
		want, got := fmt.Sprint(ask(t, n, QueryOptions{Workers: 1}, lines)), fmt.Sprint(ask(t, n, QueryOptions{Workers: 1}, string(text)))
		if got != want {
			t.Errorf("%s:\n%s, want\n%s", text, got, want)
		}
	}
	if _, _, err := QueryTable(write(t, "q.csv", "name,prize\na,1\n")); err == nil || !strings.Contains(err.Error(), "id, name and prize") {
		t.Error(err)
	}
}

// A reader that takes nothing holds the input up, and one that goes away ends it.
func TestQueriesBackPressure(t *testing.T) {
	n := numbered(t, graph.Grid(3, 3))
	in := &counted{line: []byte(`{"prizes": {"1": 2}}` + "\n")}
	from, to := io.Pipe()
	done := make(chan error)
	go func() { done <- n.Answer(context.Background(), in, to, QueryOptions{Workers: 2}) }()
	first := make([]byte, 10)
	must1(io.ReadFull(from, first))
	must(t, from.CloseWithError(io.ErrClosedPipe))
	if err := <-done; !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("error %v", err)
	}
	if in.read > 1<<20 {
		t.Errorf("%d bytes were read before an answer was taken", in.read)
	}
}

// An interrupt ends a service whose input says nothing.
func TestQueriesInterrupted(t *testing.T) {
	in, say := io.Pipe()
	defer say.Close()
	answer, to := io.Pipe()
	ctx, stop := context.WithCancel(context.Background())
	go func() {
		io.WriteString(say, `{"prizes": {"1": 2}}`+"\n")
		answer.Read(make([]byte, 1<<10))
		stop()
	}()
	if err := numbered(t, graph.Grid(3, 3)).Answer(ctx, in, to, QueryOptions{Workers: 2}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// counted is an endless input.
type counted struct {
	line []byte
	read int
}

func (c *counted) Read(p []byte) (int, error) {
	n := 0
	for n+len(c.line) <= len(p) {
		n += copy(p[n:], c.line)
	}
	c.read += n
	return n, nil
}

// The published algorithm answers with the golden forests of projection/pcst, in Go and by the client in Python.
func TestPublishedForests(t *testing.T) {
	cases, data := pcsttest.Golden()
	for i, c := range cases {
		prizes := map[string]float64{}
		for u, p := range c.Prizes {
			if p > 0 {
				prizes[strconv.Itoa(u)] = p
			}
		}
		q := map[string]any{"prizes": prizes, "pruning": c.Pruning, "components": c.Clusters}
		if c.Root >= 0 {
			q["root"] = strconv.Itoa(c.Root)
		}
		line := must1(json.Marshal(q))
		var got []int32
		answer := ask(t, numbered(t, c.Graph()), QueryOptions{Workers: 1}, string(line))[0]
		nodes, _ := answer["nodes"].([]any)
		for _, name := range nodes {
			u := must1(strconv.Atoi(name.(string)))
			got = append(got, int32(u))
		}
		if !slices.Equal(got, c.WantNodes) {
			t.Errorf("case %d: %v, want nodes %v", i, answer, c.WantNodes)
		}
	}
	dir := t.TempDir()
	build := exec.Command("go", "build", "-buildvcs=false", "-o", filepath.Join(dir, "gdrun"), "../../cmd/gdrun")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Setenv("GDRUN", filepath.Join(dir, "gdrun"))
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not here: the client in Python is not tried")
	}
	must(t, os.WriteFile(filepath.Join(dir, "cases.json"), data, 0o666))
	client := exec.Command(python, "testdata/client.py", filepath.Join(dir, "cases.json"))
	client.Env = append(os.Environ(), "PYTHONPATH=../../docs/clients",
		"PYTHONDONTWRITEBYTECODE=1")
	if out, err := client.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
