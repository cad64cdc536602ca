package query_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"graphda/graph"
	"graphda/projection/query"
)

func Example() {
	g, _ := query.NewGraph(graph.Grid(4, 4), nil, nil) // for all goroutines
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	a, err := query.NewSolver(g).Solve(ctx, query.Query{Prizes: map[int32]float64{0: 3, 2: 4, 15: 0.5}, Certify: true})
	fmt.Println(a.Nodes, a.Edges, a.Prize, a.Cost, a.Gap(), err)

	_, err = query.NewSolver(g).Solve(ctx, query.Query{Must: []int32{3}, Without: []int32{3}})
	var wrong *query.QueryError
	fmt.Println(errors.As(err, &wrong), err)
	// Output:
	// [0 1 2] [0 2] 7 2 0 <nil>
	// true a node must be in the answer, but is excluded
}

// A pool of solvers answers as many queries at once as there are goroutines.
func ExampleSolver_pool() {
	g, _ := query.NewGraph(graph.Grid(4, 4), nil, nil)
	pool := sync.Pool{New: func() any { return query.NewSolver(g) }}
	costs := make([]float64, 3)
	var all sync.WaitGroup
	for i := range costs {
		all.Go(func() {
			s := pool.Get().(*query.Solver)
			defer pool.Put(s)
			a, err := s.Solve(context.Background(), query.Query{Must: []int32{0, int32(5 * i)}})
			if err == nil {
				costs[i] = a.Cost
			}
		})
	}
	all.Wait()
	fmt.Println(costs)
	// Output: [0 2 4]
}
