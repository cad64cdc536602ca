package model

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"graphda/graph"
	"graphda/io/columnar"
	"graphda/io/tabular"
)

// A State is what a learner needs to go on from where it stopped: its problem, its settings, and what it
// remembers of the samples before.
type State struct {
	Method     string            `json:"method"`
	Parameters map[string]string `json:"parameters"` // all of the method's, as they are written
	Center     float64           `json:"center"`     // of the targets: (y − Center)/Scale is learned; 0 of labels
	Scale      float64           `json:"scale"`      // above 0; 1 of labels

	// Columns of the file.
	Graph   *graph.Graph         `json:"-"` // on the features; nil if there is none
	Groups  [][]int32            `json:"-"` // ascending features of each; nil if there are none
	Truth   []int32              `json:"-"` // ascending; nil if it is not known
	Vectors map[string][]float64 `json:"-"` // by feature
	Sets    map[string][]int32   `json:"-"` // ascending features

	Numbers map[string]float64 `json:"numbers"`
	Learned int                `json:"learned"` // samples of all streams
	Stream  Stream             `json:"stream"`  // that of the last one
}

// A Stream tells how far into a sequence of samples a learner is, and how to know that sequence again.
type Stream struct {
	Samples int        `json:"samples"` // that were learned
	First   [16]uint32 `json:"first"`   // checksums of the first samples, 0 if there is none
	Digest  uint32     `json:"digest"`  // checksum of all
}

// The key and the columns of a state.
const (
	stateKey        = "learner"
	stateColumn     = "state_"
	setColumn       = "set_"
	neighbourColumn = "neighbours"
	costColumn      = "costs"
	edgeColumn      = "edges"
	groupColumn     = "group"
	truthColumn     = "true"
)

// columns returns what the file has of the state of p features, and enters the rest into its metadata.
func (s *State) columns(p int, metadata map[string]string) ([]columnar.Out, error) {
	for name, x := range s.Numbers {
		if x-x != 0 {
			return nil, fmt.Errorf("model: %s is %v, want a finite number", name, x)
		}
	}
	text, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	metadata[stateKey] = string(text)
	var out []columnar.Out
	for _, name := range slices.Sorted(maps.Keys(s.Vectors)) {
		v := s.Vectors[name]
		if len(v) != p {
			return nil, fmt.Errorf("model: %d values of %s for %d features", len(v), name, p)
		}
		if err := columnar.Locate(columnar.Finite(0, v), "model", stateColumn+name); err != nil {
			return nil, err
		}
		out = append(out, columnar.Floats(stateColumn+name, v))
	}
	sets := maps.Clone(s.Sets)
	if s.Truth != nil {
		if sets == nil {
			sets = map[string][]int32{}
		}
		sets[truthColumn] = s.Truth
	}
	for _, name := range slices.Sorted(maps.Keys(sets)) {
		is := make([]int32, p)
		for _, j := range sets[name] {
			is[j] = 1
		}
		out = append(out, columnar.Int32s(setColumn+name, is))
	}
	if s.Groups != nil {
		groups := make([][]int32, p)
		for k, members := range s.Groups {
			for _, j := range members {
				groups[j] = append(groups[j], int32(k))
			}
		}
		out = append(out, columnar.Int32Lists(groupColumn, groups))
	}
	if s.Graph != nil {
		out = append(out, edgeColumns(s.Graph)...)
	}
	return out, nil
}

// readState reads a state, nil if the file has none, and returns the keys of metadata that are its own.
func readState(f *columnar.File) (s *State, keys []string, err error) {
	text, ok := f.Metadata[stateKey]
	if !ok {
		return nil, nil, nil
	}
	if strings.HasPrefix(text, "{") {
		s, keys = &State{}, []string{stateKey}
		err = json.Unmarshal([]byte(text), s)
	} else {
		s, keys, err = earlierState(f.Metadata)
	}
	switch {
	case err != nil:
		return nil, nil, f.Bad("", "what its metadata say of the learner cannot be read: %w", err)
	case !(s.Scale > 0):
		return nil, nil, f.Bad("", "its metadata have a target scale of %v, want more than 0", s.Scale)
	case s.Learned < 0 || s.Stream.Samples < 0:
		return nil, nil, f.Bad("", "its metadata have %d and %d samples learned, want at least 0", s.Learned,
			s.Stream.Samples)
	}
	s.Vectors, s.Sets = map[string][]float64{}, map[string][]int32{}
	return s, keys, s.readColumns(f)
}

// earlierState reads a state that is a key for each of its values, as it was until November 2026.
func earlierState(metadata map[string]string) (s *State, keys []string, err error) {
	s = &State{Parameters: map[string]string{}, Numbers: map[string]float64{}}
	for key, text := range metadata {
		var bad error
		parameter, isParameter := strings.CutPrefix(key, "parameter_")
		number, isNumber := strings.CutPrefix(key, "state_")
		switch {
		case isParameter:
			s.Parameters[parameter] = text
		case isNumber:
			s.Numbers[number], bad = tabular.Number(text)
		case key == stateKey:
			s.Method = text
		case key == "target_center":
			s.Center, bad = tabular.Number(text)
		case key == "target_scale":
			s.Scale, bad = tabular.Number(text)
		case key == "stream_all_samples":
			s.Learned, bad = strconv.Atoi(text)
		case key == "stream_samples":
			s.Stream.Samples, bad = strconv.Atoi(text)
		case key == "stream_digest":
			_, bad = fmt.Sscanf(text, "%x", &s.Stream.Digest)
		case key == "stream_first":
			for i, word := range strings.SplitN(text, " ", len(s.Stream.First)) {
				_, wrong := fmt.Sscanf(word, "%x", &s.Stream.First[i])
				bad = errors.Join(bad, wrong)
			}
		default:
			continue
		}
		keys, err = append(keys, key), errors.Join(err, bad)
	}
	return s, keys, err
}

// readColumns reads the state's columns.
func (s *State) readColumns(f *columnar.File) (err error) {
	for _, name := range f.Names() {
		if of, is := strings.CutPrefix(name, stateColumn); is && err == nil {
			s.Vectors[of], err = f.OptionalFloats(name)
		}
		if of, is := strings.CutPrefix(name, setColumn); is && err == nil {
			s.Sets[of], err = readSet(f, name)
		}
	}
	if truth, ok := s.Sets[truthColumn]; ok {
		s.Truth = truth
		delete(s.Sets, truthColumn)
	}
	if err != nil {
		return err
	}
	if f.Find(groupColumn) != nil {
		groups := map[int][]int32{}
		most := 0
		if err := eachInt(f, groupColumn, func(row int, k int64) error {
			if k < 0 || k >= math.MaxInt32 {
				return columnar.AtRow(row, "has group %d, want at least 0", k)
			}
			groups[int(k)] = append(groups[int(k)], int32(row))
			most = max(most, int(k)+1)
			return nil
		}); err != nil {
			return err
		}
		if most > len(groups) {
			return f.Bad(groupColumn, "has %d groups, numbered up to %d", len(groups), most-1)
		}
		s.Groups = make([][]int32, most)
		for k, members := range groups {
			s.Groups[k] = members
		}
	}
	s.Graph, err = readEdges(f)
	return err
}

// readSet reads a column of 0 and 1 as the rows of 1.
func readSet(f *columnar.File, name string) ([]int32, error) {
	is, err := f.OptionalFloats(name)
	rows := []int32{}
	for row, v := range is {
		if v != 0 && v != 1 {
			return nil, columnar.Locate(columnar.AtRow(row, "is %v, want 0 or 1", v), f.Path, name)
		}
		if v == 1 {
			rows = append(rows, int32(row))
		}
	}
	return rows, err
}

// eachInt visits the elements of a column of lists.
func eachInt(f *columnar.File, name string, visit func(row int, v int64) error) error {
	c, err := f.Want(columnar.Column{Name: name, Kind: columnar.Integer, List: true}, "lists of whole numbers")
	if err != nil {
		return err
	}
	return f.Ints(c, func(row int, values []int64) error {
		for _, v := range values {
			if err := visit(row, v); err != nil {
				return err
			}
		}
		return nil
	})
}

// edgeColumns lists, for each node, the edges of which it is the first end: the other end, the cost, and the
// edge's index, on which forests may depend where costs are equal.
func edgeColumns(g *graph.Graph) []columnar.Out {
	neighbours, edges := make([][]int32, g.NumNodes()), make([][]int32, g.NumNodes())
	costs := make([][]float64, g.NumNodes())
	for i, e := range g.Edges() {
		neighbours[e.U] = append(neighbours[e.U], e.V)
		costs[e.U] = append(costs[e.U], g.Costs()[i])
		edges[e.U] = append(edges[e.U], int32(i))
	}
	return []columnar.Out{columnar.Int32Lists(neighbourColumn, neighbours), columnar.FloatLists(costColumn, costs),
		columnar.Int32Lists(edgeColumn, edges)}
}

// An edge is one of the file: it stands at its first end.
type edge struct {
	graph.Edge
	cost  float64
	index int64
}

// readEdges reads the graph, nil if there is none.
func readEdges(f *columnar.File) (*graph.Graph, error) {
	if f.Find(neighbourColumn) == nil {
		return nil, nil
	}
	var list []edge
	err := eachInt(f, neighbourColumn, func(row int, v int64) error {
		if v < 0 || v >= int64(f.Rows) {
			return columnar.AtRow(row, "has neighbour %d, want 0 to %d", v, f.Rows-1)
		}
		list = append(list, edge{Edge: graph.Edge{U: int32(row), V: int32(v)}})
		return nil
	})
	if err != nil {
		return nil, err
	}
	indices, costs := 0, 0 // that were read
	err = eachInt(f, edgeColumn, func(row int, v int64) error {
		e, err := nextEdge(list, &indices, row)
		if err == nil {
			e.index = v
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	c, err := f.Want(columnar.Column{Name: costColumn, Kind: columnar.Number, List: true}, "lists of numbers")
	if err != nil {
		return nil, err
	}
	err = f.Floats(c, func(row int, values []float64) error {
		for _, v := range values {
			e, err := nextEdge(list, &costs, row)
			if err != nil {
				return err
			}
			e.cost = v
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if indices != len(list) || costs != len(list) {
		return nil, f.Bad(neighbourColumn, "has %d neighbours, %d edges and %d costs", len(list), indices, costs)
	}
	return join(f, list)
}

// nextEdge returns the edge that the next value of a row is about.
func nextEdge(list []edge, at *int, row int) (*edge, error) {
	if *at == len(list) || list[*at].U != int32(row) {
		return nil, columnar.AtRow(row, "has not one value for each neighbour")
	}
	*at++
	return &list[*at-1], nil
}

// join makes the graph of edges in the order of their indices.
func join(f *columnar.File, list []edge) (*graph.Graph, error) {
	slices.SortStableFunc(list, func(a, b edge) int { return cmp.Compare(a.index, b.index) })
	edges, costs := make([]graph.Edge, len(list)), make([]float64, len(list))
	for i, e := range list {
		edges[i], costs[i] = e.Edge, e.cost
	}
	g, err := graph.New(f.Rows, edges, costs)
	return g, columnar.Locate(err, f.Path, neighbourColumn)
}
