package model

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"graphda/graph"
	"graphda/io/columnar"
)

// A State is what a learner needs to go on from where it stopped: its problem, its settings, and what it
// remembers of the samples before.
type State struct {
	Method     string
	Parameters map[string]string // all of the method's, as they are written
	Center     float64           // of the targets: (y − Center)/Scale is learned; 0 of labels
	Scale      float64           // above 0; 1 of labels

	Graph  *graph.Graph // on the features; nil if there is none
	Groups [][]int32    // ascending features of each; nil if there are none
	Truth  []int32      // ascending; nil if it is not known

	Vectors map[string][]float64 // by feature
	Sets    map[string][]int32   // ascending features
	Numbers map[string]float64

	Learned int    // samples of all streams
	Stream  Stream // that of the last one
}

// A Stream tells how far into a sequence of samples a learner is, and how to know that sequence again.
type Stream struct {
	Samples int        // that were learned
	First   [16]uint32 // checksums of the first samples, 0 if there is none
	Digest  uint32     // checksum of all
}

// Keys and columns of a state.
const (
	learnerKey      = "learner"
	parameterKey    = "parameter_"
	numberKey       = "state_"
	stateColumn     = "state_"
	setColumn       = "set_"
	centerKey       = "target_center"
	scaleKey        = "target_scale"
	learnedKey      = "stream_all_samples"
	streamKey       = "stream_samples"
	firstKey        = "stream_first"
	digestKey       = "stream_digest"
	neighbourColumn = "neighbours"
	costColumn      = "costs"
	edgeColumn      = "edges"
	groupColumn     = "group"
	truthColumn     = "true"
)

// columns returns what the file has of the state of p features, and enters the rest into its metadata.
func (s *State) columns(p int, metadata map[string]string) ([]columnar.Out, error) {
	exact := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	metadata[learnerKey], metadata[centerKey], metadata[scaleKey] = s.Method, exact(s.Center), exact(s.Scale)
	metadata[learnedKey], metadata[streamKey] = strconv.Itoa(s.Learned), strconv.Itoa(s.Stream.Samples)
	first := s.Stream.First[:max(1, min(s.Stream.Samples, len(s.Stream.First)))]
	metadata[firstKey] = strings.Trim(fmt.Sprintf("%08x", first), "[]")
	metadata[digestKey] = fmt.Sprintf("%08x", s.Stream.Digest)
	for name, value := range s.Parameters {
		metadata[parameterKey+name] = value
	}
	for name, x := range s.Numbers {
		if x-x != 0 {
			return nil, fmt.Errorf("model: %s is %v, want a finite number", name, x)
		}
		metadata[numberKey+name] = exact(x)
	}
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
	method, ok := f.Metadata[learnerKey]
	if !ok {
		return nil, nil, nil
	}
	s = &State{Method: method, Parameters: map[string]string{}, Vectors: map[string][]float64{},
		Sets: map[string][]int32{}, Numbers: map[string]float64{}}
	keys = []string{learnerKey, centerKey, scaleKey, learnedKey, streamKey, firstKey, digestKey}
	m := metadataReader{file: f}
	s.Center, s.Scale = m.number(centerKey), m.number(scaleKey)
	s.Learned, s.Stream.Samples = m.count(learnedKey), m.count(streamKey)
	m.checksums(firstKey, s.Stream.First[:])
	digest := [1]uint32{}
	m.checksums(digestKey, digest[:])
	s.Stream.Digest = digest[0]
	for key, value := range f.Metadata {
		if name, is := strings.CutPrefix(key, parameterKey); is {
			s.Parameters[name] = value
			keys = append(keys, key)
		}
		if name, is := strings.CutPrefix(key, numberKey); is {
			s.Numbers[name] = m.number(key)
			keys = append(keys, key)
		}
	}
	if m.err == nil && !(s.Scale > 0) {
		m.err = f.Bad("", "its metadata have %s = %v, want more than 0", scaleKey, s.Scale)
	}
	if m.err != nil {
		return nil, nil, m.err
	}
	return s, keys, s.readColumns(f)
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
	c, err := f.Need(name)
	if err != nil {
		return err
	}
	if c.Kind != columnar.Integer || !c.List {
		return f.WrongType(c, "lists of whole numbers")
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

// A metadataReader reads values of metadata and keeps the first error.
type metadataReader struct {
	file *columnar.File
	err  error
}

func (m *metadataReader) parse(key, want string, parse func(text string) error) {
	text := m.file.Metadata[key]
	if err := parse(text); err != nil && m.err == nil {
		m.err = m.file.Bad("", "its metadata have %s = %q, want %s", key, text, want)
	}
}

func (m *metadataReader) number(key string) (x float64) {
	m.parse(key, "a finite number", func(text string) (err error) {
		if x, err = strconv.ParseFloat(text, 64); err == nil && x-x != 0 {
			err = strconv.ErrRange
		}
		return err
	})
	return x
}

func (m *metadataReader) count(key string) (n int) {
	m.parse(key, "a whole number of at least 0", func(text string) (err error) {
		if n, err = strconv.Atoi(text); err == nil && n < 0 {
			err = strconv.ErrRange
		}
		return err
	})
	return n
}

// checksums reads at most as many as there is room for, and at least one.
func (m *metadataReader) checksums(key string, into []uint32) {
	m.parse(key, fmt.Sprintf("1 to %d checksums of eight hexadecimal digits", len(into)), func(text string) error {
		words := strings.Fields(text)
		if len(words) == 0 || len(words) > len(into) {
			return strconv.ErrRange
		}
		for i, word := range words {
			sum, err := strconv.ParseUint(word, 16, 32)
			if err != nil {
				return err
			}
			into[i] = uint32(sum)
		}
		return nil
	})
}
