package model

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"graphda/graph"
	"graphda/io/arrowio"
	"graphda/io/columnar"
)

// A State is what a learner needs to continue: the learner's problem, its settings, and what it has learned.
type State struct {
	Method     string            `json:"method"`
	Parameters map[string]string `json:"parameters"` // all parameters of the method, as texts
	Center     float64           `json:"center"`     // labels y are learned as (y − Center)/Scale; 0 for classes
	Scale      float64           `json:"scale"`      // see Center; 0 for classes

	Connectors []string `json:"connectors,omitempty"` // names of the last nodes, which are not features

	// The next fields are columns of the file.
	Graph   *graph.Graph         `json:"-"` // graph on the features and the connectors; nil if there is none
	Groups  [][]int32            `json:"-"` // features of each group, ascending; nil if there are no groups
	Truth   []int32              `json:"-"` // the true support, ascending; nil if unknown
	Vectors map[string][]float64 `json:"-"` // vectors by name, with a number for each feature
	Sets    map[string][]int32   `json:"-"` // sets of features by name, each ascending

	Numbers map[string]float64 `json:"numbers"`
	Learned int                `json:"learned"` // number of samples learned, from all streams together
	Stream  Stream             `json:"stream"`  // the stream that was learned last
}

// A Stream identifies a sequence of samples and says how many of them were learned.
type Stream struct {
	Samples int        `json:"samples"` // number of samples learned from this stream
	First   [16]uint32 `json:"first"`   // checksums of the first samples; 0 if there are fewer samples
	Digest  uint32     `json:"digest"`  // checksum of all learned samples
}

// These are the key of a state in the metadata, and the names of its columns.
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

// columns returns the columns for the state of p features, and stores the rest of the state in the metadata.
func (s *State) columns(p int, metadata map[string]string) ([]arrowio.ParquetColumn, error) {
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
	var out []arrowio.ParquetColumn
	for _, name := range slices.Sorted(maps.Keys(s.Vectors)) {
		v := s.Vectors[name]
		if len(v) != p {
			return nil, fmt.Errorf("model: %d values of %s for %d features", len(v), name, p)
		}
		if err := columnar.Locate(columnar.Finite(0, v), "model", stateColumn+name); err != nil {
			return nil, err
		}
		out = append(out, arrowio.Floats(stateColumn+name, v))
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
		out = append(out, arrowio.Int32s(setColumn+name, is))
	}
	if s.Groups != nil {
		groups := make([][]int32, p)
		for k, members := range s.Groups {
			for _, j := range members {
				groups[j] = append(groups[j], int32(k))
			}
		}
		out = append(out, arrowio.Lists(groupColumn, groups))
	}
	if s.Graph != nil {
		out = append(out, edgeColumns(s.Graph, p)...)
	}
	return out, nil
}

func readState(f *columnar.File) (s *State, err error) {
	text, ok := f.Metadata[stateKey]
	if !ok {
		return nil, nil
	}
	s = &State{}
	switch err := json.Unmarshal([]byte(text), s); {
	case err != nil:
		return nil, f.Bad("", "its metadata about the learner cannot be read: %w", err)
	case !(s.Scale > 0):
		return nil, f.Bad("", "its metadata have a scale of the targets of %v, want more than 0", s.Scale)
	case s.Learned < 0 || s.Stream.Samples < 0:
		return nil, f.Bad("", "its metadata have %d and %d samples learned, want at least 0", s.Learned,
			s.Stream.Samples)
	}
	s.Vectors, s.Sets = map[string][]float64{}, map[string][]int32{}
	return s, s.readColumns(f)
}

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
		if s.Groups, err = readGroups(f); err != nil {
			return err
		}
	}
	if f.Find(neighbourColumn) != nil {
		s.Graph, err = readEdges(f, f.Rows+len(s.Connectors))
	}
	return err
}

// readGroups reads the groups. No group may be empty.
func readGroups(f *columnar.File) ([][]int32, error) {
	rows, numbers, err := elements(f, groupColumn, columnar.Integer, "whole numbers", f.Ints)
	if err != nil {
		return nil, err
	}
	members, most := map[int64][]int32{}, int64(0)
	for i, k := range numbers {
		if k < 0 || k >= math.MaxInt32 {
			return nil, columnar.Locate(columnar.AtRow(int(rows[i]), "has group %d, want at least 0", k), f.Path, groupColumn)
		}
		members[k] = append(members[k], rows[i])
		most = max(most, k+1)
	}
	if most > int64(len(members)) {
		return nil, f.Bad(groupColumn, "has %d groups, but their numbers go up to %d", len(members), most-1)
	}
	groups := make([][]int32, most)
	for k := range groups {
		groups[k] = members[int64(k)]
	}
	return groups, nil
}

// readSet reads a column of zeros and ones, and returns the rows with 1.
func readSet(f *columnar.File, name string) ([]int32, error) {
	is, err := f.FloatsThat(name, func(v float64) bool { return v == 0 || v == 1 }, "0 or 1")
	rows := []int32{}
	for row, v := range is {
		if v == 1 {
			rows = append(rows, int32(row))
		}
	}
	return rows, err
}

// elements returns the elements of all lists in a column, and the row of each element.
func elements[T any](f *columnar.File, name string, kind columnar.Kind, of string,
	visit func(*columnar.Column, func(int, []T) error) error) (rows []int32, all []T, err error) {
	c, err := f.Want(columnar.Column{Name: name, Kind: kind, List: true}, "lists of "+of)
	if err != nil {
		return nil, nil, err
	}
	err = visit(c, func(row int, values []T) error {
		for range values {
			rows = append(rows, int32(row))
		}
		all = append(all, values...)
		return nil
	})
	return rows, all, err
}

// edgeColumns lists the edges of each of p features. An edge belongs to its first end that is a feature. The columns
// are the other end, the cost, and the edge's index, which breaks ties between equal costs.
func edgeColumns(g *graph.Graph, p int) []arrowio.ParquetColumn {
	neighbours, edges, costs := make([][]int32, p), make([][]int32, p), make([][]float64, p)
	for i, e := range g.Edges() {
		if int(e.U) >= p {
			e.U, e.V = e.V, e.U
		}
		neighbours[e.U] = append(neighbours[e.U], e.V)
		costs[e.U] = append(costs[e.U], g.Costs()[i])
		edges[e.U] = append(edges[e.U], int32(i))
	}
	return []arrowio.ParquetColumn{arrowio.Lists(neighbourColumn, neighbours),
		arrowio.Lists(costColumn, costs), arrowio.Lists(edgeColumn, edges)}
}

// readEdges reads a graph with the given number of nodes from the columns that edgeColumns writes.
func readEdges(f *columnar.File, nodes int) (*graph.Graph, error) {
	from, to, err := elements(f, neighbourColumn, columnar.Integer, "whole numbers", f.Ints)
	if err != nil {
		return nil, err
	}
	for i, v := range to {
		if v < 0 || v >= int64(nodes) {
			err := columnar.AtRow(int(from[i]), "has neighbour %d, want 0 to %d", v, nodes-1)
			return nil, columnar.Locate(err, f.Path, neighbourColumn)
		}
	}
	ofIndices, indices, err := elements(f, edgeColumn, columnar.Integer, "whole numbers", f.Ints)
	if err != nil {
		return nil, err
	}
	ofCosts, given, err := elements(f, costColumn, columnar.Number, "numbers", f.Floats)
	if err != nil {
		return nil, err
	}
	if !slices.Equal(from, ofIndices) || !slices.Equal(from, ofCosts) {
		return nil, f.Bad(neighbourColumn, "has %d neighbours, %d edges and %d costs, or different numbers of them in a "+
			"row; want the same number of each", len(from),
			len(ofIndices), len(ofCosts))
	}
	order := make([]int, len(from))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(indices[a], indices[b]) })
	edges, costs := make([]graph.Edge, len(order)), make([]float64, len(order))
	for k, i := range order {
		edges[k], costs[k] = graph.Edge{U: from[i], V: int32(to[i])}, given[i]
	}
	g, err := graph.New(nodes, edges, costs)
	return g, columnar.Locate(err, f.Path, neighbourColumn)
}
