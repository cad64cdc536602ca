package network

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"

	"graphda/graph"
	"graphda/graph/large"
	"graphda/io/dataframe"
	"graphda/io/safefile"
	"graphda/io/seal"
)

// A Whole is a graph of all nodes of a file of edges, and what else is known of its nodes.
type Whole struct {
	Graph   *graph.Graph
	Names   []string  // by node, ascending; as numbers if all are whole numbers
	Costs   []float64 // of nodes; nil for none
	Weights []float64 // of nodes; nil for 1 each
	Notes   []string  // on the files; none if they come from a cache
}

// ReadWhole reads a file of edges and, unless its path is empty, a table of nodes: name, weight, cost. A node
// without a row has the weight 1 and the cost 0; rows of other nodes are counted in a note.
func ReadWhole(r EdgeRequest, nodes string) (*Whole, error) {
	l, err := ReadEdges(r)
	if err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(l.Unread, func(name string) bool { return bare(name) == "directed" }); i >= 0 {
		return nil, &dataframe.Error{Path: r.Path, Column: l.Unread[i], Err: fmt.Errorf("says that edges have a " +
			"direction, which answers do not have; if it does not matter, remove the column, or write " +
			"edgedefault=\"undirected\" in GraphML")}
	}
	w := &Whole{Names: slices.Concat(l.ends[0], l.ends[1])}
	slices.Sort(w.Names)
	w.Names = slices.Clip(slices.Compact(w.Names))
	if areWhole(w.Names) {
		slices.SortFunc(w.Names, byNumber)
	}
	s, err := l.Among(w.Names)
	if err != nil {
		return nil, err
	}
	w.Graph, w.Notes = s.Graph, append(l.Notes(s), l.NoteUnread()...)
	if nodes != "" {
		err = w.readNodes(nodes)
	}
	return w, err
}

// byNumber compares names that are whole numbers; no other name is equal to one of them.
func byNumber(a, b string) int {
	x, _ := strconv.ParseInt(a, 10, 64)
	y, _ := strconv.ParseInt(b, 10, 64)
	return cmp.Or(cmp.Compare(x, y), cmp.Compare(a, b))
}

// Finder returns what finds the node of a name, by bisection, so that nothing is made of all names. The names must be
// in the order of a Whole, each of them once.
func (w *Whole) Finder() (find func(name string) (u int32, ok bool), err error) {
	order := cmp.Compare[string]
	if areWhole(w.Names) {
		order = byNumber
	}
	for u := 1; u < len(w.Names); u++ {
		if order(w.Names[u-1], w.Names[u]) >= 0 {
			return nil, fmt.Errorf("node %d is called %q after %q, want names that ascend", u, w.Names[u], w.Names[u-1])
		}
	}
	return func(name string) (int32, bool) {
		u, ok := slices.BinarySearchFunc(w.Names, name, order)
		return int32(u), ok
	}, nil
}

func (w *Whole) readNodes(path string) error {
	t, err := dataframe.Open(path, dataframe.Options{})
	if err != nil {
		return err
	}
	defer t.Close()
	var at [3]int
	for i, name := range []string{"name", "weight", "cost"} {
		if at[i], err = t.Find(name); err != nil {
			return err
		}
	}
	if at[0] < 0 || at[1] < 0 && at[2] < 0 {
		return t.Wrong(-1, "has no columns name and weight or cost; its columns are %s", dataframe.Some(t.Columns()))
	}
	if at[1] >= 0 {
		w.Weights = slices.Repeat([]float64{1}, len(w.Names))
	}
	if at[2] >= 0 {
		w.Costs = make([]float64, len(w.Names))
	}
	find, err := w.Finder()
	if err != nil {
		return err
	}
	var problems dataframe.Problems
	others, seen := 0, make([]bool, len(w.Names))
	for t.Next() {
		u, ok := find(t.Text(at[0]))
		if !ok {
			others++
			continue
		}
		if seen[u] {
			problems.Add(path, t.Bad(at[0], "is %q for the second time", w.Names[u]))
		}
		seen[u] = true
		for i, values := range [][]float64{nil, w.Weights, w.Costs} {
			if values == nil {
				continue
			}
			if values[u], err = t.Number(at[i]); err != nil || values[u] < 0 {
				problems.Add(path, t.Bad(at[i], "is %q, want a finite number of at least 0", t.Text(at[i])))
			}
		}
	}
	if others > 0 {
		w.Notes = append(w.Notes, fmt.Sprintf("nodes of %s that are not in the graph: %d", path, others))
	}
	if err := t.Err(); err != nil {
		return err
	}
	return problems.Err()
}

// A cacheHead is the first line of a cache. The names follow, each ended by a zero byte, then ends of edges as int32,
// costs of edges, and costs and weights of nodes as float64, all with the lowest byte first.
type cacheHead struct {
	Format  string `json:"format"`
	Seal    string `json:"graphda.seal"`
	Source  string `json:"source"` // digest of what it was made of
	Nodes   int    `json:"nodes"`
	Edges   int    `json:"edges"`
	Bytes   int    `json:"name_bytes"`
	Costs   bool   `json:"node_costs"`
	Weights bool   `json:"node_weights"`
}

const cacheFormat = "graphda graph 1"

// ReadCached is ReadWhole with a cache: a file that is read instead if it was made of the same files, read in the same
// way, and is made otherwise. The files' digest is computed while the cache is read.
func ReadCached(r EdgeRequest, nodes, cache string, place seal.Output) (*Whole, error) {
	var digest string
	var wrong error
	var done sync.WaitGroup
	done.Go(func() { digest, wrong = r.digest(nodes) })
	w, source := openCache(cache)
	switch done.Wait(); {
	case wrong != nil:
		return nil, wrong
	case w != nil && source == digest:
		return w, nil
	}
	place.Sealed = seal.IsSealed
	if err := place.Check(cache); err != nil {
		return nil, err
	}
	w, err := ReadWhole(r, nodes)
	if err != nil {
		return nil, err
	}
	return w, place.Write(cache, func(out io.Writer) error { return w.write(out, digest) })
}

// digest returns that of the files' bytes and of how they are read.
func (r *EdgeRequest) digest(nodes string) (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%q\n", []string{r.Source, r.Target, r.Confidence, string(r.Cost), string(r.Duplicates),
		fmt.Sprint(r.IgnoreCase, r.Options.Force)})
	for _, path := range []string{r.Path, r.Aliases, nodes} {
		if path == "" {
			continue
		}
		f, err := safefile.Open(path)
		if err != nil {
			return "", err
		}
		n, err := io.Copy(h, f)
		f.Close()
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "\n%d\n", n)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

func (w *Whole) write(out io.Writer, source string) error {
	names := strings.Join(w.Names, "\x00") + "\x00"
	head, err := json.Marshal(cacheHead{cacheFormat, seal.Blank(), source, len(w.Names), w.Graph.NumEdges(), len(names),
		w.Costs != nil, w.Weights != nil})
	if err != nil {
		return err
	}
	if _, err := io.WriteString(out, string(head)+"\n"+names); err != nil {
		return err
	}
	ends := make([]int32, 0, 2*w.Graph.NumEdges())
	for _, e := range w.Graph.Edges() {
		ends = append(ends, e.U, e.V)
	}
	for _, data := range []any{ends, w.Graph.Costs(), w.Costs, w.Weights} {
		if err := binary.Write(out, binary.LittleEndian, data); err != nil {
			return err
		}
	}
	return nil
}

// openCache reads a cache, and the digest of the files that it was made of; nil if it is of no use. Another goroutine
// checks every byte of it while the graph is decoded.
func openCache(path string) (w *Whole, source string) {
	data, err := safefile.ReadFile(path)
	if err != nil {
		return nil, ""
	}
	var done sync.WaitGroup
	sealed := false
	done.Go(func() {
		f, err := seal.Check(path, data)
		sealed = err == nil && f.Sealed
	})
	w, source = decodeCache(data)
	if done.Wait(); !sealed {
		return nil, ""
	}
	return w, source
}

// decodeCache decodes the content of a cache, which may be damaged in any way; nil if that shows.
func decodeCache(data []byte) (w *Whole, source string) {
	line, data, _ := bytes.Cut(data, []byte("\n"))
	var h cacheHead
	err := json.Unmarshal(line, &h)
	if err != nil || h.Format != cacheFormat || min(h.Nodes, h.Edges) < 0 || h.Nodes > h.Bytes || h.Bytes > len(data) ||
		h.Edges > (len(data)-h.Bytes)/16 {
		return nil, ""
	}
	w = &Whole{}
	var done sync.WaitGroup
	done.Go(func() { w.Names = strings.Split(strings.TrimSuffix(string(data[:h.Bytes]), "\x00"), "\x00") })
	edges, costs := large.Make[graph.Edge](h.Edges), large.Make[float64](h.Edges)
	ends, rest := data[h.Bytes:], data[h.Bytes+8*h.Edges:]
	done.Go(func() {
		for e := range edges {
			u, v := binary.LittleEndian.Uint32(ends[8*e:]), binary.LittleEndian.Uint32(ends[8*e+4:])
			edges[e] = graph.Edge{U: int32(u), V: int32(v)}
		}
	})
	if h.Costs {
		w.Costs = make([]float64, h.Nodes)
	}
	if h.Weights {
		w.Weights = make([]float64, h.Nodes)
	}
	for _, into := range []any{costs, w.Costs, w.Weights} {
		n, wrong := binary.Decode(rest, binary.LittleEndian, into)
		err, rest = cmp.Or(err, wrong), rest[n:]
	}
	done.Wait()
	if err == nil {
		w.Graph, err = graph.New(h.Nodes, edges, costs)
	}
	if err != nil {
		return nil, ""
	}
	return w, h.Source
}
