package network

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"graphda/io/seal"
	"graphda/io/seal/sealtest"
)

// A cache gives the graph that its files give, and is made again when it is damaged, or of other files, or of the same ones
// read in another way.
func TestCache(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	put := func(name, text string) { must(t, os.WriteFile(at(name), []byte(text), 0o666)) }
	r := EdgeRequest{Path: at("e.csv")}
	read := func(r EdgeRequest) *Whole {
		t.Helper()
		want := must1(ReadWhole(r, at("n.csv")))
		for range 2 { // made, and read
			got := must1(ReadCached(r, at("n.csv"), at("g.gdx"), seal.Output{}))
			got.Notes, want.Notes = nil, nil
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("%+v, want %+v", got, want)
			}
		}
		return want
	}
	put("n.csv", "name,cost,weight\nb,2,10\nq,1,1\n")
	put("e.csv", "source,target,score,cost\na,b,0.5,1\nb,c,0.25,1\nd,d,1,1\n")
	if w := read(r); strings.Join(w.Names, "") != "abcd" || w.Costs[1] != 2 || w.Weights[0] != 1 || w.Graph.NumEdges() != 2 {
		t.Errorf("read %+v", w)
	}
	r.Confidence = "score"
	if w := read(r); w.Graph.Costs()[0] == w.Graph.Costs()[1] {
		t.Error("read with confidences, the graph is that of the cache without")
	}
	data := must1(os.ReadFile(at("g.gdx")))
	for i := range data {
		for _, b := range []byte{data[i], data[i] ^ 1, '9', '-', 0xff} {
			put("g.gdx", string(append(append(data[:i:i], b), data[i+1:]...)))
			if w, _ := openCache(at("g.gdx")); (w == nil) != (b != data[i]) {
				t.Fatalf("byte %d is %d for %d, and the cache is %+v", i, b, data[i], w)
			}
		}
		put("g.gdx", string(data[:i]))
		if w, _ := openCache(at("g.gdx")); w != nil {
			t.Fatalf("%d bytes of %d are a cache", i, len(data))
		}
	}
	put("g.gdx", string(data[:len(data)-1]))
	if _, err := ReadCached(r, at("n.csv"), at("g.gdx"), seal.Output{}); err == nil {
		t.Error("a damaged file is replaced, though it may be another's")
	}
}

// A node that stands twice is refused, and columns that are not read are told.
func TestNodes(t *testing.T) {
	dir := t.TempDir()
	edges, nodes := filepath.Join(dir, "e.csv"), filepath.Join(dir, "n.csv")
	must(t, os.WriteFile(edges, []byte("source,target,weight\na,b,1\n"), 0o666))
	must(t, os.WriteFile(nodes, []byte("name,cost\na,2\nq,1\na,3\n"), 0o666))
	_, err := ReadWhole(EdgeRequest{Path: edges}, nodes)
	sealtest.WantError(t, err, `line 4, column "name": is "a" for the second time`)
	must(t, os.WriteFile(nodes, []byte("name,cost\na,2\nq,1\n"), 0o666))
	w := must1(ReadWhole(EdgeRequest{Path: edges}, nodes))
	if notes := strings.Join(w.Notes, "\n"); !strings.Contains(notes, "that are not read: weight; every edge costs 1") || !strings.Contains(notes, "not in the graph: 1") {
		t.Error(notes)
	}
}

// Edges that have a direction are refused, and so are parallel edges of several costs unless it is said which counts.
// Self-loops are left out, and their nodes stay.
func TestWholeGraphs(t *testing.T) {
	const graphml = `<graphml><graph edgedefault="%"><node id="a"/><node id="b"/><edge source="a" target="b" %/></graph></graphml>`
	arrow := func(whole, edge string) string {
		return strings.Replace(strings.Replace(graphml, "%", whole, 1), "%", edge, 1)
	}
	for _, c := range []struct {
		name, text string
		duplicates Duplicates
		want       string // part of the error, or the costs
	}{
		{"e.csv", "source,target,directed\na,b,true\n", "", "direction"},
		{"e.graphml", arrow("directed", ""), "", "direction"},
		{"e.graphml", arrow("undirected", `directed="true"`), "", "direction"},
		{"e.graphml", arrow("undirected", ""), "", "[1] of ab"},
		{"e.csv", "source,target,cost\na,b,1\nb,a,3\n", "", "--duplicates min, max or mean"},
		{"e.csv", "source,target,cost\na,b,1\nb,a,3\n", DuplicatesMin, "[1] of ab"},
		{"e.csv", "source,target,cost\na,b,1\nb,a,3\nc,c,5\n", DuplicatesMean, "[2] of abc"},
	} {
		path := sealtest.File(t, c.name, c.text)
		w, err := ReadWhole(EdgeRequest{Path: path, Duplicates: c.duplicates}, "")
		got := fmt.Sprint(err)
		if err == nil {
			got = fmt.Sprint(w.Graph.Costs(), " of ", strings.Join(w.Names, ""))
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s, duplicates %q: %s, want %q", c.text, c.duplicates, got, c.want)
		}
	}
}
