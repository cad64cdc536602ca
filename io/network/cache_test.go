package network

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"graphda/io/seal"
)

// A cache gives the graph that its files give, and is made again when it is damaged, or of other files, or of the same ones
// read in another way.
func TestCache(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	put := func(name, text string) {
		if err := os.WriteFile(at(name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	r := EdgeRequest{Path: at("e.csv")}
	read := func(r EdgeRequest) *Whole {
		t.Helper()
		want, err := ReadWhole(r, at("n.csv"))
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // made, and read
			got, err := ReadCached(r, at("n.csv"), at("g.gdx"), seal.Output{})
			if err != nil {
				t.Fatal(err)
			}
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
	data, err := os.ReadFile(at("g.gdx"))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := openCache(at("g.gdx")); err != nil {
		t.Fatal(err)
	}
	for i := range data {
		damaged := append([]byte{}, data...)
		damaged[i] ^= 1
		put("g.gdx", string(damaged))
		if _, _, err := openCache(at("g.gdx")); err == nil {
			t.Fatalf("byte %d may be any", i)
		}
	}
	put("g.gdx", string(data[:len(data)-1]))
	if _, err := ReadCached(r, at("n.csv"), at("g.gdx"), seal.Output{}); err == nil {
		t.Error("a damaged file is replaced, though it may be another's")
	}
	put("e.csv", "source,target,directed\na,b,true\n")
	if _, err := ReadWhole(EdgeRequest{Path: at("e.csv")}, ""); err == nil || !strings.Contains(err.Error(), "direction") {
		t.Errorf("directed: %v", err)
	}
}
