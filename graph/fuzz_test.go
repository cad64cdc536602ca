package graph

import (
	"encoding/binary"
	"errors"
	"math"
	"testing"
)

// FuzzNew reads a graph from bytes, eleven an edge: two nodes, their signs in one more
// byte, and a cost. New must refuse exactly the lowest fault that plainFault sees.
func FuzzNew(f *testing.F) {
	edge := func(u, v byte, cost float64) []byte {
		return binary.LittleEndian.AppendUint64([]byte{u, v, 0}, math.Float64bits(cost))
	}
	join := func(edges ...[]byte) (all []byte) {
		for _, e := range edges {
			all = append(all, e...)
		}
		return all
	}
	f.Add(uint8(3), join(edge(0, 1, 1), edge(1, 2, 0.5)))
	f.Add(uint8(3), join(edge(0, 1, 1), edge(1, 0, 1), edge(2, 2, 1)))
	f.Add(uint8(2), join(edge(0, 1, math.NaN())))
	f.Add(uint8(2), join(edge(0, 2, 1)))
	f.Add(uint8(0), []byte(nil))
	f.Fuzz(func(t *testing.T, n uint8, data []byte) {
		var edges []Edge
		costs := []float64{}
		for ; len(data) >= 11; data = data[11:] {
			e := Edge{U: int32(data[0]), V: int32(data[1])}
			if data[2]&1 != 0 {
				e.U = -e.U
			}
			if data[2]&2 != 0 {
				e.V = -e.V
			}
			edges = append(edges, e)
			costs = append(costs, math.Float64frombits(binary.LittleEndian.Uint64(data[3:])))
		}
		g, err := New(int(n), edges, costs)
		want := plainFault(int(n), edges, costs)
		if want < 0 {
			if err != nil {
				t.Fatalf("New refuses a good graph: %v", err)
			}
			checkArcs(t, g)
			return
		}
		var edge *EdgeError
		if !errors.As(err, &edge) || edge.Edge != want {
			t.Fatalf("New: %v, want edge %d refused", err, want)
		}
	})
}
